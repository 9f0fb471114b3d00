//! What flags are when nobody gives them: variables of the environment, then `genmorph.toml`.
//!
//! ```text
//!  the command line  >  GENMORPH_<FLAG>  >  genmorph.toml, [command]  >  genmorph.toml, top  >  the default
//! ```
//! Everything is derived from clap's own description of the command: every long flag of every command is a key and a variable,
//! and its values are read by the parser that the flag has. What is set is put into the arguments, right after the name of
//! the command; so a run cannot tell a setting from a flag, and records both alike. What conflicts with something that
//! is said nearer to the command line gives way to it.

mod file;

use std::env;
use std::ffi::{OsStr, OsString};

use clap::builder::BoolishValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use genmorph::support::spelling::nearest;

use super::Failure;

/// What all variables begin with.
const PREFIX: &str = "GENMORPH_";
/// Flags of clap, which cannot be set in the environment or in the file.
const OF_CLAP: [&str; 2] = ["help", "version"];
/// Flags that say which file is read: they can be set in the environment, but not in the file.
const OF_THE_FILE: [&str; 2] = ["config", "no-config"];

/// The arguments of a command, with the settings of variables and files added.
#[derive(Debug)]
pub(super) struct EffectiveArguments {
    pub(super) arguments: Vec<OsString>,
    /// Variables that mean nothing.
    pub(super) warnings: Vec<String>,
    /// Which settings were taken from where.
    pub(super) details: Vec<String>,
}

/// Something that is said of a flag, elsewhere than on the command line.
#[derive(Debug)]
struct Setting {
    long: String,
    said: SettingValue,
    /// Where, as messages begin.
    place: String,
    /// What to show below a message about it.
    shown: String,
}

/// The value of a setting.
#[derive(Debug)]
enum SettingValue {
    Switch(bool),
    Values(Vec<OsString>),
}

/// The same command, whose help names the variables.
pub(super) fn described(command: Command) -> Command {
    let named = |arg: Arg| match arg.get_long().filter(|long| !OF_CLAP.contains(long)) {
        Some(long) => {
            let variable = variable(long);
            arg.env(variable).hide_env_values(true)
        }
        None => arg,
    };
    command.mut_args(named).mut_subcommands(described)
}

/// The variable that stands for a flag.
fn variable(long: &str) -> String {
    format!("{PREFIX}{}", long.to_uppercase().replace('-', "_"))
}

/// Adds what is set to the arguments of a command.
///
/// # Errors
/// When there is no setting of that name, or its value is of the wrong form. Wrong arguments are reported by clap later.
pub(super) fn settle(
    command: &Command,
    given: Vec<OsString>,
) -> Result<EffectiveArguments, Failure> {
    let mut built = command.clone();
    built.build();
    let mut settled =
        EffectiveArguments { arguments: given, warnings: Vec::new(), details: Vec::new() };
    settled.warnings = meaningless(&built);
    // What is wrong is said when they are read in earnest.
    let tolerant = described(command.clone()).ignore_errors(true);
    let matches = match tolerant.try_get_matches_from(&settled.arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Ok(settled),
        // Help was asked for, or the version.
        Err(error) => error.exit(),
    };
    let (path, asked, matches) = leaf(&built, &matches);
    let Some(place) = end_of_names(&built, &path, &settled.arguments) else { return Ok(settled) };
    let given: Vec<&Arg> = asked.get_arguments().filter(|arg| is_given(arg, matches)).collect();
    let mut layers = vec![variables(asked)?];
    if let Some(file) = file::find(asked, matches)? {
        layers.extend(file.layers(&built, &path, asked)?);
    }
    let inserted = |taken: &[&AppliedSetting]| {
        let mut arguments = settled.arguments.clone();
        arguments.splice(place..place, taken.iter().flat_map(|taken| taken.tokens.clone()));
        arguments
    };
    let taken = nearest_first(asked, given, layers)?;
    let taken = fitting(&taken, |taken| missing(command, inserted(taken)));
    for AppliedSetting { tokens, place } in taken.iter().filter(|taken| !taken.tokens.is_empty()) {
        let words: Vec<_> = tokens.iter().map(|token| token.to_string_lossy()).collect();
        settled.details.push(format!("{place}: {}", words.join(" ")));
    }
    settled.arguments = inserted(&taken);
    Ok(settled)
}

