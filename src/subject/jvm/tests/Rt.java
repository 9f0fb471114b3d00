package gm;

import java.util.TreeMap;

/** What rewritten classes call, as simple as the tests allow; see RUNTIME.md. */
public final class Rt {
    public static long ticks;
    public static long allocated;
    public static String left = "";
    /** How often each side was taken. */
    public static final TreeMap<Integer, Integer> hits = new TreeMap<>();

    public static void tick() {
        ticks++;
    }

    public static int alloc(int length) {
        allocated += Math.max(length, 0);
        return length;
    }

    public static void grid(int rows, int columns) {
        allocated += (long) rows * columns;
    }

    public static void exit(int code) {
        throw new Error("exit " + code);
    }

    public static void halt(int code) {
        throw new Error("halt " + code);
    }

    public static void sleep(long milliseconds) {
        throw new Error("sleep " + milliseconds);
    }

    private static void record(int order, int site) {
        boolean jumps = switch (site & 7) {
            case 0 -> order == 0;
            case 1 -> order != 0;
            case 2 -> order < 0;
            case 3 -> order >= 0;
            case 4 -> order > 0;
            default -> order <= 0;
        };
        hits.merge((site >> 4) * 2 + (jumps ? 1 : 0), 1, Integer::sum);
    }

    public static void testI(int a, int site) {
        record(Integer.compare(a, 0), site);
    }

    public static void cmpI(int a, int b, int site) {
        record(Integer.compare(a, b), site);
    }

    public static int cmpJ(long a, long b, int site) {
        int order = Long.compare(a, b);
        record(order, site);
        return order;
    }

    public static int cmpF(float a, float b, int site) {
        return cmpD(a, b, site);
    }

    public static int cmpD(double a, double b, int site) {
        int order = a < b ? -1 : a > b ? 1 : a == b ? 0 : (site & 8) == 0 ? -1 : 1;
        record(order, site);
        return order;
    }

    public static void testA(Object a, int site) {
        record(a == null ? 0 : 1, site);
    }

    public static void cmpA(Object a, Object b, int site) {
        record(a == b ? 0 : 1, site);
    }

    public static boolean eqA(Object a, Object b, int site) {
        boolean equal = a.equals(b);
        record(equal ? 1 : 0, site);
        return equal;
    }
}
