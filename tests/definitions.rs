//! Definitions of subjects: what is read, what is refused and how that is said, and `genmorph init`.

use genmorph::jit::Value;
use genmorph::subject::wasm::{GUEST_C, GUEST_RUST};
use genmorph::subject::{Domain, Parameter, wasm::WasmDefinition};

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};

/// Functions of all kinds.
const MODULE: &str = r#"(module
    (memory (export "memory") 1)
    (func (export "f") (param $k i32) (param $x f64) (result i32) local.get 0)
    (func (export "gm:g: func(s: string, c: char, n: u64, p: bool) -> string")
        (param i32 i32 i32 i64 i32) (result i32) i32.const 0)
    (func (export "sort") (param i32 i32))
    (func (export "zero") (result i32) i32.const 0))"#;

fn read(folder: &Folder, text: &str) -> Result<WasmDefinition, String> {
    folder.write("m.wat", MODULE);
    WasmDefinition::read(folder.write("subject.toml", text)).map_err(|error| error.to_string())
}

#[test]
fn the_demo_is_the_example_pow() {
    let example = WasmDefinition::read(subject("pow/subject.toml")).unwrap();
    let built_in = WasmDefinition { text: "built-in".to_owned(), ..example };
    assert_eq!(WasmDefinition::demo(), built_in);
}

#[test]
fn everything_in_a_definition_is_read() {
    let folder = Folder::of("definition-all");
    let definition = read(
        &folder,
        r#"
        module = "m.wat"
        export = "sort"
        signature = "func(a: list<s16>)"
        changed = ["a"]
        scope = ["sort", "src/sort.c"]
        [domain]
        a = { range = [-5, 5], min_len = 1, max_len = 9 }
        "#,
    )
    .unwrap();
    let signature = &definition.signature;
    assert_eq!(
        (definition.export.as_str(), signature.to_string().as_str()),
        ("sort", "func(a: list<s16>)")
    );
    assert_eq!((signature.function.as_str(), &signature.changed[..]), ("sort", &[0][..]));
    assert_eq!(definition.scope, ["sort", "src/sort.c"]);
    let domain = Domain {
        range: Some((-5.0, 5.0)),
        min_len: Some(1),
        max_len: Some(9),
        ..Domain::default()
    };
    assert_eq!(signature.parameters[0].domain, domain);
    assert!(definition.module.starts_with(b"\0asm"));

    // The only function that says its signature is chosen; an alphabet has texts and ranges.
    let text = "module = \"m.wat\"\n[domain]\ns = { alphabet = [\"c-e\", \"é-\", \"a\"] }\nc.alphabet = \"yx\"";
    let definition = read(&folder, text).unwrap();
    assert_eq!(definition.signature.function, "g");
    assert!(definition.export.starts_with("gm:g: func("));
    let alphabets = [0, 1].map(|i| definition.signature.parameters[i].domain.alphabet.clone());
    assert_eq!(alphabets, [Some("-acdeé".chars().collect()), Some("xy".chars().collect())]);

    let c = &definition.signature.parameters[1];
    let admits = |c: &Parameter, code: char| c.admits(&Value::Num(f64::from(u32::from(code))));
    assert!(admits(c, 'x') && !admits(c, 'z'));

    // Core types and the names in the module are enough for numbers.
    let definition = read(&folder, "module = \"m.wat\"\nexport = \"f\"").unwrap();
    assert_eq!(definition.signature.to_string(), "func(k: s32, x: f64) -> s32");
}

#[test]
fn the_definition_in_the_guide_can_be_read() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/src/subject/wasm/guest/README.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, rest) = guide.split_once("```toml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let folder = Folder::of("definition-guide");
    let example = WasmDefinition::read(subject("pad_start/subject.toml")).unwrap();
    folder.write("pad_start.wasm", &example.module);
    let definition = WasmDefinition::read(folder.write("subject.toml", text)).unwrap();
    assert_eq!(definition.signature.to_string(), example.signature.to_string());
}

