import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The methods that exported tests in Java 8 bring along: operators of relations that Java does not have, and what follow-ups
 * and messages need.
 *
 * <p>Read as text by {@code export/helpers.rs}: a line {@code // [name type: called]} begins a method and names the ones that it
 * calls. Only what a test needs is written, in this order. A method for {@code int[]} serves all arrays that have none of
 * their own, with their element in the place of {@code int}; one for {@code List<T>} serves such lists.
 */
final class Helpers {
    private static final double ABS = 0.0;
    private static final double REL = 0.0;

    // [eq]
    /** The same number, both NaN, or both finite and within the tolerance. */
    private static boolean eq(double a, double b) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) && Double.isNaN(b);
        }
        boolean finite = !Double.isInfinite(a) && !Double.isInfinite(b);
        return a == b || finite && Math.abs(a - b) <= ABS + REL * Math.max(Math.abs(a), Math.abs(b));
    }

    // [eq_seq: eq]
    /** As long as each other, and equal element by element. */
    private static boolean eq(double[] a, double[] b) {
        boolean same = a.length == b.length;
        for (int i = 0; same && i < a.length; i++) {
            same = eq(a[i], b[i]);
        }
        return same;
    }

    // [lt: eq]
    /** Less, and not within the tolerance. */
    private static boolean lt(double a, double b) {
        return a < b && !eq(a, b);
    }

    // [gt: lt]
    /** Greater, and not within the tolerance. */
    private static boolean gt(double a, double b) {
        return lt(b, a);
    }

    // [le: eq]
    /** Less, or equal within the tolerance. */
    private static boolean le(double a, double b) {
        return a < b || eq(a, b);
    }

    // [ge: le]
    /** Greater, or equal within the tolerance. */
    private static boolean ge(double a, double b) {
        return le(b, a);
    }

    // [div: eq]
    /** The quotient; 1 where the divisor equals 0. */
    private static double div(double a, double b) {
        return eq(b, 0.0) ? 1.0 : a / b;
    }

    // [length]
    /** The number of elements. */
    private static double length(double[] s) {
        return s.length;
    }

    // [sum]
    /** The elements added from left to right. */
    private static double sum(double[] s) {
        double total = 0.0;
        for (double element : s) {
            total += element;
        }
        return total;
    }

    // [flip]
    /** The elements in reverse order. */
    private static double[] flip(double[] s) {
        double[] flipped = new double[s.length];
        for (int i = 0; i < s.length; i++) {
            flipped[i] = s[s.length - 1 - i];
        }
        return flipped;
    }

    // [remove]
    /** Without the element at an index, cut to an integer; negative ones count from the end, others change nothing. */
    private static double[] remove(double[] s, double n) {
        long index = (long) n < 0 ? (long) n + s.length : (long) n;
        if (index < 0 || index >= s.length) {
            return s;
        }
        double[] rest = new double[s.length - 1];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = s[i < index ? i : i + 1];
        }
        return rest;
    }

    // [truncate]
    /** The first n elements; if n is negative, all but the first -n. */
    private static double[] truncate(double[] s, double n) {
        long count = (long) n;
        int from = (int) (count < 0 ? Math.min(s.length, -Math.max(count, -s.length)) : 0);
        int to = (int) (count < 0 ? s.length : Math.min(s.length, count));
        double[] part = new double[to - from];
        for (int i = 0; i < part.length; i++) {
            part[i] = s[from + i];
        }
        return part;
    }

    // [to_text]
    /** The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters. */
    private static double[] toText(double n) {
        return Long.toString((long) n).chars().asDoubleStream().toArray();
    }

    // [smaller]
    /** The smaller number; NaN if either is NaN. */
    private static double smaller(double a, double b) {
        return a < b || Double.isNaN(a) ? a : b;
    }

    // [larger]
    /** The larger number; NaN if either is NaN. */
    private static double larger(double a, double b) {
        return a > b || Double.isNaN(a) ? a : b;
    }

    // [modulo: eq]
    /** What is left of the first number after multiples of the second, with the sign of the second; 0 where that equals 0. */
    private static double modulo(double a, double b) {
        if (eq(b, 0.0)) {
            return 0.0;
        }
        double rest = a % b;
        return rest == 0.0 || rest < 0.0 == b < 0.0 ? rest : rest + b;
    }

    // [floor]
    /** The largest integer that is not more. */
    private static double floor(double a) {
        return Math.floor(a);
    }

    // [at]
    /** The element at an index, cut to an integer; negative ones count from the end; 0 where there is none. */
    private static double at(double[] s, double n) {
        long index = (long) n < 0 ? (long) n + s.length : (long) n;
        return index >= 0 && index < s.length ? s[(int) index] : 0.0;
    }

    // [first: at]
    /** The first element; 0 if there is none. */
    private static double first(double[] s) {
        return at(s, 0.0);
    }

    // [last: at]
    /** The last element; 0 if there is none. */
    private static double last(double[] s) {
        return at(s, -1.0);
    }

    // [sort]
    /** The elements in ascending order, NaN last. */
    private static double[] ascending(double[] s) {
        double[] ordered = s.clone();
        Arrays.sort(ordered);
        return ordered;
    }

    // [least: sort, at]
    /** The first element in ascending order; 0 if there is none. */
    private static double least(double[] s) {
        return at(ascending(s), 0.0);
    }

    // [greatest: sort, at]
    /** The last element in ascending order; 0 if there is none. */
    private static double greatest(double[] s) {
        return at(ascending(s), -1.0);
    }

    // [join]
    /** The elements of both, one after the other. */
    private static double[] join(double[] s, double[] t) {
        double[] all = Arrays.copyOf(s, s.length + t.length);
        System.arraycopy(t, 0, all, s.length, t.length);
        return all;
    }

    // [upper_case]
    /** With capitals for the small letters of ASCII. */
    private static double[] upperCase(double[] s) {
        double[] cased = s.clone();
        for (int i = 0; i < s.length; i++) {
            cased[i] = s[i] >= 97 && s[i] <= 122 && s[i] == (int) s[i] ? s[i] - 32 : s[i];
        }
        return cased;
    }

    // [lower_case]
    /** With small letters for the capitals of ASCII. */
    private static double[] lowerCase(double[] s) {
        double[] cased = s.clone();
        for (int i = 0; i < s.length; i++) {
            cased[i] = s[i] >= 65 && s[i] <= 90 && s[i] == (int) s[i] ? s[i] + 32 : s[i];
        }
        return cased;
    }

    // [count: eq]
    /** How many elements equal a number. */
    private static double count(double[] s, double n) {
        int equal = 0;
        for (double element : s) {
            equal += eq(element, n) ? 1 : 0;
        }
        return equal;
    }

    // [occurs: eq]
    /** Whether a sequence has the elements of another from a place on. */
    private static boolean occurs(double[] s, double[] t, int place) {
        boolean same = place >= 0 && place + t.length <= s.length;
        for (int i = 0; same && i < t.length; i++) {
            same = eq(s[place + i], t[i]);
        }
        return same;
    }

    // [starts_with: occurs]
    /** Whether the first elements are those of another sequence. */
    private static boolean startsWith(double[] s, double[] t) {
        return occurs(s, t, 0);
    }

    // [ends_with: occurs]
    /** Whether the last elements are those of another sequence. */
    private static boolean endsWith(double[] s, double[] t) {
        return occurs(s, t, s.length - t.length);
    }

    // [index_of: occurs]
    /** The first place from which on a sequence has the elements of another; -1 if there is none. */
    private static double indexOf(double[] s, double[] t) {
        int place = 0;
        while (place <= s.length && !occurs(s, t, place)) {
            place++;
        }
        return place <= s.length ? place : -1;
    }

    // [contains: index_of]
    /** Whether a sequence has the elements of another somewhere, one after the other. */
    private static boolean contains(double[] s, double[] t) {
        return indexOf(s, t) >= 0;
    }

    // [same_elements: sort, eq_seq]
    /** Whether two sequences are equal in ascending order. */
    private static boolean sameElements(double[] s, double[] t) {
        return eq(ascending(s), ascending(t));
    }

    // [is_sorted: lt]
    /** Whether no element is less than the one before it; NaN is more than every number. */
    private static boolean isSorted(double[] s) {
        boolean sorted = true;
        for (int i = 1; i < s.length; i++) {
            sorted &= Double.isNaN(s[i]) || !Double.isNaN(s[i - 1]) && !lt(s[i], s[i - 1]);
        }
        return sorted;
    }

    // [number]
    /** In relations the elements of arrays and lists of texts are numbers: their places here. */
    private static final String[] TEXTS = {
        // texts
    };

    /** The number of a text; others than the above get one from their hash, behind all of these, and null has -1. */
    private static double number(CharSequence value) {
        if (value == null) {
            return -1;
        }
        int place = Arrays.asList(TEXTS).indexOf(value.toString());
        return place >= 0 ? place : 1000 + (value.toString().hashCode() & 0x3fffffff);
    }

    // [seq String]
    /** The characters of a text, as their Unicode code points. */
    private static double[] seq(String text) {
        return text.codePoints().asDoubleStream().toArray();
    }

    // [seq int[]]
    /** The elements as doubles. */
    private static double[] seq(int[] values) {
        double[] sequence = new double[values.length];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = values[i];
        }
        return sequence;
    }

    // [seq boolean[]]
    /** The elements as doubles. */
    private static double[] seq(boolean[] values) {
        double[] sequence = new double[values.length];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = values[i] ? 1 : 0;
        }
        return sequence;
    }

    // [seq String[]: number]
    /** The elements as doubles. */
    private static double[] seq(String[] values) {
        double[] sequence = new double[values.length];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = number(values[i]);
        }
        return sequence;
    }

    // [seq List<T>]
    /** The elements as doubles. */
    private static double[] seq(List<? extends Number> values) {
        double[] sequence = new double[values.size()];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = values.get(i).doubleValue();
        }
        return sequence;
    }

    // [seq List<Boolean>]
    /** The elements as doubles. */
    private static double[] seqOfBooleans(List<Boolean> values) {
        double[] sequence = new double[values.size()];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = values.get(i) ? 1 : 0;
        }
        return sequence;
    }

    // [seq List<Character>]
    /** The elements as doubles. */
    private static double[] seqOfCharacters(List<Character> values) {
        double[] sequence = new double[values.size()];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = values.get(i);
        }
        return sequence;
    }

    // [seq List<String>: number]
    /** The elements as doubles. */
    private static double[] seqOfTexts(List<? extends CharSequence> values) {
        double[] sequence = new double[values.size()];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = number(values.get(i));
        }
        return sequence;
    }

    // [without String]
    /** A text without the character at an index; negative ones count from the end, others change nothing. */
    private static String without(String text, int index) {
        int length = text.codePointCount(0, text.length());
        int at = index < 0 ? index + length : index;
        if (at < 0 || at >= length) {
            return text;
        }
        int from = text.offsetByCodePoints(0, at);
        return text.substring(0, from) + text.substring(text.offsetByCodePoints(from, 1));
    }

    // [without int[]]
    /** A copy without the element at an index; negative ones count from the end, others change nothing. */
    private static int[] without(int[] values, int index) {
        int length = values.length;
        int at = index < 0 ? index + length : index;
        if (at < 0 || at >= length) {
            return values.clone();
        }
        int[] rest = new int[length - 1];
        System.arraycopy(values, 0, rest, 0, at);
        System.arraycopy(values, at + 1, rest, at, length - 1 - at);
        return rest;
    }

    // [without List<T>]
    /** A copy without the element at an index; negative ones count from the end, others change nothing. */
    private static <T> List<T> without(List<T> values, int index) {
        int length = values.size();
        int at = index < 0 ? index + length : index;
        List<T> rest = new ArrayList<T>(values);
        if (at >= 0 && at < length) {
            rest.remove(at);
        }
        return rest;
    }

    // [reversed String]
    /** A text backwards. */
    private static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    // [reversed int[]]
    /** A copy in reverse order. */
    private static int[] reversed(int[] values) {
        int[] reversed = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }

    // [reversed List<T>]
    /** A copy in reverse order. */
    private static <T> List<T> reversed(List<T> values) {
        List<T> reversed = new ArrayList<T>(values);
        Collections.reverse(reversed);
        return reversed;
    }

    // [place]
    /** The place of an index in a sequence; negative ones count from the end, and -1 is none. */
    private static int place(int length, int index) {
        int at = index < 0 ? index + length : index;
        return at >= 0 && at < length ? at : -1;
    }

    // [rotation]
    /** The places of a sequence whose first elements are moved to the end, or the last ones to the front. */
    private static int[] rotation(int length, int by) {
        int[] places = new int[length];
        for (int i = 0; i < length; i++) {
            places[i] = Math.floorMod(i + Math.floorMod(by, length), length);
        }
        return places;
    }

    // [exchange: place]
    /** The places of a sequence with two elements exchanged, if both exist. */
    private static int[] exchange(int length, int a, int b) {
        int[] places = new int[length];
        for (int i = 0; i < length; i++) {
            places[i] = i;
        }
        if (place(length, a) >= 0 && place(length, b) >= 0) {
            places[place(length, a)] = place(length, b);
            places[place(length, b)] = place(length, a);
        }
        return places;
    }

    // [span]
    /** The first places of a sequence; if the number is negative, all but so many. */
    private static int[] span(int length, int count) {
        int from = count < 0 ? (int) Math.min(length, -(long) count) : 0;
        int to = count < 0 ? length : Math.min(length, count);
        int[] places = new int[to - from];
        for (int i = 0; i < places.length; i++) {
            places[i] = from + i;
        }
        return places;
    }

    // [picked String]
    /** The characters at some places. */
    private static String picked(String text, int... places) {
        int[] codes = text.codePoints().toArray();
        StringBuilder picked = new StringBuilder();
        for (int place : places) {
            picked.appendCodePoint(codes[place]);
        }
        return picked.toString();
    }

    // [picked int[]]
    /** The elements at some places. */
    private static int[] picked(int[] values, int... places) {
        int[] picked = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            picked[i] = values[places[i]];
        }
        return picked;
    }

    // [picked List<T>]
    /** The elements at some places. */
    private static <T> List<T> picked(List<T> values, int... places) {
        List<T> picked = new ArrayList<T>();
        for (int place : places) {
            picked.add(values.get(place));
        }
        return picked;
    }

    // [sorted String]
    /** The characters in ascending order. */
    private static String sorted(String text) {
        int[] codes = text.codePoints().sorted().toArray();
        return new String(codes, 0, codes.length);
    }

    // [sorted int[]]
    /** A copy in ascending order: -0 before 0, NaN last. */
    private static int[] sorted(int[] values) {
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    // [sorted boolean[]]
    /** A copy in ascending order: false before true. */
    private static boolean[] sorted(boolean[] values) {
        boolean[] sorted = new boolean[values.length];
        int next = values.length;
        for (boolean value : values) {
            if (value) {
                next--;
                sorted[next] = true;
            }
        }
        return sorted;
    }

    // [sorted List<T>]
    /** A copy in ascending order: -0 before 0, NaN last. */
    private static <T extends Comparable<T>> List<T> sorted(List<T> values) {
        List<T> sorted = new ArrayList<T>(values);
        Collections.sort(sorted);
        return sorted;
    }

    // [joined int[]]
    /** The elements of both. */
    private static int[] joined(int[] first, int[] second) {
        int[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    // [joined List<T>]
    /** The elements of both. */
    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<T>(first);
        joined.addAll(second);
        return joined;
    }

    // [replaced String]
    /** A text with another character at a place. */
    private static String replaced(String text, int at, String character) {
        int from = text.offsetByCodePoints(0, at);
        return text.substring(0, from) + character + text.substring(text.offsetByCodePoints(from, 1));
    }

    // [replaced int[]]
    /** A copy with another element, the only one of an array, at a place. */
    private static int[] replaced(int[] values, int at, int[] element) {
        int[] replaced = values.clone();
        replaced[at] = element[0];
        return replaced;
    }

    // [replaced List<T>]
    /** A copy with another element, the only one of a list, at a place. */
    private static <T> List<T> replaced(List<T> values, int at, List<T> element) {
        List<T> replaced = new ArrayList<T>(values);
        replaced.set(at, element.get(0));
        return replaced;
    }

    // [upper]
    /** A text in upper case, character by character. */
    private static String upper(String text) {
        StringBuilder spelled = new StringBuilder();
        text.codePoints().forEach(c -> {
            spelled.append(new String(Character.toChars(c)).toUpperCase(java.util.Locale.ROOT));
        });
        return spelled.toString();
    }

    // [lower]
    /** A text in lower case, character by character. */
    private static String lower(String text) {
        StringBuilder spelled = new StringBuilder();
        text.codePoints().forEach(c -> {
            spelled.append(new String(Character.toChars(c)).toLowerCase(java.util.Locale.ROOT));
        });
        return spelled.toString();
    }

    // [swap_case]
    /** Each character in upper case or, if that is the character itself, in lower case. */
    private static String swapCase(String text) {
        StringBuilder spelled = new StringBuilder();
        text.codePoints().forEach(c -> {
            String same = new String(Character.toChars(c));
            String upper = same.toUpperCase(java.util.Locale.ROOT);
            spelled.append(upper.equals(same) ? same.toLowerCase(java.util.Locale.ROOT) : upper);
        });
        return spelled.toString();
    }

    // [whole String]
    /** A text that is one: without halves of surrogate pairs. */
    private static String whole(CharSequence output) {
        String text = output.toString();
        if (text.codePoints().anyMatch(c -> Character.MIN_SURROGATE <= c && c <= Character.MAX_SURROGATE)) {
            throw new IllegalStateException("half of a surrogate pair is no character");
        }
        return text;
    }

    // [whole char]
    /** A character that is one: no half of a surrogate pair. */
    private static char whole(char output) {
        if (Character.isSurrogate(output)) {
            throw new IllegalStateException("half of a surrogate pair is no character");
        }
        return output;
    }

    // [whole char[]]
    /** Characters that are such: without halves of surrogate pairs. */
    private static char[] whole(char[] output) {
        for (char c : output) {
            if (Character.isSurrogate(c)) {
                throw new IllegalStateException("half of a surrogate pair is no character");
            }
        }
        return output;
    }

    // [whole int[]]
    /** An array that is there. */
    private static int[] whole(int[] output) {
        if (output == null) {
            throw new NullPointerException("null is no output");
        }
        return output;
    }

    // [whole List<T>]
    /** A list that is there, with all its elements. */
    private static <T> List<T> whole(List<T> output) {
        for (T element : output) {
            if (element == null) {
                throw new NullPointerException("null is no element");
            }
        }
        return output;
    }

    // [whole List<Character>]
    /** Characters that are such: no null, no halves of surrogate pairs. */
    private static List<Character> wholeCharacters(List<Character> output) {
        for (char c : output) {
            if (Character.isSurrogate(c)) {
                throw new IllegalStateException("half of a surrogate pair is no character");
            }
        }
        return output;
    }

    // [whole List<String>]
    /** A list that is there, of texts or null. */
    private static List<String> wholeTexts(List<String> output) {
        for (Object element : output) {
            CharSequence.class.cast(element);
        }
        return output;
    }

    // [show]
    /** Names and values, for the message of a failed assertion. */
    private static String show(Object... namesAndValues) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String value = Arrays.deepToString(new Object[] {namesAndValues[i + 1]});
            shown.append(i == 0 ? "" : ", ").append(namesAndValues[i]).append(" = ");
            shown.append(value, 1, value.length() - 1);
        }
        return shown.toString();
    }

    // [integer]
    /** An integer of a range: often a small one, now and then the first or the last. */
    private static long integer(Random random, long least, long most) {
        long low = Math.max(least, -100), high = Math.min(most, 100);
        long small = low <= high ? low + random.nextInt((int) (high - low + 1)) : least;
        long any = Math.min(most, least + (long) (random.nextDouble() * (most - least + 1)));
        return new long[] {small, small, small, small, any, any, any, random.nextBoolean() ? least : most}[random.nextInt(8)];
    }

    // [real]
    /** A number of a range: a small one, often whole, any other, now and then the first or the last. */
    private static double real(Random random, double least, double most) {
        boolean isFar = Math.max(least, -100) > Math.min(most, 100);
        double low = isFar ? least : Math.max(least, -100), high = isFar ? most : Math.min(most, 100);
        double small = low + random.nextDouble() * (high - low);
        double any = most - least <= 1e30
            ? least + random.nextDouble() * (most - least)
            : Double.longBitsToDouble(random.nextLong());
        double drawn = new double[] {small, Math.rint(small), any, random.nextBoolean() ? least : most}[random.nextInt(4)];
        return least <= drawn && drawn <= most ? drawn : small;
    }

    // [code: integer]
    /** A character of a range, mostly a printable one; no half of a surrogate pair. */
    private static int code(Random random, int least, int most) {
        boolean isPlain = random.nextInt(4) > 0 && least <= '~' && most >= ' ';
        int code = (int) integer(random, isPlain ? Math.max(least, ' ') : least, isPlain ? Math.min(most, '~') : most);
        return code >> 11 == 0x1b ? code(random, least, most) : code;
    }

    // [one_of]
    /** A character of a text. */
    private static int oneOf(Random random, String all) {
        return all.codePoints().skip(random.nextInt(all.codePointCount(0, all.length()))).findFirst().getAsInt();
    }

    // [text]
    /** A text of characters that are drawn. */
    private static String text(long length, IntSupplier draw) {
        int[] codes = IntStream.generate(draw).limit(length).toArray();
        return new String(codes, 0, codes.length);
    }

    // [array]
    /** An array of elements that are drawn. */
    private static Object array(Class<?> element, long length, Supplier<?> draw) {
        Object values = java.lang.reflect.Array.newInstance(element, (int) length);
        for (int i = 0; i < length; i++) {
            java.lang.reflect.Array.set(values, i, draw.get());
        }
        return values;
    }

    // [list]
    /** A list of elements that are drawn. */
    private static <T> List<T> list(long length, Supplier<T> draw) {
        return Stream.generate(draw).limit(length).collect(Collectors.toList());
    }

    // [end]
}
