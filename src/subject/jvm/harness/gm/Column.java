package gm;

import java.util.ArrayList;
import java.util.List;

/**
 * The values of one parameter or output. A column of single values is these; one of texts, arrays and lists is all
 * lengths, then all elements.
 */
final class Column {
    /** What can come instead of a value that was asked for. */
    static final class NoValue extends Exception {
        private static final long serialVersionUID = 1L;

        NoValue(String message) {
            super(message, null, false, false);
        }
    }

    static final NoValue BAD = new NoValue("no value of the type");
    static final NoValue LARGE = new NoValue("too many elements");

    /** Results with more elements are refused. */
    private static final int MOST_ELEMENTS = 1 << 16;

    /** `1` single, `[` array, `L` list, `T` text. */
    final char form;
    /** The type of the elements, as in descriptors; `C` for a text, `N` for elements that are texts, by number. */
    final char element;
    /** The texts that have numbers, in their order. */
    private final String[] texts;

    /** Where the next element is, in the frame; for single values, where the first is. */
    private int elements;
    private int lengths;

    /** What was written. */
    final Out values;
    final Out sizes;

    Column(char form, char element, String[] texts) {
        this.form = form;
        this.element = element;
        this.texts = texts;
        this.values = new Out(64);
        this.sizes = new Out(form == '1' ? 0 : 64);
    }

    private int width() {
        switch (element) {
            case 'Z': case 'B': return 1;
            case 'S': case 'C': return 2;
            case 'I': case 'F': case 'N': return 4;
            default: return 8;
        }
    }

    /** Finds the column in a frame, and goes behind it. */
    void begin(In frame, int rows) {
        int count = rows;
        if (form != '1') {
            lengths = frame.at;
            count = 0;
            for (int row = 0; row < rows; row++) {
                // A length of -1 is null.
                count += Math.max(frame.i32(), 0);
            }
        }
        elements = frame.at;
        frame.at += count * width();
    }

    /** The value of a row. Rows are read in their order. */
    Object read(In frame, int row) {
        byte[] b = frame.bytes;
        if (form == '1') {
            return single(b, elements + row * width());
        }
        int length = In.i32(b, lengths + 4 * row);
        if (length < 0) {
            return null;
        }
        int from = elements;
        elements = from + length * width();
        if (form == 'T') {
            frame.at = from;
            return frame.text(length);
        }
        if (form == 'L') {
            ArrayList<Object> list = new ArrayList<>(length);
            for (int i = 0, width = width(); i < length; i++) {
                list.add(single(b, from + i * width));
            }
            return list;
        }
        return array(b, from, length);
    }

    private Object single(byte[] b, int at) {
        switch (element) {
            case 'Z': return b[at] != 0;
            case 'B': return b[at];
            case 'S': return (short) In.unit(b, at);
            case 'C': return In.unit(b, at);
            case 'I': return In.i32(b, at);
            case 'N': return texts[In.i32(b, at)];
            case 'J': return In.i64(b, at);
            case 'F': return Float.intBitsToFloat(In.i32(b, at));
            default: return Double.longBitsToDouble(In.i64(b, at));
        }
    }

    private Object array(byte[] b, int from, int length) {
        switch (element) {
            case 'Z': {
                boolean[] a = new boolean[length];
                for (int i = 0; i < length; i++) {
                    a[i] = b[from + i] != 0;
                }
                return a;
            }
            case 'B': return java.util.Arrays.copyOfRange(b, from, from + length);
            case 'S': {
                short[] a = new short[length];
                for (int i = 0; i < length; i++) {
                    a[i] = (short) In.unit(b, from + 2 * i);
                }
                return a;
            }
            case 'C': {
                char[] a = new char[length];
                for (int i = 0; i < length; i++) {
                    a[i] = In.unit(b, from + 2 * i);
                }
                return a;
            }
            case 'I': {
                int[] a = new int[length];
                for (int i = 0; i < length; i++) {
                    a[i] = In.i32(b, from + 4 * i);
                }
                return a;
            }
            case 'N': {
                String[] a = new String[length];
                for (int i = 0; i < length; i++) {
                    a[i] = texts[In.i32(b, from + 4 * i)];
                }
                return a;
            }
            case 'J': {
                long[] a = new long[length];
                for (int i = 0; i < length; i++) {
                    a[i] = In.i64(b, from + 8 * i);
                }
                return a;
            }
            case 'F': {
                float[] a = new float[length];
                for (int i = 0; i < length; i++) {
                    a[i] = Float.intBitsToFloat(In.i32(b, from + 4 * i));
                }
                return a;
            }
            default: {
                double[] a = new double[length];
                for (int i = 0; i < length; i++) {
                    a[i] = Double.longBitsToDouble(In.i64(b, from + 8 * i));
                }
                return a;
            }
        }
    }

