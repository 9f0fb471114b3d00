//! `genmorph.toml`: where it is found, and its content.
//!
//! Keys are long flags: those at the top apply to every command that has them, those in `[command]` to one.
//! Paths are relative to its folder.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint};
use genmorph::support::pointer::Pointer;
use genmorph::support::spelling::nearest;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::super::Failure;
use super::super::whole::cannot;
use super::{
    OF_THE_FILE, Setting, SettingValue, is_given, is_switch, long, longs, said_by_variable,
};

const NAME: &str = "genmorph.toml";

/// A settings file, read but not yet understood.
pub(super) struct File {
    path: PathBuf,
    text: String,
}

/// The file that a command reads; `None` if there is none, or the user wants none.
pub(super) fn find(command: &Command, matches: &ArgMatches) -> Result<Option<File>, Failure> {
    let [named, unwanted] = OF_THE_FILE.map(|name| long(command, name));
    let said = |arg: Option<&Arg>, name: &str| match arg {
        Some(arg) => said_by_variable(arg, name),
        None => Ok(None),
    };
    let by_flag = |arg: Option<&Arg>| arg.is_some_and(|arg| is_given(arg, matches));
    let path = matches.try_get_one::<PathBuf>(OF_THE_FILE[0]).ok().flatten();
    let path = match (path.filter(|_| by_flag(named)).cloned(), by_flag(unwanted)) {
        (Some(path), _) => Some(path),
        (None, true) => return Ok(None),
        (None, false) => {
            if let Some(SettingValue::Switch(true)) = said(unwanted, OF_THE_FILE[1])? {
                return Ok(None);
            }
            match said(named, OF_THE_FILE[0])? {
                Some(SettingValue::Values(values)) => values.into_iter().next().map(PathBuf::from),
                Some(SettingValue::Switch(_)) | None => None,
            }
        }
    };
    let Some(path) = path.or_else(nearby) else { return Ok(None) };
    let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
    Ok(Some(File { path, text }))
}

/// The file in the current folder or above it, within the repository. Outside of a repository only the
/// current folder is searched.
fn nearby() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let depth = here.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    let mut files = here.ancestors().take(depth + 1).map(|folder| folder.join(NAME));
    files.find(|file| file.is_file()).map(|file| shortened(&file))
}

/// A key of the file, with its place.
type Key<'f> = Spanned<DeString<'f>>;

