//! The state of a search as bytes, and back.
//!
//! ```text
//! "genmorph checkpoint 1\n" | settings, seed, digest of the executions | counters | best score
//!                           | populations | archive | hash of all before
//! ```
//! Numbers are little-endian. A relation is its length and its nodes: a byte per operator, three per
//! variable, nine per number. Whatever is not exactly such a text is refused, and so is the
//! checkpoint of a search with other settings or executions.

use genmorph_jit::{Expr, Node, Op, Predicate, Schema, Var};

use super::EvolveError;
use super::archive::Archive;
use super::evolution::{Evolution, State};
use super::fingerprint::of_words;
use super::score::Score;
use super::scorer::Machine;
use crate::evolve::config::Config;
use crate::executions::Executions;
use crate::support::seed::Seed;

const MAGIC: &[u8] = b"genmorph checkpoint 1\n";

const OP: u8 = 0;
const VAR: u8 = 0xf0;
const NUM: u8 = 0xf1;
const FALSE: u8 = 0xf2;
const TRUE: u8 = 0xf3;

/// A checkpoint that a search cannot go on from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not one of ours, or not whole.
    #[error("this is no checkpoint, or a damaged one: start the run anew")]
    Damaged,
    /// The checkpoint is of another search: the part that differs.
    #[error(
        "the checkpoint is of a run with another {0}: resume with what that run had, or start anew"
    )]
    Other(&'static str),
}

impl Evolution {
    /// The state between two generations, to go on from later.
    pub fn checkpoint(&self) -> Vec<u8> {
        let State { generation, evaluations, restarts, improved, found, record, members, archive } =
            &self.state;
        let mut out = Vec::with_capacity(MAGIC.len() + members.len() * 48);
        out.extend_from_slice(MAGIC);
        let settings = settings(&self.config);
        put(&mut out, settings.len() as u64);
        out.extend_from_slice(settings.as_bytes());
        for number in
            [self.seed.0, self.digest, *generation, *evaluations, *restarts, *improved, *found]
        {
            put(&mut out, number);
        }
        put(&mut out, u64::from(record.is_some()));
        if let Some(score) = record {
            let Score { fp, fn_, missed, size, related } = *score;
            for number in [fp.into(), fn_.into(), missed, size.into(), related.into()] {
                put(&mut out, number);
            }
        }
        let kept = archive.entries();
        for relations in [
            &mut members.iter() as &mut dyn Iterator<Item = &Predicate>,
            &mut kept.iter().map(|entry| &entry.relation),
        ] {
            let count_at = out.len();
            put(&mut out, 0);
            let mut count = 0_u64;
            for relation in relations {
                put_relation(&mut out, relation);
                count += 1;
            }
            out[count_at..count_at + 8].copy_from_slice(&count.to_le_bytes());
        }
        let hash = hash(&out);
        put(&mut out, hash);
        out
    }

    /// A search that goes on from a checkpoint as if it had never stopped.
    ///
    /// # Errors
    /// When [`Evolution::new`] fails, or the checkpoint is damaged or of another search.
    pub fn resume(
        executions: &Executions,
        config: &Config,
        seed: Seed,
        machine: Machine,
        checkpoint: &[u8],
    ) -> Result<Evolution, EvolveError> {
        let mut evolution = Evolution::new(executions, config, seed, machine)?;
        let body = checkpoint.len().checked_sub(8).ok_or(CheckpointError::Damaged)?;
        let mut hashed = Reader(&checkpoint[body..]);
        let mut reader =
            Reader(checkpoint[..body].strip_prefix(MAGIC).ok_or(CheckpointError::Damaged)?);
        if hashed.number()? != hash(&checkpoint[..body]) {
            return Err(CheckpointError::Damaged.into());
        }
        let length = reader.number()?;
        if reader.take(length)? != settings(config).as_bytes() {
            return Err(CheckpointError::Other("setting").into());
        }
        if reader.number()? != seed.0 {
            return Err(CheckpointError::Other("seed").into());
        }
        if reader.number()? != evolution.digest {
            return Err(CheckpointError::Other("executions file").into());
        }
        let (kept, state) = reader.state(&evolution)?;
        evolution.state = state;
        if evolution.state.members.len() != 2 * config.population || !reader.0.is_empty() {
            return Err(CheckpointError::Damaged.into());
        }
        evolution.score();
        let Evolution { grammar, scorer, state, .. } = &mut evolution;
        let scores = scorer.scores(&kept, grammar);
        state.archive.consider(&kept, &scores, scorer);
        Ok(evolution)
    }
}

