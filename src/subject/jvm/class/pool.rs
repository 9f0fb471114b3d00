//! The constant pool of a class. Entries are only ever appended, so indices never change.

use super::ClassError;
use super::bytes::{Reader, Write};

/// What entries are made of, as class files have it.
trait Part: Sized {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ClassError>;
    fn write(&self, out: &mut Vec<u8>);
}

/// Numbers are big-endian.
macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Part for $number {
            fn read(reader: &mut Reader<'_>) -> Result<$number, ClassError> {
                let bytes = reader.take(size_of::<$number>())?;
                Ok(<$number>::from_be_bytes(bytes.try_into().expect("as many as were taken")))
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }
        })*
    };
}

numbers! { u8 u16 u32 i32 u64 i64 }

/// A text has its length before it.
impl Part for Box<[u8]> {
    fn read(reader: &mut Reader<'_>) -> Result<Box<[u8]>, ClassError> {
        let length = reader.u16()?;
        Ok(reader.take(length.into())?.into())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.u16(u16::try_from(self.len()).expect("read with a length of 16 bits, or a name"));
        out.extend_from_slice(self);
    }
}

/// Declares the entries by their tags, and how they are read and written.
macro_rules! entries {
    ($($(#[$about:meta])* $tag:literal $entry:ident($($name:ident: $part:ty),*),)*) => {
        /// An entry of a constant pool; numbers are indices of others.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Entry {
            /// Index 0, and the index after a long or double.
            Unused,
            $($(#[$about])* $entry($($part),*),)*
        }

        impl Entry {
            fn read(reader: &mut Reader<'_>) -> Result<Entry, ClassError> {
                Ok(match reader.u8()? {
                    $($tag => Entry::$entry($(<$part>::read(reader)?),*),)*
                    _ => return Err(ClassError::Pool),
                })
            }

            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    Entry::Unused => {}
                    $(Entry::$entry($($name),*) => {
                        out.u8($tag);
                        $($name.write(out);)*
                    })*
                }
            }
        }
    };
}

entries! {
    /// Text, in the modified UTF-8 of class files.
    1 Utf8(text: Box<[u8]>),
    3 Integer(value: i32),
    /// A float, by its bits.
    4 Float(bits: u32),
    5 Long(value: i64),
    /// A double, by its bits.
    6 Double(bits: u64),
    7 Class(name: u16),
    8 Text(text: u16),
    9 Field(class: u16, other: u16),
    10 Method(class: u16, other: u16),
    11 InterfaceMethod(class: u16, other: u16),
    12 NameAndType(name: u16, descriptor: u16),
    15 Handle(kind: u8, reference: u16),
    16 MethodType(descriptor: u16),
    17 Dynamic(bootstrap: u16, other: u16),
    18 InvokeDynamic(bootstrap: u16, other: u16),
    19 Module(name: u16),
    20 Package(name: u16),
}

/// A field or method that code names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The class, as `java/lang/String`; empty for `invokedynamic`.
    pub(crate) class: String,
    /// The name of the field or method.
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

/// The constants of a class.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    entries: Vec<Entry>,
    /// All entries as they are written.
    bytes: Vec<u8>,
}

impl Pool {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Pool, ClassError> {
        let count = usize::from(reader.u16()?);
        let mut pool = Pool { entries: Vec::with_capacity(count), bytes: Vec::new() };
        pool.entries.push(Entry::Unused);
        while pool.entries.len() < count {
            let entry = Entry::read(reader)?;
            pool.push(entry);
        }
        if pool.entries.len() == count.max(1) { Ok(pool) } else { Err(ClassError::Pool) }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.u16(u16::try_from(self.entries.len()).expect("`add` keeps the pool small enough"));
        out.extend_from_slice(&self.bytes);
    }

    /// All entries, by index.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of an index.
    pub(crate) fn get(&self, index: u16) -> Result<&Entry, ClassError> {
        self.entries.get(usize::from(index)).ok_or(ClassError::Pool)
    }

    /// The text of a `Utf8`. Zeros and surrogates, which are not UTF-8, are replaced.
    pub(crate) fn utf8(&self, index: u16) -> Result<String, ClassError> {
        match self.get(index)? {
            Entry::Utf8(bytes) => Ok(decode(bytes)),
            _ => Err(ClassError::Pool),
        }
    }

    /// The name of a class.
    pub(crate) fn class(&self, index: u16) -> Result<String, ClassError> {
        match self.get(index)? {
            Entry::Class(name) => self.utf8(*name),
            _ => Err(ClassError::Pool),
        }
    }

