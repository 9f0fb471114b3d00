package gm;

import java.util.HashMap;

/**
 * The classes that all versions share. Those that are not here yet are asked for.
 *
 * A thread of its own asks: whoever needs a class may be at the end of its stack, and half a question would be the
 * end of the conversation.
 */
final class Library extends Thread {
    private static final byte[] NONE = {};

    private final Channel channel;
    private final HashMap<String, byte[]> known = new HashMap<>();
    private String wanted;
    private byte[] answer;

    Library(Channel channel) {
        super(null, null, "gm-classes", 1 << 20);
        this.channel = channel;
        setDaemon(true);
    }

    /** The bytes of a class, or null. */
    synchronized byte[] find(String name) {
        byte[] bytes;
        while ((bytes = known.get(name)) == null) {
            if (wanted == null) {
                wanted = name;
                notifyAll();
            }
            try {
                wait();
            } catch (InterruptedException e) {
                // Code under test may do that; a class is needed all the same.
            }
        }
        return bytes == NONE ? null : bytes;
    }

    /** An answer of genmorph. */
    synchronized void answered(In frame) {
        answer = frame.u8() == 0 ? NONE : frame.bytes(frame.bytes.length - frame.at);
        notifyAll();
    }

    @Override
    public void run() {
        while (true) {
            try {
                ask();
            } catch (InterruptedException e) {
                // Nothing interrupts us; go on.
            }
        }
    }

    private synchronized void ask() throws InterruptedException {
        while (wanted == null) {
            wait();
        }
        Out frame = Channel.frame(Worker.NEED, 2 * wanted.length());
        frame.units(wanted);
        channel.send(frame);
        while (answer == null) {
            wait();
        }
        known.put(wanted, answer);
        wanted = null;
        answer = null;
        notifyAll();
    }
}