/// The settings as a text that is the same for the same settings.
fn settings(config: &Config) -> String {
    serde_json::to_string(config).expect("settings are numbers and names")
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_relation(out: &mut Vec<u8>, relation: &Predicate) {
    out.extend_from_slice(&(relation.size() as u16).to_le_bytes());
    for &node in relation.nodes() {
        match node {
            Node::Op(op) => out.push(OP + op as u8),
            Node::Var(var) => {
                out.push(VAR);
                out.extend_from_slice(&var.0.to_le_bytes());
            }
            Node::Num(value) => {
                out.push(NUM);
                out.extend_from_slice(&value.to_bits().to_le_bytes());
            }
            Node::Bool(value) => out.push(if value { TRUE } else { FALSE }),
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    of_words(&words) ^ bytes.len() as u64
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], CheckpointError> {
        let length = usize::try_from(length).map_err(|_| CheckpointError::Damaged)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        self.take(N as u64)?.try_into().map_err(|_| CheckpointError::Damaged)
    }

    fn number(&mut self) -> Result<u64, CheckpointError> {
        self.array().map(u64::from_le_bytes)
    }

    fn state(&mut self, evolution: &Evolution) -> Result<(Vec<Predicate>, State), CheckpointError> {
        let mut counter = || self.number();
        let (generation, evaluations, restarts) = (counter()?, counter()?, counter()?);
        let (improved, found) = (counter()?, counter()?);
        let record = match self.number()? {
            0 => None,
            _ => Some(Score {
                fp: self.number()? as u32,
                fn_: self.number()? as u32,
                missed: self.number()?,
                size: self.number()? as u16,
                related: self.number()? != 0,
            }),
        };
        if generation == 0 || improved > generation || found > generation {
            return Err(CheckpointError::Damaged);
        }
        let members = self.relations(evolution.schema())?;
        let kept = self.relations(evolution.schema())?;
        let archive = Archive::new(evolution.scorer.rows.mutants());
        let state =
            State { generation, evaluations, restarts, improved, found, record, members, archive };
        Ok((kept, state))
    }

    fn relations(&mut self, schema: &Schema) -> Result<Vec<Predicate>, CheckpointError> {
        let count = self.number()?;
        // Not allocated at once: a damaged count must not ask for all memory.
        let mut relations = Vec::new();
        for _ in 0..count {
            relations.push(self.relation(schema)?);
        }
        Ok(relations)
    }

    fn relation(&mut self, schema: &Schema) -> Result<Predicate, CheckpointError> {
        let size = u16::from_le_bytes(self.array()?);
        let mut nodes = Vec::with_capacity(usize::from(size));
        for _ in 0..size {
            let [tag] = self.array()?;
            nodes.push(match tag {
                VAR => Node::Var(Var(u16::from_le_bytes(self.array()?))),
                NUM => Node::Num(f64::from_bits(self.number()?)),
                FALSE => Node::Bool(false),
                TRUE => Node::Bool(true),
                op => {
                    let op = Op::ALL.get(usize::from(op - OP)).copied();
                    Node::Op(op.ok_or(CheckpointError::Damaged)?)
                }
            });
        }
        Predicate::new(Expr(nodes), schema).map_err(|_| CheckpointError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::example;

    fn small() -> Config {
        Config { population: 60, restart_after: 2, ..Config::default() }
    }

    fn start() -> Evolution {
        Evolution::new(&example::power(), &small(), Seed(3), Machine::default()).unwrap()
    }

    fn resume(bytes: &[u8]) -> Result<Evolution, EvolveError> {
        Evolution::resume(&example::power(), &small(), Seed(3), Machine::default(), bytes)
    }

    #[test]
    fn a_resumed_run_goes_on_as_if_it_had_never_stopped() {
        let mut straight = start();
        let records: Vec<_> = (0..24).map(|_| straight.step()).collect();
        let mut stopped = start();
        for stop in [5, 6, 17, 24] {
            while stopped.generation() < stop {
                assert_eq!(stopped.step(), records[stopped.generation() as usize - 1]);
            }
            stopped = resume(&stopped.checkpoint()).unwrap();
        }
        assert!(records.last().unwrap().restarts > 0);
        assert_eq!(stopped.checkpoint(), straight.checkpoint());
        assert_eq!(stopped.outcome(), straight.outcome());
    }

    #[test]
    fn a_damaged_checkpoint_is_refused() {
        let mut evolution = start();
        evolution.step();
        let bytes = evolution.checkpoint();
        assert!(resume(&bytes).is_ok());
        let damaged = Err(EvolveError::Checkpoint(CheckpointError::Damaged));
        for length in [0, 7, 8, 30, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(resume(&bytes[..length]).map(|_| ()), damaged, "{length}");
        }
        for at in (0..bytes.len()).step_by(97) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x40;
            assert_eq!(resume(&bytes).map(|_| ()), damaged, "{at}");
        }
    }

    #[test]
    fn a_checkpoint_of_another_run_is_refused() {
        let mut evolution = start();
        evolution.step();
        let bytes = evolution.checkpoint();
        let other = |what| Err(EvolveError::Checkpoint(CheckpointError::Other(what)));
        let resume = |executions: &Executions, config: &Config, seed| {
            Evolution::resume(executions, config, Seed(seed), Machine::default(), &bytes)
                .map(|_| ())
        };
        let executions = example::power();
        assert_eq!(resume(&executions, &small(), 4), other("seed"));
        let config = Config { max_size: 17, ..small() };
        assert_eq!(resume(&executions, &config, 3), other("setting"));
        let mut executions = executions;
        executions.mutants[0].push('x');
        assert_eq!(resume(&executions, &small(), 3), other("executions file"));
    }
}