#[test]
fn what_makes_no_sense_is_refused_at_its_place() {
    let folder = Folder::of("definition-errors");
    for (text, expected) in [
        ("", "line 1, column 1: `module = \"FILE\"` is missing"),
        ("module = 3", "line 1, column 10: invalid type: integer `3`, expected a string"),
        (
            "module = \"m.wat\"\nexprot = \"f\"",
            "line 2, column 1: unknown field `exprot`, expected one of `module`, `export`, `signature`, `changed`, `inverse`, `same_as`, `then`, `scope`, `domain`",
        ),
        ("module = \"m.wat", "line 1, column 16: "),
        (
            "module = \"m.wat\"\nexport = \"sort\"\nsignature = \"func(a: list<s32>)\"\nchanged = [\"a\"]\n\
             [domain]\na = { max_len = 4000000000 }",
            "line 6, column 17: `a` cannot have 4000000000 elements: at most 20000 are possible",
        ),
        ("module = \"n.wat\"", "line 1, column 10: cannot read the module"),
        ("module = \"subject.toml\"", "not a valid WebAssembly module"),
        (
            "module = \"m.wat\"\nexport = \"h\"",
            "line 2, column 10: the module exports no function `h`; it exports \n  f: func(k: s32, x: f64) -> s32 (by its core types)\n  g: func(",
        ),
        ("module = \"m.wat\"\nexport = \"zero\"\nsignature = \"func() -> s32\"", "takes nothing"),
        (
            "module = \"m.wat\"\nexport = \"sort\"",
            "the signature of `sort` is not known (it is (i32, i32)",
        ),
        (
            "module = \"m.wat\"\nexport = \"sort\"\nsignature = \"func(a: list<s32>)\"",
            "returns nothing and changes nothing: if it changes a list in place, say so with `changed = [\"NAME\"]`",
        ),
        (
            "module = \"m.wat\"\nexport = \"sort\"\nsignature = \"func(a: string)\"\nchanged = [\"a\"]",
            "line 4, column 12: `a` is a string: only lists",
        ),
        (
            "module = \"m.wat\"\nexport = \"f\"\nsignature = \"func(k: s32) -> s32\"",
            "line 3, column 13: `f` is (i32, f64) -> i32 in the module, and by its signature",
        ),
        (
            "module = \"m.wat\"\nexport = \"f\"\nsignature = \"func(k: int)\"",
            "line 3, in the signature, column 9: the parameter `k` is a `int`",
        ),
        ("module = \"m.wat\"\nscope = [\"\"]", "line 2, column 10: a scope is the name"),
        (
            "module = \"m.wat\"\nchanged = [\"z\"]",
            "line 2, column 12: there is no parameter `z`; there are s: string, c: char",
        ),
        (
            "module = \"m.wat\"\n[domain]\nz = { max_len = 3 }",
            "line 3, column 1: there is no parameter `z`",
        ),
        (
            "module = \"m.wat\"\n[domain]\nn = { rang = [1, 2] }",
            "line 3, column 7: unknown field `rang`, expected one of `range`, `also`, `min_len`, `max_len`, `alphabet`",
        ),
        (
            "module = \"m.wat\"\n[domain]\nn = { range = [2, 1] }",
            "line 3, column 15: the range of `n` is empty",
        ),
        ("module = \"m.wat\"\n[domain]\nn = { range = [1] }", "line 3, column 15: "),
        ("module = \"m.wat\"\n[domain]\nn = { range = [-1, 1] }", "-1 is outside of u64"),
        (
            "module = \"m.wat\"\n[domain]\nn = { range = [0, 1e16] }",
            "outside of u64: from 0 to 9007199254740991; relations compute",
        ),
        ("module = \"m.wat\"\n[domain]\nn = { range = [0.5, 1] }", "0.5 cannot end its range"),
        ("module = \"m.wat\"\n[domain]\nn = { range = [nan, 1] }", "NaN cannot be the end"),
        ("module = \"m.wat\"\n[domain]\nn = { max_len = 1 }", "only texts and lists have lengths"),
        ("module = \"m.wat\"\n[domain]\nn = { also = [0.5] }", "which cannot be 0.5"),
        (
            "module = \"m.wat\"\n[domain]\nn = { alphabet = \"a\" }",
            "line 3, column 18: `n` is a u64: only texts and characters",
        ),
        (
            "module = \"m.wat\"\n[domain]\np = { range = [0, 1] }",
            "`p` is a bool, which has no range",
        ),
        (
            "module = \"m.wat\"\n[domain]\nc = { range = [0, 1] }",
            "choose its characters with `alphabet`",
        ),
        ("module = \"m.wat\"\n[domain]\ns = { alphabet = \"\" }", "the alphabet of `s` is empty"),
        ("module = \"m.wat\"\n[domain]\ns = { alphabet = [\"z-a\"] }", "the range `z-a` is empty"),
        ("module = \"m.wat\"\n[domain]\ns = { alphabet = 5 }", "an alphabet is a text, or a list"),
        (
            "module = \"m.wat\"\n[domain]\ns = { alphabet = [\" -😀\"] }",
            "more than 10000 characters",
        ),
        ("module = \"m.wat\"\n[domain]\ns = { min_len = 2, max_len = 1 }", "`s` has no length"),
        ("module = \"m.wat\"\n[domain]\ns = { max_len = -1 }", "line 3, column 17: "),
    ] {
        let error = read(&folder, text).unwrap_err();
        assert!(error.contains(expected), "{text}\n---\n{error}\n---\n{expected}");
        let file =
            if text.contains("\"subject.toml\"") { "subject.toml" } else { "subject.toml: " };
        assert!(error.contains(file), "{error}");
    }
    let missing = WasmDefinition::read(folder.at("none.toml")).unwrap_err().to_string();
    assert!(missing.contains("none.toml: cannot read the definition of a subject"), "{missing}");
    folder.write(
        "several.wat",
        r#"(module (func (export "a") (param i32) (result i32) local.get 0)
        (func (export "b") (param i32) (result i32) local.get 0))"#,
    );
    let error = read(&folder, "module = \"several.wat\"").unwrap_err();
    assert!(
        error.contains(
            "choose one with `--export NAME` or `export = \"NAME\"`: \n  a: func(p0: s32)"
        ),
        "{error}"
    );
}

