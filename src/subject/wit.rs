//! Signatures as text: the function types of WIT, as far as subjects have them.
//!
//! ```text
//! func(s: string, min: s32, c: char) -> string          in subject.toml
//! pad-start: func(s: string, min: s32, c: char) -> …    a line of the custom section `genmorph:sig`
//! gm:pad-start: func(s: string, min: s32, c: char) -> … the name of an export
//! ```
//!
//! What [`Signature`] displays is read back as it was. Knows nothing of modules and of memory.

use super::signature::{Domain, Parameter, Scalar, Signature, Type};
use crate::support::pointer::Pointer;

/// What the name of an export begins with that says its own signature.
pub const PREFIX: &str = "gm:";

/// The types that there are, for people.
const SUPPORTED: &str = "bool, s8, u8, s16, u16, s32, u32, s64, u64, f32, f64, char, string, and list<T> of all but string";

/// The most parameters: what the canonical ABI passes in core values.
const MOST_PARAMETERS: usize = 16;

/// A text that is no signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}\n\n{pointer}")]
pub struct BadSignature {
    /// What is wrong, and what to write instead.
    pub message: String,
    /// Where, in characters of its line, counted from 1.
    pub column: usize,
    /// The line with a mark under the place.
    pub pointer: Pointer,
}

impl Signature {
    /// Reads `func(k: s32, e: s32) -> s32`, for a function of this name. No parameter has a domain,
    /// and none is changed in place.
    ///
    /// ```
    /// # use genmorph::subject::Signature;
    /// let text = "func(s: string, min: s32) -> list<u8>";
    /// assert_eq!(Signature::parse("f", text).unwrap().to_string(), text);
    /// ```
    ///
    /// # Errors
    /// When the text is no function type, or has types or names that subjects cannot have.
    pub fn parse(function: &str, text: &str) -> Result<Signature, BadSignature> {
        let mut reader = Reader { text, at: 0 };
        reader.signature(function).map_err(|fault| fault.shown(text))
    }

    /// Reads `pow: func(k: s32, e: s32) -> s32`, where the name of the function comes first. It may have
    /// the prefix `gm:`.
    ///
    /// # Errors
    /// As [`Signature::parse`], and when there is no name.
    pub fn parse_named(text: &str) -> Result<Signature, BadSignature> {
        let begin = if text.starts_with(PREFIX) { PREFIX.len() } else { 0 };
        let Some(colon) = colon_before_func(text, begin) else {
            let message = "there is no `NAME: func(…)` here".to_owned();
            return Err(Fault { at: begin, message }.shown(text));
        };
        let name = text[begin..colon].trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            let message = "the name of a function without spaces comes first".to_owned();
            return Err(Fault { at: begin, message }.shown(text));
        }
        let mut reader = Reader { text, at: colon + 1 };
        reader.signature(name).map_err(|fault| fault.shown(text))
    }
}

/// Where the colon is that stands between a name and `func`. Names may have colons of their own.
fn colon_before_func(text: &str, begin: usize) -> Option<usize> {
    let colons = text[begin..].match_indices(':').map(|(at, _)| begin + at);
    colons.into_iter().find(|colon| {
        let rest = text[colon + 1..].trim_start();
        rest.strip_prefix("func").is_some_and(|rest| !rest.starts_with(continues_name))
    })
}

/// What is wrong at a byte of a text.
struct Fault {
    at: usize,
    message: String,
}

