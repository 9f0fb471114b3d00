//! A static Java method as a subject.
//!
//! Knows what to run; how is known in `run.rs`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::class::{ClassError, ClassFile};
use super::classes::Library;
use super::classpath::ClassPath;
use super::definition::JavaDefinition;
use super::error::JvmError;
use super::harness;
use super::identity::PitMutant;
use super::jdk::Jdk;
use super::maven::{Coordinates, Repositories};
use super::method::{Method, MethodName};
use super::protocol::Stop;
use super::run::{Job, Keep, LoadFailure, MOST_FUEL};
use super::types::{Form, JavaType};
use super::worker::Launch;
use super::{constants, mutate, probe, texts};
use crate::subject::fuel::FuelRule;
use crate::subject::worker::{self, Death, Pool, Record};
use crate::subject::{
    Branch, Constant, Deadline, Domain, Group, Identity, Inputs, Isolation, MachineFailure, Mutant,
    Outcomes, Parameter, Scalar, Signature, Steadiness, Subject, Traces, Version,
};

/// How workers know the original.
const ORIGINAL: Keep = Keep::As(0);

/// With how many rows null is tried, for each parameter that can be null.
const NULLS: usize = 8;

/// Which method, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct JavaSpec {
    /// The name of the method.
    pub method: MethodName,
    /// Jars and folders with its class and all that it needs.
    pub classpath: Vec<PathBuf>,
    /// Other names for its parameters.
    pub names: Option<Vec<String>>,
    /// The arrays and lists that it changes, by name; if nothing is said, all of a method that returns nothing.
    pub changed: Option<Vec<String>>,
    /// The domains of its parameters, by name.
    pub domains: BTreeMap<String, Domain>,
}

/// Where and how Java methods are run.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// The JDK that runs them.
    pub jdk: Jdk,
    /// A folder that is kept between runs.
    pub cache: PathBuf,
    /// How many workers are kept.
    pub jobs: usize,
    /// How long a call may get nowhere, in code that takes no fuel.
    pub patience: Duration,
    /// What workers are kept from.
    pub isolation: Isolation,
}

impl Runtime {
    /// With the usual patience and isolation.
    pub fn new(jdk: Jdk, cache: PathBuf, jobs: usize) -> Runtime {
        let (patience, isolation) = (Duration::from_secs(2), Isolation::default());
        Runtime { jdk, cache, jobs, patience, isolation }
    }
}

/// A static method with its mutants, in workers that are started when they are needed.
pub struct JvmSubject {
    method: Method,
    identity: Identity,
    classpath: Vec<PathBuf>,
    /// What it may need and is not on this machine.
    absent: Vec<Coordinates>,
    signature: Signature,
    library: Library,
    pool: Pool<Launch>,
    mutants: Vec<Mutant>,
    codes: Vec<mutate::MutantCode>,
    constants: Vec<Constant>,
    texts: Vec<String>,
    branches: Vec<Branch>,
    /// The class with hooks at its branches.
    probed: Vec<u8>,
}

impl JvmSubject {
    /// Finds the method, starts a worker, and loads the class.
    ///
    /// # Errors
    /// When the method is not there or cannot be a subject, or the machine cannot run it.
    pub fn new(spec: &JavaSpec, runtime: &Runtime) -> Result<JvmSubject, JvmError> {
        JvmSubject::needing(spec, Vec::new(), runtime)
    }

    /// The same, knowing which artifacts it may need that are not on this machine.
    fn needing(
        spec: &JavaSpec,
        absent: Vec<Coordinates>,
        runtime: &Runtime,
    ) -> Result<JvmSubject, JvmError> {
        let path = ClassPath::open(&spec.classpath)?;
        let identity = spec.identity(&spec.text())?;
        let mut method = Method::find(&spec.method, &path)?;
        rename(&mut method, spec.names.as_deref())?;
        let library = Library::new(path);
        let bytes = library.original(&method.class)?.unwrap_or_default();
        let damaged = |error: ClassError| JvmError::Class {
            class: method.class.replace('/', "."),
            message: error.to_string(),
        };
        let class = ClassFile::parse(&bytes).map_err(damaged)?;
        let (name, descriptor) = (method.name.as_str(), method.descriptor.as_str());
        let mutants = mutate::mutants(&class, name, descriptor).map_err(damaged)?;
        let (mutants, codes) = mutants.into_iter().unzip();
        let constants = constants::of(&class, name, descriptor).map_err(damaged)?;
        let texts = constants::strings(&class, name, descriptor).map_err(damaged)?;
        let texts = texts::numbered(&texts);
        let signature = signature(&method, spec, texts.len())?;
        let is_it = |n: &str, d: &str| (n, d) == (name, descriptor);
        let (probed, branches) = probe::class(&class, 0, is_it).map_err(damaged)?;
        let probed = probed.to_bytes();
        let launch = Launch {
            jdk: runtime.jdk.clone(),
            harness: harness::install(&runtime.jdk, &runtime.cache)?,
            patience: runtime.patience,
            longest: Duration::from_secs(60),
            isolation: runtime.isolation,
        };
        let pool = Pool::new(launch, runtime.jobs);
        let subject = JvmSubject {
            method,
            identity,
            classpath: spec.classpath.clone(),
            absent,
            signature,
            library,
            pool,
            mutants,
            codes,
            constants,
            texts,
            branches,
            probed,
        };
        match subject.job(&[], ORIGINAL, 0).load()? {
            Ok(()) => Ok(subject),
            Err(load_failure) => Err(subject.load_failure(load_failure)),
        }
    }

