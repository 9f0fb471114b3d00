//! Executions files: what is read, what is refused and why, and that nothing is lost.

use std::fs;
use std::sync::Arc;

use genmorph::executions::{CORRECT, Executions, ExistingFile, INCORRECT, Rows, Warning};
use genmorph::jit::{Tolerance, Value, Var};
use genmorph::simplify::Setting;
use genmorph::subject::kinds::{Interface, Kind, Parameter};
use genmorph::transform::Transformation;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::cli::refuses;
use crate::folder::Folder;

/// The values of a column, with their levels where it has any.
enum Cells<'a> {
    Text(&'a [&'a str]),
    Double(&'a [f64]),
    Float(&'a [f32]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    Bool(&'a [bool]),
    /// Values, definition levels, repetition levels.
    Doubles(&'a [f64], &'a [i16], Option<&'a [i16]>),
    Integers(&'a [i64], &'a [i16], Option<&'a [i16]>),
}

/// Writes a Parquet file as some other program might.
fn foreign(folder: &Folder, schema: &str, metadata: Option<&str>, columns: &[Cells<'_>]) -> String {
    let path = folder.at("foreign.parquet");
    let schema = parse_message_type(&format!("message m {{ {schema} }}")).unwrap();
    let entry = metadata.map(|text| vec![KeyValue::new("genmorph".to_owned(), text.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(entry).build();
    let file = fs::File::create(&path).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for cells in columns {
        let mut column = group.next_column().unwrap().expect("a column for these values");
        match cells {
            Cells::Text(values) => {
                let values: Vec<ByteArray> = values.iter().map(|&text| text.into()).collect();
                column.typed::<ByteArrayType>().write_batch(&values, None, None)
            }
            Cells::Double(values) => column.typed::<DoubleType>().write_batch(values, None, None),
            Cells::Float(values) => column.typed::<FloatType>().write_batch(values, None, None),
            Cells::Int32(values) => column.typed::<Int32Type>().write_batch(values, None, None),
            Cells::Int64(values) => column.typed::<Int64Type>().write_batch(values, None, None),
            Cells::Bool(values) => column.typed::<BoolType>().write_batch(values, None, None),
            Cells::Doubles(values, defined, repeated) => {
                column.typed::<DoubleType>().write_batch(values, Some(defined), *repeated)
            }
            Cells::Integers(values, defined, repeated) => {
                column.typed::<Int64Type>().write_batch(values, Some(defined), *repeated)
            }
        }
        .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    path
}

const METADATA: &str = r#"{"format": 1, "function": "f", "inputs": [{"name": "x", "kind": "number"}],
    "outputs": [{"name": "out", "kind": "number"}], "transformation": "t", "input_relation": "x_f == x_s + 1"}"#;

const NUMBERS: &str = "required binary label (UTF8); required double x_s; required double out_s;
    required double x_f; required double out_f;";

fn labels() -> Cells<'static> {
    Cells::Text(&["correct", "m"])
}

fn numbers() -> [Cells<'static>; 5] {
    let column = || Cells::Double(&[1.0, 2.0]);
    [labels(), column(), column(), column(), column()]
}

/// The error that reading a file gives, as a library and as a command, without the name of the file.
fn refused(path: &str) -> String {
    let error = Executions::read(path).unwrap_err().to_string();
    let err = refuses(&["score", path, "true"]);
    assert_eq!(err, format!("error: {error}\n"));
    error.strip_prefix(&format!("{path}: ")).expect("the error names the file").to_owned()
}

#[test]
fn changes_of_case_are_read_as_they_are_said_now_and_were_before() {
    let folder = Folder::of("executions-case");
    let schema = "required binary label (UTF8); required binary s_s (UTF8); required double n_s;
        required double out_s; required binary s_f (UTF8); required double n_f; required double out_f;";
    for term in ["uppercase(s_s)", "upper(s_s)"] {
        let metadata = format!(
            r#"{{"format": 1, "function": "f", "inputs": [{{"name": "s", "kind": "text"}}, {{"name": "n", "kind": "number"}}],
            "outputs": [{{"name": "out", "kind": "number"}}], "transformation": "TextUpper on s",
            "input_relation": "s_f == {term} and n_f == n_s"}}"#
        );
        let number = || Cells::Double(&[1.0, 2.0]);
        let (source, follow_up) = (Cells::Text(&["ß", "b"]), Cells::Text(&["SS", "B"]));
        let columns = [labels(), source, number(), number(), follow_up, number(), number()];
        let path = foreign(&folder, schema, Some(&metadata), &columns);
        let executions = Executions::read(&path).unwrap().executions;
        assert_eq!(
            executions.transformation.input_relation,
            format!("s_f == {term} and n_f == n_s")
        );
        // What the operator of ASCII says is not true of these rows; what is said of the other input is.
        let setting = Setting::of(&executions);
        let name = |var: Var| setting.schema.iter().find(|(known, ..)| *known == var).unwrap().1;
        let tied: Vec<&str> = setting.ties.iter().map(|tie| name(tie.var)).collect();
        assert_eq!(tied, ["n_f"], "{term}");
    }
}

#[test]
fn all_kinds_of_values_come_back_as_they_were() {
    let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
    let signature = Interface {
        function: "f".to_owned(),
        inputs: [("n", Kind::Number), ("b", Kind::Boolean)].map(parameter).to_vec(),
        outputs: [("out", Kind::Text), ("a_after", Kind::Numbers)].map(parameter).to_vec(),
        ..Interface::default()
    };
    let transformation =
        Transformation { name: "any".to_owned(), input_relation: "b_f != b_s".to_owned() };
    let text = |text: &str| {
        Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect::<Vec<_>>().into())
    };
    let list = |numbers: &[f64]| Value::Seq(numbers.to_vec().into());
    let specials = [f64::NAN, f64::INFINITY, -f64::INFINITY, 5e-324, 1.0e308, 0.1 + 0.2, -7.0];
    let mut rows = Rows::new(&signature, vec!["m2".to_owned(), "m1".to_owned()]).unwrap();
    for (i, &number) in specials.iter().cycle().take(3000).enumerate() {
        let x = i as f64;
        for (mutant, out) in [(None, "zoë 🦀"), (Some(0), ""), (Some(1), "\u{0}\"\n")] {
            let side =
                |b: bool| [Value::Num(number), Value::Bool(b), text(out), list(&specials[i % 7..])];
            let mut row: Vec<Value<'static>> = side(true).into_iter().chain(side(false)).collect();
            row[7] = list(&[x]);
            rows.push(mutant, &row).unwrap();
            if mutant == Some(0) && i < 10 {
                rows.push(Some(1), &row).unwrap();
            }
        }
    }
    let tolerance = Tolerance::PAPER;
    let written = rows.into_executions(&signature, &transformation, tolerance, u64::MAX).unwrap();
    let folder = Folder::of("executions-kinds");
    let path = folder.at("a.parquet");
    written.write(&path, ExistingFile::Refuse).unwrap();
    let read = Executions::read(&path).unwrap();
    assert_eq!(read.warnings, []);
    let read = read.executions;
    assert_eq!(read.signature, written.signature);
    assert_eq!(read.transformation, written.transformation);
    assert_eq!((read.seed, *read.table.tolerance()), (u64::MAX, tolerance));
    assert_eq!(read.mutants, ["m1", "m2"]);
    assert_eq!(read.row_mutants, written.row_mutants);
    assert_eq!(read.also, written.also);
    assert_eq!(read.also.len(), 10);
    for row in 0..written.table.rows() {
        for var in (0..8).map(Var) {
            let shown = |executions: &Executions| format!("{:?}", executions.table.value(var, row));
            assert_eq!(shown(&read), shown(&written));
        }
    }
    assert!(
        written.write(&path, ExistingFile::Refuse).unwrap_err().to_string().contains("--force")
    );
    read.write(folder.at("b.parquet"), ExistingFile::Refuse).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(folder.at("b.parquet")).unwrap());
    assert_eq!(folder.files(), ["a.parquet", "b.parquet"]);
}

#[test]
fn numbers_of_all_types_are_read() {
    let folder = Folder::of("executions-types");
    let schema = "required binary label (UTF8); required int32 x_s (UINT_8); required float out_s;
        required int64 x_f; required int64 out_f (UINT_64); required binary note (UTF8);";
    let columns = [
        labels(),
        Cells::Int32(&[7, 255]),
        Cells::Float(&[0.5, f32::NAN]),
        Cells::Int64(&[-3, -(1 << 53) - 2]),
        Cells::Int64(&[-1, 4]),
        Cells::Text(&["mine", ""]),
    ];
    let path = foreign(&folder, schema, Some(METADATA), &columns);
    let reading = Executions::read(&path).unwrap();
    let table = &reading.executions.table;
    let column = |var| [0, 1].map(|row| format!("{:?}", table.value(Var(var), row)));
    assert_eq!(column(0), ["Num(7.0)", "Num(255.0)"]);
    assert_eq!(column(1), ["Num(0.5)", "Num(NaN)"]);
    assert_eq!(column(3), ["Num(1.8446744073709552e19)", "Num(4.0)"]);
    let [Warning::Inexact { place, integer }] = &reading.warnings[..] else {
        panic!("{:?}", reading.warnings)
    };
    assert!(place.ends_with("column `x_f`, row 1"), "{place}");
    assert_eq!(integer, "-9007199254740994");
}

#[test]
fn lists_are_read_with_their_levels() {
    let folder = Folder::of("executions-lists");
    let schema = "required binary label (UTF8);
        optional group a_s (LIST) { repeated group list { optional int64 element; } }
        required double out_s;
        optional group a_f (LIST) { repeated group list { optional int64 element; } }
        required double out_f;";
    let write = |values: &[i64], defined: &[i16], repeated: &[i16]| {
        let list = || Cells::Integers(&[1, 2, 3], &[3, 3, 3], Some(&[0, 1, 0]));
        let columns = [
            labels(),
            list(),
            Cells::Double(&[1.0, 2.0]),
            Cells::Integers(values, defined, Some(repeated)),
            Cells::Double(&[1.0, 2.0]),
        ];
        foreign(&folder, schema, None, &columns)
    };
    // An empty list, and one with two elements.
    let reading = Executions::read(write(&[8, 9], &[1, 3, 3], &[0, 0, 1])).unwrap();
    assert!(matches!(&reading.warnings[..], [Warning::Inferred { .. }]), "{:?}", reading.warnings);
    let executions = reading.executions;
    assert_eq!(executions.signature.function, "foreign");
    assert_eq!(executions.signature.inputs[0].kind, Kind::Numbers);
    assert_eq!(executions.signature.outputs[0].name, "out");
    let sequence = |row, var| match executions.table.value(Var(var), row) {
        Value::Seq(numbers) => numbers.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!((sequence(0, 0), sequence(1, 0)), (vec![1.0, 2.0], vec![3.0]));
    assert_eq!((sequence(0, 2), sequence(1, 2)), (vec![], vec![8.0, 9.0]));

    let err = refused(&write(&[8], &[3, 0], &[0, 0]));
    assert!(err.starts_with("column `a_f`, row 1: null;"), "{err}");
    let err = refused(&write(&[8], &[3, 2, 1], &[0, 1, 0]));
    assert!(err.starts_with("column `a_f`, row 0: a null within the list"), "{err}");
    let path = write(&[8, 9, 1 << 60], &[3, 3, 3], &[0, 0, 1]);
    let warning = Executions::read(path).unwrap().warnings[1].to_string();
    assert!(
        warning.contains("column `a_f`, row 1: 1152921504606846976 is beyond 2^53"),
        "{warning}"
    );
}

#[test]
fn wrong_columns_are_named_with_their_row() {
    let folder = Folder::of("executions-columns");
    let file = |schema: &str, columns: &[Cells<'_>]| {
        refused(&foreign(&folder, schema, Some(METADATA), columns))
    };
    let [_, rest @ ..] = &numbers();
    let err = file(&NUMBERS.replace("required binary label (UTF8);", ""), rest);
    let expected = "there is no column `label`; the columns are `x_s`, `out_s`, `x_f`, `out_f`";
    assert_eq!(err, expected);
    assert!(file(&NUMBERS.replace("x_f", "y_f"), &numbers()).contains("no column `x_f`"));

    let schema = NUMBERS.replace("double x_s", "boolean x_s");
    let mut columns = numbers();
    columns[1] = Cells::Bool(&[true, false]);
    let err = file(&schema, &columns);
    assert_eq!(
        err,
        "column `x_s` has the type boolean; it must be numbers (double or an integer type)"
    );
    let schema = NUMBERS.replace("double x_s", "int64 x_s (TIMESTAMP_MILLIS)");
    columns[1] = Cells::Int64(&[1, 2]);
    assert!(file(&schema, &columns).contains("has the type int64 (timestamp_millis)"));

    let mut columns = numbers();
    columns[0] = Cells::Text(&["correct", " "]);
    assert!(file(NUMBERS, &columns).starts_with("column `label`, row 1: empty; write `correct`"));
    columns[0] = Cells::Text(&["m", "n"]);
    assert!(file(NUMBERS, &columns).contains("no row is labelled `correct`"));
    // Without mutants there is nothing to evolve against, and there may still be laws.
    columns[0] = Cells::Text(&["correct", "correct"]);
    let path = foreign(&folder, NUMBERS, Some(METADATA), &columns);
    assert_eq!(Executions::read(&path).unwrap().executions.count(INCORRECT), 0);

    let schema = NUMBERS.replace("required double out_f", "optional double out_f");
    let mut columns = numbers();
    columns[4] = Cells::Doubles(&[1.0], &[1, 0], None);
    let err = file(&schema, &columns);
    assert!(err.starts_with("column `out_f`, row 1: null; every cell needs a value"), "{err}");
    assert!(err.contains("NaN in pandas"), "{err}");

    let mut columns: Vec<Cells<'_>> = numbers().into();
    columns[0] = Cells::Text(&["m", "correct"]);
    columns[1..].iter_mut().for_each(|column| *column = Cells::Double(&[1.0, 1.0]));
    let err = file(NUMBERS, &columns);
    assert!(
        err.starts_with("row 0, labelled `m`, is the same as a row labelled `correct`"),
        "{err}"
    );
}

#[test]
fn wrong_metadata_is_refused() {
    let folder = Folder::of("executions-metadata");
    let file = |metadata: &str| refused(&foreign(&folder, NUMBERS, Some(metadata), &numbers()));
    assert!(file("{").contains("the metadata `genmorph` cannot be read: EOF"));
    assert!(file("{}").contains("missing field `format`"));
    assert!(
        file(r#"{"format": 2}"#)
            .contains("the file has format 2, but this genmorph reads format 1")
    );
    assert!(file(r#"{"format": 1}"#).contains("missing field `function`"));
    assert!(file(&METADATA.replace("\"number\"", "\"date\"")).contains("unknown variant `date`"));
    assert!(file(&METADATA.replace("\"x\"", "\"out\"")).contains("declared twice"));
    let err = file(&METADATA.replace("x_s + 1", "y_s"));
    assert!(err.contains("bad input relation: line 1, column 8: unknown variable `y_s`"), "{err}");
    let err = file(&METADATA.replace("\"t\"", "\"t\", \"tolerance\": \"7\""));
    assert!(err.contains("bad tolerance: a tolerance is `paper`"), "{err}");
    let none = foreign(&folder, &NUMBERS.replace("out", "y"), None, &numbers());
    assert!(refused(&none).contains("name the columns of outputs `out_s`, `out_f`"));
}

#[test]
fn files_that_are_no_executions_are_refused() {
    let folder = Folder::of("executions-none");
    for (name, bytes) in
        [("empty", &b""[..]), ("text", b"PAR1 but no more"), ("magic", b"PAR1PAR1")]
    {
        assert!(refused(&folder.write(name, bytes)).starts_with("not a readable Parquet file"));
    }
    assert!(refused(folder.path().to_str().unwrap()).contains("it is a folder"));
    assert!(refused("/no/such/file").contains("No such file"));
}

/// Files with bits turned over and ends cut off: read or refused, never a panic.
#[test]
fn a_damaged_file_is_refused_or_read() {
    let folder = Folder::of("executions-damaged");
    let path = foreign(&folder, NUMBERS, Some(METADATA), &numbers());
    let whole = fs::read(&path).unwrap();
    let damaged = folder.at("damaged.parquet");
    let mut refused = 0;
    for i in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[i] ^= flip;
            fs::write(&damaged, &bytes).unwrap();
            refused += usize::from(Executions::read(&damaged).is_err());
        }
        fs::write(&damaged, &whole[..i]).unwrap();
        assert!(Executions::read(&damaged).is_err(), "cut at {i}");
    }
    assert!(refused > whole.len(), "{refused}");
}

#[test]
fn a_million_rows_are_written_read_and_sampled() {
    let parameter = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
    let signature = Interface {
        function: "f".to_owned(),
        inputs: vec![parameter("x")],
        outputs: vec![parameter("out")],
        ..Interface::default()
    };
    let transformation =
        Transformation { name: "any".to_owned(), input_relation: "true".to_owned() };
    let mut rows = Rows::new(&signature, vec!["m".to_owned()]).unwrap();
    for i in 0..1_000_000 {
        let (x, mutant) = (f64::from(i / 2), (i % 2 == 1).then_some(0));
        let out = x + f64::from(i % 2);
        rows.push(mutant, &[x, out, x, out].map(Value::Num)).unwrap();
    }
    let tolerance = Tolerance::default();
    let all = rows.into_executions(&signature, &transformation, tolerance, 0).unwrap();
    let folder = Folder::of("executions-million");
    all.write(folder.at("a.parquet"), ExistingFile::Refuse).unwrap();
    let read = Executions::read(folder.at("a.parquet")).unwrap().executions;
    assert_eq!((read.count(CORRECT), read.count(INCORRECT)), (500_000, 500_000));
    let sampled = read.sampled(genmorph::executions::Limits::default(), 3);
    assert_eq!((sampled.count(CORRECT), sampled.count(INCORRECT)), (9_000, 9_000));
}
