//! What a class file declares: its name and its methods, with the names of their parameters.
//!
//! Reads only that far; code is skipped. Knows nothing of class paths and of the methods that are looked for.

/// A class, without its code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// The name of the class, with slashes.
    pub(super) name: String,
    /// The flags of the class file.
    pub(super) access: u16,
    pub(super) methods: Vec<MethodOutline>,
    /// The nested classes that it mentions, itself among them if it is one.
    pub(super) nested: Vec<NestedClass>,
}

/// A class that is declared within another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NestedClass {
    /// The name of the class, with slashes.
    pub(super) class: String,
    /// The class that it is a member of; none of a local or anonymous one.
    pub(super) outer: Option<String>,
    /// Its name in the source; none of an anonymous one.
    pub(super) name: Option<String>,
    /// The flags of its declaration.
    pub(super) access: u16,
}

/// A method that a class declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MethodOutline {
    pub(super) name: String,
    pub(super) descriptor: String,
    /// Its descriptor with type arguments, if it has any.
    pub(super) generic: Option<String>,
    pub(super) access: u16,
    pub(super) has_code: bool,
    /// The names of its parameters, if the compiler kept them.
    pub(super) names: Vec<String>,
    /// Whether it declares exceptions.
    pub(super) is_throwing: bool,
}

pub(super) const PUBLIC: u16 = 0x0001;
pub(super) const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const VARARGS: u16 = 0x0080;
const NATIVE: u16 = 0x0100;
const SYNTHETIC: u16 = 0x1000;

impl MethodOutline {
    pub(super) fn is_static(&self) -> bool {
        self.access & STATIC != 0
    }

    pub(super) fn is_varargs(&self) -> bool {
        self.access & VARARGS != 0
    }

    pub(super) fn is_native(&self) -> bool {
        self.access & NATIVE != 0
    }

    /// Whether the compiler made it, and not the programmer.
    pub(super) fn is_synthetic(&self) -> bool {
        self.access & SYNTHETIC != 0
    }
}

/// Why bytes are no class file.
type Damage = &'static str;

impl Outline {
    pub(super) fn parse(bytes: &[u8]) -> Result<Outline, Damage> {
        let mut file = Cursor { bytes };
        if file.u32()? != 0xcafe_babe {
            return Err("it does not begin as class files do");
        }
        file.skip(4)?;
        let pool = Pool::parse(&mut file)?;
        let access = file.u16()?;
        let name = pool.class(file.u16()?)?;
        file.skip(2)?;
        let interfaces = usize::from(file.u16()?);
        file.skip(2 * interfaces)?;
        for _ in 0..file.u16()? {
            file.skip(6)?;
            attributes(&mut file, &pool, |_, _| Ok(()))?;
        }
        let mut methods = Vec::new();
        for _ in 0..file.u16()? {
            methods.push(method(&mut file, &pool)?);
        }
        let mut nested = Vec::new();
        attributes(&mut file, &pool, |name, mut body| {
            for _ in 0..if name == "InnerClasses" { body.u16()? } else { 0 } {
                let class = pool.class(body.u16()?)?;
                let (outer, name, access) = (body.u16()?, body.u16()?, body.u16()?);
                let outer = (outer != 0).then(|| pool.class(outer)).transpose()?;
                let name = (name != 0).then(|| pool.text(name)).transpose()?;
                nested.push(NestedClass { class, outer, name, access });
            }
            Ok(())
        })?;
        Ok(Outline { name, access, methods, nested })
    }
}

fn method(file: &mut Cursor<'_>, pool: &Pool<'_>) -> Result<MethodOutline, Damage> {
    let mut method = MethodOutline { access: file.u16()?, ..MethodOutline::default() };
    method.name = pool.text(file.u16()?)?;
    method.descriptor = pool.text(file.u16()?)?;
    let first_slot = if method.is_static() { 0 } else { 1 };
    let slots = slots(&method.descriptor, first_slot);
    let mut named = Vec::new();
    let mut local = Vec::new();
    attributes(file, pool, |name, mut body| {
        match name {
            "Exceptions" => method.is_throwing = true,
            "Signature" => method.generic = Some(pool.text(body.u16()?)?),
            "MethodParameters" => {
                for _ in 0..body.u8()? {
                    let name = body.u16()?;
                    body.skip(2)?;
                    named.push(if name == 0 { String::new() } else { pool.text(name)? });
                }
            }
            "Code" => {
                method.has_code = true;
                local = locals(body, pool, &slots)?;
            }
            _ => {}
        }
        Ok(())
    })?;
    let complete = |names: &[String]| {
        !names.is_empty() && names.len() == slots.len() && names.iter().all(|n| !n.is_empty())
    };
    method.names = [named, local].into_iter().find(|names| complete(names)).unwrap_or_default();
    Ok(method)
}