    /// What a field, method or dynamic call names.
    pub(crate) fn reference(&self, index: u16) -> Result<Reference, ClassError> {
        let (class, name_and_type) = match *self.get(index)? {
            Entry::Field(class, other)
            | Entry::Method(class, other)
            | Entry::InterfaceMethod(class, other) => (self.class(class)?, other),
            Entry::Dynamic(_, other) | Entry::InvokeDynamic(_, other) => (String::new(), other),
            _ => return Err(ClassError::Pool),
        };
        match *self.get(name_and_type)? {
            Entry::NameAndType(name, descriptor) => {
                Ok(Reference { class, name: self.utf8(name)?, descriptor: self.utf8(descriptor)? })
            }
            _ => Err(ClassError::Pool),
        }
    }

    /// The index of an entry, which is appended unless it is there.
    pub(crate) fn add(&mut self, entry: Entry) -> Result<u16, ClassError> {
        if let Some(at) = self.entries.iter().position(|other| *other == entry) {
            return Ok(at as u16);
        }
        // A long or double takes two; 65,535 is the largest count, so 65,534 the last index.
        let index = u16::try_from(self.entries.len()).map_err(|_| ClassError::FullPool)?;
        if index > 65_533 {
            return Err(ClassError::FullPool);
        }
        self.push(entry);
        Ok(index)
    }

    /// The index of a text without zeros and characters beyond the first 65,536, as names are.
    pub(crate) fn add_utf8(&mut self, text: &str) -> Result<u16, ClassError> {
        self.add(Entry::Utf8(text.as_bytes().into()))
    }

    /// The index of a string constant.
    pub(crate) fn add_text(&mut self, text: &str) -> Result<u16, ClassError> {
        let text = self.add_utf8(text)?;
        self.add(Entry::Text(text))
    }

    /// The index of a static method.
    pub(crate) fn add_method(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassError> {
        self.add_reference(Entry::Method, [class, name, descriptor])
    }

    /// The index of what an entry such as [`Entry::InterfaceMethod`] refers to: a class, a name and a descriptor.
    pub(crate) fn add_reference(
        &mut self,
        entry: fn(u16, u16) -> Entry,
        [class, name, descriptor]: [&str; 3],
    ) -> Result<u16, ClassError> {
        let class = self.add_utf8(class)?;
        let class = self.add(Entry::Class(class))?;
        let (name, descriptor) = (self.add_utf8(name)?, self.add_utf8(descriptor)?);
        let name_and_type = self.add(Entry::NameAndType(name, descriptor))?;
        self.add(entry(class, name_and_type))
    }

    fn push(&mut self, entry: Entry) {
        entry.write(&mut self.bytes);
        let is_long = matches!(entry, Entry::Long(_) | Entry::Double(_));
        self.entries.push(entry);
        if is_long {
            self.entries.push(Entry::Unused);
        }
    }
}

/// Modified UTF-8: UTF-16 units of one to three bytes each, zero as two.
fn decode(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return bytes.iter().map(|byte| char::from(*byte)).collect();
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let tail = |n: usize| u16::from(bytes.get(at + n).copied().unwrap_or(0) & 0x3f);
        let first = u16::from(bytes[at]);
        let (unit, length) = match first {
            0..0x80 => (first, 1),
            0x80..0xe0 => ((first & 0x1f) << 6 | tail(1), 2),
            _ => ((first & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
        };
        units.push(unit);
        at += length;
    }
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_modified_utf8() {
        assert_eq!(decode("plain".as_bytes()), "plain");
        assert_eq!(decode(&[b'a', 0xc0, 0x80, b'b']), "a\0b");
        assert_eq!(decode("é€".as_bytes()), "é€");
        // A character beyond the first 65,536 is two surrogates of three bytes.
        assert_eq!(decode(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), "😀");
    }

    #[test]
    fn a_double_takes_two_indices() {
        let mut pool = Pool { entries: vec![Entry::Unused], bytes: Vec::new() };
        assert_eq!(pool.add(Entry::Double(7)).unwrap(), 1);
        assert_eq!(pool.add(Entry::Integer(7)).unwrap(), 3);
        assert_eq!(pool.add(Entry::Double(7)).unwrap(), 1);
        let mut bytes = Vec::new();
        pool.write(&mut bytes);
        let again = Pool::read(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(again.entries(), pool.entries());
    }

    #[test]
    fn a_full_pool_is_an_error() {
        let mut pool = Pool { entries: vec![Entry::Unused; 65_533], bytes: Vec::new() };
        assert_eq!(pool.add(Entry::Integer(1)).unwrap(), 65_533);
        assert!(matches!(pool.add(Entry::Integer(2)), Err(ClassError::FullPool)));
    }
}
