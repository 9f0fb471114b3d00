//! Damage to a checkpoint: pairs of bytes say where and how. Whatever is changed, the checkpoint is refused.

#![no_main]

use std::sync::LazyLock;

use genmorph::evolve::config::Config;
use genmorph::evolve::{Evolution, Machine};
use genmorph::executions::{Executions, power};
use genmorph::support::seed::Seed;
use libfuzzer_sys::fuzz_target;

struct Search {
    executions: Executions,
    config: Config,
    checkpoint: Vec<u8>,
}

static SEARCH: LazyLock<Search> = LazyLock::new(|| {
    let executions = power::executions();
    let config = Config { population: 20, ..Config::default() };
    let mut evolution = Evolution::new(&executions, &config, Seed(1), Machine::default())
        .expect("the settings are in range");
    (0..3).for_each(|_| {
        evolution.step();
    });
    let checkpoint = evolution.checkpoint();
    Search { executions, config, checkpoint }
});

fuzz_target!(|bytes: &[u8]| {
    let Search { executions, config, checkpoint } = &*SEARCH;
    let mut damaged = checkpoint.clone();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[place] ^= change[2];
    }
    let resume = |bytes: &[u8]| Evolution::resume(executions, config, Seed(1), Machine::default(), bytes);
    assert_eq!(resume(&damaged).is_ok(), damaged == *checkpoint);
    assert!(resume(bytes).is_err());
});
