//! The subject of a command: a WebAssembly function, a Java method, a Rust or a Python function, from a file or from flags.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genmorph::subject::jvm::{
    Coordinates, JavaDefinition, JavaSpec, Jdk, JvmSubject, MethodName, Runtime,
};
use genmorph::subject::python::{PythonDefinition, PythonSpec, PythonSubject};
use genmorph::subject::rust::{self, RustSubject};
use genmorph::subject::together::{Accompanied, Role};
use genmorph::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use genmorph::subject::{Definition, GivenCondition, Inside, SecondName, Subject, SubjectHolder};
use genmorph::support::threads::Jobs;

use super::cargo::CrateArgs;
use super::python::{self, PythonArgs};
use super::{Failure, OrFailure, doctor, isolation};

/// The file and the flags that name a subject.
#[derive(Debug, clap::Args)]
pub(super) struct SubjectArgs {
    /// The subject: a TOML file that names a WebAssembly module, a Java method or a Python function [default: a built-in pow]
    #[arg(conflicts_with_all = ["java", "rust", "python"])]
    subject: Option<PathBuf>,

    /// A static Java method, such as 'org.apache.commons.math3.util.ArithmeticUtils#gcd(int,int)'
    #[arg(long, value_name = "METHOD")]
    java: Option<MethodName>,

    /// Jars and folders with the class of --java and what it needs; may be repeated
    #[arg(long, value_name = "PATH", requires = "java", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// A jar and all that it needs by its coordinates, group:artifact:version; may be repeated
    #[arg(long, value_name = "COORDINATES", requires = "java")]
    maven: Vec<Coordinates>,

    /// The JDK for Java methods [default: $JAVA_HOME, the `java` on the PATH, or the newest there is]
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,

    #[command(flatten)]
    rust: CrateArgs,

    #[command(flatten)]
    python: PythonArgs,

    #[command(flatten)]
    second: SecondArgs,
    /// Which inputs are meant: a condition on the parameters, such as 'length(p1) == length(p2)', as `where` in subject.toml
    #[arg(long = "where", id = "where", value_name = "CONDITION")]
    condition: Option<String>,

    /// What runs WebAssembly: wasmi, or wasmtime where genmorph was built with it
    #[arg(long, default_value_t)]
    engine: Engine,
}

/// The second function, whose calls are related to those of the first.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub(super) struct SecondArgs {
    /// A function that undoes what the function does, such as 'Codec#decode(String)': a method of the same classes, an export of
    /// the same module, a function of the same crate, or a file that defines it (decode.toml)
    #[arg(long, value_name = "FUNCTION")]
    inverse: Option<String>,

    /// A function that does the same in another way
    #[arg(long, value_name = "FUNCTION")]
    same_as: Option<String>,

    /// A function to call with what the function returns
    #[arg(long, value_name = "FUNCTION")]
    then: Option<String>,
}

impl From<SecondName> for SecondArgs {
    fn from(second: SecondName) -> SecondArgs {
        let name = Some(second.name);
        match second.role {
            Role::Inverse => SecondArgs { inverse: name, ..SecondArgs::default() },
            Role::SameAs => SecondArgs { same_as: name, ..SecondArgs::default() },
            Role::Then => SecondArgs { then: name, ..SecondArgs::default() },
        }
    }
}

impl SecondArgs {
    fn name(&self) -> Result<Option<SecondName>, Failure> {
        let SecondArgs { inverse, same_as, then } = self;
        SecondName::only(inverse.as_deref(), same_as.as_deref(), then.as_deref())
            .map_err(Failure::Input)
    }
}

/// A subject that can be run.
pub(super) struct LoadedSubject {
    inside: Inside<Held>,
    /// Its name in the files of a run: the path of its definition, or what a flag says.
    pub(super) name: String,
}

enum Function {
    Wasm(Arc<WasmSubject>),
    Java(Arc<JvmSubject>),
    Rust(Arc<RustSubject>),
    Python(Arc<PythonSubject>),
}

