//! The test class: its head, a test per relation, the inputs, and the helpers that it needs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use genmorph_jit::{Predicate, Schema, Type, Value, Var};

use super::language::{JAVA, copied, list, named, text};
use super::{Asserted, JavaError, Junit, Part, Style, Suite};
use crate::claims::relation;
use crate::export::expression::{Variable, expression};
use crate::export::follow_up::statements;
use crate::export::helpers::Helpers;
use crate::export::template::fill;
use crate::export::types::Field;
use crate::export::variables::used;
use crate::subject::Subject;
use crate::subject::jvm::{Element, Form, JavaType, JvmSubject, Method, Reach};
use crate::transform::{Instance, Template};

/// The JVM allows 64 KiB of code per method. What puts ten characters of literals on the stack takes fewer bytes of it.
const MOST_LITERALS: usize = 30_000;
/// Longer messages take two lines.
const WIDTH: usize = 100;

/// A test of the class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The names of its methods: several if its inputs are too many for one.
    pub methods: Vec<String>,
    /// The number of its part…
    pub part: usize,
    /// …and of its relation in that.
    pub relation: usize,
}

/// Where the class is.
pub(super) struct Place<'p> {
    /// Its package.
    pub(super) package: &'p str,
    /// That of the method.
    pub(super) home: &'p str,
}

/// What the texts of a class have in common.
struct Writer<'w> {
    subject: &'w JvmSubject,
    method: &'w Method,
    style: &'w Style<'w>,
    schema: Schema,
    /// The types of the parameters as Java has them in descriptors.
    declared: Vec<String>,
    /// How the class of the method is called in this one.
    class: String,
    helpers: Helpers,
}

pub(super) fn write(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    style: &Style<'_>,
    place: &Place<'_>,
) -> Result<Suite, JavaError> {
    let method = subject.method();
    let full = &method.access.class;
    let prefix = if place.home.is_empty() { String::new() } else { format!("{}.", place.home) };
    let schema = subject.signature().of_executions().schema();
    let mut writer = Writer {
        subject,
        method,
        style,
        schema: schema.expect("names were checked with the signature"),
        declared: declared(&method.descriptor),
        class: full.strip_prefix(&prefix).unwrap_or(full).to_owned(),
        helpers: Helpers::of(&JAVA),
    };
    let texts: Vec<String> =
        subject.texts().iter().map(|known| format!("        {},", text(known))).collect();
    writer.helpers.set_texts(texts.join("\n"));
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
        for relation in 0..part.relations.len() {
            let name = format!("relation{}", tests.len() + 1);
            let (body, methods) = writer.test(&name, number, part, relation, &rows)?;
            bodies += &body;
            tests.push(Test { methods, part: number, relation });
        }
    }
    if tests.is_empty() {
        return Err(JavaError::Nothing);
    }
    let name = match style.name {
        Some(name) => name.to_owned(),
        None => {
            let mut letters = method.name.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string());
            format!("{}{}GenmorphTest", first.unwrap_or_default(), letters.as_str())
        }
    };
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
    let visible = match style.junit {
        Junit::Four => "public class",
        Junit::Five => "class",
    };
    let _ = writeln!(source, "{visible} {name} {{");
    if writer.helpers.compare() {
        let [abs, rel] = [style.tolerance.abs(), style.tolerance.rel()]
            .map(|number| JAVA.literals.double.write(number));
        source += "    /** Numbers that differ by at most ABS + REL * (the greater magnitude) are equal. */\n";
        let _ = writeln!(source, "    private static final double ABS = {abs};");
        let _ = writeln!(source, "    private static final double REL = {rel};");
    }
    source += &bodies;
    source += &providers;
    source += &reflection;
    source += &helpers;
    source += "}\n";
    let folder: PathBuf = place.package.split('.').filter(|part| !part.is_empty()).collect();
    let class = match place.package {
        "" => name.clone(),
        package => format!("{package}.{name}"),
    };
    Ok(Suite { path: folder.join(format!("{name}.java")), source, class, tests })
}