/// Whether an argument is on the command line.
fn is_given(arg: &Arg, matches: &ArgMatches) -> bool {
    matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// A setting that no other overrules: its arguments, and where it is from.
#[derive(Debug)]
struct AppliedSetting {
    tokens: Vec<OsString>,
    place: String,
}

/// What counts of what is set: of each flag what is said nearest to the command line, and nothing that conflicts with something
/// nearer.
fn nearest_first<'c>(
    asked: &'c Command,
    given: Vec<&'c Arg>,
    layers: Vec<Vec<Setting>>,
) -> Result<Vec<AppliedSetting>, Failure> {
    let mut known: Vec<&Arg> = given.clone();
    let (mut nearer, mut taken) = (given, Vec::new());
    for layer in layers {
        let mut on = Vec::new();
        for Setting { long: name, said, place, shown } in layer {
            let Some(arg) = long(asked, &name) else { continue };
            let tokens = own_tokens(arg, &said)
                .map_err(|problem| Failure::Input(format!("{place}: {problem}{shown}")))?;
            if known.iter().any(|known| known.get_id() == arg.get_id())
                || nearer.iter().any(|near| conflict(asked, near, arg))
            {
                continue;
            }
            known.push(arg);
            // A flag that is off is in nobody's way.
            on.extend((!tokens.is_empty()).then_some(arg));
            taken.push(AppliedSetting { tokens, place });
        }
        nearer.extend(on);
    }
    Ok(taken)
}

/// The settings that clap accepts together with the given flags. A file is for many commands: `force` is no slip in it because one of
/// them wants `output` besides. `missing` says how many arguments are.
fn fitting(
    taken: &[AppliedSetting],
    missing: impl Fn(&[&AppliedSetting]) -> usize,
) -> Vec<&AppliedSetting> {
    let all: Vec<&AppliedSetting> = taken.iter().collect();
    if missing(&all) == 0 {
        return all;
    }
    let (mut fitting, mut left): (Vec<&AppliedSetting>, _) = (Vec::new(), all);
    loop {
        let before = left.len();
        left.retain(|setting| {
            let with = [&fitting[..], &[*setting]].concat();
            let fits = missing(&with) <= missing(&fitting);
            if fits {
                fitting = with;
            }
            !fits
        });
        // What came in may be what another one needs.
        if left.len() == before {
            return fitting;
        }
    }
}

/// How many required arguments are missing.
fn missing(command: &Command, arguments: Vec<OsString>) -> usize {
    match command.clone().try_get_matches_from(arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(missing)) => missing.len(),
                _ => 1,
            }
        }
        Ok(_) | Err(_) => 0,
    }
}

/// The innermost subcommand, the names that lead to it, and its arguments.
fn leaf<'c>(
    command: &'c Command,
    matches: &'c ArgMatches,
) -> (Vec<&'c str>, &'c Command, &'c ArgMatches) {
    let (mut names, mut command, mut matches) = (Vec::new(), command, matches);
    while let Some((name, inner)) = matches.subcommand()
        && let Some(found) = command.find_subcommand(name)
    {
        names.push(found.get_name());
        (command, matches) = (found, inner);
    }
    (names, command, matches)
}

/// The place in the arguments after the names of a command; `None` if the arguments do not have these names.
fn end_of_names(command: &Command, names: &[&str], arguments: &[OsString]) -> Option<usize> {
    let (mut command, mut names) = (command, names.iter());
    let mut name = names.next()?;
    let mut place = 1;
    while let Some(argument) = arguments.get(place) {
        place += 1;
        let found = command.find_subcommand(argument);
        if let Some(found) = found.filter(|found| found.get_name() == *name) {
            command = found;
            match names.next() {
                Some(next) => name = next,
                None => return Some(place),
            }
        } else if takes_the_next(command, argument) {
            place += 1;
        }
    }
    None
}

