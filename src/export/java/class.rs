//! The test class: its head, a test per relation, the inputs, and the helpers that it needs.

use std::fmt::Write;
use std::path::PathBuf;

use genmorph_jit::{Predicate, Schema, Value};

use super::declared::{declared, simple};
use super::language::{JAVA, list, named, text};
use super::{JavaError, Junit, Part, Style, Suite};
use crate::export::head::{commented, head, presupposed};
use crate::export::helpers::Helpers;
use crate::export::title::titles;
use crate::show::report::{change, functional_form};
use crate::subject::Subject;
use crate::subject::jvm::{Element, Form, JavaType, JvmSubject, Method, Reach};

/// The JVM allows 64 KiB of code per method. Ten characters of literals take fewer bytes of code.
pub(super) const MOST_LITERALS: usize = 30_000;

/// The test of a relation in a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The names of its methods: several if the inputs do not fit into one.
    pub methods: Vec<String>,
    /// The index of its part.
    pub part: usize,
    /// The index of the relation in the part.
    pub relation: usize,
}

/// The packages of a test class and of its method.
pub(super) struct Place<'p> {
    /// The package of the class.
    pub(super) package: &'p str,
    /// The package of the method.
    pub(super) home: &'p str,
}

/// Writes the parts of a class.
pub(super) struct Writer<'w> {
    pub(super) subject: &'w JvmSubject,
    pub(super) method: &'w Method,
    pub(super) style: &'w Style<'w>,
    pub(super) schema: Schema,
    /// The declared types of the parameters.
    pub(super) declared: Vec<String>,
    /// The name of the method's class, as the test class writes it.
    pub(super) class: String,
    pub(super) helpers: Helpers,
}

pub(super) fn write(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    style: &Style<'_>,
    place: &Place<'_>,
) -> Result<Suite, JavaError> {
    let method = subject.method();
    let mut writer = Writer::new(subject, method, style, place, Helpers::of(&JAVA));
    let texts: Vec<String> =
        subject.texts().iter().map(|known| format!("        {},", text(known))).collect();
    writer.helpers.set_texts(texts.join("\n"));
    let titles = titles(parts, &subject.signature().of_executions());
    let mut tests = Vec::new();
    let (mut bodies, mut providers) = (String::new(), String::new());
    for (number, part) in parts.iter().enumerate() {
        if part.pairs.is_empty() || part.relations.is_empty() {
            continue;
        }
        let rows = writer.rows(part);
        if style.junit == Junit::Five {
            providers += &writer.providers(number, part, &rows);
        }
        for (relation, title) in titles[number].iter().enumerate() {
            let name = camel(title);
            let (body, methods) = writer.test(&name, number, part, relation, &rows)?;
            bodies += &body;
            tests.push(Test { methods, part: number, relation });
        }
    }
    if tests.is_empty() {
        return Err(JavaError::Nothing);
    }
    let name = class_name(style, method);
    let reflection = writer.reflection();
    let helpers = writer.helpers.source();
    let imports = writer.imports(place, &[&bodies, &providers, &helpers, &reflection]);
    let mut source = writer.head();
    if !place.package.is_empty() {
        let _ = writeln!(source, "package {};\n", place.package);
    }
    source += &imports;
    let _ =
        writeln!(source, "/** Relations between two calls of {{@code {}}}. */", writer.signature());
    source += &beginning(style.junit, &name);
    source += &writer.helpers.tolerance(
        style.tolerance,
        "    /** Numbers that differ by at most ABS + REL * (the greater magnitude) are equal. */
    private static final double ABS = {abs};
    private static final double REL = {rel};
",
    );
    source += &bodies;
    source += &providers;
    source += &reflection;
    source += &helpers;
    source += "}\n";
    Ok(placed(place, &name, source, tests))
}

/// The line that begins a test class.
pub(super) fn beginning(junit: Junit, name: &str) -> String {
    match junit {
        Junit::Four => format!("public class {name} {{\n"),
        Junit::Five => format!("class {name} {{\n"),
    }
}

/// The name of a test class.
pub(super) fn class_name(style: &Style<'_>, method: &Method) -> String {
    if let Some(name) = style.name {
        return name.to_owned();
    }
    let mut letters = method.name.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}GenmorphTest", first.unwrap_or_default(), letters.as_str())
}

/// The suite of a class in its package.
pub(super) fn placed(place: &Place<'_>, name: &str, source: String, tests: Vec<Test>) -> Suite {
    let folder: PathBuf = place.package.split('.').filter(|part| !part.is_empty()).collect();
    let class = match place.package {
        "" => name.to_owned(),
        package => format!("{package}.{name}"),
    };
    Suite { path: folder.join(format!("{name}.java")), source, class, tests }
}

impl<'w> Writer<'w> {
    pub(super) fn new(
        subject: &'w JvmSubject,
        method: &'w Method,
        style: &'w Style<'w>,
        place: &Place<'_>,
        helpers: Helpers,
    ) -> Writer<'w> {
        let full = &method.access.class;
        let prefix = if place.home.is_empty() { String::new() } else { format!("{}.", place.home) };
        let schema = subject.signature().of_executions().schema();
        Writer {
            subject,
            method,
            style,
            schema: schema.expect("names were checked with the signature"),
            declared: declared(&method.descriptor),
            class: full.strip_prefix(&prefix).unwrap_or(full).to_owned(),
            helpers,
        }
    }
}

