//! The small methods that exported relations call: what `op.rs` means, in Java 8.
//!
//! Only those that are called are written. They know the constants `ABS` and `REL` of the class around them.

use std::collections::BTreeSet;

use super::literal::text;
use crate::export::Calls;

/// A helper method. Those with a type are written once per type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each has its doc comment in Java, below")]
pub enum Helper {
    Eq,
    EqSeq,
    Lt,
    Gt,
    Le,
    Ge,
    Div,
    Length,
    Sum,
    Flip,
    Remove,
    Truncate,
    ToText,
    /// The number of a text among these.
    Number(Vec<String>),
    /// A value of this Java type as a sequence of doubles.
    Seq(String),
    /// A copy of a value of this type without an element.
    Without(String),
    /// A value of this type in reverse.
    Reversed(String),
    /// An output of this type, checked.
    Whole(String),
    Show,
}

/// The helpers that a class needs.
pub type Helpers = crate::export::Helpers<Helper>;

impl Calls for Helper {
    const EQ: Helper = Helper::Eq;

    fn calls(&self) -> Option<Helper> {
        match self {
            Helper::EqSeq | Helper::Lt | Helper::Le | Helper::Div => Some(Helper::Eq),
            Helper::Gt => Some(Helper::Lt),
            Helper::Ge => Some(Helper::Le),
            Helper::Eq
            | Helper::Length
            | Helper::Sum
            | Helper::Flip
            | Helper::Remove
            | Helper::Truncate
            | Helper::ToText
            | Helper::Number(_)
            | Helper::Seq(_)
            | Helper::Without(_)
            | Helper::Reversed(_)
            | Helper::Whole(_)
            | Helper::Show => None,
        }
    }
}

impl Helpers {
    /// Whether a list is copied or reversed.
    pub fn change_lists(&self) -> bool {
        self.iter().any(|helper| match helper {
            Helper::Without(ty) | Helper::Reversed(ty) => ty.starts_with("List<"),
            _ => false,
        })
    }

    /// Their source, in a fixed order, each method indented by four.
    pub fn source(&self) -> String {
        let mut names = BTreeSet::new();
        let mut source = String::new();
        for helper in self.iter() {
            let (key, text) = helper.source();
            // Lists of all numbers share theirs.
            if names.insert(key) {
                source.push('\n');
                for line in text.trim_matches('\n').lines() {
                    source.push_str(if line.is_empty() { "" } else { "    " });
                    source.push_str(line);
                    source.push('\n');
                }
            }
        }
        source
    }
}

impl Helper {
    /// The name of the method.
    pub fn name(&self) -> &'static str {
        match self {
            Helper::Eq | Helper::EqSeq => "eq",
            Helper::Lt => "lt",
            Helper::Gt => "gt",
            Helper::Le => "le",
            Helper::Ge => "ge",
            Helper::Div => "div",
            Helper::Length => "length",
            Helper::Sum => "sum",
            Helper::Flip => "flip",
            Helper::Remove => "remove",
            Helper::Truncate => "truncate",
            Helper::ToText => "toText",
            Helper::Number(_) => "number",
            Helper::Seq(ty) => match ty.as_str() {
                "List<String>" => "seqOfTexts",
                "List<Character>" => "seqOfCharacters",
                "List<Boolean>" => "seqOfBooleans",
                _ => "seq",
            },
            Helper::Without(_) => "without",
            Helper::Reversed(_) => "reversed",
            Helper::Whole(ty) => match ty.as_str() {
                "List<Character>" => "wholeCharacters",
                "List<String>" => "wholeTexts",
                _ => "whole",
            },
            Helper::Show => "show",
        }
    }

    /// What tells its source from others, and the source.
    fn source(&self) -> (String, String) {
        let fixed = |text: &str| (format!("{self:?}"), text.to_owned());
        match self {
            Helper::Eq => fixed(EQ),
            Helper::EqSeq => fixed(EQ_SEQ),
            Helper::Lt => fixed(LT),
            Helper::Gt => fixed(GT),
            Helper::Le => fixed(LE),
            Helper::Ge => fixed(GE),
            Helper::Div => fixed(DIV),
            Helper::Length => fixed(LENGTH),
            Helper::Sum => fixed(SUM),
            Helper::Flip => fixed(FLIP),
            Helper::Remove => fixed(REMOVE),
            Helper::Truncate => fixed(TRUNCATE),
            Helper::ToText => fixed(TO_TEXT),
            Helper::Show => fixed(SHOW),
            Helper::Number(texts) => ("number".to_owned(), number(texts)),
            Helper::Seq(ty) => seq(ty, self.name()),
            Helper::Without(ty) => without(ty),
            Helper::Reversed(ty) => reversed(ty),
            Helper::Whole(ty) => whole(ty),
        }
    }
}

const EQ: &str = "
/** The same number, both NaN, or both finite and within the tolerance. */
private static boolean eq(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
        return Double.isNaN(a) && Double.isNaN(b);
    }
    boolean finite = !Double.isInfinite(a) && !Double.isInfinite(b);
    return a == b || finite && Math.abs(a - b) <= ABS + REL * Math.max(Math.abs(a), Math.abs(b));
}
";