/// The names of the variables that are in slots when the code begins.
fn locals(mut code: Cursor<'_>, pool: &Pool<'_>, slots: &[u16]) -> Result<Vec<String>, Damage> {
    code.skip(4)?;
    let length = code.u32()? as usize;
    code.skip(length)?;
    let handlers = usize::from(code.u16()?);
    code.skip(8 * handlers)?;
    let mut names = vec![String::new(); slots.len()];
    attributes(&mut code, pool, |name, mut body| {
        if name == "LocalVariableTable" {
            for _ in 0..body.u16()? {
                let start = body.u16()?;
                body.skip(2)?;
                let name = body.u16()?;
                body.skip(2)?;
                let slot = body.u16()?;
                if let (0, Some(at)) = (start, slots.iter().position(|s| *s == slot)) {
                    names[at] = pool.text(name)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(names)
}

/// The slot of each parameter.
fn slots(descriptor: &str, first: u16) -> Vec<u16> {
    let (parameters, _) = super::types::split(descriptor).unwrap_or_default();
    let mut next = first;
    let slot = |parameter: &&str| {
        let slot = next;
        next += if matches!(*parameter, "J" | "D") { 2 } else { 1 };
        slot
    };
    parameters.iter().map(slot).collect()
}

/// Goes through the attributes at a place.
fn attributes<'b>(
    file: &mut Cursor<'b>,
    pool: &Pool<'_>,
    mut each: impl FnMut(&str, Cursor<'b>) -> Result<(), Damage>,
) -> Result<(), Damage> {
    for _ in 0..file.u16()? {
        let name = pool.text(file.u16()?)?;
        let length = file.u32()? as usize;
        each(&name, Cursor { bytes: file.take(length)? })?;
    }
    Ok(())
}

/// The texts and classes among the constants.
struct Pool<'b>(Vec<Entry<'b>>);

#[derive(Clone, Copy)]
enum Entry<'b> {
    Text(&'b [u8]),
    Class(u16),
    Other,
}

impl<'b> Pool<'b> {
    fn parse(file: &mut Cursor<'b>) -> Result<Pool<'b>, Damage> {
        let count = usize::from(file.u16()?);
        let mut entries = vec![Entry::Other];
        while entries.len() < count {
            let tag = file.u8()?;
            let (entry, skipped) = match tag {
                1 => {
                    let length = usize::from(file.u16()?);
                    (Entry::Text(file.take(length)?), 0)
                }
                7 => (Entry::Class(file.u16()?), 0),
                8 | 16 | 19 | 20 => (Entry::Other, 2),
                15 => (Entry::Other, 3),
                3 | 4 | 9..=12 | 17 | 18 => (Entry::Other, 4),
                5 | 6 => (Entry::Other, 8),
                _ => return Err("it has a constant of an unknown kind"),
            };
            file.skip(skipped)?;
            entries.push(entry);
            // Numbers of eight bytes count twice.
            if matches!(tag, 5 | 6) {
                entries.push(Entry::Other);
            }
        }
        Ok(Pool(entries))
    }

    /// Names are in a UTF-8 of Java's own, which is the same for all but rare characters.
    fn text(&self, index: u16) -> Result<String, Damage> {
        match self.0.get(usize::from(index)) {
            Some(Entry::Text(bytes)) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            _ => Err("a name in it is missing"),
        }
    }

    fn class(&self, index: u16) -> Result<String, Damage> {
        match self.0.get(usize::from(index)) {
            Some(Entry::Class(name)) => self.text(*name),
            _ => Err("a class in it has no name"),
        }
    }
}

#[derive(Clone, Copy)]
struct Cursor<'b> {
    bytes: &'b [u8],
}

impl<'b> Cursor<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], Damage> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or("it ends too early")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn skip(&mut self, length: usize) -> Result<(), Damage> {
        self.take(length).map(|_| ())
    }

    fn u8(&mut self) -> Result<u8, Damage> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Result<u16, Damage> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Result<u32, Damage> {
        self.take(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }
}
