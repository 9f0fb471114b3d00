//! The test files of many functions: one for each module, in which every function has a module of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use genmorph::subject::rust::{ListedFunction, Package, RustSubject};

use super::super::super::{Failure, OrFailure, print, talk, whole};
use super::super::CargoArgs;
use super::super::test::{self, TestPlace};

/// A file, and the tests of functions that go into it.
#[derive(Debug, Default)]
struct TestFile {
    /// The functions, as names of modules, with their tests.
    modules: Vec<(String, String)>,
    has_proptest: bool,
}

/// The files by their names for Cargo.
#[derive(Debug)]
pub(super) struct TestFiles {
    folder: PathBuf,
    package: Package,
    files: BTreeMap<String, TestFile>,
}

impl TestFiles {
    /// No file yet. Refuses to replace files that are there.
    pub(super) fn of(
        args: &CargoArgs,
        package: &Package,
        functions: &[ListedFunction],
    ) -> Result<TestFiles, Failure> {
        let folder = package.folder.join("tests");
        let files = TestFiles { folder, package: package.clone(), files: BTreeMap::new() };
        if !args.no_test && !args.generate.force && !args.generate.resume {
            for function in functions.iter().filter(|function| function.is_public) {
                let file = files.path(&name(function));
                if file.exists() {
                    return Err(Failure::Input(format!(
                        "{} is there already\nuse --force to replace it, or --no-test to find relations only",
                        file.display()
                    )));
                }
            }
        }
        Ok(files)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.rs"))
    }

    /// Makes the tests of a function. What other crates cannot call has none.
    pub(super) fn add(
        &mut self,
        args: &CargoArgs,
        subject: &RustSubject,
        function: &ListedFunction,
        output: &Path,
    ) -> Result<(), Failure> {
        let place = TestPlace::of(subject, output);
        if args.no_test || place.name.is_none() {
            return Ok(());
        }
        let made = match test::made(args, subject, &place, output) {
            Ok(Some(made)) => made,
            Ok(None) => return Ok(()),
            Err(failure) => {
                talk::say(&format_args!("no tests of {}: {failure}", function.path));
                return Ok(());
            }
        };
        let file = self.files.entry(name(function)).or_default();
        file.has_proptest |= made.has_proptest;
        let own = function.path.strip_prefix(&format!("{}::", function.module));
        let module = plain(own.unwrap_or(&function.path));
        file.modules.push((module, made.source));
        Ok(())
    }

    /// Writes the files and runs them. The tests of a function that do not pass are left out, and it is said whose they are.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        let names: Vec<String> = self.files.keys().cloned().collect();
        for name in names {
            while self.files.get(&name).is_some_and(|file| !file.modules.is_empty()) {
                self.write(&name)?;
                let (has_passed, said) = self.ran(&name)?;
                if has_passed {
                    let result = said.lines().rfind(|line| line.starts_with("test result:"));
                    let result = result.unwrap_or("it passes").trim_start_matches("test result: ");
                    print(&format_args!("cargo test --test {name}: {result}\n"))?;
                    break;
                }
                self.drop_culprits(&name, &said)?;
            }
        }
        Ok(())
    }

    fn text(&self, name: &str) -> String {
        let mut text = String::from("#![cfg_attr(rustfmt, rustfmt_skip)]\n");
        for (module, source) in &self.files[name].modules {
            text += &format!("\nmod {module} {{\n{source}}}\n");
        }
        text
    }

    fn write(&self, name: &str) -> Result<(), Failure> {
        let path = self.path(name);
        fs::create_dir_all(&self.folder).map_err(|e| whole::cannot("create", &self.folder, &e))?;
        whole::write(&path, self.text(name).as_bytes())
            .map_err(|error| whole::cannot("write", &path, &error))
    }

    /// Whether the file passes, and what Cargo said.
    fn ran(&self, name: &str) -> Result<(bool, String), Failure> {
        let package = &self.package;
        let has_proptest = self.files[name].has_proptest;
        let folder = package.test_package(name, &self.path(name), has_proptest).or_input()?;
        let mut command = Command::new("cargo");
        command.current_dir(folder).args(["test", "--quiet", "--no-fail-fast", "--test", name]);
        command.arg("--target-dir").arg(package.target.join("genmorph").join("build"));
        command.args(package.flags().iter().filter(|flag| *flag == "--offline"));
        let output = command
            .output()
            .map_err(|error| Failure::Input(format!("cannot run `cargo test`: {error}")))?;
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), said.into_owned()))
    }

    /// Leaves out the functions whose tests fail or do not compile; all, if it is not clear whose they are.
    fn drop_culprits(&mut self, name: &str, said: &str) -> Result<(), Failure> {
        let text = self.text(name);
        let at = |line: usize| {
            let before = text.lines().take(line);
            before.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(" {")).last()
        };
        let shown = format!("{name}.rs:");
        let lines = said.match_indices(&shown).filter_map(|(found, _)| {
            let rest = &said[found + shown.len()..];
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        let mut culprits: Vec<&str> = lines.filter_map(at).collect();
        culprits.extend(said.lines().filter_map(|line| {
            let failed = line.strip_prefix("test ")?.strip_suffix(" ... FAILED");
            failed
                .or_else(|| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"))?
                .split("::")
                .next()
        }));
        let file = self.files.get_mut(name).expect("it was just run");
        let before = file.modules.len();
        let is_culprit = |module: &str| culprits.contains(&module);
        for (module, _) in file.modules.iter().filter(|(module, _)| is_culprit(module)) {
            talk::say(&format_args!(
                "the tests of {module} in {name} do not pass, and are left out"
            ));
        }
        file.modules.retain(|(module, _)| !is_culprit(module));
        if file.modules.len() == before {
            let lines: Vec<&str> = said.lines().collect();
            let tail = &lines[lines.len().saturating_sub(20)..];
            talk::say(&format_args!("the tests in {name} do not pass:\n{}", tail.join("\n")));
            file.modules.clear();
        }
        if file.modules.is_empty() {
            let path = self.path(name);
            fs::remove_file(&path).map_err(|error| whole::cannot("remove", &path, &error))?;
        }
        Ok(())
    }
}

/// The name of the file that the tests of a function go into.
fn name(function: &ListedFunction) -> String {
    match function.module.as_str() {
        "" => "genmorph_crate".to_owned(),
        module => format!("genmorph_{}", plain(module)),
    }
}

/// A path as the name of a module.
fn plain(path: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    path.replace("::", "_").chars().map(word).collect()
}
