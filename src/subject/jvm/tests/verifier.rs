//! A JVM that takes classes, links them, and says which ones its verifier refuses.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

use super::libraries::{cache, run};

const VERIFY: &str = include_str!("Verify.java");
const RUNTIME: &str = include_str!("Rt.java");
const BEHAVIOUR: &str = include_str!("Behaviour.java");

/// A running JVM that loads classes and reports what it refuses.
pub(super) struct Verifier {
    jvm: Child,
    input: ChildStdin,
}

impl Verifier {
    pub(super) fn start() -> Verifier {
        let classes = compiled();
        let mut jvm = Command::new("java")
            .args(["-Xverify:all", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g"])
            .args(["-Xlog:disable", "-XX:-UsePerfData", "-cp"])
            .arg(classes)
            .arg("Verify")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a JDK");
        let input = jvm.stdin.take().expect("it is piped");
        Verifier { jvm, input }
    }

    /// A class that others refer to, and that is itself linked at the end if asked for.
    pub(super) fn define(&mut self, name: &str, bytes: &[u8]) {
        self.send(0, name, bytes);
    }

    /// A class that is linked in a loader of its own, with those defined so far around it.
    pub(super) fn link(&mut self, name: &str, bytes: &[u8]) {
        self.send(1, name, bytes);
    }

    /// Links all defined classes, in one loader.
    pub(super) fn link_all(&mut self) {
        self.send(2, "", &[]);
    }

    /// Forgets all defined classes.
    pub(super) fn forget(&mut self) {
        self.send(3, "", &[]);
    }

    /// Calls a static method without arguments of a defined class: `Class.method`. What it returns is a line, and
    /// what the runtime counted another.
    pub(super) fn call(&mut self, name: &str) {
        self.send(4, name, &[]);
    }

    /// How many classes were linked, and what was refused, a line each.
    pub(super) fn finish(self) -> (usize, Vec<String>) {
        let Verifier { mut jvm, mut input } = self;
        input.write_all(&[9]).unwrap();
        drop(input);
        let mut text = String::new();
        jvm.stdout.take().expect("it is piped").read_to_string(&mut text).unwrap();
        assert!(jvm.wait().unwrap().success(), "{text}");
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let count = lines.pop().expect("the last line is the count");
        (count.parse().unwrap(), lines)
    }

    fn send(&mut self, what: u8, name: &str, bytes: &[u8]) {
        let mut message = vec![what];
        message.extend((name.len() as u16).to_be_bytes());
        message.extend(name.as_bytes());
        message.extend((bytes.len() as u32).to_be_bytes());
        message.extend(bytes);
        self.input.write_all(&message).expect("the JVM lives");
    }
}

/// The class `Behaviour`, which is there to be rewritten.
pub(super) fn behaviour() -> Vec<u8> {
    fs::read(compiled().join("Behaviour.class")).unwrap()
}

/// The folder with the compiled programs.
fn compiled() -> PathBuf {
    static COMPILING: Mutex<()> = Mutex::new(());
    let guard = COMPILING.lock();
    let folder = cache().join("verify");
    let sources = [("Verify", VERIFY), ("gm/Rt", RUNTIME), ("Behaviour", BEHAVIOUR)];
    let path = |name: &str| folder.join(format!("{name}.java"));
    let is_old = |(name, text): &(&str, &str)| {
        fs::read_to_string(path(name)).map_or(true, |known| known != *text)
    };
    if sources.iter().any(is_old) {
        fs::create_dir_all(folder.join("gm")).unwrap();
        run(Command::new("javac").args(["-proc:none", "-d"]).arg(&folder).args(sources.map(
            |(name, text)| {
                fs::write(path(name), text).unwrap();
                path(name)
            },
        )));
    }
    drop(guard);
    folder
}
