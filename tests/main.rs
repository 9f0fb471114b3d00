//! The tests from outside: the command as users run it, and the map of the code.

mod cli;
mod evolve;
mod layering;
