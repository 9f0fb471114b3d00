//! Messages on standard error: errors, warnings, what was done, and details on request. Everything that is
//! not a result goes through here, so that `--quiet`, `--verbose` and `--color` are handled in one place, and so that nothing that a
//! subject chose, such as a name or a message, steers the terminal.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use genmorph::support::visible::visible;
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
    let text = error.to_string();
    eprintln!("{} {}", painted("error:", style, &io::stderr()), visible(&text));
}

/// Prints something that is not a failure but that the user should know.
pub(super) fn warn(warning: &impl fmt::Display) {
    if is_heard(Loudness::Usual) {
        let style = AnsiColor::Yellow.on_default().bold();
        let text = warning.to_string();
        eprintln!("{} {}", painted("warning:", style, &io::stderr()), visible(&text));
    }
}

/// Prints what was done, unless it is to be quiet.
pub(super) fn say(text: &impl fmt::Display) {
    if is_heard(Loudness::Usual) {
        eprintln!("{}", visible(&text.to_string()));
    }
}

/// Prints details if `--verbose` asks for them.
pub(super) fn detail(text: &impl fmt::Display) {
    if is_heard(Loudness::Verbose) {
        eprintln!("{}", visible(&text.to_string()));
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

impl Tone {
    const ALL: [Tone; 3] = [Tone::Good, Tone::Bad, Tone::Doubtful];

    fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green,
            Tone::Bad => AnsiColor::Red,
            Tone::Doubtful => AnsiColor::Yellow,
        }
        .on_default()
    }
}

/// The text of a result with nothing in it that steers a terminal, but for the colours of [`toned`].
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    const ESCAPE: char = '\u{1b}';
    if !text.contains(ESCAPE) || AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        return visible(text);
    }
    let colours: Vec<String> = Tone::ALL
        .iter()
        .flat_map(|tone| [format!("{}", tone.style()), format!("{:#}", tone.style())])
        .collect();
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(ESCAPE) {
        shown += &visible(&rest[..at]);
        rest = &rest[at..];
        let colour = colours.iter().find(|colour| rest.starts_with(colour.as_str()));
        let length = colour.map_or(ESCAPE.len_utf8(), String::len);
        match colour {
            Some(colour) => shown += colour,
            None => shown += &visible(&rest[..length]),
        }
        rest = &rest[length..];
    }
    shown += &visible(rest);
    Cow::Owned(shown)
}

/// Colours a word of a result, if standard output has colours.
pub(super) fn toned(word: &str, tone: Tone) -> String {
    painted(word, tone.style(), &io::stdout())
}

fn painted(word: &str, style: Style, stream: &impl RawStream) -> String {
    match AutoStream::choice(stream) {
        ColorChoice::Never => word.to_owned(),
        ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => {
            format!("{style}{word}{style:#}")
        }
    }
}