/// Whether an argument is a flag whose value is the next argument.
fn takes_the_next(command: &Command, argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    let arg = match (text.strip_prefix("--"), text.strip_prefix('-')) {
        (Some(name), _) => long(command, name),
        (None, Some(shorts)) => {
            let last = shorts.chars().last();
            command.get_arguments().find(|arg| arg.get_short() == last && last.is_some())
        }
        (None, None) => None,
    };
    arg.is_some_and(|arg| arg.get_action().takes_values())
}

/// The argument of a command that has this long flag.
fn long<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}

/// Whether two arguments cannot both be given, whichever of them says so.
fn conflict(command: &Command, one: &Arg, other: &Arg) -> bool {
    let says = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    says(one, other) || says(other, one)
}

/// All long flags of a command and of those within it.
fn longs(command: &Command) -> Vec<&str> {
    let own = command.get_arguments().filter_map(Arg::get_long);
    let mut all: Vec<&str> = own.filter(|long| !OF_CLAP.contains(long)).collect();
    all.extend(command.get_subcommands().flat_map(longs));
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a flag is there or not; it has no value.
fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse | ArgAction::Count)
}

/// What the variables of the environment say of the flags of a command.
fn variables(command: &Command) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    for arg in command.get_arguments() {
        let Some(long) = arg.get_long().filter(|long| !OF_CLAP.contains(long)) else { continue };
        let Some(said) = said_by_variable(arg, long)? else { continue };
        let place = variable(long);
        settings.push(Setting { long: long.to_owned(), said, place, shown: String::new() });
    }
    Ok(settings)
}

/// What the variable of a flag says; one without a value says nothing.
fn said_by_variable(arg: &Arg, long: &str) -> Result<Option<SettingValue>, Failure> {
    let name = variable(long);
    let Some(value) = env::var_os(&name).filter(|value| !value.is_empty()) else { return Ok(None) };
    if !is_switch(arg) {
        return Ok(Some(SettingValue::Values(vec![value])));
    }
    let switch = Arg::new("switch").required(true).value_parser(BoolishValueParser::new());
    let read = Command::new("genmorph").no_binary_name(true).arg(switch);
    match read.try_get_matches_from([&value]) {
        Ok(matches) => Ok(matches.get_one("switch").copied().map(SettingValue::Switch)),
        Err(_) => Err(Failure::Input(format!(
            "{name}: `{}` is neither true nor false; --{long} is a flag: write 1 or 0",
            value.to_string_lossy()
        ))),
    }
}

/// Lists the tools that the tests of genmorph may not do without; these run the command, which has no use for it.
const OF_TESTS: &str = "GENMORPH_REQUIRE";

/// Warnings about variables that look like ours and are those of no flag.
fn meaningless(command: &Command) -> Vec<String> {
    let known: Vec<String> = longs(command).into_iter().map(variable).collect();
    let mut all: Vec<String> = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with(PREFIX) && name != OF_TESTS && !known.contains(name))
        .collect();
    all.sort_unstable();
    let warning = |name: &String| {
        let meant = nearest(name, known.iter().map(String::as_str))
            .map_or_else(String::new, |known| format!("; did you mean {known}?"));
        format!("{name} is set, and means nothing{meant}")
    };
    all.iter().map(warning).collect()
}

