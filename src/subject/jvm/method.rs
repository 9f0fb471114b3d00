//! Names of methods as users write them, and the method that is meant.
//!
//! Knows nothing of running it.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::access::Access;
use super::classpath::ClassPath;
use super::error::JvmError;
use super::outline::{MethodOutline, Outline};
use super::types::{JavaType, pretty, split};
use crate::support::spelling;

/// How many similar names are told.
const MOST_NEAR: usize = 5;

/// `org.x.Class#name`, `org.x.Class#name(int, String)` or `org.x.Class#name(ILjava/lang/String;)V`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodName {
    class: String,
    method: String,
    which: Which,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    /// The only one of that name.
    Only,
    /// The one with these parameters.
    Parameters(Vec<String>),
    /// The one with this descriptor.
    Descriptor(String),
}

/// A text that names no method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no Java method: write org.example.Class#method or org.example.Class#method(int,String)"
)]
pub struct BadName(String);

impl FromStr for MethodName {
    type Err = BadName;

    fn from_str(text: &str) -> Result<MethodName, BadName> {
        let bad = || BadName(text.to_owned());
        let (class, rest) = text.trim().split_once('#').ok_or_else(bad)?;
        let (method, parameters) = match rest.split_once('(') {
            Some((method, parameters)) => (method, Some(parameters)),
            None => (rest, None),
        };
        let word = |part: &str| {
            let allowed = |c: char| c.is_alphanumeric() || "_$".contains(c);
            !part.is_empty()
                && part.chars().all(allowed)
                && !part.starts_with(|c: char| c.is_ascii_digit())
        };
        if !class.split(['.', '/']).all(word) || !word(method) {
            return Err(bad());
        }
        let which = match parameters {
            None => Which::Only,
            Some(inside) => match inside.strip_suffix(')') {
                Some(inside) if inside.trim().is_empty() => Which::Parameters(Vec::new()),
                Some(inside) => Which::Parameters(inside.split(',').map(normal).collect()),
                None => {
                    let descriptor = format!("({inside}");
                    split(&descriptor).ok_or_else(bad)?;
                    Which::Descriptor(descriptor)
                }
            },
        };
        Ok(MethodName { class: class.replace('/', "."), method: method.to_owned(), which })
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.class, self.asked())
    }
}

impl MethodName {
    /// The method as it was asked for, without its class.
    fn asked(&self) -> String {
        match &self.which {
            Which::Only => self.method.clone(),
            Which::Parameters(parameters) => format!("{}({})", self.method, parameters.join(", ")),
            Which::Descriptor(descriptor) => format!("{}{descriptor}", self.method),
        }
    }
}

/// A static method that can be run, with types that relations can speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its class, with slashes.
    pub class: String,
    /// The name of the method.
    pub name: String,
    /// Its descriptor, as class files have it.
    pub descriptor: String,
    /// The types of its parameters.
    pub parameters: Vec<JavaType>,
    /// The names of its parameters: those of the source, or `a`, `b` and so on.
    pub names: Vec<String>,
    /// The type of its result; none for `void`.
    pub result: Option<JavaType>,
    /// How Java source calls it.
    pub access: Access,
    /// The names of the other methods of its class.
    pub others: Vec<String>,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class.replace('/', "."), self.name)
    }
}

impl Method {
    /// The method that a name means.
    ///
    /// # Errors
    /// When there is none, or several, or it cannot be a subject; the error says which there are.
    pub fn find(name: &MethodName, path: &ClassPath) -> Result<Method, JvmError> {
        let (class, bytes) = class_file(&name.class, path)?;
        let outline = Outline::parse(&bytes).map_err(|message| JvmError::Class {
            class: dotted(&class),
            message: message.to_owned(),
        })?;
        let declared = choose(name, &outline)?;
        let full = format!("{}.{}", dotted(&class), written(declared));
        if !declared.is_static() {
            return Err(JvmError::NotStatic(full));
        }
        if !declared.has_code {
            let why = if declared.is_native() { "native" } else { "abstract" };
            return Err(JvmError::NoCode(full, why));
        }
        build(class, declared, &outline, &full)
    }

