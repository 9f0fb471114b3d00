//! Descriptors of methods: `(I[Ljava/lang/String;)J` taken apart.

use super::ClassError;

/// What the verifier tells apart on the stack and in locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `boolean`, `byte`, `char`, `short` and `int`.
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    /// Of the text of a type; `None` for `void`.
    pub(crate) fn of(descriptor: &str) -> Option<Kind> {
        match descriptor.as_bytes().first()? {
            b'Z' | b'B' | b'C' | b'S' | b'I' => Some(Kind::Int),
            b'J' => Some(Kind::Long),
            b'F' => Some(Kind::Float),
            b'D' => Some(Kind::Double),
            b'L' | b'[' => Some(Kind::Reference),
            _ => None,
        }
    }

    /// In the order of `iload`, `lload`, `fload`, `dload`, `aload` and all families like it.
    pub(crate) fn nth(number: u8) -> Kind {
        [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference][usize::from(number % 5)]
    }

    /// The inverse of [`nth`](Kind::nth).
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    /// How many words it takes on the stack.
    pub(crate) fn words(self) -> u16 {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }
}

/// The types of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MethodType {
    /// The texts of the types of its parameters, without the receiver.
    pub(crate) parameters: Vec<String>,
    /// The text of what it returns: `V` for nothing.
    pub(crate) result: String,
}

impl MethodType {
    /// Takes a descriptor apart.
    pub(crate) fn parse(descriptor: &str) -> Result<MethodType, ClassError> {
        let (inside, result) = descriptor
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .ok_or(ClassError::Pool)?;
        let mut parameters = Vec::new();
        let mut rest = inside;
        while !rest.is_empty() {
            let element = rest.trim_start_matches('[');
            let arrays = rest.len() - element.len();
            let length = match element.as_bytes().first() {
                Some(b'L') => element.find(';').ok_or(ClassError::Pool)? + 1,
                Some(b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D') => 1,
                _ => return Err(ClassError::Pool),
            };
            let (first, others) = rest.split_at(arrays + length);
            parameters.push(first.into());
            rest = others;
        }
        if result != "V" && Kind::of(result).is_none() {
            return Err(ClassError::Pool);
        }
        Ok(MethodType { parameters, result: result.into() })
    }

    /// The kinds of the parameters, without the receiver.
    pub(crate) fn kinds(&self) -> impl DoubleEndedIterator<Item = Kind> + ExactSizeIterator + '_ {
        self.parameters.iter().map(|text| Kind::of(text).expect("checked by `parse`"))
    }

    /// The kind of what is returned.
    pub(crate) fn result_kind(&self) -> Option<Kind> {
        Kind::of(&self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_taken_apart() {
        let ty = MethodType::parse("(I[[JLjava/lang/String;[Lx;)V").unwrap();
        assert_eq!(ty.parameters, ["I", "[[J", "Ljava/lang/String;", "[Lx;"]);
        let kinds: Vec<Kind> = ty.kinds().collect();
        assert_eq!(kinds, [Kind::Int, Kind::Reference, Kind::Reference, Kind::Reference]);
        assert_eq!(ty.result_kind(), None);
    }

    #[test]
    fn a_wrong_descriptor_is_an_error() {
        for wrong in ["", "I", "(I", "(Q)V", "(Lx)V", "([)V", "()", "()Q"] {
            assert_eq!(MethodType::parse(wrong), Err(ClassError::Pool), "{wrong}");
        }
    }
}
