package t;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Methods that do all that a method can do to a worker. */
public class Calls {
    public static boolean not(boolean a) { return !a; }
    public static byte ofByte(byte a) { return a; }
    public static short ofShort(short a) { return a; }
    public static char ofChar(char a) { return a; }
    public static int ofInt(int a) { return a; }
    public static long ofLong(long a) { return a; }
    public static float ofFloat(float a) { return a; }
    public static double ofDouble(double a) { return a; }
    public static Boolean ofBoxedBoolean(Boolean a) { return a; }
    public static Integer ofInteger(Integer a) { return a; }
    public static Character ofCharacter(Character a) { return a; }
    public static Double ofBoxedDouble(Double a) { return a; }
    public static String ofString(String a) { return a; }
    public static CharSequence ofChars(CharSequence a) { return new StringBuilder(a); }
    public static boolean[] ofBooleans(boolean[] a) { return a; }
    public static byte[] ofBytes(byte[] a) { return a; }
    public static short[] ofShorts(short[] a) { return a; }
    public static char[] ofCharArray(char[] a) { return a; }
    public static int[] ofInts(int... a) { return a; }
    public static long[] ofLongs(long[] a) { return a; }
    public static float[] ofFloats(float[] a) { return a; }
    public static double[] ofDoubles(double[] a) { return a; }
    public static List<Integer> ofIntegers(List<Integer> a) { return a; }
    public static List<Double> ofDoubleList(List<Double> a) { return new ArrayList<>(a); }
    public static List<Character> ofCharacters(List<Character> a) { return a; }

    public static int length(String s) { return s.length(); }
    public static String half(String s) { return s.substring(0, s.length() / 2); }
    static String nothing(int a) { return a == 0 ? null : "x"; }
    private static int hidden(int a) { return a + 1; }

    public static void reverse(int[] a, int from) {
        for (int i = from, j = a.length - 1; i < j; i++, j--) {
            int e = a[i];
            a[i] = a[j];
            a[j] = e;
        }
    }
    public static void sortList(List<Integer> a) { Collections.sort(a); }
    public static int sumAndClear(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i];
            a[i] = 0;
        }
        return sum;
    }

    public static int divide(int a, int b) { return a / b; }
    public static int at(int[] a, int i) { return a[i]; }
    public static int own(int a) { throw new Broken(); }
    public static class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
        @Override public String getMessage() { throw new Broken(); }
    }

    public static int loop(int a) {
        gm.Rt.tick();
        while (a < 0) {
            gm.Rt.tick();
        }
        return a;
    }
    public static int stubborn(int a) {
        while (a < 0) {
            try {
                while (true) {
                    gm.Rt.tick();
                }
            } catch (Throwable e) {
                if (a == -2) {
                    return 7;
                }
            }
            gm.Rt.tick();
        }
        return a;
    }
    public static int descend(int a) { return a == 0 ? 0 : 1 + descend(a - 1); }
    public static int fill(int a) {
        List<long[]> all = new ArrayList<>();
        while (a < 0) {
            all.add(new long[1 << 20]);
        }
        return a;
    }
    public static int[] large(int a) { return new int[a]; }
    public static int exit(int a) {
        if (a == 3) {
            System.exit(0);
        }
        return a;
    }
    public static int halt(int a) {
        if (a == 3) {
            Runtime.getRuntime().halt(1);
        }
        return a;
    }
    public static int stuck(int a) {
        if (a == 3) {
            Object o = new Object();
            synchronized (o) {
                try {
                    o.wait();
                } catch (InterruptedException e) {
                    return -1;
                }
            }
        }
        return a;
    }
    public static int threads(int a) {
        if (a == 3) {
            new Thread() {
                @Override public void run() {
                    while (true) {
                        Thread.onSpinWait();
                    }
                }
            }.start();
        }
        return a;
    }
    public static int flood(int a) {
        for (int i = 0; i < 2000; i++) {
            System.out.println("a line on standard output, which nobody reads");
            System.err.println("a line on standard error, which nobody reads");
        }
        try {
            return System.in.read() < 0 ? a : -1;
        } catch (java.io.IOException e) {
            return -2;
        }
    }

    private static int calls;
    public static int counts(int a) { return a + calls++; }
    public static int random(int a) { return new java.util.Random().nextInt(); }

    public static int lazy(int a) { return a == 0 ? 0 : Helper.TABLE[a & 63]; }
    static class Helper {
        static final int[] TABLE = new int[64];
        static {
            for (int i = 0; i < 3000; i++) {
                gm.Rt.tick();
                TABLE[i & 63] = i;
            }
        }
    }

    public static int over(int a) { return a; }
    public static int over(int a, int b) { return a + b; }
    public static String over(String a) { return a; }
    public int instance(int a) { return a; }
    public static native int natively(int a);
    public static int map(int a, java.util.Map<String, Integer> m) { return a; }
    public static String[] texts(String... a) {
        String[] more = java.util.Arrays.copyOf(a, a.length + 2);
        more[a.length] = "of nobody";
        return more;
    }

    public static List<String> textList(List<String> a) {
        java.util.Collections.reverse(a);
        return a;
    }

    public static int maybe(String a, int[] b) {
        if (a == null) {
            return b == null ? 1 : 2;
        }
        return a.length();
    }

    public static int nested(int[][] a) { return a.length; }
    public static Object object(int a) { return a; }
    public static int none() { return 1; }
    public static void nowhere(int a) { }
}
