//! Text that stands for itself, whatever is in it.

use crate::support::visible::is_hidden;

/// A text for HTML, between tags and in quoted attributes. Characters that HTML does not allow, or that would turn the
/// direction of what follows, are shown by their numbers.
pub(in crate::show) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' | '\t' => escaped.push(c),
            c if is_hidden(c) => escaped += &format!("\\u{{{:x}}}", c as u32),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text for a line of Markdown: nothing in it formats, links or names anybody.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            // Else somebody of that name would be told.
            '@' => escaped += "&#64;",
            '\n' | '\t' => escaped.push(' '),
            c if is_hidden(c) => escaped += &format!("\\\\u{{{:x}}}", c as u32),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text of several lines, with numbers for characters that are not seen.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push(c),
            c if is_hidden(c) => shown += &format!("\\u{{{:x}}}", c as u32),
            c => shown.push(c),
        }
    }
    shown
}

/// A text as code in a cell of a Markdown table.
pub(super) fn code(text: &str) -> String {
    let line = visible(&text.replace(['\n', '\t'], " "));
    // In a table, a bar ends the cell even within code.
    let line = line.replace('|', "\\|");
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{line}`") } else { format!("{fence} {line} {fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text_in_html() {
        let hostile = "</script><img src=x onerror='alert(1)'>\" & \u{0}\u{1b}\u{202e}";
        let expected = "&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&quot; &amp; \\u{0}\\u{1b}\\u{202e}";
        assert_eq!(html(hostile), expected);
    }

    #[test]
    fn markup_is_text_in_markdown() {
        assert_eq!(markdown("a_b *c* @you [x](y)"), "a\\_b \\*c\\* &#64;you \\[x\\]\\(y\\)");
        assert_eq!(markdown("<b>|\n"), "&lt;b&gt;\\| ");
        assert_eq!(code("a || b"), "`a \\|\\| b`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("\u{7}\n"), "`\\u{7} `");
    }
}
