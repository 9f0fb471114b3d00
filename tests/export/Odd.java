package odd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Methods that are not easy to call from a test. */
class Odd {
    /** Overloaded, so that the types of arguments matter. */
    public static int size(CharSequence text) throws IOException {
        return text.length() * 2;
    }

    public static int size(String text) {
        return -1;
    }

    public static Integer boxed(Integer x, Long y) {
        return x > y ? x : Integer.valueOf((int) (long) y);
    }

    private static double hidden(double[] values, float factor) {
        double sum = 0;
        for (double value : values) {
            sum += value * factor;
        }
        return sum;
    }

    static List<Long> sorted(Collection<Long> values) {
        List<Long> all = new ArrayList<>(values);
        Collections.sort(all);
        return all;
    }

    /** Takes away from a list that belongs to somebody else. */
    static int drained(List<Character> letters) {
        int count = letters.size();
        letters.clear();
        return count;
    }

    static char[] shifted(char[] letters, byte by, short again, boolean up) {
        char[] result = new char[letters.length];
        for (int i = 0; i < letters.length; i++) {
            result[i] = (char) (letters[i] + (up ? by + again : 0));
        }
        return result;
    }

    /** The second half of a text, which may begin in the middle of a character. */
    static String half(String text) {
        return text.substring(text.length() / 2);
    }

    /** Texts that have numbers, others, and null. */
    static String[] shouted(String[] words) {
        String[] result = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            result[i] = words[i].isEmpty() ? null : words[i] + "!";
        }
        return result;
    }

    private static int letters(String... words) {
        return String.join("", words).length();
    }

    static List<CharSequence> kept(Collection<CharSequence> words, String[] others) {
        List<CharSequence> result = new ArrayList<>();
        for (CharSequence word : words) {
            result.add(new StringBuilder(word));
        }
        return result;
    }

    private static class Inner {
        static long twice(long x) {
            return 2 * x;
        }
    }

    static class Nested {
        static boolean[] opposite(boolean[] bits, char c) {
            boolean[] result = new boolean[bits.length];
            for (int i = 0; i < bits.length; i++) {
                result[i] = !bits[i];
            }
            return result;
        }
    }
}