    /// Takes the method that a file or flags define.
    ///
    /// # Errors
    /// When a jar is nowhere, and when [`JvmSubject::new`] fails.
    pub fn defined(
        definition: &JavaDefinition,
        repositories: &Repositories,
        runtime: &Runtime,
    ) -> Result<JvmSubject, JvmError> {
        let (spec, absent) = definition.resolve_all(repositories)?;
        let subject = JvmSubject::needing(&spec, absent, runtime)?;
        Ok(JvmSubject { identity: spec.identity(&definition.text)?, ..subject })
    }

    /// The static methods of a class that can be subjects, with what they take and give.
    ///
    /// # Errors
    /// When there is no such class.
    pub fn methods(
        class: &str,
        path: &ClassPath,
    ) -> Result<Vec<(MethodName, Signature)>, JvmError> {
        let methods = Method::all(class, path)?.into_iter();
        let of = |(name, method): (MethodName, Method)| {
            let domains = BTreeMap::new();
            let classpath = Vec::new();
            let spec =
                JavaSpec { method: name.clone(), classpath, names: None, changed: None, domains };
            Some((name, signature(&method, &spec, 0).ok()?))
        };
        Ok(methods.filter_map(of).collect())
    }

    /// The method, as it was found in its class.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The jars and folders with its class and all that it needs.
    pub fn classpath(&self) -> &[PathBuf] {
        &self.classpath
    }

    /// The texts that elements of arrays and lists are the numbers of, in order.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The mutants that the JVM refuses to load because their code is not well-formed.
    pub fn rejected(&self) -> Vec<usize> {
        let refused = |number: &usize| {
            let code = self.code(*number);
            let own = [(self.method.class.as_str(), code.as_slice())];
            let loaded = self.job(&own, Keep::Fresh, 0).load();
            matches!(loaded, Ok(Err(LoadFailure::Throws(failure)))
                if ["VerifyError", "ClassFormatError"].iter().any(|e| failure.class.ends_with(e)))
        };
        (0..self.codes.len()).filter(refused).collect()
    }

    /// How PIT names a mutant of group B, by its number; none if it is of group A.
    pub fn pit_mutant(&self, number: usize) -> Option<PitMutant> {
        let mutant = &self.mutants[number];
        (mutant.group == Group::B).then(|| PitMutant {
            class: self.method.class.replace('/', "."),
            method: self.method.name.clone(),
            descriptor: self.method.descriptor.clone(),
            operator: mutant.operator,
            line: mutant.line.as_ref().map_or(0, |line| line.line),
            index: self.codes[number].pit_index(),
        })
    }

    /// The class of a mutant. One that cannot be written is empty: the JVM refuses it.
    fn code(&self, number: usize) -> Vec<u8> {
        self.codes[number].class_bytes().unwrap_or_default()
    }

    fn job<'j>(&'j self, own: &'j [(&'j str, &'j [u8])], keep: Keep, sides: usize) -> Job<'j> {
        Job {
            pool: &self.pool,
            library: &self.library,
            method: &self.method,
            signature: &self.signature,
            own,
            keep,
            texts: &self.texts,
            sides,
            nulls: &[],
            fuel: &|_| MOST_FUEL,
            deadline: Deadline::never(),
            is_original: own.is_empty(),
        }
    }

    /// Runs the original until a deadline.
    fn original(
        &self,
        keep: Keep,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let fuel = |_| original_fuel(deadline);
        let job = Job { fuel: &fuel, deadline, ..self.job(&[], keep, 0) };
        let ran = worker::run(&job, inputs)?.outcomes;
        self.check_missing()?;
        Ok(ran)
    }

    /// Fails if a call of the original ended because a class is not there.
    fn check_missing(&self) -> Result<(), MachineFailure> {
        self.library.missing().map_or(Ok(()), |class| Err(self.without(class)))
    }