const EQ_SEQ: &str = "
/** As long as each other, and equal element by element. */
private static boolean eq(double[] a, double[] b) {
    boolean same = a.length == b.length;
    for (int i = 0; same && i < a.length; i++) {
        same = eq(a[i], b[i]);
    }
    return same;
}
";

const LT: &str = "
/** Less, and not within the tolerance. */
private static boolean lt(double a, double b) {
    return a < b && !eq(a, b);
}
";

const GT: &str = "
/** Greater, and not within the tolerance. */
private static boolean gt(double a, double b) {
    return lt(b, a);
}
";

const LE: &str = "
/** Less, or equal within the tolerance. */
private static boolean le(double a, double b) {
    return a < b || eq(a, b);
}
";

const GE: &str = "
/** Greater, or equal within the tolerance. */
private static boolean ge(double a, double b) {
    return le(b, a);
}
";

const DIV: &str = "
/** The quotient; 1 where the divisor equals 0. */
private static double div(double a, double b) {
    return eq(b, 0.0) ? 1.0 : a / b;
}
";

const LENGTH: &str = "
/** The number of elements. */
private static double length(double[] s) {
    return s.length;
}
";

const SUM: &str = "
/** The elements added from left to right. */
private static double sum(double[] s) {
    double total = 0.0;
    for (double element : s) {
        total += element;
    }
    return total;
}
";

const FLIP: &str = "
/** The elements in reverse order. */
private static double[] flip(double[] s) {
    double[] flipped = new double[s.length];
    for (int i = 0; i < s.length; i++) {
        flipped[i] = s[s.length - 1 - i];
    }
    return flipped;
}
";

const REMOVE: &str = "
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
";

const TRUNCATE: &str = "
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
";

const TO_TEXT: &str = "
/** The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters. */
private static double[] toText(double n) {
    return Long.toString((long) n).chars().asDoubleStream().toArray();
}
";

const SHOW: &str = "
/** Names and values, for the message of a failed assertion. */
private static String show(Object... namesAndValues) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
        String value = Arrays.deepToString(new Object[] {namesAndValues[i + 1]});
        shown.append(i == 0 ? \"\" : \", \").append(namesAndValues[i]).append(\" = \");
        shown.append(value, 1, value.length() - 1);
    }
    return shown.toString();
}
";

fn number(texts: &[String]) -> String {
    let lines: Vec<String> = texts.iter().map(|known| format!("    {},", text(known))).collect();
    format!(
        "
/** In relations the elements of arrays and lists of texts are numbers: their places here. */
private static final String[] TEXTS = {{
{}
}};

/** The number of a text; others than the above get one from their hash, behind all of these, and null has -1. */
private static double number(CharSequence value) {{
    if (value == null) {{
        return -1;
    }}
    int place = Arrays.asList(TEXTS).indexOf(value.toString());
    return place >= 0 ? place : 1000 + (value.toString().hashCode() & 0x3fffffff);
}}
",
        lines.join("\n")
    )
}

/// The element of an array or list type.
fn element(ty: &str) -> &str {
    ty.trim_end_matches("[]").trim_start_matches("List<").trim_end_matches('>')
}

fn seq(ty: &str, name: &str) -> (String, String) {
    if ty == "String" {
        let text = "
/** The characters of a text, as their Unicode code points. */
private static double[] seq(String text) {
    return text.codePoints().asDoubleStream().toArray();
}
";
        return (format!("seq {ty}"), text.to_owned());
    }
    let element = element(ty);
    let (parameter, length, at) = match ty.ends_with("[]") {
        true if element == "String" => (ty.to_owned(), "values.length", "number(values[i])"),
        false if element == "String" => {
            // Its elements may be texts of other classes.
            let parameter = "List<? extends CharSequence>".to_owned();
            (parameter, "values.size()", "number(values.get(i))")
        }
        true => (ty.to_owned(), "values.length", "values[i]"),
        false if matches!(element, "Character" | "Boolean") => {
            (ty.to_owned(), "values.size()", "values.get(i)")
        }
        // Lists of different elements are one type to the JVM.
        false => {
            let parameter = "List<? extends Number>".to_owned();
            (parameter, "values.size()", "values.get(i).doubleValue()")
        }
    };
    let truth = if matches!(element, "boolean" | "Boolean") { " ? 1 : 0" } else { "" };
    let text = format!(
        "
/** The elements as doubles. */
private static double[] {name}({parameter} values) {{
    double[] sequence = new double[{length}];
    for (int i = 0; i < sequence.length; i++) {{
        sequence[i] = {at}{truth};
    }}
    return sequence;
}}
"
    );
    (format!("{name} {parameter}"), text)
}

const INDEX: &str = "int at = index < 0 ? index + length : index;";

