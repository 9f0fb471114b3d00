package gm;

/** A frame that is read: little-endian numbers, texts as UTF-16 units. */
final class In {
    final byte[] bytes;
    int at;

    In(byte[] bytes) {
        this.bytes = bytes;
    }

    int u8() {
        return bytes[at++] & 0xff;
    }

    char unit() {
        char unit = unit(bytes, at);
        at += 2;
        return unit;
    }

    int i32() {
        int number = i32(bytes, at);
        at += 4;
        return number;
    }

    String text() {
        return text(i32());
    }

    /** A text of so many units. */
    String text(int length) {
        char[] units = new char[length];
        int from = at;
        for (int i = 0; i < length; i++, from += 2) {
            units[i] = (char) (bytes[from] & 0xff | bytes[from + 1] << 8);
        }
        at = from;
        return new String(units);
    }

    byte[] bytes(int length) {
        byte[] part = java.util.Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return part;
    }

    static char unit(byte[] bytes, int at) {
        return (char) (bytes[at] & 0xff | bytes[at + 1] << 8);
    }

    static int i32(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16 | bytes[at + 3] << 24;
    }

    static long i64(byte[] bytes, int at) {
        return i32(bytes, at) & 0xffffffffL | (long) i32(bytes, at + 4) << 32;
    }
}
