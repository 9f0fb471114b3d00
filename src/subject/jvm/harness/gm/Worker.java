package gm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashMap;

/**
 * Runs methods for genmorph: defines classes, calls, says what happened. Knows nothing of mutants.
 *
 * One thread reads, so that it notices when genmorph is gone; one calls, on a stack of its own size; one asks for classes.
 */
public final class Worker {
    private static final int MAGIC = 0x4d52_4d47;
    private static final int PROTOCOL = 2;

    // What genmorph says.
    private static final int PING = 1;
    private static final int DEFINE = 2;
    private static final int RUN = 3;
    private static final int DROP = 4;
    private static final int STATUS = 5;
    private static final int CLASS = 6;
    // What it is told.
    private static final int HELLO = 64;
    private static final int DONE = 65;
    private static final int FAILED = 66;
    static final int NEED = 67;
    private static final int PROGRESS = 68;

    private static final long STACK = 4 << 20;

    private static final Channel channel = new Channel();
    private static final Library library = new Library(channel);
    private static final HashMap<Integer, Version> versions = new HashMap<>();

    private static final Object turn = new Object();
    private static byte[] next;

    private Worker() {
    }

    public static void main(String[] arguments) {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        library.start();
        ThreadGroup group = new ThreadGroup("gm-calls");
        Thread caller = new Thread(group, null, "gm-calls", STACK) {
            @Override
            public void run() {
                calls();
            }
        };
        caller.setDaemon(true);
        caller.start();
        Out hello = Channel.frame(HELLO, 64);
        hello.i32(MAGIC);
        hello.i32(PROTOCOL);
        channel.send(hello);
        try {
            while (true) {
                read(channel.receive());
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(0);
        } catch (Throwable e) {
            Runtime.getRuntime().halt(97);
        }
    }

    private static void read(byte[] frame) {
        switch (frame[0]) {
            case STATUS: {
                Out status = Channel.frame(PROGRESS, 8);
                status.i32(Batch.row);
                status.i32(Rt.left);
                channel.send(status);
                return;
            }
            case CLASS: {
                In in = new In(frame);
                in.at = 1;
                library.answered(in);
                return;
            }
            default:
                synchronized (turn) {
                    next = frame;
                    turn.notify();
                }
        }
    }

    private static void calls() {
        while (true) {
            Out reply;
            try {
                byte[] frame;
                synchronized (turn) {
                    while (next == null) {
                        turn.wait();
                    }
                    frame = next;
                    next = null;
                }
                reply = serve(new In(frame));
            } catch (InterruptedException e) {
                // Left behind by code under test.
                continue;
            } catch (Throwable e) {
                reply = failure(e);
            }
            channel.send(reply);
        }
    }

    private static Out failure(Throwable e) {
        Out reply = Channel.frame(FAILED, 256);
        String message;
        try {
            // Runs code under test.
            message = String.valueOf(e.getMessage());
        } catch (Throwable again) {
            message = "";
        }
        reply.text(e.getClass().getName());
        reply.text(message.length() > 2000 ? message.substring(0, 2000) : message);
        Throwable cause = e.getCause();
        reply.text(cause == null ? "" : cause.getClass().getName());
        // The code under test may have caught what told it to stop, and thrown something else.
        reply.u8(Rt.left < 0 ? 1 : Rt.exited ? 2 : Rt.greedy ? 3 : 0);
        return reply;
    }

    private static Out serve(In in) throws Throwable {
        switch (in.u8()) {
            case PING:
                return Channel.frame(DONE, 0);
            case DEFINE:
                return define(in);
            case RUN:
                return Batch.run(versions.get(in.i32()), in, Channel.frame(DONE, 1 << 16));
            case DROP:
                versions.remove(in.i32());
                return Channel.frame(DONE, 0);
            default:
                throw new IOException("an unknown kind of frame");
        }
    }

    private static Out define(In in) throws Throwable {
        int number = in.i32();
        Rt.begin(in.i32());
        Rt.forget(in.i32());
        HashMap<String, byte[]> own = new HashMap<>();
        for (int count = in.i32(); count > 0; count--) {
            String name = in.text();
            own.put(name, in.bytes(in.i32()));
        }
        Version version = new Version(library, own);
        String type = in.text();
        String method = in.text();
        String descriptor = in.text();
        String[] texts = new String[in.i32()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = in.text();
        }
        version.inputs = columns(in, texts);
        version.outputs = columns(in, texts);
        version.sources = new int[version.outputs.length];
        for (int i = 0; i < version.sources.length; i++) {
            version.sources[i] = in.i32();
        }
        version.bind(type, method, descriptor);
        versions.put(number, version);
        return Channel.frame(DONE, 0);
    }

    private static Column[] columns(In in, String[] texts) {
        Column[] columns = new Column[in.i32()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new Column(in.unit(), in.unit(), texts);
        }
        return columns;
    }
}
