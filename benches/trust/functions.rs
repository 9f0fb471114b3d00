//! The functions: ten in WebAssembly from the tests, twenty Java methods that the paper does not have, ten functions of crates.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use genmorph::subject::jvm::{self, JavaDefinition, Jdk, JvmSubject, Repositories, Search};
use genmorph::subject::rust::{self, Confinement, Place, RustSpec, RustSubject};
use genmorph::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use genmorph::subject::{Isolation, Subject};
use genmorph::support::threads::Jobs;

/// Where a function comes from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// The path of its subject.toml below `tests/subjects`, without the extension.
    Wasm(&'static str),
    Java(JavaMethod),
    Rust(CrateFunction),
}

/// A static method of a library.
#[derive(Clone, Copy)]
pub struct JavaMethod {
    /// The library, and those that it needs.
    artifacts: &'static [&'static str],
    method: &'static str,
    parameters: &'static [&'static str],
    /// The lines of its table `domain`; none if any value makes sense.
    domain: &'static str,
}

/// A function of a crate of the registry.
#[derive(Clone, Copy)]
pub struct CrateFunction {
    name: &'static str,
    version: &'static str,
    function: &'static str,
}

const WASM: [&str; 10] = [
    "gcd/subject",
    "log10/subject",
    "mean/subject",
    "min/subject",
    "pad_start/subject",
    "sin/subject",
    "sort_range/subject",
    "truncate/subject",
    "wide/gcd",
    "wide/index_of",
];

const LANG: &str = "org.apache.commons:commons-lang3:3.12.0";
const GUAVA: &str = "com.google.guava:guava:30.1.1-jre";
const MATH: &str = "org.apache.commons:commons-math3:3.6.1";
const TEXT: &str = "org.apache.commons:commons-text:1.9";
const CODEC: &str = "commons-codec:commons-codec:1.15";
const JODA: &str = "joda-time:joda-time:2.10.10";
const JSOUP: &str = "org.jsoup:jsoup:1.14.3";

const JAVA: [JavaMethod; 20] = [
    java(&[LANG], "org.apache.commons.lang3.StringUtils#reverse(String)", &["str"], ""),
    java(
        &[LANG],
        "org.apache.commons.lang3.StringUtils#overlay(String,String,int,int)",
        &["str", "overlay", "start", "end"],
        "str = { max_len = 30 }\noverlay = { max_len = 10 }\nstart = { range = [-5, 40] }\nend = { range = [-5, 40] }\n",
    ),
    java(
        &[LANG],
        "org.apache.commons.lang3.StringUtils#rotate(String,int)",
        &["str", "shift"],
        "str = { max_len = 30 }\nshift = { range = [-100, 100] }\n",
    ),
    java(
        &[LANG],
        "org.apache.commons.lang3.StringUtils#getLevenshteinDistance(CharSequence,CharSequence)",
        &["s", "t"],
        "s = { max_len = 20 }\nt = { max_len = 20 }\n",
    ),
    java(
        &[LANG],
        "org.apache.commons.lang3.math.NumberUtils#max(int,int,int)",
        &["a", "b", "c"],
        "",
    ),
    java(&[GUAVA], "com.google.common.math.IntMath#mod(int,int)", &["x", "m"], ""),
    java(
        &[GUAVA],
        "com.google.common.math.IntMath#binomial(int,int)",
        &["n", "k"],
        "n = { range = [0, 60] }\nk = { range = [0, 60] }\n",
    ),
    java(
        &[GUAVA],
        "com.google.common.base.Strings#commonPrefix(CharSequence,CharSequence)",
        &["a", "b"],
        "",
    ),
    java(
        &[GUAVA],
        "com.google.common.primitives.Ints#max(int[])",
        &["array"],
        "array = { min_len = 1 }\n",
    ),
    java(
        &[GUAVA],
        "com.google.common.primitives.UnsignedInts#remainder(int,int)",
        &["dividend", "divisor"],
        "",
    ),
    java(&[MATH], "org.apache.commons.math3.util.FastMath#hypot(double,double)", &["x", "y"], ""),
    java(&[MATH], "org.apache.commons.math3.util.FastMath#cbrt(double)", &["x"], ""),
    java(
        &[MATH],
        "org.apache.commons.math3.util.MathArrays#distance1(int[],int[])",
        &["p1", "p2"],
        "p1 = { max_len = 20 }\np2 = { max_len = 20 }\n",
    ),
    java(&[MATH], "org.apache.commons.math3.util.ArithmeticUtils#lcm(int,int)", &["a", "b"], ""),
    java(&[TEXT, LANG], "org.apache.commons.text.WordUtils#capitalizeFully(String)", &["str"], ""),
    java(&[TEXT, LANG], "org.apache.commons.text.WordUtils#initials(String)", &["str"], ""),
    java(
        &[CODEC],
        "org.apache.commons.codec.digest.MurmurHash3#hash32(long,long)",
        &["data1", "data2"],
        "",
    ),
    java(&[CODEC], "org.apache.commons.codec.digest.MurmurHash2#hash32(String)", &["text"], ""),
    java(
        &[JODA],
        "org.joda.time.field.FieldUtils#getWrappedValue(int,int,int)",
        &["value", "minValue", "maxValue"],
        "",
    ),
    java(&[JSOUP], "org.jsoup.internal.StringUtil#normaliseWhitespace(String)", &["string"], ""),
];

const fn java(
    artifacts: &'static [&'static str],
    method: &'static str,
    parameters: &'static [&'static str],
    domain: &'static str,
) -> JavaMethod {
    JavaMethod { artifacts, method, parameters, domain }
}

