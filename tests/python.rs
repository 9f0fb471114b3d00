//! The Python of `src/executions/file/FORMAT.md` does what the text around it says.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::executions::{CORRECT, Executions, INCORRECT};

use crate::cli::genmorph;
use crate::folder::{Folder, subject};
use crate::tools;

/// What the snippets import.
const PACKAGES: [&str; 2] = ["pandas>=2.2", "pyarrow>=16"];

/// A Python that has the packages, in an environment that is made once and kept in the target folder.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        let (python, ready) = (folder.join("bin/python"), folder.join("ready"));
        let packages = PACKAGES.join("\n");
        if std::fs::read_to_string(&ready).is_ok_and(|made_with| made_with == packages) {
            return python;
        }
        let folder = folder.to_str().expect("paths of tests are UTF-8");
        run(Command::new("python3").args(["-m", "venv", "--clear", folder]));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(&python).args(pip).args(PACKAGES));
        std::fs::write(ready, packages).expect("the environment can be written");
        python
    })
}

/// The output of a command that must succeed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}\nthis test needs Python 3 with venv, and its package index")
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?} fails; this test needs Python 3 with venv, and its package index\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The Python below a heading of the document.
fn snippet(heading: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/executions/file/FORMAT.md");
    let document = std::fs::read_to_string(path).expect("the document is in the repository");
    let (_, section) = document.split_once(heading).expect("the document has this heading");
    let (_, code) = section.split_once("```python\n").expect("the section has Python");
    code.split_once("```").expect("the Python ends").0.to_owned()
}

fn run_snippet(heading: &str, folder: &Folder) -> String {
    let script = folder.write("snippet.py", snippet(heading));
    run(Command::new(python()).arg(script).current_dir(folder.path()))
}

#[test]
fn what_the_python_snippet_writes_is_an_executions_file() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-write");
    run_snippet("## Written from Python", &folder);
    let file = folder.at("executions.parquet");
    let reading = Executions::read(&file).unwrap();
    assert_eq!(reading.warnings, []);
    let executions = reading.executions;
    assert_eq!(executions.signature.function, "area");
    assert_eq!(
        (executions.count(CORRECT), executions.mutants.as_slice()),
        (400, &["mutant1".to_owned()][..])
    );
    let run = genmorph(&[
        "score",
        &file,
        "out_f == 2 * out_s",
        &executions.transformation.input_relation,
    ]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let verdicts: Vec<&str> = run.out.lines().skip(1).map(str::trim_start).collect();
    assert!(verdicts.iter().all(|line| line.starts_with("0    0.00%")), "{}", run.out);
    assert!(verdicts[1].contains("100.00%"), "{}", run.out);
}

#[test]
fn what_genmorph_writes_is_read_by_the_python_snippet() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-read");
    let (from, to) = (subject("pow/plain.ndjson"), folder.at("executions.parquet"));
    let step = "NumericAddition(-1) on e";
    let run = genmorph(&["collect", "--from", &from, "--transformation", step, "-o", &to]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let executions = Executions::read(&to).unwrap().executions;
    let rows = executions.count(INCORRECT) + executions.also.len();
    let expected = format!(
        "pow by NumericAddition(-1) on e\n563 correct rows, {rows} incorrect rows of 12 mutants\n"
    );
    assert_eq!(run_snippet("## Read from Python", &folder), expected);
}

/// Texts, booleans, lists and NaN, both ways, and what pandas writes by itself.
#[test]
fn all_kinds_of_values_go_through_pandas() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-kinds");
    let script = r#"
import math
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

rows = pd.DataFrame({
    "label": pd.Categorical(["correct", "m", "m"]),
    "s_s": ["zoë", "", "🦀"], "p_s": [True, False, True], "a_s": [[1.5], [], [2, 3]],
    "out_s": [1, 2, 3],
    "s_f": ["a", "b", "c"], "p_f": [True, True, True], "a_f": [[], [], [0]],
    "out_f": [1.0, 2.0, 3.0],
})
rows.to_parquet("pandas.parquet")
rows["out_f"] = [1.0, math.nan, 3.0]
rows.to_parquet("null.parquet")
table = pa.Table.from_pandas(rows.drop(columns="out_f"))
pq.write_table(table.append_column("out_f", pa.array([1.0, math.nan, 3.0])), "arrow.parquet")
"#;
    let path = folder.write("kinds.py", script);
    run(Command::new(python()).arg(path).current_dir(folder.path()));
    for name in ["pandas.parquet", "arrow.parquet"] {
        let reading = Executions::read(folder.at(name)).unwrap();
        let [warning] = &reading.warnings[..] else { panic!("{:?}", reading.warnings) };
        let expected = "the inputs are `s`, `p`, `a` and the outputs `out`";
        assert!(warning.to_string().ends_with(expected), "{warning}");
        assert_eq!(reading.executions.count(INCORRECT), 2);
    }
    let error = Executions::read(folder.at("null.parquet")).unwrap_err().to_string();
    assert!(error.contains("column `out_f`, row 1: null"), "{error}");
}
