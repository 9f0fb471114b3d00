//! `cargo genmorph`: finds relations of a Rust function and writes them as tests. The same code as `genmorph`.

#![forbid(unsafe_code)]

#[path = "../cli/mod.rs"]
mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
