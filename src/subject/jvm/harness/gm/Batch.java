package gm;

import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;

/** Calls a method once per row. */
final class Batch {
    // How a call ends.
    private static final int RETURNED = 0;
    private static final int THREW = 1;
    private static final int FUEL = 2;
    private static final int MEMORY = 3;
    private static final int STACK = 4;
    private static final int EXIT = 5;
    private static final int BAD = 6;

    /** A batch that has written more ends early: genmorph asks for the rest. */
    private static final int MOST_BYTES = 16 << 20;

    /** What initialisers may spend that run because we ask. */
    private static final int INITIALISERS = 100_000_000;

    /** The row that runs now, for the thread that reads. */
    static int row;

    private Batch() {
    }

    /**
     * In: how many sides of branches are recorded; how many rows; the fuel of each; the columns. Out: how many rows were run,
     * how many classes were loaded, whether threads are left; for each row how it ended and what it spent; the names of what was
     * thrown; the columns; hits and distances.
     */
    static Out run(Version version, In in, Out reply) {
        int sides = in.i32();
        int rows = in.i32();
        int fuelAt = in.at;
        in.at += 4 * rows;
        Column[] inputs = version.inputs;
        Column[] outputs = version.outputs;
        int[] sources = version.sources;
        for (Column column : inputs) {
            column.begin(in, rows);
        }
        for (Column column : outputs) {
            column.undo(0, 0);
        }
        int[] valuesAt = new int[outputs.length];
        int[] sizesAt = new int[outputs.length];
        byte[] ends = new byte[rows];
        int[] spent = new int[rows];
        Out threw = new Out(64);
        HashMap<Object, Integer> names = new HashMap<>();
        Out text = new Out(64);
        Out branches = new Out(64);
        Object[] arguments = new Object[inputs.length];
        int loaded = version.defined;
        int done = 0;
        int written = 0;
        while (done < rows && written < MOST_BYTES) {
            row = done;
            int before = version.defined;
            version.begin();
            for (int i = 0; i < inputs.length; i++) {
                arguments[i] = inputs[i].read(in, done);
            }
            int fuel = In.i32(in.bytes, fuelAt + 4 * done);
            int end = RETURNED;
            Throwable thrown = null;
            Object result = null;
            if (sides > 0) {
                Rt.forget(sides);
            }
            Rt.begin(fuel);
            try {
                result = version.call(arguments);
            } catch (InvocationTargetException e) {
                thrown = e.getTargetException();
            } catch (Throwable e) {
                thrown = e;
            }
            spent[done] = Rt.left < 0 ? fuel : fuel + Rt.granted - Rt.left;
            if (Rt.exited) {
                end = EXIT;
            } else if (Rt.left < 0) {
                end = FUEL;
            } else if (Rt.greedy) {
                end = MEMORY;
            } else if (thrown != null) {
                end = thrown instanceof StackOverflowError ? STACK : thrown instanceof OutOfMemoryError ? MEMORY : THREW;
            }
            if (end == RETURNED) {
                for (int i = 0; i < outputs.length; i++) {
                    valuesAt[i] = outputs[i].values.at;
                    sizesAt[i] = outputs[i].sizes.at;
                }
                try {
                    for (int i = 0; i < outputs.length; i++) {
                        outputs[i].write(sources[i] < 0 ? result : arguments[sources[i]]);
                    }
                } catch (Column.NoValue e) {
                    end = e == Column.LARGE ? MEMORY : BAD;
                } catch (OutOfMemoryError e) {
                    end = MEMORY;
                } catch (Throwable e) {
                    // A CharSequence or a List of the subject, whose methods run its code.
                    end = BAD;
                }
                written = 0;
                for (int i = 0; i < outputs.length; i++) {
                    if (end != RETURNED) {
                        outputs[i].undo(valuesAt[i], sizesAt[i]);
                    }
                    written += outputs[i].values.at;
                }
            }
            if (end == THREW) {
                String missing = missing(thrown);
                Object kind = missing == null ? thrown.getClass() : missing;
                Integer number = names.get(kind);
                if (number == null) {
                    number = names.size();
                    names.put(kind, number);
                    String name = thrown.getClass().getName();
                    text.text(missing == null ? name : name + ": " + missing);
                }
                threw.i32(number);
            }
            for (int side = 0; side < sides; side++) {
                branches.i32(Rt.hits[side]);
                branches.i64(Double.doubleToRawLongBits(Rt.distances[side]));
            }
            ends[done] = (byte) end;
            done++;
            // A class whose initialiser was stopped halfway is broken for all rows that follow.
            if (end >= FUEL && end <= EXIT && version.defined != before) {
                Rt.begin(INITIALISERS);
                if (!version.isSound()) {
                    break;
                }
            }
        }
        reply.i32(done);
        reply.i32(version.defined - loaded);
        reply.u8(threads() ? 1 : 0);
        for (int i = 0; i < done; i++) {
            reply.u8(ends[i]);
        }
        for (int i = 0; i < done; i++) {
            reply.i32(spent[i]);
        }
        reply.i32(names.size());
        reply.all(text);
        reply.all(threw);
        for (Column column : outputs) {
            reply.all(column.sizes);
            reply.all(column.values);
        }
        reply.all(branches);
        return reply;
    }

    /** The class that was not found, with slashes; null if something else was thrown. */
    private static String missing(Throwable thrown) {
        String message = thrown instanceof NoClassDefFoundError ? thrown.getMessage() : null;
        return message == null || message.indexOf(' ') >= 0 ? null : message;
    }

    /** Whether the code under test has left threads running; those of the common pool do no harm. */
    private static boolean threads() {
        Thread[] threads = new Thread[16];
        int count = Thread.currentThread().getThreadGroup().enumerate(threads, true);
        for (int i = 0; i < count; i++) {
            if (threads[i] != Thread.currentThread() && !threads[i].getClass().getName().startsWith("java.util.concurrent.ForkJoin")) {
                return true;
            }
        }
        return false;
    }
}
