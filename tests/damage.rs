//! Files with a few bits turned over: each is refused, or read as what was written.

use std::fs;

use genmorph::claims;
use genmorph::executions::{Executions, ExistingFile, Rows, power};
use genmorph::jit::{Tolerance, Value};
use genmorph::subject::kinds::{Interface, Kind, Parameter};
use genmorph::transform::Transformation;

use crate::cli::{genmorph, refuses};
use crate::explain::run;
use crate::folder::{Folder, subject};
use crate::generate::tree;

/// Executions with all kinds of columns.
fn of_all_kinds() -> Executions {
    let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
    let signature = Interface {
        function: "f".to_owned(),
        inputs: [("n", Kind::Number), ("b", Kind::Boolean)].map(parameter).to_vec(),
        outputs: [("out", Kind::Text), ("a_after", Kind::Numbers)].map(parameter).to_vec(),
        ..Interface::default()
    };
    let transformation =
        Transformation { name: "any".to_owned(), input_relation: "b_f != b_s".to_owned() };
    let sequence = |numbers: Vec<f64>| Value::Seq(numbers.into());
    let text =
        |text: &str| sequence(text.chars().map(|c| f64::from(u32::from(c))).collect::<Vec<_>>());
    let mut rows = Rows::new(&signature, vec!["m2".to_owned(), "m1".to_owned()]).unwrap();
    for i in 0..150 {
        let x = f64::from(i);
        for (mutant, out) in [(None, "zoë 🦀"), (Some(0), ""), (Some(1), "\u{0}\"\n")] {
            let list = sequence((0..i % 4).map(|e| x / f64::from(e + 1)).collect());
            let side = |b: bool| [Value::Num(x.exp()), Value::Bool(b), text(out), list.clone()];
            let row: Vec<Value<'static>> =
                side(i % 3 == 0).into_iter().chain(side(false)).collect();
            rows.push(mutant, &row).unwrap();
        }
    }
    rows.into_executions(&signature, &transformation, Tolerance::PAPER, 7).unwrap()
}

#[test]
fn an_executions_file_with_a_flipped_bit_is_refused_or_read_as_it_was() {
    const FLIPS: usize = 700;
    let folder = Folder::of("damage-executions");
    for (name, executions) in [("power", power::executions()), ("kinds", of_all_kinds())] {
        let [whole, damaged, again] =
            ["whole", "damaged", "again"].map(|part| folder.at(&format!("{name}-{part}.parquet")));
        executions.write(&whole, ExistingFile::Refuse).unwrap();
        let bytes = fs::read(&whole).unwrap();
        let (mut refused, mut columns) = (0, 0);
        for flip in 0..FLIPS {
            let bit = (flip * 8 * bytes.len() / FLIPS) + flip % 8;
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&damaged, flipped).unwrap();
            match Executions::read(&damaged) {
                Ok(read) => {
                    // Equal executions give equal files.
                    read.executions.write(&again, ExistingFile::Replace).unwrap();
                    assert!(fs::read(&again).unwrap() == bytes, "{name}: bit {bit}");
                }
                Err(error) => {
                    refused += 1;
                    let text = error.to_string();
                    columns += usize::from(
                        text.contains("column `") && text.contains("does not match its checksum"),
                    );
                }
            }
        }
        assert!(refused > FLIPS / 3, "{name}: {refused}");
        assert!(columns > FLIPS / 20, "{name}: {columns} of {refused}");
    }
}