impl Writer<'_> {
    /// The comment at the head of the file.
    fn head(&self) -> String {
        let origin: Vec<String> = self.style.origin.iter().map(|line| harmless(line)).collect();
        let lines = head(&self.signature(), &origin, "doubles");
        format!("/*\n{} */\n", commented(" *", &lines))
    }

    /// The method as Java source writes it.
    pub(super) fn signature(&self) -> String {
        let types: Vec<String> = self.declared.iter().map(|ty| simple(ty)).collect();
        format!("{}.{}({})", self.method.access.class, self.method.name, types.join(", "))
    }

    fn imports(&self, place: &Place<'_>, texts: &[&String]) -> String {
        let mut statics = Vec::new();
        let mut imports = Vec::new();
        match self.style.junit {
            Junit::Four => {
                statics.push("org.junit.Assert.assertTrue");
                imports.push("org.junit.Test");
            }
            Junit::Five => {
                statics.push("org.junit.jupiter.api.Assertions.assertTrue");
                statics.push("org.junit.jupiter.params.provider.Arguments.arguments");
                imports.push("java.util.stream.Stream");
                imports.push("org.junit.jupiter.params.ParameterizedTest");
                imports.push("org.junit.jupiter.params.provider.Arguments");
                imports.push("org.junit.jupiter.params.provider.MethodSource");
            }
        }
        let statics: String =
            statics.iter().map(|name| format!("import static {name};\n")).collect();
        statics + "\n" + &self.classes(place, texts, &imports)
    }

    /// The imports of these classes, of those that the texts speak of, and of the method's.
    pub(super) fn classes(&self, place: &Place<'_>, texts: &[&String], always: &[&str]) -> String {
        let has = |word: &str| texts.iter().any(|text| text.contains(word));
        let mut imports = always.to_vec();
        for (word, class) in [
            ("ArrayList<", "java.util.ArrayList"),
            ("Arrays.", "java.util.Arrays"),
            ("Collection<", "java.util.Collection"),
            ("(Collection) ", "java.util.Collection"),
            ("Collections.", "java.util.Collections"),
            ("List<", "java.util.List"),
            ("InvocationTargetException", "java.lang.reflect.InvocationTargetException"),
            (" Method method", "java.lang.reflect.Method"),
            ("IntStream.", "java.util.stream.IntStream"),
            ("IntSupplier ", "java.util.function.IntSupplier"),
            (" Supplier<", "java.util.function.Supplier"),
            ("(Supplier<", "java.util.function.Supplier"),
            (" Stream.generate", "java.util.stream.Stream"),
            ("Collectors.", "java.util.stream.Collectors"),
        ] {
            if has(word) {
                imports.push(class);
            }
        }
        let top = match self.class.split_once('.') {
            Some((top, _)) => top,
            None => &self.class,
        };
        let subject = format!("{}.{top}", place.home);
        if place.package != place.home && self.method.access.reach == Reach::Everywhere {
            imports.push(&subject);
        }
        imports.sort_unstable();
        imports.dedup();
        let mut text = String::new();
        imports.iter().for_each(|name| text += &format!("import {name};\n"));
        text.push('\n');
        text
    }

    /// The source inputs of a part, as arguments.
    fn rows(&self, part: &Part<'_>) -> Vec<String> {
        let row = |row: usize| {
            let values = part.pairs.sources.row(row).zip(&self.method.parameters);
            let values: Vec<String> =
                values.map(|(value, &ty)| self.argument(&value, ty)).collect();
            values.join(", ")
        };
        (0..part.pairs.len()).map(row).collect()
    }

    /// A source input as an argument.
    fn argument(&self, value: &Value<'_>, ty: JavaType) -> String {
        let literal = match (ty.element, value) {
            // Inputs are within the domain, which has a number for each text.
            (Element::Text, Value::Seq(places)) => {
                let texts = places.iter().map(|&place| &self.subject.texts()[place as usize]);
                let texts: Vec<String> = texts.map(|known| text(known)).collect();
                list(&named(ty), &texts.join(", "))
            }
            _ => JAVA.literals.write(value, &named(ty)),
        };
        // On its own, an array of objects would be taken for all arguments.
        let is_alone = self.method.parameters.len() == 1 && self.style.junit == Junit::Five;
        match is_alone && ty.form == Form::Array && ty.element == Element::Text {
            true => format!("(Object) {literal}"),
            false => literal,
        }
    }

    /// For JUnit 5: the methods that provide the inputs of a part.
    fn providers(&self, number: usize, part: &Part<'_>, rows: &[String]) -> String {
        let mut text = String::new();
        let count = chunks(rows).len();
        let name = part.transform.describe().name;
        for (chunk, rows) in chunks(rows).into_iter().enumerate() {
            let of =
                if count > 1 { format!(", part {} of {count}", chunk + 1) } else { String::new() };
            let _ = writeln!(text, "\n    /** Source inputs for {{@code {name}}}{of}. */");
            let _ = writeln!(text, "    static Stream<Arguments> {}() {{", provider(number, chunk));
            text += "        return Stream.of(\n";
            let rows: Vec<String> =
                rows.iter().map(|row| format!("            arguments({row})")).collect();
            let _ = writeln!(text, "{});\n    }}", rows.join(",\n"));
        }
        text
    }

    /// The test of a relation, and the names of its methods.
    fn test(
        &mut self,
        name: &str,
        number: usize,
        part: &Part<'_>,
        relation: usize,
        rows: &[String],
    ) -> Result<(String, Vec<String>), JavaError> {
        let body = self.body(part, relation)?;
        let evidence = part.evidence_of(relation);
        let comment = self.comment(part, &part.relations[relation], evidence);
        let parameters: Vec<String> = self
            .method
            .parameters
            .iter()
            .zip(&self.method.names)
            .map(|(ty, name)| format!("{ty} {name}_s"))
            .collect();
        let parameters = parameters.join(", ");
        let throws = match self.method.access.reach {
            Reach::Reflection => " throws Throwable",
            Reach::Package | Reach::Everywhere if self.method.access.is_throwing => {
                " throws Throwable"
            }
            Reach::Package | Reach::Everywhere => "",
        };
        let mut text = format!("\n{comment}");
        let chunks = chunks(rows);
        let mut methods = Vec::new();
        match self.style.junit {
            Junit::Four => {
                for (chunk, rows) in chunks.into_iter().enumerate() {
                    let method = match chunk {
                        0 => name.to_owned(),
                        _ => format!("{name}Part{}", chunk + 1),
                    };
                    let gap = if chunk == 0 { "" } else { "\n" };
                    let _ = writeln!(text, "{gap}    @Test\n    public void {method}(){throws} {{");
                    rows.iter().for_each(|row| text += &format!("        {name}({row});\n"));
                    text += "    }\n";
                    methods.push(method);
                }
                let _ = writeln!(text, "\n    private static void {name}({parameters}){throws} {{");
            }
            Junit::Five => {
                let sources: Vec<String> = (0..chunks.len())
                    .map(|chunk| format!("\"{}\"", provider(number, chunk)))
                    .collect();
                let sources = match &sources[..] {
                    [one] => one.clone(),
                    many => format!("{{{}}}", many.join(", ")),
                };
                let _ = writeln!(text, "    @ParameterizedTest\n    @MethodSource({sources})");
                let _ = writeln!(text, "    void {name}({parameters}){throws} {{");
                methods.push(name.to_owned());
            }
        }
        text += &body;
        text += "    }\n";
        Ok((text, methods))
    }

    fn comment(&self, part: &Part<'_>, relation: &Predicate, evidence: &[String]) -> String {
        let transformation = part.transform.describe();
        let signature = self.subject.signature().of_executions();
        let text = relation.display(&self.schema);
        let law = functional_form(relation, &transformation.input_relation, &signature);
        let mut comment = format!(
            "    /**\n     * {{@code {}}}\n     *\n     * <p>When {}: {{@code {text}}}.\n",
            harmless(&law),
            harmless(&change(&transformation.name, &signature))
        );
        let _ = writeln!(
            comment,
            "     *\n     * <p>Follow-up: {{@code {}}}, so that",
            harmless(&transformation.name)
        );
        let _ = writeln!(comment, "     * {{@code {}}}.", harmless(&transformation.input_relation));
        if let Some(line) =
            presupposed(&self.subject.signature().premise(), |p| format!("{{@code {p}}}"))
        {
            let _ = writeln!(comment, "     * <p>{line}");
        }
        for line in evidence {
            let _ = writeln!(comment, "     * <p>{}", harmless(line));
        }
        comment + "     */\n"
    }
}

/// A name in snake case as Java has it.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let head = letters.next().map(|c| c.to_ascii_uppercase());
        name + &head.map(String::from).unwrap_or_default() + letters.as_str()
    })
}

/// The name of the method that provides some of the inputs of a part.
fn provider(part: usize, chunk: usize) -> String {
    match chunk {
        0 => format!("sources{}", part + 1),
        _ => format!("sources{}Part{}", part + 1, chunk + 1),
    }
}

/// The rows in groups, each of which fits into a method.
fn chunks(rows: &[String]) -> Vec<&[String]> {
    let mut chunks = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (i, row) in rows.iter().enumerate() {
        // Each row is a call too.
        let own = row.len() + 40;
        if i > start && size + own > MOST_LITERALS {
            chunks.push(&rows[start..i]);
            (start, size) = (i, 0);
        }
        size += own;
    }
    chunks.push(&rows[start..]);
    chunks
}

/// A line in ASCII that neither ends a comment nor begins an escape.
pub(super) fn harmless(line: &str) -> String {
    let plain = line.chars().map(|c| if c.is_ascii() && !c.is_ascii_control() { c } else { '?' });
    plain.collect::<String>().replace("*/", "* /").replace("\\u", "\\ u")
}