impl Function {
    fn shared(&self) -> Arc<dyn Subject + Send> {
        match self {
            Function::Wasm(subject) => Arc::clone(subject) as Arc<dyn Subject + Send>,
            Function::Java(subject) => Arc::clone(subject) as Arc<dyn Subject + Send>,
            Function::Rust(subject) => Arc::clone(subject) as Arc<dyn Subject + Send>,
            Function::Python(subject) => Arc::clone(subject) as Arc<dyn Subject + Send>,
        }
    }
}

/// What a function is made from; a second one is made from the same classes, module or crate.
enum Origin {
    Wasm(WasmDefinition),
    Java(JavaDefinition),
    Rust,
    Python(PythonDefinition),
}

/// A function, with its second one if there is one.
struct Held {
    function: Function,
    accompanied: Option<Accompanied>,
}

impl SubjectHolder for Held {
    fn subject(&self) -> &dyn Subject {
        match (&self.accompanied, &self.function) {
            (Some(accompanied), _) => accompanied,
            (None, Function::Wasm(subject)) => &**subject,
            (None, Function::Java(subject)) => &**subject,
            (None, Function::Rust(subject)) => &**subject,
            (None, Function::Python(subject)) => &**subject,
        }
    }
}

impl SubjectArgs {
    /// Whether no subject is named, so that the built-in one is meant.
    pub(super) fn is_demo(&self) -> bool {
        self.subject.is_none()
            && self.java.is_none()
            && self.rust.function().is_none()
            && self.python.function().is_none()
    }

    /// The path that is named, if one is; it may be a recording as well.
    pub(super) fn file(&self) -> Option<&Path> {
        self.subject.as_deref()
    }

    /// The subject that a file defines; without a file, the built-in one.
    pub(super) fn of(subject: Option<PathBuf>) -> SubjectArgs {
        let (java, java_home, engine) = (None, None, Engine::default());
        let (rust, second) = (CrateArgs::default(), SecondArgs::default());
        let python = PythonArgs::default();
        SubjectArgs {
            subject,
            java,
            classpath: Vec::new(),
            maven: Vec::new(),
            java_home,
            rust,
            python,
            second,
            condition: None,
            engine,
        }
    }

    /// A Java method of an artifact.
    #[cfg(feature = "sweep")]
    pub(super) fn of_method(method: MethodName, artifact: Coordinates) -> SubjectArgs {
        SubjectArgs { java: Some(method), maven: vec![artifact], ..SubjectArgs::of(None) }
    }

    /// A function of a crate, with a second one.
    pub(super) fn of_crate(manifest: PathBuf, function: &str, second: SecondName) -> SubjectArgs {
        let rust = CrateArgs::of(manifest, function);
        SubjectArgs { rust, second: second.into(), ..SubjectArgs::of(None) }
    }

    /// A Java method, with a second one of the same classes.
    pub(super) fn of_methods(
        method: MethodName,
        (classpath, maven): (Vec<PathBuf>, Vec<Coordinates>),
        java_home: Option<PathBuf>,
        second: SecondName,
    ) -> SubjectArgs {
        let (java, second) = (Some(method), second.into());
        SubjectArgs { java, classpath, maven, java_home, second, ..SubjectArgs::of(None) }
    }

    /// Takes the path that is named for the name of a Rust function.
    pub(super) fn as_rust(&mut self) {
        let named = self.subject.take();
        self.rust.about(named.map(|path| path.display().to_string()));
    }

    /// The Rust function that is named, if one is.
    pub(super) fn rust_function(&self) -> Option<&str> {
        self.rust.function()
    }

    /// Where the crate of Rust functions is, and what type parameters stand for.
    pub(super) fn rust_place(&self) -> (rust::Place, rust::Arguments) {
        self.rust.place()
    }

    /// How Rust functions are run.
    pub(super) fn rust_runtime(&self, jobs: usize) -> rust::Runtime {
        self.rust.runtime(jobs)
    }

    /// Names the file that defines the subject.
    pub(super) fn about(&mut self, subject: PathBuf) {
        self.subject = Some(subject);
    }

    /// The JDK for Java methods.
    pub(super) fn jdk(&self) -> Result<Jdk, Failure> {
        Jdk::find(&doctor::search(self.java_home.clone())).or_input()
    }