    /// The static methods of a class that can be run, with names that mean just one of them.
    ///
    /// # Errors
    /// When there is no such class.
    pub(super) fn all(name: &str, path: &ClassPath) -> Result<Vec<(MethodName, Method)>, JvmError> {
        let (class, bytes) = class_file(name, path)?;
        let outline = Outline::parse(&bytes).map_err(|message| JvmError::Class {
            class: dotted(&class),
            message: message.to_owned(),
        })?;
        let declared = outline.methods.iter().filter(|method| {
            !method.name.starts_with('<')
                && !method.is_synthetic()
                && method.is_static()
                && method.has_code
        });
        let of = |declared: &MethodOutline| {
            let full = format!("{}.{}", dotted(&class), written(declared));
            let method = build(class.clone(), declared, &outline, &full).ok()?;
            let text = format!("{}#{}", dotted(&class), written(declared));
            Some((text.parse().ok()?, method))
        };
        Ok(declared.filter_map(of).collect())
    }
}

fn build(
    class: String,
    declared: &MethodOutline,
    outline: &Outline,
    full: &str,
) -> Result<Method, JvmError> {
    let damaged = || JvmError::Class {
        class: dotted(&class),
        message: format!("`{}` is no descriptor", declared.descriptor),
    };
    let (parameters, result) = split(&declared.descriptor).ok_or_else(damaged)?;
    // Generic signatures leave out what the compiler added; then they say nothing of the rest either.
    let generic = declared.generic.as_deref().and_then(split);
    let generic = generic.filter(|(generic, _)| generic.len() == parameters.len());
    let names = match declared.names.is_empty() {
        true => (0..parameters.len()).map(letter).collect(),
        false => names(&declared.names),
    };
    let foreign = |what: String| {
        move |foreign: super::types::Foreign| JvmError::Unsupported {
            method: full.to_owned(),
            what,
            ty: foreign.ty,
            because: foreign.because,
        }
    };
    let mut types = Vec::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let generic = generic.as_ref().map(|(parameters, _)| parameters[i]);
        let what = format!("parameter {} (`{}`)", i + 1, names[i]);
        types.push(JavaType::of(parameter, generic).map_err(foreign(what))?);
    }
    let result = match result {
        "V" => None,
        result => {
            let generic = generic.as_ref().map(|(_, result)| *result);
            Some(JavaType::of(result, generic).map_err(foreign("the result".to_owned()))?)
        }
    };
    if types.is_empty() {
        return Err(JvmError::NoInputs(full.to_owned()));
    }
    if result.is_none() && !types.iter().any(|ty| ty.is_mutable()) {
        return Err(JvmError::NoOutputs(full.to_owned()));
    }
    let (name, descriptor) = (declared.name.clone(), declared.descriptor.clone());
    let others = outline.methods.iter().map(|method| method.name.clone());
    let others: BTreeSet<String> = others.filter(|other| *other != name).collect();
    let others = others.into_iter().collect();
    let access = Access::of(declared, outline);
    Ok(Method { class, name, descriptor, parameters: types, names, result, access, others })
}