const CRATES: [CrateFunction; 10] = [
    of_crate("strsim", "0.11.1", "levenshtein"),
    of_crate("strsim", "0.11.1", "osa_distance"),
    of_crate("strsim", "0.11.1", "damerau_levenshtein"),
    of_crate("strsim", "0.11.1", "jaro"),
    of_crate("strsim", "0.11.1", "sorensen_dice"),
    of_crate("crc32fast", "1.5.0", "hash"),
    of_crate("adler2", "2.0.1", "adler32_slice"),
    of_crate("bytecount", "0.6.9", "naive_count"),
    of_crate("bytecount", "0.6.9", "naive_num_chars"),
    of_crate("edit-distance", "2.1.3", "edit_distance"),
];

const fn of_crate(
    name: &'static str,
    version: &'static str,
    function: &'static str,
) -> CrateFunction {
    CrateFunction { name, version, function }
}

/// All functions, in an order that never changes.
pub fn all() -> Vec<Origin> {
    let wasm = WASM.into_iter().map(Origin::Wasm);
    wasm.chain(JAVA.into_iter().map(Origin::Java))
        .chain(CRATES.into_iter().map(Origin::Rust))
        .collect()
}

impl Origin {
    /// The name in results: language, library and function.
    pub fn name(self) -> String {
        match self {
            Origin::Wasm(path) => format!("wasm {path}"),
            Origin::Java(JavaMethod { artifacts, method, .. }) => {
                let library = artifacts[0].split(':').nth(1).unwrap_or(artifacts[0]);
                let method = method.split('(').next().unwrap_or(method);
                format!("java {library} {}", method.rsplit('.').next().unwrap_or(method))
            }
            Origin::Rust(CrateFunction { name, function, .. }) => format!("rust {name} {function}"),
        }
    }

    /// Makes the function ready; the reason if that is not possible here.
    pub fn load(self) -> Result<Box<dyn Subject>, String> {
        match self {
            Origin::Wasm(path) => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects");
                let definition = WasmDefinition::read(folder.join(format!("{path}.toml")));
                let definition = definition.map_err(|error| error.to_string())?;
                let subject = WasmSubject::defined(&definition, Engine::default());
                Ok(Box::new(subject.map_err(|error| error.to_string())?))
            }
            Origin::Java(method) => method.load(),
            Origin::Rust(function) => function.load(),
        }
    }
}

/// The folder for definitions, jars and crates.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/trust");
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

impl JavaMethod {
    fn load(self) -> Result<Box<dyn Subject>, String> {
        let JavaMethod { artifacts, method, parameters, domain } = self;
        let text = format!(
            "java = \"{method}\"\nmaven = {artifacts:?}\nparameters = {parameters:?}\n\n[domain]\n{domain}"
        );
        let file = folder().join("subject.toml");
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let path = env::var_os("PATH").unwrap_or_default();
        let search = Search {
            java_home: env::var_os("JAVA_HOME").map(PathBuf::from),
            path: env::split_paths(&path).collect(),
            ..Search::default()
        };
        let jdk = Jdk::find(&search).map_err(|error| error.to_string())?;
        let mvn = env::split_paths(&path).map(|folder| folder.join("mvn")).find(|p| p.is_file());
        let home = env::var_os("HOME").map(PathBuf::from);
        let repositories = Repositories::usual(home.as_deref(), mvn, folder().join("jars"));
        let definition = JavaDefinition::read(&file).map_err(|error| error.to_string())?;
        let spec = definition.resolve(&repositories).map_err(|error| error.to_string())?;
        let runtime = jvm::Runtime::new(jdk, folder().join("harness"), Jobs::cores());
        Ok(Box::new(JvmSubject::new(&spec, &runtime).map_err(|error| error.to_string())?))
    }
}

impl CrateFunction {
    fn load(self) -> Result<Box<dyn Subject>, String> {
        let spec = RustSpec {
            place: Place { manifest: Some(self.copy()?), ..Place::default() },
            function: self.function.to_owned(),
            ..RustSpec::default()
        };
        let runtime = rust::Runtime {
            jobs: Jobs::cores(),
            flags: String::new(),
            confinement: Confinement::Process,
            isolation: Isolation::default(),
        };
        Ok(Box::new(RustSubject::new(&spec, &runtime).map_err(|error| error.to_string())?))
    }

    /// The manifest of a copy of the crate, which Cargo takes from the registry.
    fn copy(self) -> Result<PathBuf, String> {
        let CrateFunction { name, version, .. } = self;
        let manifest = folder().join("vendor").join(name).join("Cargo.toml");
        if manifest.is_file() {
            return Ok(manifest);
        }
        // A package that depends on all crates, so that they are fetched at once.
        let package = folder().join("crates");
        let mut crates: Vec<(&str, &str)> = CRATES.iter().map(|c| (c.name, c.version)).collect();
        crates.dedup();
        let dependencies: String =
            crates.iter().map(|(name, version)| format!("{name} = \"={version}\"\n")).collect();
        let text = format!(
            "[package]\nname = \"crates\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
        );
        fs::create_dir_all(package.join("src")).map_err(|error| error.to_string())?;
        fs::write(package.join("src/lib.rs"), "").map_err(|error| error.to_string())?;
        fs::write(package.join("Cargo.toml"), text).map_err(|error| error.to_string())?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["vendor", "--quiet"]).arg(folder().join("vendor")).current_dir(&package);
        let output = cargo.output().map_err(|error| error.to_string())?;
        if !manifest.is_file() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{name} {version} cannot be fetched: {said}"));
        }
        // Without this, Cargo would look for a workspace above it.
        for (name, _) in crates {
            let manifest = folder().join("vendor").join(name).join("Cargo.toml");
            let text = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
            if !text.contains("\n[workspace]") {
                fs::write(&manifest, format!("{text}\n[workspace]\n"))
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(manifest)
    }
}
