package gm;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * The frames between genmorph and this process: a length, the kind, a body.
 *
 * They travel on file descriptor 0, which is a socket, so that it can be written to as well. The JVM prints to 1 and 2
 * as it likes. When the socket is closed at the other end, nobody needs this process any more.
 */
final class Channel {
    /** No frame is longer. */
    private static final int LONGEST = 256 << 20;

    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.in);

    /** The next frame: its kind, and what is in it. */
    byte[] receive() throws IOException {
        byte[] length = new byte[4];
        fill(length);
        int size = In.i32(length, 0);
        if (size < 1 || size > LONGEST) {
            throw new IOException("a frame of " + size + " bytes");
        }
        byte[] frame = new byte[size];
        fill(frame);
        return frame;
    }

    private void fill(byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length;) {
            int read = in.read(bytes, at, bytes.length - at);
            if (read < 0) {
                throw new IOException("closed");
            }
            at += read;
        }
    }

    /** A frame to be written; its length is filled in when it is sent. */
    static Out frame(int kind, int capacity) {
        Out frame = new Out(capacity + 5);
        frame.at = 4;
        frame.u8(kind);
        return frame;
    }

    /** Sends a frame, in one piece. */
    synchronized void send(Out frame) {
        int size = frame.at - 4;
        frame.at = 0;
        frame.i32(size);
        try {
            out.write(frame.bytes, 0, size + 4);
        } catch (IOException e) {
            Runtime.getRuntime().halt(0);
        }
    }
}
