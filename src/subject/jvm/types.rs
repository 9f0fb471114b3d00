//! Java's types, and what they are in signatures of subjects.
//!
//! Texts are sequences of characters here as everywhere, and UTF-16 on the way to Java and back. Knows nothing of frames.

use std::fmt;

use crate::subject::signature::{Domain, Scalar, Type};

/// The type of a value that is not put together: a primitive type, or, in arrays and lists, a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of Java")]
pub enum Element {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    /// A `String` in an array or a list. Relations know sequences of numbers, so texts have numbers.
    Text,
}

/// How values are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One value, primitive or wrapped.
    Single,
    /// An array of elements.
    Array,
    /// A `List` of wrappers.
    List,
    /// A `String` or `CharSequence`.
    Text,
}

/// A type that subjects can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JavaType {
    /// How it is put together.
    pub form: Form,
    /// The type of its elements, or of itself.
    pub element: Element,
}

/// A type that they cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The type, as Java has it.
    pub ty: String,
    /// Why not, where that needs saying.
    pub because: Option<&'static str>,
}

const NO_NESTING: &str = "relations know sequences of numbers, not of sequences";
const NO_ELEMENT: &str = "the class file does not say what is in it";

impl Element {
    /// All of them: with the letter in descriptors, the keyword, and the wrapper.
    const ALL: [(Element, char, &'static str, &'static str); 9] = [
        (Element::Boolean, 'Z', "boolean", "java/lang/Boolean"),
        (Element::Byte, 'B', "byte", "java/lang/Byte"),
        (Element::Short, 'S', "short", "java/lang/Short"),
        (Element::Char, 'C', "char", "java/lang/Character"),
        (Element::Int, 'I', "int", "java/lang/Integer"),
        (Element::Long, 'J', "long", "java/lang/Long"),
        (Element::Float, 'F', "float", "java/lang/Float"),
        (Element::Double, 'D', "double", "java/lang/Double"),
        // No letter of descriptors.
        (Element::Text, 'N', "String", "java/lang/String"),
    ];

    /// Its letter in descriptors.
    pub(super) fn letter(self) -> char {
        Element::ALL[self as usize].1
    }

    fn of_letter(letter: char) -> Option<Element> {
        let primitive = Element::ALL.iter().filter(|known| known.0 != Element::Text);
        primitive.into_iter().find(|known| known.1 == letter).map(|known| known.0)
    }

    fn of_wrapper(class: &str) -> Option<Element> {
        Element::ALL.iter().find(|known| known.3 == class).map(|known| known.0)
    }

    fn scalar(self) -> Scalar {
        match self {
            Element::Boolean => Scalar::Bool,
            Element::Byte => Scalar::S8,
            Element::Short => Scalar::S16,
            Element::Char => Scalar::Char,
            Element::Int => Scalar::S32,
            Element::Long => Scalar::S64,
            Element::Float => Scalar::F32,
            Element::Double => Scalar::F64,
            Element::Text => Scalar::S32,
        }
    }
}

impl JavaType {
    /// The type of a descriptor, such as `[I`. What a `List` has in it is in the generic signature, if there is one.
    pub(super) fn of(descriptor: &str, generic: Option<&str>) -> Result<JavaType, Foreign> {
        let foreign = |because| Err(Foreign { ty: pretty(generic.unwrap_or(descriptor)), because });
        let found = |form, element| Ok(JavaType { form, element });
        let mut letters = descriptor.chars();
        match (letters.next(), letters.as_str()) {
            (Some('['), rest) => match rest.chars().next().and_then(Element::of_letter) {
                Some(element) => found(Form::Array, element),
                None if rest.starts_with('[') => foreign(Some(NO_NESTING)),
                None if rest == "Ljava/lang/String;" => found(Form::Array, Element::Text),
                None => foreign(None),
            },
            (Some('L'), rest) => match rest.trim_end_matches(';') {
                "java/lang/String" | "java/lang/CharSequence" => found(Form::Text, Element::Char),
                "java/util/List" | "java/util/Collection" | "java/lang/Iterable" => {
                    match generic.and_then(argument) {
                        Some("java/lang/CharSequence") => found(Form::List, Element::Text),
                        Some(class) => match Element::of_wrapper(class) {
                            Some(element) => found(Form::List, element),
                            None => foreign(None),
                        },
                        None => foreign(Some(NO_ELEMENT)),
                    }
                }
                class => match Element::of_wrapper(class) {
                    // A text on its own has been taken above.
                    Some(element) => found(Form::Single, element),
                    None => foreign(None),
                },
            },
            (Some(letter), "") => match Element::of_letter(letter) {
                Some(element) => found(Form::Single, element),
                None => foreign(None),
            },
            _ => foreign(None),
        }
    }

    /// What it is in a signature.
    pub fn ty(self) -> Type {
        match self.form {
            Form::Single => Type::Scalar(self.element.scalar()),
            Form::Array | Form::List => Type::List(self.element.scalar()),
            Form::Text => Type::String,
        }
    }

    /// What bounds its values besides their type: Java's `char` ends at U+FFFF, and only the first `texts` numbers stand for texts.
    pub fn domain(self, texts: usize) -> Domain {
        let range = match (self.form, self.element) {
            (Form::Single | Form::Array | Form::List, Element::Char) => Some((0.0, 65_535.0)),
            (_, Element::Text) => Some((0.0, texts as f64 - 1.0)),
            _ => None,
        };
        Domain { range, ..Domain::default() }
    }

    /// Whether a call can change it.
    pub(super) fn is_mutable(self) -> bool {
        matches!(self.form, Form::Array | Form::List)
    }
}