#[test]
fn damaged_records_are_refused_where_they_would_change_a_verdict() {
    let folder = Folder::of("damage-records");
    let pow = subject("pow/subject.toml");
    let read = |name: &str| fs::read_to_string(format!("{}/{name}", run())).unwrap();
    let search = "01_NumericAddition_1_on_e";
    let (report, relations) = (read("report.json"), read(&format!("{search}/relations.json")));
    // The damage is in a number, a tolerance or a name: the file is JSON as before.
    let damage = |text: &str| {
        let of = text.find("\"relation\": \"").expect("there is a relation");
        let end = of + text[of + 13..].find('"').unwrap() + 13;
        let changed = text[..end].replace("out_f", "out_s");
        assert!(changed != text[..end]);
        changed + &text[end..]
    };
    let file = folder.write("report.json", damage(&report));
    for args in [["check", &file, &pow], ["filter", &file, &pow], ["assess", &file, &pow]] {
        let said = refuses(&args);
        assert!(said.contains("does not match its checksum"), "{args:?}: {said}");
    }
    let tolerant = report.replacen("\"abs\": 1e-9", "\"abs\": 1e-1", 1);
    assert!(tolerant != report);
    let file = folder.write("report.json", tolerant);
    assert!(refuses(&["check", &file, &pow]).contains("does not match its checksum"));
    assert!(refuses(&["report", folder.path().to_str().unwrap()]).contains("is damaged"));
    let file = folder.write("relations.json", damage(&relations));
    assert!(refuses(&["check", &file, &pow]).contains("does not match its checksum"));
    let executions = format!("{}/{search}/executions.parquet", run());
    let said = refuses(&["score", &executions, &file]);
    assert!(said.contains("does not match its checksum"), "{said}");
    // Whoever edits a file on purpose removes the checksum; older versions wrote none.
    let start = report.rfind(",\n  \"checksum\"").expect("the last member is the checksum");
    let file = folder.write("edited.json", format!("{}\n}}\n", &report[..start]));
    let few = ["--fresh", "500", "--hunt", "100"];
    let checked = genmorph(&[&["check", &file, &pow][..], &few].concat());
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
}

#[test]
fn a_run_is_not_resumed_with_a_damaged_search() {
    let folder = Folder::of("damage-search");
    let (gcd, out) = (subject("gcd/subject.toml"), folder.at("out"));
    let flags =
        "--generations 3 --sources 50 --fresh 500 --hunt 500 --transformations 2 --population 50";
    let start = ["generate", &gcd, "-o", &out];
    let args: Vec<&str> = start.into_iter().chain(flags.split_whitespace()).collect();
    let straight = genmorph(&args);
    assert_eq!(straight.code, Some(0), "{}", straight.err);
    let files = tree(out.as_ref());
    let name = files.keys().find(|name| name.ends_with("/search.json")).unwrap();
    let text = String::from_utf8(files[name].clone()).unwrap();
    let damaged = text.replacen("\"size\": ", "\"size\": 1", 1).replacen(
        "\"lessons\": ",
        "\"lessons\": 1",
        1,
    );
    assert!(damaged != text);
    folder.write(&format!("out/{name}"), damaged);
    let said = refuses(&[&args[..], &["--resume"]].concat());
    assert!(said.contains("search.json is damaged") && said.contains("checksum"), "{said}");
    folder.write(&format!("out/{name}"), text);
    let resumed = genmorph(&[&args[..], &["--resume"]].concat());
    assert_eq!(resumed.code, straight.code, "{}", resumed.err);
    assert!(tree(out.as_ref()) == files);
}

/// The seeds of the fuzz targets: files that versions before these checksums took for others.
#[test]
fn seeds_of_fuzzers_are_refused_if_they_are_damaged_and_read_if_not() {
    let mut counts = [0; 2];
    for target in ["executions", "records"] {
        let folder = format!("{}/fuzz/regressions/{target}", env!("CARGO_MANIFEST_DIR"));
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let read = match target {
                "executions" => Executions::read(&path).map(|_| ()).map_err(|e| e.to_string()),
                _ => {
                    let text = fs::read_to_string(&path).unwrap();
                    claims::read_texts(name, &text).map(|_| ()).map_err(|error| error.to_string())
                }
            };
            if name.starts_with("whole") {
                assert_eq!(read, Ok(()), "{name}");
                counts[0] += 1;
            } else {
                let error = read.expect_err(name);
                assert!(error.contains("does not match its checksum"), "{name}: {error}");
                counts[1] += 1;
            }
        }
    }
    assert!(counts[0] >= 2 && counts[1] >= 6, "{counts:?}");
}
