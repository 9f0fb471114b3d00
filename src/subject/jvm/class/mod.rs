//! Class files: taken apart as far as they are rewritten, and put together again.
//!
//! ```text
//!  bytes ─► ClassFile ─► Method ─► Code ─► slots: each instruction, what is before it, what replaces it ─► bytes
//! ```
//!
//! Edits keep frames: what replaces an instruction takes from the stack and leaves on it what the instruction did, and changes
//! no type of a local. So `StackMapTable` moves along with the code and is never computed. That is all
//! that mutants and probes need. Crates that write class files recompute or renumber more, bring two dozen packages, and the
//! one tried wrote a wrong table for a frame at offset 0; hence an editor of our own.
//!
//! Knows nothing of fuel, mutants and branches.

mod bytes;
mod code;
mod decode;
mod descriptor;
mod encode;
mod frames;
mod opcode;
mod pool;

pub(crate) use self::code::{Arg, Code, Insn, Slot};
pub(crate) use self::descriptor::{Kind, MethodType};
pub(crate) use self::encode::CodeNames;
pub(crate) use self::opcode::{op, opcode};
pub(crate) use self::pool::{Entry, Pool};

use self::bytes::{Reader, Write};

/// Why a class cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// It does not begin as class files do.
    #[error("this is no class file: it does not begin with CAFEBABE")]
    NotAClass,
    /// The file ends in the middle.
    #[error("the class file ends in the middle: is it cut off?")]
    Truncated,
    /// Something comes after it.
    #[error("bytes follow the end of the class file")]
    Trailing,
    /// The constant pool has an unknown entry, or an index leads to the wrong one.
    #[error("the constant pool of the class is broken: compile it again")]
    Pool,
    /// The constant pool can take no more.
    #[error("the constant pool of the class is full: split the class to use it")]
    FullPool,
    /// An instruction, jump or table of a method is wrong.
    #[error("the code of method {method} is broken at offset {offset}: compile it again")]
    Code {
        /// The method with the instruction.
        method: String,
        /// The offset of the instruction in its code.
        offset: u32,
    },
    /// With what is added, the method has more code than a method may have.
    #[error("method {method} is too large to be rewritten: split it to use it")]
    TooLarge {
        /// The method that is too large.
        method: String,
    },
    /// There is no such method.
    #[error("class {class} has no method {method}{descriptor}; it has: {others}")]
    NoMethod {
        /// The class that was searched.
        class: String,
        /// The name asked for.
        method: String,
        /// The descriptor asked for.
        descriptor: String,
        /// Descriptors of that name, or all names.
        others: String,
    },
    /// The method is abstract or native.
    #[error("method {method} has no code: it is abstract or native")]
    NoCode {
        /// The method without code.
        method: String,
    },
}

/// Flags of classes and members, as far as they are asked for.
pub(crate) mod access {
    pub(crate) const PUBLIC: u16 = 0x0001;
    pub(crate) const PRIVATE: u16 = 0x0002;
    pub(crate) const PROTECTED: u16 = 0x0004;
    pub(crate) const STATIC: u16 = 0x0008;
    pub(crate) const SYNTHETIC: u16 = 0x1000;
}

/// A class file that can be edited.
#[derive(Clone, Debug)]
pub struct ClassFile {
    version: [u16; 2],
    pub(super) pool: Pool,
    pub(super) access: u16,
    this: u16,
    parent: u16,
    interfaces: Vec<u16>,
    fields: Vec<Member>,
    pub(super) methods: Vec<Member>,
    pub(super) attributes: Vec<Attribute>,
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) access: u16,
    pub(super) name: String,
    pub(super) descriptor: String,
    indices: [u16; 2],
    pub(super) attributes: Vec<Attribute>,
}

/// Further data of a class, member or code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Attribute {
    pub(super) name: u16,
    pub(super) data: Vec<u8>,
}