#[test]
fn init_writes_a_definition_that_can_be_read() {
    let folder = Folder::of("init");
    let module = folder.write("m.wat", MODULE);
    let run = genmorph(&["init", &module]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let written = folder.at("subject.toml");
    let expected = format!(
        "g: func(s: string, c: char, n: u64, p: bool) -> string\nwrote {written}\n\
         bound its inputs there if need be, then: genmorph generate {written}\n"
    );
    assert_eq!(run.err, expected);
    let definition = WasmDefinition::read(&written).unwrap();
    assert_eq!(
        definition.signature.to_string(),
        "func(s: string, c: char, n: u64, p: bool) -> string"
    );

    // What is there is not replaced unless asked for.
    let error = refuses(&["init", &module, "--export", "f"]);
    assert!(error.contains("subject.toml exists already"), "{error}");
    let run = genmorph(&["init", &module, "--export", "f", "--force"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let definition = WasmDefinition::read(&written).unwrap();
    assert_eq!(definition.signature.to_string(), "func(k: s32, x: f64) -> s32");

    // Every comment that shows a domain is one.
    let text = std::fs::read_to_string(&written).unwrap();
    let text = text.replace("# k =", "k =").replace("# x =", "x =");
    let definition = WasmDefinition::read(folder.write("more.toml", text)).unwrap();
    assert_eq!(definition.signature.parameters[0].domain.range, Some((-100.0, 100.0)));

    // From another folder the module is named in full.
    let elsewhere = Folder::of("init-elsewhere");
    let output = elsewhere.at("f.toml");
    let run = genmorph(&["init", &module, "--export", "f", "-o", &output]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(WasmDefinition::read(&output).unwrap().export, "f");
}

#[test]
fn init_says_what_it_does_not_know() {
    let folder = Folder::of("init-unknown");
    let module = folder.write("m.wat", MODULE);
    let run = genmorph(&["init", &module, "--export", "sort"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.err.contains("say in it what (i32, i32) means, then: genmorph generate"),
        "{}",
        run.err
    );
    let text = std::fs::read_to_string(folder.at("subject.toml")).unwrap();
    let text = text.replace("# signature", "signature").replace("# changed", "changed");
    let definition = WasmDefinition::read(folder.write("subject.toml", text)).unwrap();
    assert_eq!(definition.signature.changed, [0]);
}

#[test]
fn init_refuses_what_cannot_be_a_subject() {
    let folder = Folder::of("init-refuses");
    let init = |name: &str, text: &str| refuses(&["init", &folder.write(name, text)]);
    let error = refuses(&["init", &folder.at("none.wasm")]);
    assert!(error.contains("none.wasm: cannot read it"), "{error}");
    let error = init(
        "several.wat",
        r#"(module
        (func $a (export "a") (param $n i32) (result i32) local.get 0) (export "b" (func $a)))"#,
    );
    assert!(
        error.contains("--export NAME")
            && error.contains("\n  a: func(n: s32) -> s32 (by its core types)\n  b: "),
        "{error}"
    );
    let error = init("nothing.wat", "(module (func (export \"f\")))");
    assert!(error.contains("exports no function that takes"), "{error}");
    let error = init("bad.wat", "(module\n  (func (export \"f\") bogus))");
    assert!(error.contains("bad.wat:2:22"), "{error}");
    let error = init("bad.wasm", "hello");
    assert!(error.contains("not a valid WebAssembly module"), "{error}");
    let error = init("imports.wat", r#"(module (import "env" "puts" (func)))"#);
    assert!(error.contains("the module imports `env.puts`"), "{error}");
    let error =
        init("signature.wat", r#"(module (func (export "gm:f: func(x: int)") (param i32)))"#);
    assert!(error.contains("cannot be read: column 15"), "{error}");
    let error = init("other.wat", r#"(module (func (export "gm:f: func(x: f64)") (param i32)))"#);
    assert!(error.contains("`f` is (i32) in the module"), "{error}");
    assert!(!folder.files().contains(&"subject.toml".to_owned()));
}

#[test]
fn init_prints_what_guests_include() {
    assert_eq!(succeeds(&["init", "--guest", "c"]), GUEST_C);
    assert_eq!(succeeds(&["init", "--guest", "rust"]), GUEST_RUST);
    assert!(refuses(&["init"]).contains("<MODULE>"));
}
