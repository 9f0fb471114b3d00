//! The test class of laws: a short test per law, and what they share.

use std::fmt::Write;

use super::class::{self, MOST_LITERALS, Place, Test, camel, class_name, harmless, placed};
use super::drawn::drawn;
use super::language::{JAVA_LAWS, named};
use super::{JavaError, Junit, Part, Style, Suite, has_texts};
use crate::export::exact::Integers;
use crate::export::follow_up::statements;
use crate::export::head::{commented, law_head};
use crate::export::laws::{LawFrame, tests};
use crate::export::template::fill;
use crate::export::title::titles;
use crate::export::types::{Field, NamedType};
use crate::export::writer::{Frame, Writer};
use crate::subject::jvm::{JvmSubject, Method};
use crate::subject::kinds::Observed;
use crate::subject::{Scalar, Signature, Type};

/// Words that cannot name a field, or name something else where fields are spoken of.
const RESERVED: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "done",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "out",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "threw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Classes that the test class names; a method of such a class is not called by that name from there.
const NAMES: &[&str] = &[
    "Array",
    "ArrayList",
    "Arrays",
    "BiPredicate",
    "Call",
    "Collection",
    "Collections",
    "Collectors",
    "IntStream",
    "IntSupplier",
    "List",
    "Math",
    "Method",
    "Random",
    "Stream",
    "Supplier",
    "Test",
    "UnaryOperator",
];

/// The longest line of examples.
const WIDTH: usize = 110;

/// What a class of laws takes from the frame of longer test files: the function that makes follow-ups.
static FRAME: Frame = Frame {
    language: &JAVA_LAWS,
    reserved: RESERVED,
    examples,
    follow_up: "
/** The follow-up under {@code {transformation}}; none if that is no input of the method. */
private static Call followUp{part}(Call source) {
{body}}
",
    related: "",
    relation: "",
    comment: |_| String::new(),
    test: "",
    property: "",
    are_properties_apart: false,
    number: "",
    truth: "",
    sequence: |_| "",
    result: "",
};

fn law_frame(junit: Junit) -> LawFrame {
    LawFrame {
        integers: Integers {
            wide: |ty| if ty.ty.scalar() == Scalar::S64 { "{v}" } else { "(long) {v}" },
            // 64-bit integers are below 2^53 in magnitude.
            width: |scalar| if scalar.is_wide() { 54 } else { 33 },
            constant: |number| match number.abs() > f64::from(i32::MAX) {
                true => format!("{}L", number as i64),
                false => format!("{}", number as i64),
            },
            length: |ty| match &*ty.name {
                "String" => "(long) {v}.codePointCount(0, {v}.length())",
                name if name.ends_with("[]") => "(long) {v}.length",
                _ => "(long) {v}.size()",
            },
            own_length: Some(("(long) ", "int")),
            length_bits: 32,
            flip: |_| "@reversed({v})",
            same: Some(|ty| match ty.name.ends_with("[]") {
                true => "Arrays.equals({a}, {b})",
                false => "{a}.equals({b})",
            }),
            abs: "Math.abs({v})",
            bits: Some(63),
            comparison: 4,
        },
        name: camel,
        law: harmless,
        test: match junit {
            Junit::Four => {
                "
/** {@code {law}} */
@Test public void {name}() throws Throwable {
    check(EXAMPLES_{examples}, x -> followUp{part}(x), (s, f) -> {expression});
}
"
            }
            Junit::Five => {
                "
/** {@code {law}} */
@Test void {name}() throws Throwable {
    check(EXAMPLES_{examples}, x -> followUp{part}(x), (s, f) -> {expression});
}
"
            }
        },
        examples,
        sequence: |_| "@seq({v})",
    }
}

/// The examples of a transformation, in as few lines as they need.
fn examples(writer: &Writer<'_>, number: usize, part: &Part<'_>) -> String {
    let calls = writer.rows(part).map(|row| format!("new Call({})", row.join(", ")));
    let mut lines = vec![String::new()];
    for call in calls {
        let last = lines.last_mut().expect("there is a first line");
        match last.is_empty() || last.len() + call.len() < WIDTH {
            true => last.push_str(&format!("{}{call},", if last.is_empty() { "" } else { " " })),
            false => lines.push(format!("{call},")),
        }
    }
    let text = lines.join("\n    ");
    let text = text.trim_end_matches(',');
    format!("\nprivate static final Call[] EXAMPLES_{number} = {{\n    {text}}};\n")
}