fn without(ty: &str) -> (String, String) {
    let text = match ty {
        "String" => format!(
            "
/** A text without the character at an index; negative ones count from the end. */
private static String without(String text, int index) {{
    int length = text.codePointCount(0, text.length());
    {INDEX}
    int from = text.offsetByCodePoints(0, at);
    return text.substring(0, from) + text.substring(text.offsetByCodePoints(from, 1));
}}
"
        ),
        _ if ty.ends_with("[]") => format!(
            "
/** A copy without the element at an index; negative ones count from the end. */
private static {ty} without({ty} values, int index) {{
    int length = values.length;
    {INDEX}
    {ty} rest = new {}[length - 1];
    System.arraycopy(values, 0, rest, 0, at);
    System.arraycopy(values, at + 1, rest, at, length - 1 - at);
    return rest;
}}
",
            element(ty)
        ),
        _ => {
            let text = format!(
                "
/** A copy without the element at an index; negative ones count from the end. */
private static <T> List<T> without(List<T> values, int index) {{
    int length = values.size();
    {INDEX}
    List<T> rest = new ArrayList<T>(values);
    rest.remove(at);
    return rest;
}}
"
            );
            return ("without List".to_owned(), text);
        }
    };
    (format!("without {ty}"), text)
}

fn reversed(ty: &str) -> (String, String) {
    let text = match ty {
        "String" => "
/** A text backwards. */
private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
}
"
        .to_owned(),
        _ if ty.ends_with("[]") => format!(
            "
/** A copy in reverse order. */
private static {ty} reversed({ty} values) {{
    {ty} reversed = new {}[values.length];
    for (int i = 0; i < values.length; i++) {{
        reversed[i] = values[values.length - 1 - i];
    }}
    return reversed;
}}
",
            element(ty)
        ),
        _ => {
            let text = "
/** A copy in reverse order. */
private static <T> List<T> reversed(List<T> values) {
    List<T> reversed = new ArrayList<T>(values);
    Collections.reverse(reversed);
    return reversed;
}
";
            return ("reversed List".to_owned(), text.to_owned());
        }
    };
    (format!("reversed {ty}"), text)
}

const HALF: &str = "throw new IllegalStateException(\"half of a surrogate pair is no character\");";

fn whole(ty: &str) -> (String, String) {
    let text = match ty {
        "String" => format!(
            "
/** A text that is one: without halves of surrogate pairs. */
private static String whole(CharSequence output) {{
    String text = output.toString();
    if (text.codePoints().anyMatch(c -> Character.MIN_SURROGATE <= c && c <= Character.MAX_SURROGATE)) {{
        {HALF}
    }}
    return text;
}}
"
        ),
        "char" => format!(
            "
/** A character that is one: no half of a surrogate pair. */
private static char whole(char output) {{
    if (Character.isSurrogate(output)) {{
        {HALF}
    }}
    return output;
}}
"
        ),
        "char[]" => format!(
            "
/** Characters that are such: without halves of surrogate pairs. */
private static char[] whole(char[] output) {{
    for (char c : output) {{
        if (Character.isSurrogate(c)) {{
            {HALF}
        }}
    }}
    return output;
}}
"
        ),
        "List<Character>" => format!(
            "
/** Characters that are such: no null, no halves of surrogate pairs. */
private static List<Character> wholeCharacters(List<Character> output) {{
    for (char c : output) {{
        if (Character.isSurrogate(c)) {{
            {HALF}
        }}
    }}
    return output;
}}
"
        ),
        "List<String>" => "
/** A list that is there, of texts or null. */
private static List<String> wholeTexts(List<String> output) {
    for (Object element : output) {
        CharSequence.class.cast(element);
    }
    return output;
}
"
        .to_owned(),
        _ if ty.ends_with("[]") => format!(
            "
/** An array that is there. */
private static {ty} whole({ty} output) {{
    if (output == null) {{
        throw new NullPointerException(\"null is no output\");
    }}
    return output;
}}
"
        ),
        _ => {
            let text = "
/** A list that is there, with all its elements. */
private static <T> List<T> whole(List<T> output) {
    for (T element : output) {
        if (element == null) {
            throw new NullPointerException(\"null is no element\");
        }
    }
    return output;
}
";
            return ("whole List".to_owned(), text.to_owned());
        }
    };
    (format!("whole {ty}"), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_brings_those_that_it_calls() {
        let mut helpers = Helpers::default();
        helpers.need(Helper::Ge);
        let source = helpers.source();
        for name in ["boolean eq(double a", "boolean le(", "boolean ge("] {
            assert!(source.contains(name), "{name}\n{source}");
        }
        assert!(!source.contains("boolean lt("));
    }

    #[test]
    fn lists_of_all_numbers_share_one() {
        let mut helpers = Helpers::default();
        for ty in ["List<Integer>", "List<Long>", "List<Boolean>"] {
            helpers.need(Helper::Seq(ty.to_owned()));
            helpers.need(Helper::Whole(ty.to_owned()));
        }
        let source = helpers.source();
        assert_eq!(source.matches("double[] seq(").count(), 1, "{source}");
        assert_eq!(source.matches("double[] seqOfBooleans(").count(), 1, "{source}");
        assert_eq!(source.matches(" whole(").count(), 1, "{source}");
    }
}