/// The class of a name, and its bytes. `a.b.Outer.Inner` may be written for `a.b.Outer$Inner`.
fn class_file(name: &str, path: &ClassPath) -> Result<(String, Vec<u8>), JvmError> {
    let mut class = name.replace('.', "/");
    loop {
        if let Some(bytes) = path.find(&class)? {
            return Ok((class, bytes));
        }
        match class.rfind('/') {
            Some(at) => class.replace_range(at..=at, "$"),
            None => break,
        }
    }
    if ["java.", "javax.", "jdk.", "sun."].iter().any(|package| name.starts_with(package)) {
        return Err(JvmError::JdkClass { class: name.to_owned() });
    }
    let classes = path.classes();
    let classes = classes.iter().map(|class| dotted(class));
    // The last part says more than the package, which is often wrong as a whole.
    let last = |class: &str| class.rsplit(['.', '$']).next().unwrap_or_default().to_owned();
    let wanted = last(name);
    let own = |class: &str| spelling::distance(&wanted, &last(class));
    // Two letters exchanged are two changes; such names are left out if a nearer one exists.
    let least = classes.clone().map(|class| own(&class)).min().unwrap_or(0);
    let furthest = wanted.chars().count().div_ceil(5).max(2).min(least.max(1));
    let distance = |class: &str| {
        let own = own(class);
        (own <= furthest).then(|| (own, spelling::distance(name, class)))
    };
    Err(JvmError::NoClass { class: name.to_owned(), near: nearest(classes, distance) })
}

fn choose<'o>(name: &MethodName, outline: &'o Outline) -> Result<&'o MethodOutline, JvmError> {
    let own = |method: &&MethodOutline| !method.name.starts_with('<') && !method.is_synthetic();
    let named: Vec<&MethodOutline> =
        outline.methods.iter().filter(own).filter(|m| m.name == name.method).collect();
    let fitting: Vec<&MethodOutline> =
        named.iter().copied().filter(|method| fits(method, &name.which)).collect();
    let class = dotted(&outline.name);
    match fitting[..] {
        [one] => return Ok(one),
        [] => {}
        _ => {
            let (method, candidates) = (name.asked(), fitting.iter().map(|m| written(m)).collect());
            return Err(JvmError::Ambiguous { class, method, candidates });
        }
    }
    let near = if named.is_empty() {
        let methods = outline.methods.iter().filter(own).filter(|method| method.is_static());
        nearest(methods.map(written), |written| {
            let own = written.split('(').next().unwrap_or_default();
            let distance = spelling::distance(&name.method.to_lowercase(), &own.to_lowercase());
            (distance <= 2 || own.contains(&name.method)).then_some(distance)
        })
    } else {
        named.iter().map(|method| written(method)).collect()
    };
    Err(JvmError::NoMethod { class, method: name.asked(), near })
}

fn fits(method: &MethodOutline, which: &Which) -> bool {
    match which {
        Which::Only => true,
        Which::Descriptor(descriptor) => method.descriptor == *descriptor,
        Which::Parameters(wanted) => {
            let (parameters, _) = split(&method.descriptor).unwrap_or_default();
            let same = |(have, want): (&&str, &String)| {
                // Classes may be written with or without their package.
                let full = have.trim_start_matches('[').trim_start_matches('L');
                let full = full.trim_end_matches(';').replace(['/', '$'], ".");
                let dimensions = "[]".repeat(have.len() - have.trim_start_matches('[').len());
                *want == pretty(have) || *want == full + &dimensions
            };
            parameters.len() == wanted.len() && parameters.iter().zip(wanted).all(same)
        }
    }
}

/// A type without spaces, type arguments and dots for many.
fn normal(ty: &str) -> String {
    let ty = ty.trim().trim_start_matches("final ").trim();
    let (ty, more) = match ty.strip_suffix("...") {
        Some(ty) => (ty, "[]"),
        None => (ty, ""),
    };
    let (before, after) = match (ty.find('<'), ty.rfind('>')) {
        (Some(open), Some(close)) if open < close => (&ty[..open], &ty[close + 1..]),
        _ => (ty, ""),
    };
    format!("{before}{after}{more}").replace(' ', "").replace('$', ".")
}

/// A method as its source has it: `gcd(int, int)`.
fn written(method: &MethodOutline) -> String {
    let (parameters, _) = split(&method.descriptor).unwrap_or_default();
    let mut parameters: Vec<String> = parameters.iter().map(|p| pretty(p)).collect();
    if let (true, Some(last)) = (method.is_varargs(), parameters.last_mut()) {
        *last = format!("{}...", last.trim_end_matches("[]"));
    }
    format!("{}({})", method.name, parameters.join(", "))
}

