//! The laws of a transformation: explored on the executions, judged by fresh inputs and the hunt, and explored again with what refuted them.

use genmorph_jit::Predicate;

use super::Event;
use super::judge::{Judge, lessons};
use super::material::Material;
use super::search::{Campaign, ROUND};
use crate::explore::{self, Law, NODES, Tally, Vocabulary};
use crate::filter::Verdict;
use crate::record::relations::{Presentation, RelationKind};
use crate::record::search::{Exploration, Search};
use crate::subject::{MachineFailure, Parameter, Scalar, Signature, Subject, Type};
use crate::support::numbers;

/// How often laws are explored, at most: each time with the counterexamples of the last.
const ROUNDS: usize = 8;
/// Constants of the code and of domains that laws may use, at most.
const CONSTANTS: usize = 4;
/// Larger constants of the code are hardly ever part of a law.
const LARGEST: f64 = 1000.0;

/// A law or a postcondition that stands.
#[derive(Clone, Debug)]
pub(super) struct StandingLaw {
    pub(super) relation: Predicate,
    pub(super) presentation: Presentation,
    pub(super) verdict: Verdict,
}

/// Finds the laws, or the postconditions, that stand after the whole effort.
///
/// # Errors
/// When the machine fails.
pub(super) fn find(
    campaign: &Campaign<'_>,
    kind: RelationKind,
    material: &mut Material,
    judge: &mut Judge<'_>,
    claimed: &mut Search,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<StandingLaw>, MachineFailure> {
    let words = Vocabulary { calls: campaign.calls.cloned(), ..vocabulary(campaign.subject) };
    let (mut part, mut round) = (ROUND, 1);
    loop {
        let found = explore::explore(&material.executions, &words);
        if kind == RelationKind::Law {
            claimed.explored = Some(record(&found.tally));
        }
        let mut presented = presented(found, kind);
        let mut laws: Vec<Predicate> = presented.iter().map(|(law, _)| law.clone()).collect();
        judge.drop_rejected(&mut laws, &material.executions);
        presented.retain(|(law, _)| laws.contains(law));
        // A short trial first: most of what is false falls there. Then the whole effort, on the same laws.
        let mut verdicts = judge.verdicts(&laws, part)?;
        if part > 1 && lessons(&verdicts).is_empty() {
            part = 1;
            verdicts = judge.verdicts(&laws, part)?;
        }
        let lessons = lessons(&verdicts);
        if !lessons.is_empty() {
            judge.remember(claimed, &laws, &verdicts, round)?;
            observe(Event::Refuted(verdicts.iter().filter(|v| v.is_refuted()).count()));
        }
        let is_last = lessons.is_empty() || round == ROUNDS || judge.is_over();
        if is_last {
            if part > 1 && !judge.is_cancelled() {
                verdicts = judge.verdicts(&laws, 1)?;
            }
            claimed.doubtful += verdicts.iter().filter(|verdict| verdict.is_doubtful()).count();
            let judged = presented.into_iter().zip(verdicts);
            let judged = judged.filter(|(_, verdict)| verdict.stands());
            let standing = judged.map(|((relation, presentation), verdict)| StandingLaw {
                relation,
                presentation,
                verdict,
            });
            return Ok(standing.collect());
        }
        material.add(campaign, &lessons)?;
        round += 1;
    }
}

/// What an exploration found of one kind. It never finds detectors.
fn presented(found: explore::Exploration, kind: RelationKind) -> Vec<(Predicate, Presentation)> {
    let laws = match kind {
        RelationKind::Law | RelationKind::Outcome => found.laws,
        RelationKind::Postcondition | RelationKind::Precondition => found.postconditions,
        RelationKind::Detector => Vec::new(),
    };
    let of_law = |law: Law| (law.relation, Presentation { kind, cost: law.cost });
    laws.into_iter().map(of_law).collect()
}

fn record(tally: &Tally) -> Exploration {
    let Tally { tried, hold, implied, left_out } = *tally;
    Exploration { nodes: NODES, tried, hold, implied, left_out }
}

/// The constants that laws of a function may use, and where its arithmetic wraps around.
pub(super) fn vocabulary(subject: &dyn Subject) -> Vocabulary {
    let signature = subject.signature();
    let mut constants: Vec<f64> = Vec::new();
    let mut ends: Vec<f64> = Vec::new();
    for parameter in &signature.parameters {
        ends.extend(parameter.domain.range.map(|(low, high)| [low, high]).into_iter().flatten());
    }
    let mut of_code: Vec<(usize, f64)> =
        subject.constants().iter().map(|constant| (constant.count, constant.value)).collect();
    of_code.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let of_code = of_code.into_iter().map(|(_, value)| value);
    for value in of_code.chain(ends) {
        let is_plain = value.abs() <= LARGEST && numbers::is_plain(value);
        if is_plain && !constants.contains(&value) && constants.len() < CONSTANTS {
            constants.push(value + 0.0);
        }
    }
    let is_character = |parameter: &&Parameter| parameter.ty == Type::Scalar(Scalar::Char);
    let characters = signature.parameters.iter().filter(is_character);
    let characters = characters.map(|parameter| parameter.name.clone()).collect();
    Vocabulary { constants, characters, wraps: wraps(signature), calls: None }
}

/// The ends of the integer type of a result, if a column holds them exactly.
fn wraps(signature: &Signature) -> Option<(f64, f64)> {
    let Some(Type::Scalar(scalar)) = signature.result else { return None };
    match scalar {
        Scalar::Char => None,
        scalar => scalar.integers().filter(|(_, most)| *most <= 4_294_967_295.0),
    }
}
