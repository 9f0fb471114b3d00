package gm;

/**
 * What instrumented code calls: fuel, allocations, what must not happen, and branches.
 *
 * Everything is static and without locks: one thread calls, and it calls one version at a time.
 */
public final class Rt {
    /** Ends a call from within. One object each, so that throwing it costs nothing and never fails. */
    static final class Stop extends Error {
        private static final long serialVersionUID = 1L;

        Stop(String message) {
            super(message, null, false, false);
        }
    }

    private static final Stop FUEL = new Stop("out of fuel");
    private static final Stop MEMORY = new Stop("an array that is too large");
    private static final Stop EXIT = new Stop("exit");

    /** Arrays with more elements are refused. */
    private static final int MOST_ELEMENTS = 1 << 24;

    /** For the initialiser of a class. */
    private static final int GRANT = 50_000;
    private static final int MOST_GRANTED = 100_000_000;

    /** What a call may still spend; below 0 when it has spent too much. */
    static int left;
    /** What it was given besides. */
    static int granted;
    /** Whether the call asked for an end of the process. */
    static boolean exited;
    /** Whether it asked for an array that is too large. */
    static boolean greedy;

    private Rt() {
    }

    /** Gets ready for a call. */
    static void begin(int fuel) {
        left = fuel;
        granted = 0;
        exited = false;
        greedy = false;
    }

    /**
     * A class was loaded: its initialiser will run, on the fuel of the call that happens to be the first to need it.
     * Which call that is depends on what ran before, so it is not to be the worse for it.
     */
    static void grant() {
        if (left >= 0 && granted < MOST_GRANTED) {
            left += GRANT;
            granted += GRANT;
        }
    }

    /** At the entry of a method and on every jump backwards. */
    public static void tick() {
        if (--left < 0) {
            left = -1;
            throw FUEL;
        }
    }

    /** Before an array is made; gives back its length. */
    public static int alloc(int n) {
        if (n > 0) {
            if (n > MOST_ELEMENTS) {
                greedy = true;
                throw MEMORY;
            }
            left -= n >>> 5;
            if (left < 0) {
                left = -1;
                throw FUEL;
            }
        }
        return n;
    }

    /** Before an array of arrays is made, with its two innermost lengths. */
    public static void grid(int a, int b) {
        if (a >= 0 && b >= 0) {
            alloc((int) Math.min((long) a * b, Integer.MAX_VALUE));
        }
    }

    /** Instead of System.exit and Runtime.exit. */
    public static void exit(int status) {
        exited = true;
        throw EXIT;
    }

    /** Instead of Runtime.halt. */
    public static void halt(int status) {
        exit(status);
    }

    /** Instead of Thread.sleep: time passes as fuel, a tick per millisecond. */
    public static void sleep(long millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (millis >= left) {
            left = -1;
            throw FUEL;
        }
        left -= (int) millis;
    }

    // Branches. Side 2 * id is the way on, side 2 * id + 1 the jump; RUNTIME.md has the meaning of all of it.

    /** How often each side was taken in this call. */
    static int[] hits = {};
    /** How near the call came to each side. */
    static double[] distances = {};

    /** Forgets what happened at the branches. */
    static void forget(int sides) {
        if (hits.length != sides) {
            hits = new int[sides];
            distances = new double[sides];
        }
        java.util.Arrays.fill(hits, 0);
        java.util.Arrays.fill(distances, Double.POSITIVE_INFINITY);
    }

    /** An int against 0. */
    public static void testI(int a, int site) {
        cmpI(a, 0, site);
    }

    /** Two ints. */
    public static void cmpI(int a, int b, int site) {
        record(Integer.compare(a, b), (double) a - b, 1, site);
    }

    /** Two longs, compared as lcmp does. */
    public static int cmpJ(long a, long b, int site) {
        int order = Long.compare(a, b);
        record(order, (double) a - (double) b, 1, site);
        return order;
    }

    /** Two floats, compared as fcmpl or fcmpg does. */
    public static int cmpF(float a, float b, int site) {
        return cmpD(a, b, site);
    }

    /** Two doubles, compared as dcmpl or dcmpg does. */
    public static int cmpD(double a, double b, int site) {
        int order = a > b ? 1 : a == b ? 0 : a < b ? -1 : (site & 8) == 0 ? -1 : 1;
        record(order, a - b, Double.MIN_VALUE, site);
        return order;
    }

    /** An object against null. */
    public static void testA(Object a, int site) {
        cmpA(a, null, site);
    }

    /** Two objects. */
    public static void cmpA(Object a, Object b, int site) {
        boolean same = a == b;
        record(same ? 0 : 1, same ? 0 : 1, 1, site);
    }

    /** Whether two objects are equal; the jump looks at that. */
    public static boolean eqA(Object a, Object b, int site) {
        boolean equal = a.equals(b);
        double apart = equal ? 0 : a instanceof String && b instanceof String ? apart((String) a, (String) b) : 1;
        // The jump compares the answer with 0: it is taken by `ne` if the two are equal.
        note(taken(equal ? 1 : 0, site), equal ? 1 : apart, site >>> 4);
        return equal;
    }

    private static double apart(String a, String b) {
        double sum = 65536.0 * Math.abs(a.length() - b.length());
        for (int i = Math.min(a.length(), b.length()) - 1; i >= 0; i--) {
            sum += Math.abs(a.charAt(i) - b.charAt(i));
        }
        return sum;
    }

    private static boolean taken(int order, int site) {
        switch (site & 7) {
            case 0: return order == 0;
            case 1: return order != 0;
            case 2: return order < 0;
            case 3: return order >= 0;
            case 4: return order > 0;
            default: return order <= 0;
        }
    }

    /** A comparison with its order, the difference, and the step from one value to the next. */
    private static void record(int order, double difference, double step, int site) {
        double other;
        switch (site & 7) {
            case 0:
            case 1:
                other = order == 0 ? 1 : Math.abs(difference);
                break;
            case 2:
            case 3:
                other = order < 0 ? -difference : next(difference, step);
                break;
            default:
                other = order > 0 ? difference : next(-difference, step);
                break;
        }
        note(taken(order, site), other, site >>> 4);
    }

    private static double next(double difference, double step) {
        return step == 1 ? difference + 1 : Math.max(difference, step);
    }

    /** A visit: the side that was taken, and how far the other was. */
    private static void note(boolean taken, double other, int id) {
        int side = 2 * id + (taken ? 1 : 0);
        if (side >= hits.length) {
            return;
        }
        if (hits[side] != -1) {
            hits[side]++;
        }
        distances[side] = 0;
        double distance = other <= Double.MAX_VALUE ? other : Double.MAX_VALUE;
        if (distance < distances[side ^ 1]) {
            distances[side ^ 1] = distance;
        }
    }
}