fn dotted(class: &str) -> String {
    class.replace('/', ".")
}

/// Names that relations can have.
fn names(declared: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (i, name) in declared.iter().enumerate() {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic());
        let taken = names.contains(name) || name == "out";
        names.push(if plain && !taken { name.clone() } else { format!("p{}", i + 1) });
    }
    names
}

/// The name of a parameter that has none: `a`, `b`, …
fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(i) if i < 26 => char::from(b'a' + i).to_string(),
        _ => format!("p{}", index + 1),
    }
}

/// The few names that are most like the one asked for.
fn nearest<D: Ord>(
    names: impl Iterator<Item = String>,
    distance: impl Fn(&str) -> Option<D>,
) -> Vec<String> {
    let mut near: Vec<(D, String)> =
        names.filter_map(|name| Some((distance(&name)?, name))).collect();
    near.sort();
    near.into_iter().map(|(_, name)| name).take(MOST_NEAR).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, descriptor: &str) -> MethodOutline {
        MethodOutline {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            access: 0x0009,
            has_code: true,
            ..MethodOutline::default()
        }
    }

    fn outline() -> Outline {
        let methods = vec![
            method("<clinit>", "()V"),
            method("gcd", "(II)I"),
            method("gcd", "(JJ)J"),
            method("join", "(Ljava/lang/String;[Z)Ljava/lang/String;"),
            MethodOutline { access: 0x1009, ..method("gcd", "(SS)S") },
        ];
        Outline { name: "org/x/Num".to_owned(), methods, ..Outline::default() }
    }

    fn chosen(name: &str) -> Result<String, String> {
        let name: MethodName = name.parse().map_err(|error: BadName| error.to_string())?;
        let outline = outline();
        choose(&name, &outline).map(|m| m.descriptor.clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_may_be_written_in_several_ways() {
        for (name, descriptor) in [
            ("org.x.Num#gcd(int,int)", "(II)I"),
            ("org.x.Num#gcd( long , final long )", "(JJ)J"),
            ("org.x.Num#gcd(JJ)J", "(JJ)J"),
            ("org/x/Num#join", "(Ljava/lang/String;[Z)Ljava/lang/String;"),
            ("org.x.Num#join(String,boolean...)", "(Ljava/lang/String;[Z)Ljava/lang/String;"),
            (
                "org.x.Num#join(java.lang.String,boolean[])",
                "(Ljava/lang/String;[Z)Ljava/lang/String;",
            ),
        ] {
            assert_eq!(chosen(name).as_deref(), Ok(descriptor), "{name}");
        }
    }

    #[test]
    fn overloads_are_listed() {
        let error = chosen("org.x.Num#gcd").unwrap_err();
        let expected =
            "org.x.Num has 2 methods gcd: say which one of\n  gcd(int, int)\n  gcd(long, long)";
        assert_eq!(error, expected);
        let error = chosen("org.x.Num#gcd(int)").unwrap_err();
        assert!(
            error.contains("no method gcd(int); did you mean one of\n  gcd(int, int)"),
            "{error}"
        );
    }

    #[test]
    fn near_names_are_told() {
        let error = chosen("org.x.Num#Gdc").unwrap_err();
        assert!(error.contains("did you mean one of\n  gcd(int, int)"), "{error}");
        assert_eq!(chosen("org.x.Num#sort").unwrap_err(), "org.x.Num has no method sort");
    }

    #[test]
    fn what_names_no_method_is_refused() {
        for bad in ["", "gcd", "#gcd", "A#", "A#b(int", "A#b(Q)V", "A..B#c", "A#b c", "A#1"] {
            assert!(bad.parse::<MethodName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn parameters_are_called_what_relations_can_say() {
        let declared = ["s", "été", "out", "s", "this$0"].map(String::from);
        assert_eq!(names(&declared), ["s", "p2", "p3", "p4", "p5"]);
        assert_eq!((letter(0), letter(26)), ("a".to_owned(), "p27".to_owned()));
    }
}