    /// Reads the definition, builds the mutants and starts what runs them; the same for the second function, if one is named.
    pub(super) fn load(&self, jobs: usize) -> Result<LoadedSubject, Failure> {
        let (name, origin) = self.origin()?;
        let function = self.function(&origin, jobs)?;
        let flag = self.second.name()?;
        let (in_file, given) = match &origin {
            Origin::Wasm(definition) => (definition.second.clone(), definition.condition.as_ref()),
            Origin::Java(definition) => (definition.second.clone(), definition.condition.as_ref()),
            Origin::Python(definition) => (None, definition.condition.as_ref()),
            Origin::Rust => (None, None),
        };
        let accompanied = match flag.clone().or(in_file) {
            Some(second) => {
                let folder = self.subject.as_deref().and_then(Path::parent);
                let folder = folder.filter(|_| flag.is_none()).unwrap_or(Path::new(""));
                Some(self.accompanied(&function, &origin, &second, folder, jobs)?)
            }
            None => None,
        };
        let held = Held { function, accompanied };
        let signature = held.subject().signature().clone();
        let mut inside = Inside::new(held, signature);
        if let Some(given) = given {
            let condition = given.read(&name, inside.signature()).or_input()?;
            inside = inside.on(condition);
        }
        if let Some(text) = &self.condition {
            let given = GivenCondition::flag(text);
            let condition = given.read("--where", inside.signature()).or_input()?;
            inside = inside.only_on(condition);
        }
        Ok(LoadedSubject { inside, name })
    }

    /// The name of the function, and what it is made from.
    fn origin(&self) -> Result<(String, Origin), Failure> {
        if let Some(method) = &self.java {
            let (classpath, maven) = (self.classpath.clone(), self.maven.clone());
            let domains = self.rust.domains();
            let definition = JavaDefinition::of(method.clone(), classpath, maven, domains);
            return Ok((method.to_string(), Origin::Java(definition)));
        }
        if let Some(name) = self.rust.function() {
            return Ok((name.to_owned(), Origin::Rust));
        }
        if let Some(name) = self.python.function() {
            let definition = self.python.definition(name, &self.rust);
            return Ok((name.to_string(), Origin::Python(definition)));
        }
        let (name, definition) = match &self.subject {
            Some(path) => (path.display().to_string(), Definition::read(path)),
            None => ("demo".to_owned(), Ok(Definition::demo())),
        };
        let mut origin = Origin::of(definition.or_input()?);
        let domains = self.rust.domains();
        match &mut origin {
            Origin::Wasm(_) if !domains.is_empty() => {
                let error = "--domain is for --java, --rust and --python; the definition of a module has a table [domain]";
                return Err(Failure::Input(error.to_owned()));
            }
            Origin::Java(definition) => definition.narrow(domains),
            Origin::Python(definition) => definition.narrow(domains),
            Origin::Wasm(_) | Origin::Rust => {}
        }
        Ok((name, origin))
    }

    fn function(&self, origin: &Origin, jobs: usize) -> Result<Function, Failure> {
        Ok(match origin {
            Origin::Wasm(definition) => {
                let subject = WasmSubject::defined(definition, self.engine).or_input()?;
                Function::Wasm(Arc::new(subject))
            }
            Origin::Java(definition) => Function::Java(Arc::new(self.java(definition, jobs)?)),
            Origin::Rust => Function::Rust(Arc::new(self.rust.subject(jobs)?)),
            Origin::Python(definition) => {
                let runtime = python::runtime(self.python.home(), jobs)?;
                Function::Python(Arc::new(definition.subject(&runtime).or_input()?))
            }
        })
    }

