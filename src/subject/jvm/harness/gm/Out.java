package gm;

/** Bytes that are written: little-endian numbers, texts as UTF-16 units. Grows. */
final class Out {
    byte[] bytes;
    int at;

    Out(int capacity) {
        bytes = new byte[capacity];
    }

    void u8(int number) {
        if (at == bytes.length) {
            room(1);
        }
        bytes[at++] = (byte) number;
    }

    void unit(int unit) {
        if (at + 2 > bytes.length) {
            room(2);
        }
        bytes[at] = (byte) unit;
        bytes[at + 1] = (byte) (unit >> 8);
        at += 2;
    }

    void i32(int number) {
        if (at + 4 > bytes.length) {
            room(4);
        }
        byte[] b = bytes;
        int i = at;
        b[i] = (byte) number;
        b[i + 1] = (byte) (number >> 8);
        b[i + 2] = (byte) (number >> 16);
        b[i + 3] = (byte) (number >> 24);
        at = i + 4;
    }

    void i64(long number) {
        i32((int) number);
        i32((int) (number >> 32));
    }

    void text(String text) {
        i32(text.length());
        units(text);
    }

    /** The units of a text, without how many. */
    void units(CharSequence text) {
        int length = text.length();
        room(2 * length);
        byte[] b = bytes;
        int to = at;
        for (int i = 0; i < length; i++, to += 2) {
            char unit = text.charAt(i);
            b[to] = (byte) unit;
            b[to + 1] = (byte) (unit >> 8);
        }
        at = to;
    }

    void all(Out other) {
        room(other.at);
        System.arraycopy(other.bytes, 0, bytes, at, other.at);
        at += other.at;
    }

    /** Makes room for so many bytes more. */
    void room(int more) {
        if (bytes.length - at < more) {
            bytes = java.util.Arrays.copyOf(bytes, Math.max(at + more, 2 * bytes.length));
        }
    }
}