impl File {
    /// The settings for the flags of a command, those in its own section first. Checks the whole file, so
    /// that any command finds a typing error.
    pub(super) fn layers(
        &self,
        all: &Command,
        names: &[&str],
        asked: &Command,
    ) -> Result<[Vec<Setting>; 2], Failure> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            Failure::Input(self.message(error.span().unwrap_or(0..0), error.message()))
        })?;
        let (mut own, mut common) = (Vec::new(), Vec::new());
        for (key, value) in table.get_ref() {
            let DeValue::Table(section) = value.get_ref() else {
                self.known(key, &longs(all), "genmorph", all)?;
                common.extend(self.setting(key, value, asked)?);
                continue;
            };
            let Some(command) = all.find_subcommand(key.get_ref().as_ref()) else {
                return Err(self.unknown_command(key, all));
            };
            for (key, value) in section {
                self.known(key, &longs(command), command.get_name(), all)?;
                if names.first() == Some(&command.get_name()) {
                    own.extend(self.setting(key, value, asked)?);
                }
            }
        }
        Ok([own, common])
    }

    /// Refuses a key that is not a flag.
    fn known(
        &self,
        key: &Key<'_>,
        known: &[&str],
        command: &str,
        all: &Command,
    ) -> Result<(), Failure> {
        let name = key.get_ref().as_ref();
        if OF_THE_FILE.contains(&name) {
            let message = format!("`{name}` chooses the settings file, so it cannot be set in it");
            return Err(Failure::Input(self.message(key.span(), &message)));
        }
        if known.contains(&name) {
            return Ok(());
        }
        let others: Vec<&str> = all
            .get_subcommands()
            .filter(|other| longs(other).contains(&name))
            .map(Command::get_name)
            .collect();
        let hint = match (nearest(name, known.iter().copied()), others.is_empty()) {
            (_, false) => format!("; it is one of {}", others.join(", ")),
            (_, true) if all.find_subcommand(name).is_some() => {
                format!("; settings of a command are in a section, [{name}]")
            }
            (Some(near), true) => format!("; did you mean `{near}`?"),
            (None, true) => {
                format!("; keys are the long flags that `{}--help` shows", help(command))
            }
        };
        let message = format!("unknown key `{name}` for `{command}`{hint}");
        Err(Failure::Input(self.message(key.span(), &message)))
    }

    fn unknown_command(&self, key: &Key<'_>, all: &Command) -> Failure {
        let name = key.get_ref().as_ref();
        let message = match nearest(name, all.get_subcommands().map(Command::get_name)) {
            _ if longs(all).contains(&name) => {
                format!("`{name}` is a flag, and a section is for a command; write `{name} = …`")
            }
            Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
            None => format!("there is no command `{name}`"),
        };
        Failure::Input(self.message(key.span(), &message))
    }

    /// The setting of a flag by an entry; `None` if the command has no such flag.
    fn setting(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        command: &Command,
    ) -> Result<Option<Setting>, Failure> {
        let name = key.get_ref().as_ref();
        let Some(arg) = long(command, name) else { return Ok(None) };
        let wrong = |span: Range<usize>, message: &str| Failure::Input(self.message(span, message));
        let said = match value.get_ref() {
            DeValue::Boolean(is_on) if is_switch(arg) => SettingValue::Switch(*is_on),
            _ if is_switch(arg) => {
                let message = format!("`{name}` is a flag: it is true or false");
                return Err(wrong(value.span(), &message));
            }
            DeValue::Array(values) => {
                let texts = values.iter().map(|value| {
                    self.text(arg, value.get_ref()).ok_or_else(|| {
                        wrong(value.span(), &format!("`{name}` is a list of texts or numbers"))
                    })
                });
                SettingValue::Values(texts.collect::<Result<_, _>>()?)
            }
            single => match self.text(arg, single) {
                Some(text) => SettingValue::Values(vec![text]),
                None => {
                    let message = format!("`{name}` is a text or a number");
                    return Err(wrong(value.span(), &message));
                }
            },
        };
        let (line, column) = place(&self.text, value.span());
        Ok(Some(Setting {
            long: name.to_owned(),
            said,
            place: format!("{}, line {line}, column {column}", self.path.display()),
            shown: format!("\n\n{}", Pointer::at(&self.text, line, column)),
        }))
    }

    /// A value as it would be written on a command line.
    fn text(&self, arg: &Arg, value: &DeValue<'_>) -> Option<OsString> {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok()?.to_string()
            }
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => return None,
        };
        let is_path = match arg.get_value_hint() {
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => text != "-",
            _ => false,
        };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let Some(folder) = folder.filter(|_| is_path) else { return Some(text.into()) };
        let delimiter = arg.get_value_delimiter();
        let mut paths = OsString::new();
        for (number, path) in text.split(|c| Some(c) == delimiter).enumerate() {
            if let Some(delimiter) = delimiter.filter(|_| number > 0) {
                paths.push(delimiter.to_string());
            }
            // An absolute path stays as it is.
            paths.push(shortened(&folder.join(path)));
        }
        Some(paths)
    }

    fn message(&self, span: Range<usize>, message: &str) -> String {
        let (line, column) = place(&self.text, span);
        let pointer = Pointer::at(&self.text, line, column);
        let path = self.path.display();
        format!("{path}, line {line}, column {column}: {}\n\n{pointer}", message.trim_end())
    }
}

/// A path relative to the current folder, if it is in it.
fn shortened(path: &Path) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    path.strip_prefix(here).map_or_else(|_| path.to_owned(), Path::to_owned)
}

/// The line and column at which a span begins, counted from 1.
fn place(text: &str, span: Range<usize>) -> (usize, usize) {
    let before = text.get(..span.start).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The beginning of the command that shows the help of a command.
fn help(command: &str) -> String {
    if command == "genmorph" {
        "genmorph COMMAND ".to_owned()
    } else {
        format!("genmorph {command} ")
    }
}
