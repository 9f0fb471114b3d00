//! The Rust half of the side-by-side benchmark; `peers.py` drives it.
//!
//! `peers generate` writes the data and the trees that everybody gets. `peers serve` reads them back
//! and answers commands from standard input until it ends. What a command is: `serve.rs`.

mod evolved;
mod generate;
mod infix;
mod ours;
mod rowwise;
mod serve;
#[path = "../../support/mod.rs"]
mod support;
mod turn;
mod world;

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result: Result<(), Box<dyn Error>> = match words[..] {
        ["generate", "--out", folder] => generate(Path::new(folder)).map_err(Into::into),
        ["serve", "--from", folder] => serve::run(Path::new(folder)),
        _ => Err("usage: peers generate --out DIR | peers serve --from DIR".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    generate::write(folder)?;
    evolved::write(folder)
}
