//! The tests from outside: the command as users run it, and the map of the code.

mod assess;
mod budget;
mod check;
mod cli;
mod collect;
mod config;
mod damage;
mod definitions;
mod evolve;
mod executions;
mod exit_codes;
mod experiment;
mod explain;
mod export;
mod filter;
mod folder;
mod generate;
mod guest;
#[cfg(unix)]
mod guide;
mod inputs;
mod jdk;
mod jvm;
mod layering;
mod lock;
mod models;
mod operators;
mod own_laws;
mod outcomes;
mod patterns;
mod python;
mod python_subjects;
mod readers;
#[path = "subjects/record.rs"]
mod record;
mod report;
mod resume;
mod review;
mod rust;
#[cfg(target_os = "linux")]
mod sandbox;
mod schemas;
mod score;
mod simplify;
mod slurm;
mod subjects;
mod sweep;
mod together;
mod toolchains;
mod tools;
mod truth;
mod wait;
mod wasm;
mod wasm_subjects;