/// The arguments that say the same on a command line, once the parser of the flag has read them.
fn own_tokens(arg: &Arg, said: &SettingValue) -> Result<Vec<OsString>, String> {
    let long = arg.get_long().expect("settings are of long flags");
    let tokens = match said {
        SettingValue::Switch(is_on) => {
            return Ok(is_on.then(|| format!("--{long}").into()).into_iter().collect());
        }
        SettingValue::Values(values) => values.iter().map(|value| {
            let mut token = OsString::from(format!("--{long}="));
            token.push(value);
            token
        }),
    };
    let tokens: Vec<OsString> = tokens.collect();
    let mut lone = Arg::new(arg.get_id().clone())
        .long(long.to_owned())
        .action(arg.get_action().clone())
        .value_parser(arg.get_value_parser().clone());
    if let Some(delimiter) = arg.get_value_delimiter() {
        lone = lone.value_delimiter(delimiter);
    }
    if let Some(names) = arg.get_value_names() {
        lone = lone.value_names(names.iter().cloned());
    }
    let read = Command::new("genmorph").no_binary_name(true).disable_help_flag(true).arg(lone);
    match read.try_get_matches_from(&tokens) {
        Ok(_) => Ok(tokens),
        Err(error) => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let text = text.split("\n\nFor more information").next().unwrap_or(text);
            Err(text.trim_end().to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command with commands in it, as deep as ours get.
    fn nested() -> Command {
        let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let seed = Arg::new("seed").long("seed").short('s');
        let run = Command::new("run").args([seed.clone(), switch("force")]).arg(Arg::new("unit"));
        let sweep = Command::new("sweep").arg(switch("dry")).subcommand(run);
        let mut command = Command::new("genmorph")
            .arg(Arg::new("config").long("config").short('c').global(true))
            .arg(switch("quiet").global(true))
            .subcommand(sweep)
            .subcommand(Command::new("score").arg(seed));
        command.build();
        command
    }

    fn place(line: &str) -> Option<usize> {
        let command = nested();
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let matches = command.clone().ignore_errors(true).try_get_matches_from(&words).unwrap();
        let (names, ..) = leaf(&command, &matches);
        end_of_names(&command, &names, &words)
    }

    #[test]
    fn settings_go_after_the_last_name_of_a_command() {
        assert_eq!(place("genmorph score"), Some(2));
        assert_eq!(place("genmorph --quiet score --seed 3"), Some(3));
        assert_eq!(place("genmorph --config score score"), Some(4));
        assert_eq!(place("genmorph -c score score"), Some(4));
        assert_eq!(place("genmorph --config=score score"), Some(3));
        assert_eq!(place("genmorph sweep --dry run run --force"), Some(4));
        assert_eq!(place("genmorph sweep --config run run score"), Some(5));
        assert_eq!(place("genmorph"), None);
        assert_eq!(place("genmorph --quiet nothing"), None);
    }

    #[test]
    fn the_flags_of_a_command_are_those_of_the_commands_in_it_too() {
        let command = nested();
        let sweep = command.find_subcommand("sweep").unwrap();
        assert_eq!(longs(sweep), ["config", "dry", "force", "quiet", "seed"]);
        assert_eq!(variable("max-size"), "GENMORPH_MAX_SIZE");
    }

    #[test]
    fn what_needs_another_flag_waits_for_it() {
        let java = Arg::new("java").long("java");
        let of_java = |name: &'static str| Arg::new(name).long(name).requires("java");
        let command = Command::new("genmorph").args([java, of_java("maven"), of_java("classpath")]);
        let taken = |name: &str| AppliedSetting {
            tokens: vec![format!("--{name}=x").into()],
            place: name.to_owned(),
        };
        let names = |taken: &[AppliedSetting]| -> Vec<String> {
            let arguments = |taken: &[&AppliedSetting]| {
                let own = taken.iter().flat_map(|taken| taken.tokens.clone());
                std::iter::once("genmorph".into()).chain(own).collect()
            };
            let fitting = fitting(taken, |taken| missing(&command, arguments(taken)));
            fitting.iter().map(|taken| taken.place.clone()).collect()
        };
        assert!(names(&[taken("classpath"), taken("maven")]).is_empty());
        let all = [taken("classpath"), taken("java"), taken("maven")];
        assert_eq!(names(&all), ["classpath", "java", "maven"]);
    }
}
