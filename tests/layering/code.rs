//! Rust source text without comments and literals, so that tests can ask which words and paths the code has.

/// A text without its comments and literals.
pub fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' => comment(rest),
            '"' => Some(quoted(rest)),
            '\'' => character(rest),
            'r' | 'b' if !code.ends_with(is_word) => raw(rest),
            _ => None,
        };
        code.push(if skipped.is_some() { ' ' } else { c });
        rest = &rest[skipped.unwrap_or(c.len_utf8())..];
    }
    code
}

/// The length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of the quoted text, or character, that a text begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if text.starts_with(c) => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character that a text begins with, if it is not a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut after = text.chars().skip(1);
    let (first, second) = (after.next(), after.next());
    (first == Some('\\') || second == Some('\'')).then(|| quoted(text))
}

/// The length of the raw literal that a text begins with.
fn raw(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let fence = body.len() - body.trim_start_matches('#').len();
    let inside = body[fence..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(fence));
    let end = inside.find(&close).map_or(inside.len(), |end| end + close.len());
    Some(text.len() - inside.len() + end)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The identifiers and keywords of code.
pub fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// The tokens of code, as far as paths need them: words, `::`, and single characters.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            ':' if rest.starts_with("::") => 2,
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The tokens without the items that are compiled for tests only.
pub fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&MARK) {
            at += item(&tokens[at..]);
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// The length of the item that tokens begin with: up to its `;`, or the brace that closes its body.
fn item(tokens: &[&str]) -> usize {
    let mut depth = 0_usize;
    for (at, &token) in tokens.iter().enumerate() {
        match token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && ["}", ";"].contains(&token) {
            return at + 1;
        }
    }
    tokens.len()
}

#[test]
fn words_are_those_of_the_code() {
    let text = r##"
        //! unsafe
        fn f<'a>(x: &'a str) -> char { /* unsafe */ g("unsafe \" unsafe", r#"unsafe " unsafe"#, b'u');
        let r = '"'; let rate = '\''; bar(br"unsafe") } // unsafe
    "##;
    let code = code(text);
    let found: Vec<&str> = words(&code).collect();
    let expected = "fn f a x a str char g b let r let rate bar";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn what_is_compiled_for_tests_only_is_left_out() {
    let text =
        "use a::b; #[cfg(test)] mod tests { fn f() { x[0]; } } #[cfg(test)] mod t; fn g() {}";
    assert_eq!(without_tests(&tokens(text)).concat(), "usea::b;fng(){}");
}
