//! The subject of a command: a WebAssembly function, a Java method or a Rust function, from a file or from flags.

use std::path::{Path, PathBuf};

use genmorph::subject::jvm::{Coordinates, JavaDefinition, Jdk, JvmSubject, MethodName, Runtime};
use genmorph::subject::rust::RustSubject;
use genmorph::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use genmorph::subject::{Definition, Subject};
use genmorph::support::threads::Jobs;

use super::cargo::CrateArgs;
use super::{Failure, OrFailure, doctor, isolation};

/// The file and the flags that name a subject.
#[derive(Debug, clap::Args)]
pub(super) struct SubjectArgs {
    /// The subject: a TOML file that names a WebAssembly module or a Java method [default: a built-in pow]
    #[arg(conflicts_with_all = ["java", "rust"])]
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

    /// What runs WebAssembly: wasmi, or wasmtime where genmorph was built with it
    #[arg(long, default_value_t)]
    engine: Engine,
}

/// A subject that can be run.
pub(super) struct LoadedSubject {
    function: Function,
    /// Its name in the files of a run: the path of its definition, or what a flag says.
    pub(super) name: String,
}

enum Function {
    Wasm(Box<WasmSubject>),
    Java(Box<JvmSubject>),
    Rust(Box<RustSubject>),
}

impl SubjectArgs {
    /// Whether no subject is named, so that the built-in one is meant.
    pub(super) fn is_demo(&self) -> bool {
        self.subject.is_none() && self.java.is_none() && self.rust.function().is_none()
    }

    /// The path that is named, if one is; it may be a recording as well.
    pub(super) fn file(&self) -> Option<&Path> {
        self.subject.as_deref()
    }

    /// The subject that a file defines; without a file, the built-in one.
    pub(super) fn of(subject: Option<PathBuf>) -> SubjectArgs {
        let (java, java_home, engine) = (None, None, Engine::default());
        let rust = CrateArgs::default();
        SubjectArgs {
            subject,
            java,
            classpath: Vec::new(),
            maven: Vec::new(),
            java_home,
            rust,
            engine,
        }
    }

    /// A Java method of an artifact.
    #[cfg(feature = "sweep")]
    pub(super) fn of_method(method: MethodName, artifact: Coordinates) -> SubjectArgs {
        SubjectArgs { java: Some(method), maven: vec![artifact], ..SubjectArgs::of(None) }
    }

    /// Takes the path that is named for the name of a Rust function.
    pub(super) fn as_rust(&mut self) {
        let named = self.subject.take();
        self.rust.about(named.map(|path| path.display().to_string()));
    }

    /// Names the file that defines the subject.
    pub(super) fn about(&mut self, subject: PathBuf) {
        self.subject = Some(subject);
    }

    /// The JDK for Java methods.
    pub(super) fn jdk(&self) -> Result<Jdk, Failure> {
        Jdk::find(&doctor::search(self.java_home.clone())).or_input()
    }

    /// Reads the definition, builds the mutants and starts what runs them.
    pub(super) fn load(&self, jobs: usize) -> Result<LoadedSubject, Failure> {
        if let Some(method) = &self.java {
            let (classpath, maven) = (self.classpath.clone(), self.maven.clone());
            let domains = self.rust.domains();
            let definition = JavaDefinition::of(method.clone(), classpath, maven, domains);
            return self.java(method.to_string(), &definition, jobs);
        }
        if let Some(name) = self.rust.function() {
            let subject = self.rust.subject(jobs)?;
            let function = Function::Rust(Box::new(subject));
            return Ok(LoadedSubject { function, name: name.to_owned() });
        }
        let (name, definition) = match &self.subject {
            Some(path) => (path.display().to_string(), Definition::read(path)),
            None => ("demo".to_owned(), Ok(Definition::demo())),
        };
        let domains = self.rust.domains();
        match definition.or_input()? {
            Definition::Wasm(_) if !domains.is_empty() => {
                let error = "--domain is for --java and --rust; the definition of a module has a table [domain]";
                Err(Failure::Input(error.to_owned()))
            }
            Definition::Wasm(definition) => self.wasm(name, &definition),
            Definition::Java(mut definition) => {
                definition.narrow(domains);
                self.java(name, &definition, jobs)
            }
        }
    }

    fn wasm(&self, name: String, definition: &WasmDefinition) -> Result<LoadedSubject, Failure> {
        let subject = WasmSubject::defined(definition, self.engine).or_input()?;
        Ok(LoadedSubject { function: Function::Wasm(Box::new(subject)), name })
    }

    fn java(
        &self,
        name: String,
        definition: &JavaDefinition,
        jobs: usize,
    ) -> Result<LoadedSubject, Failure> {
        let jdk = self.jdk()?;
        let cache = doctor::cache()?;
        let repositories = doctor::repositories(&cache);
        let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
        let mut runtime = Runtime::new(jdk, cache, jobs);
        runtime.isolation = isolation::get();
        let subject = JvmSubject::defined(definition, &repositories, &runtime).or_input()?;
        Ok(LoadedSubject { function: Function::Java(Box::new(subject)), name })
    }
}

impl LoadedSubject {
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

    /// Warnings about the way in which it was compiled, and about code without mutants.
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
}
