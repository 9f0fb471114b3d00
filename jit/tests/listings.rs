//! `testdata/listings/*.txt`: what relations lower to.
//!
//! A file is a remark, a relation, an empty line, and the program. To add one, write the first two;
//! `BLESS=1 cargo test -p genmorph-jit --test listings` writes the program. Look at the difference
//! before committing it.

use std::fs;
use std::path::{Path, PathBuf};

use genmorph_jit::{Column, Program, Schema, Table, Tolerance, Type, text};

/// The variables say what their columns hold: the domains of comparisons hang on it.
fn table() -> Table {
    let int = || Column::Num(vec![3.0, -7.0, 12.0]);
    let wide = Column::Num(vec![1e12, 2e12, -3e12]);
    let real = || Column::Num(vec![0.5, -2.25, 1e6]);
    let any = Column::Num(vec![1.0, f64::NAN, f64::INFINITY]);
    let truth = || Column::Bool(vec![true, false, true]);
    let seq = || Column::Seq([vec![1.0, 2.0], vec![], vec![3.0]].into_iter().collect());
    let variables = [
        ("int_s", Type::Num, int()),
        ("int_f", Type::Num, int()),
        ("wide", Type::Num, wide),
        ("real_s", Type::Num, real()),
        ("real_f", Type::Num, real()),
        ("any", Type::Num, any),
        ("p", Type::Bool, truth()),
        ("q", Type::Bool, truth()),
        ("seq_s", Type::Seq, seq()),
        ("seq_f", Type::Seq, seq()),
    ];
    let schema = Schema::new(variables.iter().map(|(name, ty, _)| (*name, *ty)));
    let schema = schema.expect("distinct names");
    let columns = variables.into_iter().map(|(_, _, column)| column).collect();
    Table::new(&schema, columns, Tolerance::default()).expect("columns of their types")
}

/// Remark and relation, as they stand in the file, and the program that must follow them.
fn expected(file: &str, table: &Table) -> String {
    let (head, _) = file.split_once("\n\n").unwrap_or((file.trim_end(), ""));
    let relation: Vec<&str> = head.lines().filter(|line| !line.starts_with('#')).collect();
    let predicate = text::parse(&relation.join("\n"), table.schema())
        .unwrap_or_else(|error| panic!("{head}\n{error}"));
    let mut program = Program::new();
    program.lower(&predicate, table);
    format!("{head}\n\n{}\n", program.listing(table.schema()))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/listings");
    let entries = fs::read_dir(&folder).expect("the folder of listings");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

#[test]
fn relations_lower_to_their_listings() {
    let table = table();
    let files = files();
    assert!(files.len() >= 8, "{} listings", files.len());
    let bless = std::env::var_os("BLESS").is_some();
    let mut changed = Vec::new();
    for path in files {
        let found = fs::read_to_string(&path).expect("text");
        let expected = expected(&found, &table);
        if found == expected {
            continue;
        }
        if bless {
            fs::write(&path, &expected).expect("the listings can be written");
        } else {
            changed.push(format!("{}\n{expected}", path.display()));
        }
    }
    assert!(
        changed.is_empty(),
        "these are no longer what the files say; BLESS=1 makes the files say so\n\n{}",
        changed.join("\n")
    );
}