/// Whether the laws of a method can be short tests.
pub(super) fn are_short(subject: &JvmSubject, signature: &Signature, parts: &[Part<'_>]) -> bool {
    let class = &subject.method().access.class;
    let is_shadowed = class.split('.').any(|name| NAMES.contains(&name));
    if has_texts(subject) || is_shadowed {
        return false;
    }
    let writer = writer(subject, signature);
    let is_convertible = |part: &Part<'_>| {
        let mut helpers = writer.helpers.clone();
        statements(&part.instance(), &writer.fields, &mut helpers).is_some()
    };
    let written: usize = parts.iter().map(|part| examples(&writer, 1, part).len()).sum();
    written <= MOST_LITERALS && parts.iter().all(is_convertible)
}

fn writer<'w>(subject: &JvmSubject, signature: &'w Signature) -> Writer<'w> {
    let method = subject.method();
    let types = method.parameters.iter().map(|&ty| named(ty)).collect();
    let result = match signature.observed {
        Observed::Values | Observed::Together => method.result.map(named),
        Observed::Outcomes => Some(NamedType {
            ty: Type::Scalar(Scalar::Bool),
            name: "boolean".to_owned(),
            element: "boolean",
        }),
    };
    Writer::new(&FRAME, signature, types, result)
}

/// The call of a method that only has to return: the result is `threw`.
fn caught(call: &[String]) -> Vec<String> {
    let (before, after) = (
        ["boolean threw = false;", "try {"],
        ["} catch (Throwable thrown) {", "    threw = true;", "}"],
    );
    let before = before.into_iter().map(str::to_owned);
    let call = call.iter().map(|line| format!("    {line}"));
    before.chain(call).chain(after.into_iter().map(str::to_owned)).collect()
}

/// The name of a class of laws of outcomes, beside that of laws of values.
fn of_outcomes(name: &str) -> String {
    match name.strip_suffix("Test") {
        Some(name) => format!("{name}OutcomesTest"),
        None => format!("{name}Outcomes"),
    }
}

pub(super) fn write(
    subject: &JvmSubject,
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
    place: &Place<'_>,
) -> Result<Suite, JavaError> {
    let is_of_outcomes = signature.observed == Observed::Outcomes;
    let mut writer = writer(subject, signature);
    let bodies = tests(&mut writer, &law_frame(style.junit), parts).ok_or(JavaError::Nothing)?;
    let method = Method { names: writer.names(), ..subject.method().clone() };
    let helpers = writer.helpers.clone();
    let mut caller = class::Writer::new(subject, &method, style, place, helpers);
    let mut call = caller.call("");
    if is_of_outcomes {
        call = caught(&call);
    }
    writer.helpers = caller.helpers.clone();
    let draws: Vec<String> =
        writer.fields.iter().map(|field| drawn(field, &mut writer.helpers)).collect();
    let shared = shared(&writer, &call, &draws) + &caller.reflection();
    let helpers = writer.helpers.source();
    let bodies = indented(&bodies);
    let mut name = class_name(style, &method);
    if is_of_outcomes {
        name = of_outcomes(&name);
    }
    let test = match style.junit {
        Junit::Four => "org.junit.Test",
        Junit::Five => "org.junit.jupiter.api.Test",
    };
    let always = [
        test,
        "java.util.Random",
        "java.util.function.BiPredicate",
        "java.util.function.UnaryOperator",
    ];
    let lines = law_head(&caller.signature(), &style.origin);
    let lines: Vec<String> = lines.iter().map(|line| harmless(line)).collect();
    let mut source = format!("/*\n{} */\n", commented(" *", &lines));
    if !place.package.is_empty() {
        let _ = writeln!(source, "package {};\n", place.package);
    }
    source += &caller.classes(place, &[&bodies, &shared, &helpers], &always);
    source += &class::beginning(style.junit, &name);
    source += &writer.helpers.tolerance(
        style.tolerance,
        "    /** Numbers that differ by at most ABS + REL * (the greater magnitude) are equal. */
    private static final double ABS = {abs}, REL = {rel};
",
    );
    // The first line of a class is not blank.
    source += match writer.helpers.compare() {
        true => &bodies,
        false => bodies.trim_start_matches('\n'),
    };
    source += &shared;
    source += &helpers;
    source += "}\n";
    let places: Vec<usize> = (0..parts.len()).filter(|&i| !parts[i].is_empty()).collect();
    let tested: Vec<Part<'_>> = places.iter().map(|&i| parts[i]).collect();
    let titles = titles(&tested, &signature.of_executions());
    let mut tests = Vec::new();
    for (&part, titles) in places.iter().zip(&titles) {
        for (relation, title) in titles.iter().enumerate() {
            tests.push(Test { methods: vec![camel(title)], part, relation });
        }
    }
    Ok(placed(place, &name, source, tests))
}

/// Lines within a class.
fn indented(text: &str) -> String {
    let line = |line: &str| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("    {line}\n"),
    };
    text.lines().map(line).collect()
}