    /// The function with its second one.
    fn accompanied(
        &self,
        function: &Function,
        origin: &Origin,
        second: &SecondName,
        folder: &Path,
        jobs: usize,
    ) -> Result<Accompanied, Failure> {
        let (role, name) = (second.role, &second.name);
        let problem = |message: &dyn std::fmt::Display| {
            Failure::Input(format!("the second function, `{name}`: {message}"))
        };
        let other = match (second.file(), origin) {
            (Some(file), _) => {
                let definition = Definition::read(folder.join(file)).or_input()?;
                self.function(&Origin::of(definition), jobs)?
            }
            (None, Origin::Wasm(definition)) => {
                let other = definition.other(name).map_err(|error| problem(&error))?;
                self.function(&Origin::Wasm(other), jobs)?
            }
            (None, Origin::Java(definition)) => {
                let method: MethodName = name.parse().map_err(|error| problem(&error))?;
                let spec = JavaSpec {
                    method,
                    classpath: definition.spec.classpath.clone(),
                    names: None,
                    changed: None,
                    domains: BTreeMap::new(),
                };
                let maven = definition.maven.clone();
                let (second, condition) = (None, None);
                let other = JavaDefinition { text: name.clone(), maven, spec, second, condition };
                self.function(&Origin::Java(other), jobs)?
            }
            (None, Origin::Rust) => Function::Rust(Arc::new(self.rust.other(name).subject(jobs)?)),
            (None, Origin::Python(definition)) => {
                let spec = &definition.spec;
                let name = spec.name.other(name).map_err(|error| problem(&error))?;
                let (paths, domains) = (spec.paths.clone(), BTreeMap::new());
                let other = PythonSpec { name, paths, with: Vec::new(), domains };
                self.function(&Origin::Python(PythonDefinition::of(other)), jobs)?
            }
        };
        let (first, second) = (function.shared(), other.shared());
        if role == Role::Inverse
            && first.identity().code == second.identity().code
            && first.signature().function == second.signature().function
            && first.signature().parameters == second.signature().parameters
        {
            return Err(problem(&"it is the function itself; `--then` relates f(f(x)) to f(x)"));
        }
        Accompanied::new(first, role, second).map_err(|error| problem(&error))
    }

    fn java(&self, definition: &JavaDefinition, jobs: usize) -> Result<JvmSubject, Failure> {
        let jdk = self.jdk()?;
        let cache = doctor::cache()?;
        let repositories = doctor::repositories(&cache);
        let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
        let mut runtime = Runtime::new(jdk, cache, jobs);
        runtime.isolation = isolation::get();
        JvmSubject::defined(definition, &repositories, &runtime).or_input()
    }
}

impl Origin {
    fn of(definition: Definition) -> Origin {
        match definition {
            Definition::Wasm(definition) => Origin::Wasm(definition),
            Definition::Java(definition) => Origin::Java(definition),
            Definition::Python(definition) => Origin::Python(python::located(definition)),
        }
    }
}

impl LoadedSubject {
    /// A Rust function that is ready.
    pub(super) fn of_rust(subject: RustSubject, name: String) -> LoadedSubject {
        let held = Held { function: Function::Rust(Arc::new(subject)), accompanied: None };
        let signature = held.subject().signature().clone();
        LoadedSubject { inside: Inside::new(held, signature), name }
    }

    pub(super) fn subject(&self) -> &dyn Subject {
        &self.inside
    }

    /// The Rust function, if it is one.
    pub(super) fn rust(&self) -> Option<&RustSubject> {
        match &self.inside.everywhere().function {
            Function::Wasm(_) | Function::Java(_) | Function::Python(_) => None,
            Function::Rust(subject) => Some(subject),
        }
    }

    /// The Java method, if it is one.
    pub(super) fn java(&self) -> Option<&JvmSubject> {
        match &self.inside.everywhere().function {
            Function::Wasm(_) | Function::Rust(_) | Function::Python(_) => None,
            Function::Java(subject) => Some(subject),
        }
    }

    /// The Python function, if it is one.
    pub(super) fn python(&self) -> Option<&PythonSubject> {
        match &self.inside.everywhere().function {
            Function::Wasm(_) | Function::Java(_) | Function::Rust(_) => None,
            Function::Python(subject) => Some(subject),
        }
    }

    /// Warnings about the way in which it was compiled, and about code without mutants.
    pub(super) fn remarks(&self) -> Vec<String> {
        match &self.inside.everywhere().function {
            Function::Wasm(subject) => {
                let warnings = subject.remarks().iter().filter(|remark| remark.is_warning());
                warnings.map(ToString::to_string).collect()
            }
            Function::Java(_) => Vec::new(),
            Function::Rust(subject) => super::cargo::remarks(subject),
            Function::Python(subject) => subject.remarks(),
        }
    }
}