impl Writer<'_> {
    /// The comment before everything.
    fn head(&self) -> String {
        let mut head = String::from("/*\n");
        let _ = writeln!(head, " * Metamorphic relations of {}.", self.signature());
        let _ = writeln!(head, " *\n * Written by genmorph {}.", crate::VERSION);
        for line in &self.style.origin {
            let _ = writeln!(head, " * {}", harmless(line));
        }
        head += " * This file is yours: use, change and pass it on as you like, without any condition.\n *\n";
        head += " * Each relation is about two calls: x_s is an input of the first (the source), x_f of the second (the\n";
        head += " * follow-up), and out_s and out_f are what they return. Numbers are compared as doubles; NaN equals NaN.\n */\n";
        head
    }

    /// The method as its source has it.
    fn signature(&self) -> String {
        let types: Vec<String> = self.declared.iter().map(|ty| simple(ty)).collect();
        format!("{}.{}({})", self.method.access.class, self.method.name, types.join(", "))
    }

    fn imports(&self, place: &Place<'_>, texts: &[&String]) -> String {
        let has = |word: &str| texts.iter().any(|text| text.contains(word));
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
        for (word, class) in [
            ("ArrayList<", "java.util.ArrayList"),
            ("Arrays.", "java.util.Arrays"),
            ("Collection<", "java.util.Collection"),
            ("(Collection) ", "java.util.Collection"),
            ("Collections.", "java.util.Collections"),
            ("List<", "java.util.List"),
            ("InvocationTargetException", "java.lang.reflect.InvocationTargetException"),
            (" Method method", "java.lang.reflect.Method"),
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
        statics.iter().for_each(|name| text += &format!("import static {name};\n"));
        text.push('\n');
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

    /// A source input, where it is written down.
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

    /// For JUnit 5: the methods that give the inputs of a part.
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
        let instance = part.instance();
        let text = relation.display(&self.schema);
        let mut comment = format!("    /**\n     * When {}: {{@code {text}}}.\n", words(&instance));
        let _ = writeln!(
            comment,
            "     *\n     * <p>Follow-up: {{@code {}}}, so that",
            transformation.name
        );
        let _ = writeln!(comment, "     * {{@code {}}}.", transformation.input_relation);
        for line in evidence {
            let _ = writeln!(comment, "     * <p>{}", harmless(line));
        }
        comment + "     */\n"
    }

    /// The two calls, and what must hold between them.
    fn body(&mut self, part: &Part<'_>, relation: usize) -> Result<String, JavaError> {
        let instance = part.instance();
        let names = self.method.names.iter().zip(&self.method.parameters);
        let fields: Vec<Field<'_>> = names
            .zip(&self.subject.signature().parameters)
            .map(|((name, &ty), parameter)| Field { name: name.clone(), ty: named(ty), parameter })
            .collect();
        let lines = statements(&instance, &fields, &mut self.helpers);
        let mut lines = lines.ok_or_else(|| JavaError::Exchange {
            transformation: instance.to_string(),
            types: self
                .method
                .parameters
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        })?;
        let transformation = part.transform.describe();
        let input_relation = relation::read(&transformation.input_relation, &self.schema)
            .expect("a transformation states its input relation in the variables of the function");
        let related = self.expression(&input_relation);
        let inputs = self.message("the inputs are not related", &["s", "f"], false);
        lines.extend(self.assertion(&related, &inputs));
        lines.push(String::new());
        for side in ["s", "f"] {
            lines.extend(self.call(side));
        }
        lines.push(String::new());
        let (holds, text) = match self.style.asserted {
            Asserted::Relation => {
                let relation = &part.relations[relation];
                (self.expression(relation), relation.display(&self.schema).to_string())
            }
            Asserted::Nothing => ("true".to_owned(), "true".to_owned()),
        };
        let message = self.message(&format!("{text} is false"), &["s", "f"], true);
        lines.extend(self.assertion(&holds, &message));
        let mut body = String::new();
        for line in lines {
            body += &if line.is_empty() { "\n".to_owned() } else { format!("        {line}\n") };
        }
        Ok(body)
    }

    /// An assertion, in as many lines as it needs.
    fn assertion(&self, holds: &str, [what, values]: &[String; 2]) -> Vec<String> {
        let lambda = match self.style.junit {
            Junit::Four => "",
            Junit::Five => "() -> ",
        };
        let (end, last) = match self.style.junit {
            Junit::Four => (",", format!("    {holds});")),
            Junit::Five => (");", String::new()),
        };
        let mut lines = match self.style.junit {
            Junit::Four => vec!["assertTrue(".to_owned()],
            Junit::Five => vec![format!("assertTrue({holds},")],
        };
        match what.len() + values.len() < WIDTH {
            true => lines.push(format!("    {lambda}{what} + {values}{end}")),
            false => {
                lines.push(format!("    {lambda}{what}"));
                lines.push(format!("        + {values}{end}"));
            }
        }
        lines.extend(Some(last).filter(|last| !last.is_empty()));
        lines
    }

    /// What a failed assertion says: the values of all variables.
    fn message(&mut self, what: &str, sides: &[&str], with_outputs: bool) -> [String; 2] {
        self.helpers.need("show");
        let signature = self.subject.signature();
        let mut shown = Vec::new();
        for side in sides {
            let inputs = self.method.names.iter().map(|name| format!("{name}_{side}"));
            shown.extend(inputs);
            if with_outputs {
                shown.extend(signature.outputs().iter().map(|(name, _)| format!("{name}_{side}")));
            }
        }
        let shown: Vec<String> = shown.iter().map(|name| format!("\"{name}\", {name}")).collect();
        [format!("\"{what}: \""), format!("show({})", shown.join(", "))]
    }

    /// The expression of a predicate over the variables of a test.
    fn expression(&mut self, predicate: &Predicate) -> String {
        let mut variables = BTreeMap::new();
        for var in used(predicate) {
            let name = self.schema.name(var).expect("a predicate of this schema");
            let ty = self.type_of(var);
            let variable = match self.schema.type_of(var) {
                Some(Type::Seq) => {
                    let seq = self.helpers.need_for("seq", &ty.to_string());
                    Variable::new(format!("{seq}({name})"))
                }
                Some(Type::Num | Type::Bool) | None => {
                    Variable { text: name.to_owned(), is_narrow: ty.element != Element::Double }
                }
            };
            variables.insert(var.index(), variable);
        }
        let variable = |var: Var| variables[&var.index()].clone();
        expression(predicate, &variable, &mut self.helpers)
    }

    /// The Java type of a variable of relations: inputs, result and what is changed, of both sides.
    fn type_of(&self, var: Var) -> JavaType {
        let signature = self.subject.signature();
        let changed = signature.changed.iter().map(|&i| self.method.parameters[i]);
        let side: Vec<JavaType> = self
            .method
            .parameters
            .iter()
            .copied()
            .chain(self.method.result)
            .chain(changed)
            .collect();
        side[var.index() % side.len()]
    }

    /// The lines that call the method for a side, and keep what comes of it.
    fn call(&mut self, side: &str) -> Vec<String> {
        let signature = self.subject.signature();
        let changed = signature.changed.clone();
        let method = self.method;
        let mut lines = Vec::new();
        for &i in &changed {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let copy = copy(&format!("{name}_{side}"), ty);
            lines.push(format!("{ty} {name}_after_{side} = {copy};"));
        }
        let arguments = (0..method.names.len()).map(|i| {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let value = match changed.contains(&i) {
                true => format!("{name}_after_{side}"),
                false => copy(&format!("{name}_{side}"), ty),
            };
            // So that the method is found that is meant, whatever others there are.
            let declared = simple(&self.declared[i]);
            let is_text = ty.element == Element::Text;
            match ty.form {
                // A list of texts may be declared as one of String or of CharSequence.
                Form::List if is_text => format!("({declared}) {value}"),
                Form::Array if is_text && method.access.reach == Reach::Reflection => {
                    format!("(Object) {value}")
                }
                Form::List if declared == "List" => value,
                Form::List => format!("({}) {value}", ty.to_string().replace("List", &declared)),
                _ if declared == ty.to_string() => value,
                Form::Single | Form::Array | Form::Text => format!("({declared}) {value}"),
            }
        });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let is_reflection = method.access.reach == Reach::Reflection;
        let call = match is_reflection {
            true => format!("call({arguments})"),
            false => format!("{}.{}({arguments})", self.class, method.name),
        };
        match method.result {
            None => lines.push(format!("{call};")),
            Some(ty) => {
                let cast = match ty.form {
                    Form::Single | Form::Array if is_reflection => format!("({ty}) "),
                    Form::Text if is_reflection => "(CharSequence) ".to_owned(),
                    Form::List if ty.element == Element::Text => format!("({ty}) (List<?>) "),
                    Form::List => format!("({ty}) "),
                    Form::Single | Form::Array | Form::Text => String::new(),
                };
                let value = self.checked(&format!("{cast}{call}"), ty);
                lines.push(format!("{ty} out_{side} = {value};"));
            }
        }
        for &i in &changed {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let name = format!("{name}_after_{side}");
            let checked = match ty.element {
                Element::Char => Some(self.checked(&name, ty)),
                _ if ty.form == Form::List => Some(self.checked(&name, ty)),
                _ => None,
            };
            lines.extend(checked.map(|call| format!("{call};")));
        }
        lines
    }

    /// An output that is no value of its type fails the test: relations do not speak of such.
    fn checked(&mut self, value: &str, ty: JavaType) -> String {
        let is_char = ty.element == Element::Char;
        if ty.form == Form::Single && !is_char {
            return value.to_owned();
        }
        format!("{}({value})", self.helpers.need_for("whole", &ty.to_string()))
    }

    /// For a method that source cannot call: a method that finds it and calls it.
    fn reflection(&self) -> String {
        if self.method.access.reach != Reach::Reflection {
            return String::new();
        }
        let types: Vec<String> = self.declared.iter().map(|ty| format!(", {ty}.class")).collect();
        format!(
            "
    /** Calls the method, which cannot be called from here otherwise. */
    private static Object call(Object... arguments) throws Throwable {{
        Class<?> declaring = Class.forName(\"{}\");
        Method method = declaring.getDeclaredMethod(\"{}\"{});
        method.setAccessible(true);
        try {{
            return method.invoke(null, arguments);
        }} catch (InvocationTargetException thrown) {{
            throw thrown.getCause();
        }}
    }}
",
            self.method.class.replace('/', "."),
            self.method.name,
            types.concat(),
        )
    }
}

/// The method that gives some of the inputs of a part.
fn provider(part: usize, chunk: usize) -> String {
    match chunk {
        0 => format!("sources{}", part + 1),
        _ => format!("sources{}Part{}", part + 1, chunk + 1),
    }
}

/// Rows in groups that fit into a method.
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

/// A line that ends no comment and begins no escape.
fn harmless(line: &str) -> String {
    let plain = line.chars().map(|c| if c.is_ascii() && !c.is_ascii_control() { c } else { '?' });
    plain.collect::<String>().replace("*/", "* /").replace("\\u", "\\ u")
}

/// The types of the parameters as source has them: `int[]`, `java.lang.CharSequence`, `List<Integer>`.
fn declared(descriptor: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut rest = descriptor.trim_start_matches('(');
    while !rest.starts_with(')') && !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = "[]".repeat(rest.len() - element.len());
        let (name, length) = match element.chars().next() {
            Some('L') => {
                let end = element.find(';').unwrap_or(element.len() - 1);
                (element[1..end].replace('/', "."), end + 1)
            }
            Some('Z') => ("boolean".to_owned(), 1),
            Some('B') => ("byte".to_owned(), 1),
            Some('S') => ("short".to_owned(), 1),
            Some('C') => ("char".to_owned(), 1),
            Some('I') => ("int".to_owned(), 1),
            Some('J') => ("long".to_owned(), 1),
            Some('F') => ("float".to_owned(), 1),
            _ => ("double".to_owned(), 1),
        };
        types.push(match name.as_str() {
            "java.lang.String" => format!("String{dimensions}"),
            _ => name + &dimensions,
        });
        rest = &element[length..];
    }
    types
}

/// A type without its package.
fn simple(ty: &str) -> String {
    ty.rsplit('.').next().unwrap_or(ty).to_owned()
}

/// A value that a call may change without anybody noticing.
fn copy(name: &str, ty: JavaType) -> String {
    let ty = named(ty);
    fill(copied(&ty), &[("source", name), ("ty", &ty.name)])
}

/// What is done to the inputs, in words: `1 is subtracted from e`.
fn words(instance: &Instance) -> String {
    let name = &instance.parameters[0];
    match instance.template {
        Template::PermuteParameters => {
            format!("{} are exchanged", instance.parameters.join(" and "))
        }
        Template::BooleanFlip => format!("{name} becomes its opposite"),
        Template::NumericAddition(c) if c < 0.0 => format!("{} is subtracted from {name}", -c),
        Template::NumericAddition(c) => format!("{c} is added to {name}"),
        Template::NumericMultiplication(c) => format!("{name} is multiplied by {c}"),
        Template::SequenceRemove(0) => format!("{name} loses its first element"),
        Template::SequenceRemove(-1) => format!("{name} loses its last element"),
        Template::SequenceRemove(index) => format!("{name} loses its element at index {index}"),
        Template::SequenceFlip => format!("{name} is reversed"),
    }
}