    /// The failure of a machine that has a class nowhere.
    fn without(&self, class: String) -> MachineFailure {
        let advice = match &self.absent[..] {
            [] => {
                "add its jar (--maven or --classpath, or `maven` and `classpath` in subject.toml)"
                    .to_owned()
            }
            absent => {
                let names: Vec<String> = absent.iter().map(ToString::to_string).collect();
                format!(
                    "it may be in what was not found on this machine: {}; \
                     fetch it with `mvn dependency:get -Dartifact={}`, or name another jar (--classpath)",
                    names.join(", "),
                    names[0]
                )
            }
        };
        MachineFailure::MissingClass { function: self.method.to_string(), class, advice }
    }

    /// Runs the original with hooks at its branches, from the beginning: what it keeps in static fields it has to make
    /// anew, so that what shows of that depends on nothing but these rows.
    fn probe(
        &self,
        inputs: &Inputs,
        nulls: &[Vec<usize>],
        deadline: &Deadline,
    ) -> Result<Traces, MachineFailure> {
        let own = [(self.method.class.as_str(), self.probed.as_slice())];
        let sides = 2 * self.branches.len();
        let fuel = |_| original_fuel(deadline);
        let job = self.job(&own, Keep::Fresh, sides);
        let job = Job { nulls, fuel: &fuel, deadline, is_original: true, ..job };
        let Record { outcomes, hits, distances } = worker::run(&job, inputs)?;
        self.check_missing()?;
        Ok(Traces { outcomes, sides, hits, distances })
    }

    fn load_failure(&self, load_failure: LoadFailure) -> JvmError {
        let class = self.method.class.replace('/', ".");
        let what = match load_failure {
            LoadFailure::Throws(failure) => match failure.stop {
                Some(Stop::Fuel) => "does not end",
                Some(Stop::Exit) => "ends the process",
                Some(Stop::Memory) => "asks for too much memory",
                None => {
                    let message = &failure.message;
                    if failure.class.ends_with(".NoClassDefFoundError") && !message.contains(' ') {
                        return JvmError::Missing(self.without(message.replace('/', ".")));
                    }
                    let exception = match failure.cause.is_empty() {
                        true => failure.class,
                        false => format!("{} because of {}", failure.class, failure.cause),
                    };
                    return JvmError::Load { class, exception, message: failure.message };
                }
            },
            LoadFailure::Dies(Death::Hung(_) | Death::Late) => "does not end",
            LoadFailure::Dies(Death::Exited) => "ends the process",
            LoadFailure::Dies(Death::Crashed | Death::Killed | Death::Memory | Death::Stack) => {
                "brings down the JVM"
            }
        };
        JvmError::Initialiser { class, what }
    }
}

/// Without the classes, which are long.
impl fmt::Debug for JvmSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JvmSubject").field("method", &self.method).finish_non_exhaustive()
    }
}

impl Subject for JvmSubject {
    keeps! { mutants: mutants, constants: constants, branches: branches }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let (number, original) = match version {
            Version::Original => return self.original(ORIGINAL, inputs, deadline),
            Version::Mutant { number, original } => (number, original),
        };
        let code = self.code(number);
        let own = [(self.method.class.as_str(), code.as_slice())];
        let fuel = |row: usize| {
            let limit = FuelRule::WITH_INITIALISERS.within(original.fuel()[row], deadline);
            u32::try_from(limit).unwrap_or(MOST_FUEL).min(MOST_FUEL)
        };
        let job = Job { fuel: &fuel, deadline, ..self.job(&own, Keep::Fresh, 0) };
        Ok(worker::run(&job, inputs)?.outcomes)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.probe(inputs, &[], deadline)
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        Steadiness::of(&self.signature, inputs, |inputs| {
            self.original(Keep::Fresh, inputs, deadline)
        })
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        let nullable: Vec<usize> = (0..self.method.parameters.len())
            .filter(|&i| self.method.parameters[i].form != Form::Single)
            .collect();
        if nullable.is_empty() || inputs.is_empty() {
            return Ok(None);
        }
        let (mut rows, mut nulls) = (Inputs::new(&self.signature), Vec::new());
        let each = nullable.iter().map(|&i| vec![i]);
        for absent in each.chain([nullable.clone()]) {
            for turn in 0..NULLS {
                let row = turn * inputs.len() / NULLS;
                rows.push(&inputs.row(row).collect::<Vec<_>>());
                nulls.push(absent.clone());
            }
        }
        self.probe(&rows, &nulls, deadline).map(Some)
    }
}

