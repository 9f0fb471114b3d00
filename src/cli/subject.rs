//! The subject that a user asks for: a WebAssembly function, a Java method or a Rust function, from flags or a file.

use std::fs;
use std::path::{Path, PathBuf};

use genmorph::subject::jvm::{
    Coordinates, JavaDefinition, JavaSpec, Jdk, JvmSubject, MethodName, Runtime,
};
use genmorph::subject::rust::RustSubject;
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::subject::{Definition, Inputs, Steadiness, Subject};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use super::cargo::Crate;
use super::{Failure, doctor};

/// Which function it is about.
#[derive(Debug, clap::Args)]
pub(super) struct Asked {
    /// The subject: a TOML file that names a WebAssembly module or a Java method [default: a built-in pow]
    #[arg(conflicts_with_all = ["java", "rust"])]
    subject: Option<PathBuf>,

    /// A static Java method, such as 'org.apache.commons.math3.util.ArithmeticUtils#gcd(int,int)'
    #[arg(long, value_name = "METHOD")]
    java: Option<MethodName>,

    /// Jars and folders with the class of --java and what it needs; may be repeated
    #[arg(long, value_name = "PATH", requires = "java", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// A jar by its coordinates, group:artifact:version; may be repeated
    #[arg(long, value_name = "COORDINATES", requires = "java")]
    maven: Vec<Coordinates>,

    /// The JDK for Java methods [default: $JAVA_HOME, the `java` on the PATH, or the newest there is]
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,

    #[command(flatten)]
    rust: Crate,

    /// What runs WebAssembly: wasmi, or wasmtime where genmorph was built with it
    #[arg(long, default_value_t)]
    engine: Engine,
}

/// A function that can be run.
pub(super) struct Chosen {
    function: Function,
    /// What it is called in the files of a run.
    pub(super) name: String,
    /// A number that tells its code from others.
    pub(super) fingerprint: u64,
}

enum Function {
    Wasm(Box<WasmSubject>),
    Java(Box<JvmSubject>),
    Rust(Box<RustSubject>),
}

impl Asked {
    /// Whether nothing was asked for.
    pub(super) fn is_demo(&self) -> bool {
        self.subject.is_none() && self.java.is_none() && self.rust.function().is_none()
    }

    /// The file that is named, whatever it is.
    pub(super) fn file(&self) -> Option<&Path> {
        self.subject.as_deref()
    }

    /// The function in a file; else the built-in one.
    pub(super) fn of(subject: Option<PathBuf>) -> Asked {
        let (java, java_home, engine) = (None, None, Engine::default());
        let rust = Crate::default();
        Asked { subject, java, classpath: Vec::new(), maven: Vec::new(), java_home, rust, engine }
    }

    /// The same, where what is named is a Rust function.
    pub(super) fn as_rust(&mut self) {
        let named = self.subject.take();
        self.rust.about(named.map(|path| path.display().to_string()));
    }

    /// The same, about the function in this file.
    pub(super) fn about(&mut self, subject: PathBuf) {
        self.subject = Some(subject);
    }

    /// The JDK for Java methods.
    pub(super) fn jdk(&self) -> Result<Jdk, Failure> {
        Jdk::find(&doctor::search(self.java_home.clone())).map_err(|error| input(&error))
    }

    /// Makes the function ready.
    pub(super) fn choose(&self, jobs: usize) -> Result<Chosen, Failure> {
        if let Some(method) = &self.java {
            let spec = JavaSpec {
                method: method.clone(),
                classpath: self.classpath.clone(),
                names: None,
                changed: None,
                domains: std::collections::BTreeMap::new(),
            };
            let definition = JavaDefinition { maven: self.maven.clone(), spec };
            return self.java(method.to_string(), &definition, jobs);
        }
        if let Some(name) = self.rust.function() {
            let subject = self.rust.subject(jobs)?;
            let texts: Vec<&str> = subject.text().collect();
            let fingerprint = fingerprint(texts.concat().as_bytes());
            let function = Function::Rust(Box::new(subject));
            return Ok(Chosen { function, name: name.to_owned(), fingerprint });
        }
        match &self.subject {
            Some(path) if is_java(path) => {
                let definition = JavaDefinition::read(path).map_err(|error| input(&error))?;
                self.java(path.display().to_string(), &definition, jobs)
            }
            Some(path) => {
                let definition = Definition::read(path).map_err(|error| input(&error))?;
                self.wasm(path.display().to_string(), &definition)
            }
            None => self.wasm("demo".to_owned(), &Definition::demo()),
        }
    }