impl Fault {
    fn shown(self, text: &str) -> BadSignature {
        let before = &text[..self.at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() + 1;
        BadSignature { message: self.message, column, pointer: Pointer::at(text, line, column) }
    }
}

/// A text, and how far it is read.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn signature(&mut self, function: &str) -> Result<Signature, Fault> {
        self.space();
        let at = self.at;
        if self.word() != "func" {
            let message = "a signature begins with `func(`, such as `func(k: s32, e: s32) -> s32`";
            return Err(Fault { at, message: message.to_owned() });
        }
        self.expect('(', "after `func`")?;
        let parameters = self.parameters()?;
        let result = if self.take("->") { Some(self.result()?) } else { None };
        self.take(";");
        self.space();
        if self.at < self.text.len() {
            let message = if result.is_some() {
                "nothing follows the result".to_owned()
            } else {
                "after the parameters comes `->` and the type of the result, or nothing".to_owned()
            };
            return Err(self.fault(message));
        }
        Ok(Signature { function: function.to_owned(), parameters, result, ..Signature::default() })
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Fault> {
        let mut parameters: Vec<Parameter> = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(',', "or `)` after a parameter")?;
                if self.take(")") {
                    break;
                }
            }
            self.space();
            let at = self.at;
            let name = self.name()?;
            if parameters.iter().any(|parameter| parameter.name == name) {
                let message = format!("there are two parameters `{name}`");
                return Err(Fault { at, message });
            }
            if parameters.len() == MOST_PARAMETERS {
                let message = format!("a subject has at most {MOST_PARAMETERS} parameters");
                return Err(Fault { at, message });
            }
            self.expect(':', &format!("and a type after `{name}`"))?;
            let ty = self.ty(&format!("the parameter `{name}`"))?;
            parameters.push(Parameter { name, ty, domain: Domain::default() });
        }
        for parameter in &parameters {
            let before = parameter.name.strip_suffix("_after");
            if let Some(other) = before.filter(|b| parameters.iter().any(|p| p.name == *b)) {
                let message = format!(
                    "`{}` would be confused with `{other}` after the call: choose another name",
                    parameter.name
                );
                return Err(self.fault(message));
            }
        }
        Ok(parameters)
    }

    /// A name as relations have it.
    fn name(&mut self) -> Result<String, Fault> {
        // WIT writes % before names that are its own words.
        self.take("%");
        self.space();
        let at = self.at;
        let written = self.word();
        let fault = |message: String| Err(Fault { at, message });
        if written.is_empty() {
            return fault(match self.text[at..].chars().next() {
                Some(c) => format!("expected the name of a parameter, found `{c}`"),
                None => "expected the name of a parameter, or `)`".to_owned(),
            });
        }
        let name = written.replace('-', "_");
        if name.starts_with(|c: char| !c.is_alphabetic() && c != '_') || written.ends_with('-') {
            return fault(format!(
                "`{written}` cannot name a parameter: use letters, digits and `_` or `-`, \
                 and begin with a letter"
            ));
        }
        if name == "out" {
            return fault(
                "a parameter cannot be called `out`: that is the result of the function in relations"
                    .to_owned(),
            );
        }
        Ok(name)
    }

    fn result(&mut self) -> Result<Type, Fault> {
        self.space();
        if self.text[self.at..].starts_with('(') {
            return Err(self.fault("write the type of the one result, without a name".to_owned()));
        }
        self.ty("the result")
    }

    /// A type; `whose` is for the message if there is no type.
    fn ty(&mut self, whose: &str) -> Result<Type, Fault> {
        self.space();
        let at = self.at;
        let word = self.word();
        if let Some(scalar) = scalar(word) {
            return Ok(Type::Scalar(scalar));
        }
        let unsupported = |written: &str| Fault {
            at,
            message: format!(
                "{whose} is a `{written}`, which no subject can have; {whose} may be {SUPPORTED}"
            ),
        };
        match word {
            "string" => Ok(Type::String),
            "list" => {
                self.expect('<', &format!("and a type after `list` of {whose}"))?;
                self.space();
                let inside = self.at;
                let element = self.word();
                let Some(scalar) = scalar(element) else {
                    self.at = inside;
                    let element = self.whole_type();
                    return Err(match element {
                        "" => self.fault("expected the type of the elements".to_owned()),
                        _ => unsupported(&format!("list<{element}>")),
                    });
                };
                self.expect('>', "after the type of the elements")?;
                Ok(Type::List(scalar))
            }
            "" => Err(self.fault(format!("expected the type of {whose}: {SUPPORTED}"))),
            _ => {
                self.at = at;
                Err(unsupported(self.whole_type()))
            }
        }
    }

    /// A type of whatever form: a word, and what stands in `<…>` after it.
    fn whole_type(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let mut depth = 0_usize;
        let end = rest.find(|c: char| match c {
            '<' => {
                depth += 1;
                false
            }
            '>' if depth > 1 => {
                depth -= 1;
                false
            }
            '>' | ',' | ')' | ';' | '\n' => depth == 0 || c == '>',
            _ => false,
        });
        let closing = usize::from(depth > 0 && end.is_some());
        let end = end.map_or(rest.len(), |end| end + closing);
        self.at += end;
        rest[..end].trim_end()
    }

    /// The letters, digits, `_` and `-` that come next, maybe none.
    fn word(&mut self) -> &'t str {
        self.space();
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
        // The arrow may follow without a space.
        let end = match rest[..end].strip_suffix('-') {
            Some(shorter) if rest[end..].starts_with('>') => shorter.len(),
            _ => end,
        };
        self.at += end;
        &rest[..end]
    }

    fn space(&mut self) {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        let there = self.text[self.at..].starts_with(token);
        self.at += if there { token.len() } else { 0 };
        there
    }

    fn expect(&mut self, token: char, place: &str) -> Result<(), Fault> {
        if self.take(token.encode_utf8(&mut [0; 4])) {
            Ok(())
        } else {
            Err(self.fault(format!("expected `{token}` {place}")))
        }
    }

    fn fault(&self, message: String) -> Fault {
        Fault { at: self.at, message }
    }
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The scalar of this name; old names of the floats too.
fn scalar(name: &str) -> Option<Scalar> {
    match name {
        "float32" => Some(Scalar::F32),
        "float64" => Some(Scalar::F64),
        _ => Scalar::ALL.into_iter().find(|scalar| scalar.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::seed::Seed;

    fn bad(text: &str) -> String {
        Signature::parse("f", text).unwrap_err().to_string()
    }

    #[test]
    fn every_type_is_read_and_printed_as_it_was() {
        for scalar in Scalar::ALL {
            for ty in [Type::Scalar(scalar), Type::List(scalar), Type::String] {
                for result in [None, Some(ty)] {
                    let name = "some_name2".to_owned();
                    let parameter = Parameter { name, ty, domain: Domain::default() };
                    let parameters = vec![parameter];
                    let changed = Vec::new();
                    let signature = Signature {
                        function: "f".to_owned(),
                        parameters,
                        result,
                        changed,
                        ..Signature::default()
                    };
                    assert_eq!(Signature::parse("f", &signature.to_string()), Ok(signature));
                }
            }
        }
        let none = Signature::parse("f", "func() -> s32").unwrap();
        assert_eq!(none.to_string(), "func() -> s32");
    }

    #[test]
    fn spaces_kebab_case_and_old_names_are_taken() {
        let text = " func (max-width:s32 ,\n %list : list < float64 >, )->float32 ; ";
        let read = Signature::parse("f", text).unwrap().to_string();
        assert_eq!(read, "func(max_width: s32, list: list<f64>) -> f32");
    }

    #[test]
    fn the_name_of_an_export_says_its_signature() {
        for text in
            ["gm:pad-start: func(s: string) -> string", "pad-start: func(s: string)->string"]
        {
            let read = Signature::parse_named(text).unwrap();
            assert_eq!(read.function, "pad-start");
            assert_eq!(read.to_string(), "func(s: string) -> string");
        }
        let read = Signature::parse_named("gm:demo:text/api#pad: func()").unwrap();
        assert_eq!(read.function, "demo:text/api#pad");
        for text in ["gm:", "pow", "func(k: s32)", "gm:: func()", "a b: func()", "pow: function()"]
        {
            assert!(Signature::parse_named(text).is_err(), "{text}");
        }
        let error = Signature::parse_named("gm:pow: func(k: int)").unwrap_err();
        assert_eq!(error.column, 17);
    }

    #[test]
    fn types_that_no_subject_has_are_named_with_their_parameter() {
        assert_eq!(
            bad("func(a: s32, b: option<s32>) -> s32"),
            format!(
                "column 17: the parameter `b` is a `option<s32>`, which no subject can have; \
                 the parameter `b` may be {SUPPORTED}\n\n\
                 \u{20}   func(a: s32, b: option<s32>) -> s32\n\
                 \u{20}                   ^"
            )
        );
        for ty in [
            "list<string>",
            "list<list<u8>>",
            "tuple<s32, list<s32>>",
            "result",
            "result<s32, string>",
            "point",
            "int",
        ] {
            let error = bad(&format!("func(a: s32, b: {ty}, c: s32)"));
            assert!(error.contains(&format!("`b` is a `{ty}`")), "{error}");
            assert!(error.starts_with("column 17: "), "{error}");
            let error = bad(&format!("func() -> {ty}"));
            assert!(error.contains(&format!("the result is a `{ty}`")), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_is_shown_at_its_place() {
        for (text, column, message) in [
            ("", 1, "begins with `func(`"),
            ("k: s32 -> s32", 1, "begins with `func(`"),
            ("func k: s32", 6, "expected `(` after `func`"),
            ("func(", 6, "expected the name of a parameter, or `)`"),
            ("func(k", 7, "expected `:`"),
            ("func(k:", 8, "expected the type of the parameter `k`"),
            ("func(k: s32", 12, "expected `,` or `)`"),
            ("func(k: s32 e: s32)", 13, "expected `,` or `)`"),
            ("func(k: s32, k: s32)", 14, "two parameters `k`"),
            ("func(out: s32)", 6, "cannot be called `out`"),
            ("func(2k: s32)", 6, "`2k` cannot name a parameter"),
            ("func(k-: s32)", 6, "`k-` cannot name a parameter"),
            ("func(,)", 6, "expected the name of a parameter, found `,`"),
            ("func(a: list<s32>, a_after: s32)", 33, "`a_after` would be confused with `a`"),
            ("func(k: list)", 13, "expected `<`"),
            ("func(k: list<)", 14, "expected the type of the elements"),
            ("func(k: list<s32)", 17, "expected `>`"),
            ("func(k: s32) s32", 14, "after the parameters comes `->`"),
            ("func(k: s32) -> s32 s32", 21, "nothing follows the result"),
            ("func(k: s32) -> (r: s32)", 17, "without a name"),
            ("func(ä: s32, ö: int)", 17, "`ö` is a `int`"),
        ] {
            let error = Signature::parse("f", text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
        let many: Vec<String> = (0..17).map(|i| format!("p{i}: s32")).collect();
        assert!(bad(&format!("func({})", many.join(", "))).contains("at most 16 parameters"));
    }

    #[test]
    fn any_text_is_a_signature_or_an_error() {
        let pieces = [
            "func",
            "(",
            ")",
            ":",
            ",",
            "->",
            "<",
            ">",
            "list",
            "s32",
            "k",
            " ",
            "\n",
            "ü",
            "%",
            "-",
            ";",
            "gm:",
            "string",
            "option",
            "\0",
            "2",
            "a: s32",
            "b: list<u8>",
            ") -> string",
        ];
        let mut rng = Seed(1).stream("wit").rng();
        let mut read = 0;
        for _ in 0..20_000 {
            let text: String = (0..rng.below(14)).map(|_| rng.pick(&pieces)).collect();
            let _ = Signature::parse_named(&text);
            for text in [text.clone(), format!("func({text}")] {
                if let Ok(signature) = Signature::parse("f", &text) {
                    assert_eq!(Signature::parse("f", &signature.to_string()), Ok(signature));
                    read += 1;
                }
            }
        }
        assert!(read >= 100, "{read}");
    }
}
