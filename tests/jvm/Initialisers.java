package t;

/** Classes that cannot be loaded. */
class Fails {
    static final int VALUE = 1 / Integer.parseInt("0");
    static int f(int a) { return a + VALUE; }
}

class Loops {
    static {
        while (System.nanoTime() != 0) {
            gm.Rt.tick();
        }
    }
    static int f(int a) { return a; }
}

class Waits {
    static {
        Object o = new Object();
        synchronized (o) {
            try {
                o.wait();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }
    }
    static int f(int a) { return a; }
}

class Leaves {
    static {
        Runtime.getRuntime().exit(0);
    }
    static int f(int a) { return a; }
}

class Misses {
    static int f(int a) { return a; }
    static Absent g(Absent a) { return a; }
}

class Needs {
    static int f(int a) { return a > 9 ? Absent.next(a) : a; }
}

class Orphan extends Absent {
    static int f(int a) { return a; }
}

class Absent {
    static int next(int a) { return a + 1; }
}
