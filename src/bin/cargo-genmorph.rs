//! `cargo genmorph`: what Cargo starts. Hands everything to the program `genmorph` beside it.

#![forbid(unsafe_code)]

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match genmorph() {
        Ok(program) => {
            let mut command = Command::new(&program);
            // Cargo passes the name of the subcommand as the first argument.
            let arguments = std::env::args_os().skip(1).enumerate();
            let arguments = arguments.filter(|(i, text)| *i != 0 || text != "genmorph");
            command.arg("cargo-genmorph").args(arguments.map(|(_, text)| text));
            hand_over(command).unwrap_or_else(|error| {
                eprintln!("error: cannot run {}: {error}", program.display());
                eprintln!("`cargo install genmorph` installs both programs");
                ExitCode::from(2)
            })
        }
        Err(error) => {
            eprintln!("error: cannot tell where this program is: {error}");
            ExitCode::from(2)
        }
    }
}

/// The program `genmorph` in the folder of this one.
fn genmorph() -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(format!("genmorph{}", std::env::consts::EXE_SUFFIX)))
}

/// Becomes the other program, so that signals reach it.
#[cfg(unix)]
fn hand_over(mut command: Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

#[cfg(not(unix))]
fn hand_over(mut command: Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