/// The class of calls, and the methods that try a law and draw inputs.
fn shared(writer: &Writer<'_>, call: &[String], draws: &[String]) -> String {
    let typed = |field: &Field<'_>| format!("{} {}", field.ty.name, field.name);
    let typed: Vec<String> = writer.fields.iter().map(typed).collect();
    let names = writer.names();
    let set: Vec<String> = names.iter().map(|name| format!("this.{name} = {name};")).collect();
    let outputs: Vec<String> =
        writer.outputs.iter().map(|(name, ty)| format!("{} {name};", ty.name)).collect();
    let kept: Vec<String> =
        writer.outputs.iter().map(|(name, _)| format!("done.{name} = {name};")).collect();
    let all = writer.fields.iter().map(|field| (&field.name, &field.ty));
    let all = all.chain(writer.outputs.iter().map(|(name, ty)| (name, ty)));
    let shown: Vec<String> = all
        .map(|(name, ty)| match ty.name.ends_with("[]") {
            true => format!("{name} = \" + Arrays.toString({name})"),
            false => format!("{name} = \" + {name}"),
        })
        .collect();
    let exact = exactness(&writer.outputs);
    let is_exact = match exact.is_empty() {
        true => String::new(),
        false => fill(IS_EXACT, &[("test", &exact)]),
    };
    let unless = match exact.is_empty() {
        true => "",
        false => " && (isExample || s.isExact() && f.isExact())",
    };
    let count = draws.len();
    let either = |(i, (draw, name)): (usize, (&String, &String))| match count {
        1 => format!("            {draw}"),
        _ => format!("            which == {i} || which >= {count} ? {draw} : example.{name}"),
    };
    let draws: Vec<String> = draws.iter().zip(&names).enumerate().map(either).collect();
    let which = match count {
        1 => String::new(),
        _ => format!("        int which = random.nextInt({});\n", 2 * count),
    };
    let body: String = call.iter().map(|line| format!("            {line}\n")).collect();
    fill(
        SHARED,
        &[
            ("fields", &typed.iter().map(|field| format!("final {field}; ")).collect::<String>()),
            ("outputs", &outputs.join(" ")),
            ("parameters", &typed.join(", ")),
            ("set", &set.join(" ")),
            ("call", &body),
            ("names", &names.join(", ")),
            ("kept", &kept.join(" ")),
            ("shown", &shown.join(" + \", ")),
            ("is_exact", &is_exact),
            ("unless", unless),
            ("drawn", if writer.signature.observed == Observed::Outcomes { "" } else { " + 256" }),
            ("which", &which),
            ("draws", &draws.join(",\n")),
        ],
    )
}

/// Whether 64-bit integers among the outputs are exact as doubles; empty if there are none.
fn exactness(outputs: &[(String, NamedType)]) -> String {
    let wide = outputs.iter().filter(|(_, ty)| ty.ty.scalar().is_wide());
    let within = |value: &str| format!("-1L << 53 < {value} && {value} < 1L << 53");
    let tests = wide.map(|(name, ty)| match ty.ty {
        Type::Scalar(_) | Type::String => within(name),
        Type::List(_) if ty.name.ends_with("[]") => {
            format!("Arrays.stream({name}).allMatch(x -> {})", within("x"))
        }
        Type::List(_) => format!("{name}.stream().allMatch(x -> {})", within("x")),
    });
    tests.collect::<Vec<_>>().join(" && ")
}

const IS_EXACT: &str = "
        /** Whether laws speak of the outputs: 64-bit integers below 2^53 in magnitude. */
        boolean isExact() {
            return {test};
        }
";

const SHARED: &str = "
    /** A call: what the method takes, and what comes of it. */
    private static final class Call {
        {fields}{outputs}
        Call({parameters}) { {set} }

        Call run() throws Throwable {
{call}            Call done = new Call({names});
            {kept}
            return done;
        }
{is_exact}
        @Override public String toString() { return \"{shown}; }
    }

    /** Tries a law on the examples, then on drawn inputs; of these, those without a follow-up, or on which the method throws, are passed over. */
    private static void check(Call[] examples, UnaryOperator<Call> followUp, BiPredicate<Call, Call> law) throws Throwable {
        Random random = new Random(1);
        for (int i = 0; i < examples.length{drawn}; i++) {
            boolean isExample = i < examples.length;
            Call s = isExample ? examples[i] : drawn(random, examples[random.nextInt(examples.length)]);
            Call f;
            try {
                f = followUp.apply(s).run();
                s = s.run();
            } catch (Throwable thrown) {
                if (isExample) { throw thrown; }
                continue;
            }
            if (!law.test(s, f){unless}) {
                throw new AssertionError(\"the law is false: \" + s + \", then \" + f);
            }
        }
    }

    /** Inputs that are drawn; half of the time all of them, else one and those of an example: inputs may have to fit together. */
    private static Call drawn(Random random, Call example) {
{which}        return new Call(
{draws});
    }
";