/// What a call of the original may spend.
fn original_fuel(deadline: &Deadline) -> u32 {
    u32::try_from(deadline.fuel(u64::from(MOST_FUEL))).unwrap_or(MOST_FUEL)
}

fn rename(method: &mut Method, names: Option<&[String]>) -> Result<(), JvmError> {
    let Some(names) = names else { return Ok(()) };
    let wrong = |message| Err(JvmError::Parameter { method: method.to_string(), message });
    if names.len() != method.names.len() {
        let (have, said) = (method.names.len(), names.len());
        return wrong(format!("it has {have} parameters, but {said} names are given"));
    }
    for (i, name) in names.iter().enumerate() {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !plain || name == "out" || names[..i].contains(name) {
            return wrong(format!(
                "`{name}` cannot be the name of a parameter: letters, digits and _, each once, and not `out`"
            ));
        }
    }
    method.names = names.to_vec();
    Ok(())
}

/// What the method is to everybody else.
fn signature(method: &Method, spec: &JavaSpec, texts: usize) -> Result<Signature, JvmError> {
    let wrong = |message| JvmError::Parameter { method: method.to_string(), message };
    let place = |name: &String| {
        method.names.iter().position(|known| known == name).ok_or_else(|| {
            wrong(format!("there is no parameter `{name}`; there are {}", method.names.join(", ")))
        })
    };
    let mut parameters: Vec<Parameter> = method
        .parameters
        .iter()
        .zip(&method.names)
        .map(|(ty, name)| Parameter { name: name.clone(), ty: ty.ty(), domain: ty.domain(texts) })
        .collect();
    for (name, domain) in &spec.domains {
        let index = place(name)?;
        check(name, method.parameters[index], domain).map_err(wrong)?;
        let parameter = &mut parameters[index];
        let range = domain.range.or(parameter.domain.range);
        parameter.domain = Domain { range, ..domain.clone() };
    }
    let mut changed = Vec::new();
    match &spec.changed {
        Some(names) => {
            for name in names {
                let index = place(name)?;
                if !method.parameters[index].is_mutable() {
                    let ty = method.parameters[index];
                    return Err(wrong(format!(
                        "`{name}` is {ty}: only arrays and lists can be changed"
                    )));
                }
                changed.push(index);
            }
            changed.sort_unstable();
            changed.dedup();
        }
        None if method.result.is_none() => {
            changed.extend((0..parameters.len()).filter(|i| method.parameters[*i].is_mutable()));
        }
        None => {}
    }
    if method.result.is_none() && changed.is_empty() {
        return Err(JvmError::NoOutputs(method.to_string()));
    }
    let result = method.result.map(|ty| ty.ty());
    Ok(Signature {
        function: method.name.clone(),
        parameters,
        result,
        changed,
        ..Signature::default()
    })
}

/// Whether a domain makes sense for a type.
fn check(name: &str, ty: JavaType, domain: &Domain) -> Result<(), String> {
    let Domain { range, also, max_len, min_len, alphabet } = domain;
    let scalar = ty.ty().scalar();
    if let Some(foreign) = also.iter().find(|number| !scalar.admits(**number)) {
        return Err(format!("`{name}` is {ty}, which cannot be {foreign}"));
    }
    if (max_len.is_some() || min_len.is_some()) && ty.form == Form::Single {
        return Err(format!("`{name}` is {ty}: only texts, arrays and lists have lengths"));
    }
    if let (Some(least), Some(most)) = (min_len, max_len)
        && least > most
    {
        return Err(format!("`{name}` has no length: min_len {least} is more than max_len {most}"));
    }
    if let Some(alphabet) = alphabet {
        if scalar != Scalar::Char {
            return Err(format!("`{name}` is {ty}: only texts and characters have an alphabet"));
        }
        if alphabet.is_empty() {
            return Err(format!("the alphabet of `{name}` is empty"));
        }
        if let (true, Some(c)) = (ty.form != Form::Text, alphabet.iter().find(|c| **c > '\u{ffff}'))
        {
            return Err(format!(
                "`{name}` is {ty}, which cannot be `{c}`: Java's char ends at U+FFFF"
            ));
        }
    }
    if let Some((least, most)) = *range {
        if matches!(scalar, Scalar::Bool | Scalar::Char) {
            return Err(format!("`{name}` is {ty}, which has no range"));
        }
        if least.is_nan() || most.is_nan() || least > most {
            return Err(format!("the range of `{name}` is empty: from {least} to {most}"));
        }
        let (first, last) = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let whole = scalar.integers().is_none() || least.fract() == 0.0 && most.fract() == 0.0;
        if !whole || least < first || most > last {
            return Err(format!(
                "the range of `{name}` is not one of {ty}: integers from {first} to {last}"
            ));
        }
    }
    Ok(())
}
