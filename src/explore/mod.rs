//! Laws: every small relation is tried, and the few that say it all are reported.
//!
//! A law is a relation of a small grammar of what people write into documentation (`words`). All of them up to a size are tried: terms are
//! made bottom-up and merged by their values, bodies are compared on a sample of the correct rows and then on all, guards are found
//! as sets of rows. Of what holds, what says nothing or follows from plainer laws is dropped: rows with made-up outputs tell.
//! Works on executions alone, from wherever they come; no clock, no randomness but what their seed gives.
//!
//! ```text
//!  correct rows ─► terms ─► bodies ─► true everywhere ─────────┐
//!  mixed rows ──►           │  true somewhere ─► guards ───────┤
//!                                                              ▼
//!                       garbage rows ─► candidates, the plainest first: which of them exclude anything more? ─► laws
//! ```

mod bits;
mod bodies;
mod candidates;
mod choice;
pub(crate) mod conditions;
mod cost;
pub mod equations;
mod guards;
mod long;
mod scene;
#[cfg(test)]
mod tests;
mod terms;
mod truths;
mod words;

use genmorph_jit::{Predicate, Schema};

pub use self::words::{CallWords, Vocabulary};

use self::bits::Bits;
use self::bodies::{About, Maker};
use self::candidates::Evidence;
use self::scene::Scene;
use self::terms::Bank;
use self::words::{DISTINCT, MIXED, PROBED};
use crate::executions::Executions;

/// A relation that a person would write down.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The relation.
    pub relation: Predicate,
    /// How hard it is to read: less is plainer.
    pub cost: u32,
    /// The share of correct rows on which its guard holds; 1 without a guard.
    pub share: f64,
}

/// What an exploration found, and how much it tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exploration {
    /// The laws, the plainest first; each says something that those before it do not.
    pub laws: Vec<Law>,
    /// What holds of every single execution, in variables of the source; the plainest first.
    pub postconditions: Vec<Law>,
    /// How many candidates were tried.
    pub tally: Tally,
}

/// How complete an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Candidates whose truth on the correct rows was decided.
    pub tried: u64,
    /// Candidates that hold on all correct rows.
    pub hold: usize,
    /// Of these, how many say nothing or follow from the laws.
    pub implied: usize,
    /// Quantities and terms that were left out because there are too many.
    pub left_out: usize,
}

/// The most nodes of a law without its guard; a quantity such as `length(s_s)` counts for one.
pub const NODES: usize = 7;

/// A relation of the source's variables, said of the follow-up's.
pub(crate) fn of_follow_up(relation: &Predicate, schema: &Schema) -> Predicate {
    let nodes = candidates::of_follow_up(relation.nodes(), schema.len() / 2);
    Predicate::new(nodes.into(), schema).expect("both sides have the same types")
}

/// Finds the laws of executions. Without correct rows there are none.
pub fn explore(executions: &Executions, words: &Vocabulary) -> Exploration {
    let mut scene = Scene::new(executions, words);
    let mut evidence = Evidence::new(executions);
    // Where hardly any input is changed, nothing can be said of the change.
    let moved = match scene.calls {
        Some(_) => Bits::all(scene.correct()),
        None => evidence.moved(&scene),
    };
    if moved.count() < DISTINCT.min(scene.correct().div_ceil(2)) || scene.correct() == 0 {
        return Exploration::default();
    }
    let sample = scene.spread(PROBED);
    let mut rows: Vec<scene::Row> = sample.iter().map(|&row| scene.row(row)).collect();
    rows.extend(scene.mixed(MIXED));
    let table = scene.table(&rows);
    let bank = Bank::new(&scene, &table, words);
    let maker = Maker::new(&bank, sample.len(), scene.is_fixing(), scene.setting.tolerance);

    let (guards, conditions) =
        guards::guards(&scene, &bank, (&sample, &moved), |p| evidence.correct(p));
    // Of calls that are made together they say what each result is by itself: laws that only combine these are not said.
    let mut single = maker.bodies(About::Source);
    if scene.calls.is_none() {
        conditions::bodies(&scene, words, sample.len(), &mut single);
    }
    let postconditions = evidence.postconditions(&scene, &single, &guards);
    let mut bodies = maker.bodies(About::Pairs);
    bodies.list.retain(|body| scene.admits(&body.nodes));
    let (candidates, guarded) = evidence.candidates(&scene, &bodies, &guards, words);
    let hold = candidates.len();
    let choice = choice::choose(&mut scene, candidates, postconditions);
    let implied = hold - choice.laws.len();
    Exploration {
        laws: choice.laws,
        postconditions: choice.postconditions,
        tally: Tally {
            tried: single.tried + bodies.tried + conditions + guarded,
            hold,
            implied,
            left_out: bank.left_out,
        },
    }
}
