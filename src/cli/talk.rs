//! Messages on standard error: errors, warnings, what was done, and details on request. Everything that is
//! not a result goes through here, so that `--quiet`, `--verbose` and `--color` are handled in one place.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use indicatif::ProgressDrawTarget;

/// How many messages are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Loudness {
    /// Only errors are printed.
    Quiet,
    Usual,
    /// Also details, such as where settings come from.
    Verbose,
}

/// Whether words are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// If it goes to a terminal, and NO_COLOR and CLICOLOR do not forbid it
    #[default]
    Auto,
    Always,
    Never,
}

/// The loudness of this process, as a number: set once, when the flags are known.
static LOUDNESS: AtomicU8 = AtomicU8::new(Loudness::Usual as u8);

/// Sets which messages are printed from now on.
pub(super) fn set_loudness(loudness: Loudness) {
    LOUDNESS.store(loudness as u8, Ordering::Relaxed);
}

/// Sets whether words are coloured from now on, also by clap.
pub(super) fn set_colour(colour: Colour) {
    match colour {
        Colour::Auto => ColorChoice::Auto,
        Colour::Always => ColorChoice::Always,
        Colour::Never => ColorChoice::Never,
    }
    .write_global();
}

fn is_heard(least: Loudness) -> bool {
    LOUDNESS.load(Ordering::Relaxed) >= least as u8
}

/// Prints why a command failed, even if it is to be quiet.
pub(super) fn error(error: &impl fmt::Display) {
    let style = AnsiColor::Red.on_default().bold();
    eprintln!("{} {error}", painted("error:", style, &io::stderr()));
}

/// Prints something that is not a failure but that the user should know.
pub(super) fn warn(warning: &impl fmt::Display) {
    if is_heard(Loudness::Usual) {
        let style = AnsiColor::Yellow.on_default().bold();
        eprintln!("{} {warning}", painted("warning:", style, &io::stderr()));
    }
}

/// Prints what was done, unless it is to be quiet.
pub(super) fn say(text: &impl fmt::Display) {
    if is_heard(Loudness::Usual) {
        eprintln!("{text}");
    }
}

/// Prints details if `--verbose` asks for them.
pub(super) fn detail(text: &impl fmt::Display) {
    if is_heard(Loudness::Verbose) {
        eprintln!("{text}");
    }
}

/// Where progress is drawn: on a terminal, unless it is to be quiet.
pub(super) fn progress() -> ProgressDrawTarget {
    if is_heard(Loudness::Usual) {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// The judgement that a coloured word expresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Bad,
    Doubtful,
}

/// Colours a word of a result, if standard output has colours.
pub(super) fn toned(word: &str, tone: Tone) -> String {
    let colour = match tone {
        Tone::Good => AnsiColor::Green,
        Tone::Bad => AnsiColor::Red,
        Tone::Doubtful => AnsiColor::Yellow,
    };
    painted(word, colour.on_default(), &io::stdout())
}

fn painted(word: &str, style: Style, stream: &impl RawStream) -> String {
    match AutoStream::choice(stream) {
        ColorChoice::Never => word.to_owned(),
        ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => {
            format!("{style}{word}{style:#}")
        }
    }
}