impl ClassFile {
    /// Takes a class file apart.
    pub fn parse(bytes: &[u8]) -> Result<ClassFile, ClassError> {
        let reader = &mut Reader::new(bytes);
        if reader.u32().ok() != Some(0xcafe_babe) {
            return Err(ClassError::NotAClass);
        }
        let version = [reader.u16()?, reader.u16()?];
        let pool = Pool::read(reader)?;
        let [access, this, parent] = [reader.u16()?, reader.u16()?, reader.u16()?];
        let interfaces = list(reader, |reader| reader.u16())?;
        let fields = list(reader, |reader| Member::read(reader, &pool))?;
        let methods = list(reader, |reader| Member::read(reader, &pool))?;
        let attributes = list(reader, Attribute::read)?;
        pool.class(this)?;
        if !reader.is_done() {
            return Err(ClassError::Trailing);
        }
        Ok(ClassFile {
            version,
            pool,
            access,
            this,
            parent,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// The bytes of the class file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_head(&mut out);
        out.u16(count(self.methods.len()));
        self.methods.iter().for_each(|method| method.write(&mut out));
        self.write_tail(&mut out);
        out
    }

    /// All that is before the methods.
    fn write_head(&self, out: &mut Vec<u8>) {
        out.u32(0xcafe_babe);
        self.version.iter().for_each(|part| out.u16(*part));
        self.pool.write(out);
        [self.access, self.this, self.parent].iter().for_each(|part| out.u16(*part));
        out.u16(count(self.interfaces.len()));
        self.interfaces.iter().for_each(|interface| out.u16(*interface));
        out.u16(count(self.fields.len()));
        self.fields.iter().for_each(|field| field.write(out));
    }

    /// All that is after the methods.
    fn write_tail(&self, out: &mut Vec<u8>) {
        out.u16(count(self.attributes.len()));
        self.attributes.iter().for_each(|attribute| attribute.write(out));
    }

    /// Its name, as `java/lang/String`.
    pub fn name(&self) -> String {
        self.pool.class(self.this).expect("looked up by `parse`")
    }

    /// The class that it extends, if it is not `java/lang/Object` itself.
    pub fn super_name(&self) -> Option<String> {
        self.pool.class(self.parent).ok()
    }

    #[cfg(test)]
    pub fn methods(&self) -> &[Member] {
        &self.methods
    }

    #[cfg(test)]
    pub fn access(&self) -> u16 {
        self.access
    }

    /// The index of a method.
    pub fn method_index(&self, name: &str, descriptor: &str) -> Result<usize, ClassError> {
        let found = |member: &Member| member.name == name && member.descriptor == descriptor;
        self.methods.iter().position(found).ok_or_else(|| {
            let mut others: Vec<&str> = self
                .methods
                .iter()
                .filter(|member| member.name == name)
                .map(|member| member.descriptor.as_str())
                .collect();
            if others.is_empty() {
                others = self.methods.iter().map(|member| member.name.as_str()).collect();
                others.sort_unstable();
                others.dedup();
            }
            ClassError::NoMethod {
                class: self.name().replace('/', "."),
                method: name.into(),
                descriptor: descriptor.into(),
                others: others.join(", "),
            }
        })
    }

    /// The source file that it was compiled from.
    pub fn source_file(&self) -> Option<String> {
        let data = self.attribute(&self.attributes, "SourceFile")?;
        self.pool.utf8(Reader::new(data).u16().ok()?).ok()
    }

    /// The descriptors of the annotations of a method, of those that are kept in class files.
    pub(super) fn annotations(&self, method: &Member) -> Vec<String> {
        let names = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
        let tables = names.iter().filter_map(|name| self.attribute(&method.attributes, name));
        tables.flat_map(|table| annotation_names(table, &self.pool).unwrap_or_default()).collect()
    }

    /// The class file up to the code of a method, and from behind it.
    pub(super) fn split_at_code(&self, method: usize) -> Result<(Vec<u8>, Vec<u8>), ClassError> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.write_head(&mut before);
        before.u16(count(self.methods.len()));
        self.methods[..method].iter().for_each(|other| other.write(&mut before));
        let cut = &self.methods[method];
        before.u16(cut.access);
        cut.indices.iter().for_each(|index| before.u16(*index));
        before.u16(count(cut.attributes.len()));
        let code = cut.attributes.iter().position(|one| is_named(&self.pool, one, "Code"));
        let code = code.ok_or_else(|| ClassError::NoCode { method: cut.name.clone() })?;
        cut.attributes[..code].iter().for_each(|attribute| attribute.write(&mut before));
        cut.attributes[code + 1..].iter().for_each(|attribute| attribute.write(&mut after));
        self.methods[method + 1..].iter().for_each(|other| other.write(&mut after));
        self.write_tail(&mut after);
        Ok((before, after))
    }

    /// The code of a method.
    pub(super) fn code(&self, method: &Member) -> Result<Code, ClassError> {
        let data = self
            .attribute(&method.attributes, "Code")
            .ok_or_else(|| ClassError::NoCode { method: method.name.clone() })?;
        Code::parse(data, &self.pool, &method.name)
    }

    /// Gives a method other code: its own, with edits.
    pub(super) fn set_code(
        &mut self,
        method: usize,
        code: &Code,
        slots: &[Slot],
        deeper: u16,
        names: &CodeNames,
    ) -> Result<(), ClassError> {
        let encoded = code.encode(slots, deeper, names, &self.methods[method].name)?;
        let pool = &self.pool;
        let is_code = |attribute: &Attribute| is_named(pool, attribute, "Code");
        for attribute in self.methods[method].attributes.iter_mut().filter(|one| is_code(one)) {
            *attribute = encoded.clone();
        }
        Ok(())
    }

    fn attribute<'a>(&self, attributes: &'a [Attribute], name: &str) -> Option<&'a [u8]> {
        let found = attributes.iter().find(|attribute| is_named(&self.pool, attribute, name))?;
        Some(&found.data)
    }
}