/// The class between `<` and `>` of a generic type: `List<Integer>`, `List<? extends Integer>`.
fn argument(generic: &str) -> Option<&str> {
    let inside = generic.split_once('<')?.1.trim_start_matches('+');
    inside.strip_prefix('L')?.split_once(';').map(|(class, _)| class)
}

/// The parameters and the result of a descriptor or generic signature of a method; nothing if it makes no sense.
pub(super) fn split(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    // Type variables of the method stand before the parameters: `<T:Ljava/lang/Object;>(TT;)V`.
    let start = descriptor.find('(')?;
    let (inside, result) = descriptor[start + 1..].rsplit_once(')')?;
    let mut parameters = Vec::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let (one, more) = rest.split_at(length(rest)?);
        parameters.push(one);
        rest = more;
    }
    // What can be thrown stands behind the result: `I^TE;`.
    let (result, _) = result.split_at(length(result)?);
    Some((parameters, result))
}

/// How long the type is that a text begins with.
fn length(text: &str) -> Option<usize> {
    let dimensions = text.len() - text.trim_start_matches('[').len();
    let rest = &text[dimensions..];
    let own = match rest.chars().next()? {
        'L' | 'T' => {
            let mut depth = 0;
            rest.char_indices().find_map(|(at, c)| {
                match c {
                    '<' => depth += 1,
                    '>' => depth -= 1,
                    _ => {}
                }
                (c == ';' && depth == 0).then_some(at + 1)
            })?
        }
        'V' => 1,
        letter => Element::of_letter(letter).map(|_| 1)?,
    };
    Some(dimensions + own)
}

/// A type as people write it: `int[]`, `String`, `List<Integer>`.
pub(super) fn pretty(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - element.len());
    let name = match element.chars().next() {
        Some('L') => {
            let class = element[1..].trim_end_matches(';');
            let (class, arguments) = class.split_once('<').unwrap_or((class, ""));
            let simple = class.rsplit('/').next().unwrap_or(class).replace('$', ".");
            match argument(element) {
                Some(argument) if !arguments.is_empty() => {
                    format!("{simple}<{}>", argument.rsplit('/').next().unwrap_or(argument))
                }
                _ => simple,
            }
        }
        Some('T') => element[1..].trim_end_matches(';').to_owned(),
        Some('V') => "void".to_owned(),
        Some(letter) => match Element::of_letter(letter) {
            Some(element) => Element::ALL[element as usize].2.to_owned(),
            None => descriptor.to_owned(),
        },
        None => String::new(),
    };
    name + &dimensions
}

impl fmt::Display for JavaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, keyword, wrapper) = Element::ALL[self.element as usize];
        match self.form {
            Form::Single => f.write_str(keyword),
            Form::Array => write!(f, "{keyword}[]"),
            Form::List => write!(f, "List<{}>", wrapper.trim_start_matches("java/lang/")),
            Form::Text => f.write_str("String"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(descriptor: &str, generic: Option<&str>) -> String {
        match JavaType::of(descriptor, generic) {
            Ok(ty) => format!("{ty} is {}", ty.ty()),
            Err(Foreign { ty, because }) => format!("no {ty} {}", because.unwrap_or_default()),
        }
    }

    #[test]
    fn every_primitive_type_has_its_place_in_the_table() {
        for (index, (element, letter, ..)) in Element::ALL.iter().enumerate() {
            assert_eq!((*element as usize, element.letter()), (index, *letter));
        }
    }

    #[test]
    fn types_are_those_of_signatures() {
        for (descriptor, expected) in [
            ("I", "int is s32"),
            ("Ljava/lang/Long;", "long is s64"),
            ("C", "char is char"),
            ("Ljava/lang/CharSequence;", "String is string"),
            ("[Z", "boolean[] is list<bool>"),
            ("[C", "char[] is list<char>"),
            ("[Ljava/lang/String;", "String[] is list<s32>"),
        ] {
            assert_eq!(of(descriptor, None), expected);
        }
        let generic = "Ljava/util/List<Ljava/lang/Integer;>;";
        assert_eq!(of("Ljava/util/List;", Some(generic)), "List<Integer> is list<s32>");
        let texts = "Ljava/util/List<Ljava/lang/String;>;";
        assert_eq!(of("Ljava/util/List;", Some(texts)), "List<String> is list<s32>");
        let wildcard = "Ljava/util/Collection<+Ljava/lang/Double;>;";
        assert_eq!(of("Ljava/util/Collection;", Some(wildcard)), "List<Double> is list<f64>");
    }

    #[test]
    fn what_relations_cannot_speak_of_is_refused_with_the_reason() {
        for (descriptor, generic, expected) in [
            ("Ljava/util/List;", None, format!("no List {NO_ELEMENT}")),
            ("[[I", None, format!("no int[][] {NO_NESTING}")),
            ("Ljava/util/Map;", None, "no Map ".to_owned()),
            ("V", None, "no void ".to_owned()),
        ] {
            assert_eq!(of(descriptor, generic), expected);
        }
    }

    #[test]
    fn descriptors_are_taken_apart() {
        let generic = "<T:Ljava/lang/Object;>(Ljava/util/Map<Ljava/lang/String;[TT;>;[[JI)TT;^TE;";
        let parts = (vec!["Ljava/util/Map<Ljava/lang/String;[TT;>;", "[[J", "I"], "TT;");
        assert_eq!(split(generic), Some(parts));
        for broken in ["", "()", "(I", "(Q)V", "(Ljava)V", "([)V"] {
            assert_eq!(split(broken), None, "{broken}");
        }
    }
}