    /** Appends a value; what was written of a value that is refused goes with `undo`. */
    void write(Object value) throws NoValue {
        if (value == null) {
            throw BAD;
        }
        switch (form) {
            case '1':
                one(value);
                return;
            case 'T': {
                // Whoever gives a CharSequence may give one that runs code: ask once.
                String text = value.toString();
                if (text == null) {
                    throw BAD;
                }
                size(text.length());
                values.units(text);
                return;
            }
            case 'L': {
                if (!(value instanceof List)) {
                    throw BAD;
                }
                Object[] items = ((List<?>) value).toArray();
                size(items.length);
                for (Object item : items) {
                    if (item == null && element != 'N') {
                        throw BAD;
                    }
                    one(item);
                }
                return;
            }
            default:
                elements(value);
        }
    }

    private void size(int length) throws NoValue {
        if (length > MOST_ELEMENTS) {
            throw LARGE;
        }
        sizes.i32(length);
    }

    private void one(Object value) throws NoValue {
        try {
            switch (element) {
                case 'Z': values.u8((Boolean) value ? 1 : 0); return;
                case 'B': values.u8((Byte) value); return;
                case 'S': values.unit((Short) value); return;
                case 'C': values.unit((Character) value); return;
                case 'I': values.i32((Integer) value); return;
                case 'N': values.i32(number((CharSequence) value)); return;
                case 'J': values.i64((Long) value); return;
                case 'F': values.i32(Float.floatToRawIntBits((Float) value)); return;
                default: values.i64(Double.doubleToRawLongBits((Double) value));
            }
        } catch (ClassCastException e) {
            throw BAD;
        }
    }

    /** The number of a text; others than those that have one get it from their hash, behind all of these; null has -1. */
    private int number(CharSequence value) {
        if (value == null) {
            return -1;
        }
        String text = value.toString();
        for (int i = 0; i < texts.length; i++) {
            if (texts[i].equals(text)) {
                return i;
            }
        }
        return 1000 + (text.hashCode() & 0x3fffffff);
    }

    private void elements(Object value) throws NoValue {
        switch (element) {
            case 'Z': {
                boolean[] a = (boolean[]) value;
                size(a.length);
                for (boolean e : a) {
                    values.u8(e ? 1 : 0);
                }
                return;
            }
            case 'B': {
                byte[] a = (byte[]) value;
                size(a.length);
                for (byte e : a) {
                    values.u8(e);
                }
                return;
            }
            case 'S': {
                short[] a = (short[]) value;
                size(a.length);
                for (short e : a) {
                    values.unit(e);
                }
                return;
            }
            case 'C': {
                char[] a = (char[]) value;
                size(a.length);
                for (char e : a) {
                    values.unit(e);
                }
                return;
            }
            case 'I': {
                int[] a = (int[]) value;
                size(a.length);
                for (int e : a) {
                    values.i32(e);
                }
                return;
            }
            case 'N': {
                Object[] a = (Object[]) value;
                size(a.length);
                for (Object e : a) {
                    one(e);
                }
                return;
            }
            case 'J': {
                long[] a = (long[]) value;
                size(a.length);
                for (long e : a) {
                    values.i64(e);
                }
                return;
            }
            case 'F': {
                float[] a = (float[]) value;
                size(a.length);
                for (float e : a) {
                    values.i32(Float.floatToRawIntBits(e));
                }
                return;
            }
            default: {
                double[] a = (double[]) value;
                size(a.length);
                for (double e : a) {
                    values.i64(Double.doubleToRawLongBits(e));
                }
            }
        }
    }

    /** Takes back what was written since the column was so long. */
    void undo(int valuesAt, int sizesAt) {
        values.at = valuesAt;
        sizes.at = sizesAt;
    }
}