impl Member {
    fn read(reader: &mut Reader<'_>, pool: &Pool) -> Result<Member, ClassError> {
        let access = reader.u16()?;
        let indices = [reader.u16()?, reader.u16()?];
        Ok(Member {
            access,
            name: pool.utf8(indices[0])?,
            descriptor: pool.utf8(indices[1])?,
            indices,
            attributes: list(reader, Attribute::read)?,
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.u16(self.access);
        self.indices.iter().for_each(|index| out.u16(*index));
        out.u16(count(self.attributes.len()));
        self.attributes.iter().for_each(|attribute| attribute.write(out));
    }

    #[cfg(test)]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[cfg(test)]
    pub fn descriptor(&self) -> &str {
        &self.descriptor
    }

    #[cfg(test)]
    pub fn access(&self) -> u16 {
        self.access
    }

    /// Whether it belongs to the class, not to an object.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Whether only its class sees it.
    pub(super) fn is_private(&self) -> bool {
        self.access & access::PRIVATE != 0
    }

    /// Whether the compiler added it; it is not in the source.
    pub(super) fn is_synthetic(&self) -> bool {
        self.access & access::SYNTHETIC != 0
    }
}

impl Attribute {
    fn read(reader: &mut Reader<'_>) -> Result<Attribute, ClassError> {
        let (name, length) = (reader.u16()?, reader.u32()?);
        Ok(Attribute { name, data: reader.take(length as usize)?.to_vec() })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.u16(self.name);
        out.u32(u32::try_from(self.data.len()).expect("read with a length of 32 bits"));
        out.extend_from_slice(&self.data);
    }
}

/// The types of annotations, without their values.
fn annotation_names(table: &[u8], pool: &Pool) -> Result<Vec<String>, ClassError> {
    list(&mut Reader::new(table), |reader| {
        let name = pool.utf8(reader.u16()?)?;
        for _ in 0..reader.u16()? {
            reader.u16()?;
            skip_element(reader)?;
        }
        Ok(name)
    })
}

/// Reads over the value of an annotation's element.
fn skip_element(reader: &mut Reader<'_>) -> Result<(), ClassError> {
    match reader.u8()? {
        b'e' => reader.take(4).map(|_| ()),
        b'@' => {
            reader.u16()?;
            for _ in 0..reader.u16()? {
                reader.u16()?;
                skip_element(reader)?;
            }
            Ok(())
        }
        b'[' => {
            for _ in 0..reader.u16()? {
                skip_element(reader)?;
            }
            Ok(())
        }
        _ => reader.take(2).map(|_| ()),
    }
}

/// Whether an attribute has a name.
fn is_named(pool: &Pool, attribute: &Attribute, name: &str) -> bool {
    matches!(pool.get(attribute.name), Ok(Entry::Utf8(text)) if **text == *name.as_bytes())
}

/// As many things as the number before them says.
fn list<T>(
    reader: &mut Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>) -> Result<T, ClassError>,
) -> Result<Vec<T>, ClassError> {
    let count = reader.u16()?;
    (0..count).map(|_| read(reader)).collect()
}

fn count(length: usize) -> u16 {
    u16::try_from(length).expect("lists keep the length that they were read with")
}
