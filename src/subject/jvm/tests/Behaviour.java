/** What rewritten code still has to do. Each method is called by {@code main}, which prints what comes out. */
public final class Behaviour {
    static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                continue;
            }
            sum += i;
        }
        do {
            sum--;
        } while (sum > 10);
        return sum;
    }

    static String words(String text) {
        switch (text) {
            case "one":
                return "1";
            case "two":
                return "2";
            default:
                return text.equals("three") ? "3" : "many";
        }
    }

    static int arms(int n) {
        switch (n) {
            case -1: return 10;
            case 0: return 20;
            case 1: return 30;
            case 1000: return 40;
            default: return 50;
        }
    }

    static int guarded(int n) {
        try {
            return 10 / n;
        } catch (ArithmeticException error) {
            return -1;
        } finally {
            count++;
        }
    }

    static int count;

    static String numbers(long a, double b, float c) {
        return (a < 5) + " " + (b > 0.5) + " " + (b <= 0.5) + " " + (c == 1f) + " " + (a == 7 ? "seven" : "other");
    }

    static int arrays(int n) {
        int[] line = new int[n];
        String[] names = new String[n + 1];
        long[][] grid = new long[n][3];
        return line.length + names.length + grid.length * grid[0].length;
    }

    static String leaves(int how) {
        try {
            switch (how) {
                case 0: System.exit(3); break;
                case 1: Runtime.getRuntime().exit(4); break;
                case 2: Runtime.getRuntime().halt(5); break;
                case 3: Thread.sleep(100_000); break;
                default: Thread.sleep(100_000, 7); break;
            }
            return "went on";
        } catch (Exception | Error error) {
            return error.getMessage();
        }
    }

    static boolean same(Object a, Object b) {
        return a == b || a != null && a.equals(b);
    }

    private int field = loops(4);

    Behaviour() {
        while (field < 100) {
            field *= 2;
        }
    }

    public static String all() {
        StringBuilder out = new StringBuilder();
        for (int n : new int[] {-1, 0, 1, 7, 1000}) {
            out.append(loops(n)).append(' ').append(arms(n)).append(' ').append(guarded(n)).append('\n');
        }
        for (String text : new String[] {"one", "two", "three", "four"}) {
            out.append(words(text)).append(' ');
        }
        out.append(numbers(3, 0.25, 1f)).append(numbers(7, Double.NaN, Float.NaN)).append(arrays(4)).append('\n');
        out.append(same(null, null)).append(same("a", "b")).append(same("a", new String("a"))).append(count);
        return out.append(new Behaviour().field).toString();
    }

    public static String leavings() {
        StringBuilder out = new StringBuilder();
        for (int how = 0; how < 5; how++) {
            out.append(leaves(how)).append(", ");
        }
        return out.toString();
    }
}