    fn wasm(&self, name: String, definition: &Definition) -> Result<Chosen, Failure> {
        let subject =
            WasmSubject::defined(definition, self.engine).map_err(|error| input(&error))?;
        let fingerprint = fingerprint(&definition.module);
        Ok(Chosen { function: Function::Wasm(Box::new(subject)), name, fingerprint })
    }

    fn java(
        &self,
        name: String,
        definition: &JavaDefinition,
        jobs: usize,
    ) -> Result<Chosen, Failure> {
        let jdk = self.jdk()?;
        let cache = doctor::cache()?;
        let spec =
            definition.resolve(&doctor::repositories(&cache)).map_err(|error| input(&error))?;
        let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
        let runtime = Runtime::new(jdk, cache, jobs);
        let subject = JvmSubject::new(&spec, &runtime).map_err(|error| input(&error))?;
        let paths: Vec<String> =
            spec.classpath.iter().map(|path| path.display().to_string()).collect();
        let fingerprint = fingerprint(paths.join(":").as_bytes());
        Ok(Chosen { function: Function::Java(Box::new(subject)), name, fingerprint })
    }
}

impl Chosen {
    pub(super) fn subject(&self) -> &dyn Subject {
        match &self.function {
            Function::Wasm(subject) => &**subject,
            Function::Java(subject) => &**subject,
            Function::Rust(subject) => &**subject,
        }
    }

    /// The Rust function, if it is one.
    pub(super) fn rust(&self) -> Option<&RustSubject> {
        match &self.function {
            Function::Wasm(_) | Function::Java(_) => None,
            Function::Rust(subject) => Some(subject),
        }
    }

    /// The Java method, if it is one.
    pub(super) fn java(&self) -> Option<&JvmSubject> {
        match &self.function {
            Function::Wasm(_) | Function::Rust(_) => None,
            Function::Java(subject) => Some(subject),
        }
    }

    /// What a user should know about the way in which it was compiled.
    pub(super) fn remarks(&self) -> Vec<String> {
        match &self.function {
            Function::Wasm(subject) => {
                let warnings = subject.remarks().iter().filter(|remark| remark.is_warning());
                warnings.map(ToString::to_string).collect()
            }
            Function::Java(_) => Vec::new(),
            Function::Rust(subject) => super::cargo::remarks(subject),
        }
    }

    /// Whether a call depends on anything but its inputs, on chance or on earlier calls: nothing can be found then.
    pub(super) fn check_steadiness(&self, inputs: &Inputs) -> Result<(), Failure> {
        let subject = self.subject();
        let mut some = Inputs::new(subject.signature());
        for row in 0..inputs.len().min(CHECKED) {
            some.push(&inputs.row(row).collect::<Vec<_>>());
        }
        let steadiness = match &self.function {
            // A module has no way to know what is outside of it, and is restored after every call.
            Function::Wasm(_) => Steadiness::Steady,
            Function::Java(subject) => subject.steadiness(&some)?,
            Function::Rust(subject) => subject.steadiness(&some)?,
        };
        let what = if self.rust().is_some() { "function" } else { "method" };
        match steadiness {
            Steadiness::Unsteady(row) => Err(Failure::Input(format!(
                "the {what} is not deterministic: two calls with input {} gave different results; \
                 no relation between its calls can be trusted",
                row + 1
            ))),
            Steadiness::Remembers(row) => Err(Failure::Input(format!(
                "the {what} keeps state between calls: what it returns on input {} depends on the calls before it; \
                 no relation between its calls can be trusted",
                row + 1
            ))),
            Steadiness::Steady => Ok(()),
        }
    }
}

/// Inputs on which it is checked whether a method is deterministic.
const CHECKED: usize = 200;

/// Whether a definition is of a Java method. What cannot be read is left to whoever says why.
pub(super) fn is_java(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("java");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    })
}

fn input(error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}

/// A number that tells bytes apart.
fn fingerprint(bytes: &[u8]) -> u64 {
    let start = Seed(bytes.len() as u64).stream("module");
    bytes.iter().fold(start, |stream, &byte| stream.at(byte.into())).rng().next()
}
