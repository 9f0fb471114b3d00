//! One relation taken apart: its tree, its bytecode, its Cranelift IR, and on how many rows it holds by every tier; for
//! a relation of a run also the evidence for it, and similar relations that were refuted.
//!
//! Computes and formats; prints nothing.

mod near;
mod of_run;

use std::fmt;

use genmorph_jit::text::tree;
use genmorph_jit::{Evaluator, Isa, Mask, Policy, Predicate, Program, Table, Tier, Tolerance};

pub use self::near::{NEAR, NearMiss};
pub use self::of_run::{RunContext, RunExplanation, RunFinding};

use crate::claims::relation::{self, BadRelation};
use crate::executions::power;

/// What to explain besides the relation itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The tiers to ask. The reference is always asked: it is what the others are compared with.
    pub tiers: Vec<Tier>,
    /// When two numbers are equal, on the rows of the built-in example; other rows have their own tolerance.
    pub tolerance: Tolerance,
    /// Whether to show the Cranelift IR.
    pub ir: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { tiers: Tier::ALL.to_vec(), tolerance: Tolerance::default(), ir: true }
    }
}

/// A relation taken apart. Displays as sections of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The relation as it is printed: with the fewest parentheses.
    pub relation: String,
    /// The relation as a tree.
    pub tree: String,
    /// The bytecode for these rows.
    pub bytecode: String,
    /// The Cranelift IR; or why there is none. `None` if it was not asked for.
    pub ir: Option<Result<String, String>>,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// A description of the rows.
    pub about: String,
    /// How many rows each group has.
    pub rows: Vec<usize>,
    /// The answers of all tiers, the reference first.
    pub answers: Vec<Answer>,
}

/// The answer of one tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The tier, and the instruction set where there is a choice.
    pub tier: String,
    /// Its counts, or why it declined.
    pub outcome: Outcome,
}

/// The result of asking a tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It evaluated the relation.
    Counted {
        /// On how many rows of each group the relation holds.
        holds: Vec<usize>,
        /// Whether it holds on the same rows as by the reference.
        agrees: bool,
    },
    /// It declined the relation, for this reason.
    Declined(String),
}

impl Explanation {
    /// Whether all tiers that evaluated the relation say the same about every row.
    pub fn tiers_agree(&self) -> bool {
        self.answers.iter().all(|answer| match answer.outcome {
            Outcome::Counted { agrees, .. } => agrees,
            Outcome::Declined(_) => true,
        })
    }
}

/// Explains a relation over the variables of the built-in example.
///
/// # Errors
/// When the text is not a relation over these variables.
///
/// ```
/// use genmorph::show::explain::{Options, explain};
///
/// let explanation = explain("k_s == 0 or (out_f==out_s/k_s)", &Options::default())?;
/// assert_eq!(explanation.relation, "k_s == 0 or out_f == out_s / k_s");
/// assert!(explanation.tiers_agree());
/// # Ok::<(), genmorph::claims::relation::BadRelation>(())
/// ```
pub fn explain(text: &str, options: &Options) -> Result<Explanation, BadRelation> {
    let table = power::table(options.tolerance);
    let predicate = relation::read(text, table.schema())?;
    Ok(explain_on(&predicate, &table, power::DESCRIPTION.to_owned(), options))
}

/// Explains a relation on the rows of a table, correct ones and incorrect ones; numbers are equal as they are there.
pub fn explain_on(
    predicate: &Predicate,
    table: &Table,
    about: String,
    options: &Options,
) -> Explanation {
    let mut program = Program::new();
    program.lower(predicate, table);
    Explanation {
        relation: predicate.display(table.schema()).to_string(),
        tree: tree(predicate.nodes(), table.schema()),
        bytecode: program.listing(table.schema()).to_string(),
        ir: options.ir.then(|| ir(&program, table)),
        tolerance: *table.tolerance(),
        about,
        rows: table.layout().groups().iter().map(|group| group.rows).collect(),
        answers: answers(predicate, &program, table, &options.tiers),
    }
}

/// The answer of the reference, then of every other tier that is asked for, in the order of the ladder.
fn answers(predicate: &Predicate, program: &Program, table: &Table, tiers: &[Tier]) -> Vec<Answer> {
    let reference = Evaluator::new(Policy::Only(Tier::Reference)).mask(predicate, table);
    let mut answers = vec![counted(Tier::Reference.to_string(), &reference, &reference)];
    if tiers.contains(&Tier::Bytecode) {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let mask =
                Evaluator::with_isa(Policy::Only(Tier::Bytecode), isa).mask(predicate, table);
            let tier = format!("{}, {}", Tier::Bytecode, isa_name(isa));
            answers.push(counted(tier, &mask, &reference));
        }
    }
    if tiers.contains(&Tier::Native) {
        let tier = Tier::Native.to_string();
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Native));
        let mask = evaluator.mask(predicate, table);
        answers.push(if evaluator.counters().fallbacks == 0 {
            counted(tier, &mask, &reference)
        } else {
            let reason = ir(program, table).err();
            let reason = reason.unwrap_or_else(|| "no executable memory".to_owned());
            Answer { tier, outcome: Outcome::Declined(reason) }
        });
    }
    answers
}

fn counted(tier: String, mask: &Mask, reference: &Mask) -> Answer {
    let groups = 0..mask.layout().groups().len();
    let holds = groups.map(|group| mask.count_ones_in(group)).collect();
    Answer { tier, outcome: Outcome::Counted { holds, agrees: mask == reference } }
}

#[cfg(feature = "native")]
fn ir(program: &Program, table: &Table) -> Result<String, String> {
    genmorph_jit::engine::native::ir(program, table).map_err(str::to_owned)
}

#[cfg(not(feature = "native"))]
fn ir(_: &Program, _: &Table) -> Result<String, String> {
    Err("this build has no `native` feature".to_owned())
}

fn isa_name(isa: Isa) -> &'static str {
    match isa {
        Isa::Portable => "portable",
        Isa::Avx2 => "AVX2",
        Isa::Avx512 => "AVX-512",
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "relation", &self.relation)?;
        self.parts(f)
    }
}

/// Wide enough for the names of tiers, and of a group with its rows.
const TIER_WIDTH: usize = 20;
const GROUP_WIDTH: usize = 18;

impl Explanation {
    /// Everything but the relation itself.
    fn parts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "tree", &self.tree)?;
        section(f, "bytecode", &self.bytecode)?;
        match &self.ir {
            Some(Ok(ir)) => section(f, "Cranelift IR", ir)?,
            Some(Err(reason)) => {
                section(
                    f,
                    "Cranelift IR",
                    &format!("none: the native tier declines this relation ({reason})"),
                )?;
            }
            None => {}
        }
        writeln!(f, "rows where it holds")?;
        indented(f, &self.about)?;
        indented(f, &format!("equality of numbers: {}", self.tolerance))?;
        writeln!(f)?;
        self.counts(f)
    }

    fn counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {:TIER_WIDTH$}", "tier")?;
        for (name, rows) in power::GROUPS.iter().zip(&self.rows) {
            write!(f, "{:>GROUP_WIDTH$}", format!("{name}, of {rows}"))?;
        }
        writeln!(f)?;
        for Answer { tier, outcome } in &self.answers {
            write!(f, "  {tier:TIER_WIDTH$}")?;
            match outcome {
                Outcome::Counted { holds, agrees } => {
                    for count in holds {
                        write!(f, "{count:>GROUP_WIDTH$}")?;
                    }
                    writeln!(f, "{}", if *agrees { "" } else { "   on other rows" })?;
                }
                Outcome::Declined(reason) => writeln!(f, "   declines: {reason}")?,
            }
        }
        f.write_str(if self.tiers_agree() {
            "  the tiers agree on every row\n"
        } else {
            "  THE TIERS DISAGREE: this is a bug in genmorph\n"
        })
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, text: &str) -> fmt::Result {
    writeln!(f, "{title}")?;
    indented(f, text)?;
    writeln!(f)
}

fn indented(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for line in text.trim_end().lines() {
        writeln!(f, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(text: &str) -> Explanation {
        explain(text, &Options::default()).unwrap()
    }

    fn holds(answer: &Answer) -> &[usize] {
        match &answer.outcome {
            Outcome::Counted { holds, .. } => holds,
            Outcome::Declined(reason) => panic!("{} declined: {reason}", answer.tier),
        }
    }

    #[test]
    fn the_papers_relation_holds_on_correct_rows_but_for_zero() {
        let explanation = explained(power::RELATION);
        let [correct, incorrect] = *holds(&explanation.answers[0]) else { panic!() };
        // 0 / 0 is 1 by the protected division, and only 0^0 is 1.
        let zero = explained("k_s == 0 and e_s != 1");
        assert_eq!(correct + holds(&zero.answers[0])[0], explanation.rows[0]);
        // The mutant computes k to the number of ones in e, which for odd e is one more than in e - 1;
        // and -1 does not tell one less (e = 4) from one more.
        let missed = "e_s == 3 or e_s == 5 or e_s == 7 or k_s == -1 and e_s == 4";
        assert_eq!(incorrect, holds(&explained(missed).answers[0])[1]);
        assert!(explanation.tiers_agree());
    }

    #[test]
    fn a_declined_relation_says_why_and_still_agrees() {
        let explanation = explained("length(toString(out_s)) > 2");
        let native = explanation.answers.last().unwrap();
        assert!(matches!(native.outcome, Outcome::Declined(_)));
        assert!(matches!(explanation.ir, Some(Err(_))));
        assert!(explanation.tiers_agree());
    }

    #[test]
    fn a_disagreement_is_shown() {
        let mut explanation = explained("true");
        let outcome = Outcome::Counted { holds: vec![1, 2], agrees: false };
        explanation.answers.push(Answer { tier: "broken".to_owned(), outcome });
        assert!(!explanation.tiers_agree());
        assert!(explanation.to_string().contains("DISAGREE"));
    }

    #[test]
    fn the_reference_is_asked_whatever_the_tiers() {
        let options = Options { tiers: vec![], ir: false, ..Options::default() };
        let explanation = explain("true", &options).unwrap();
        assert_eq!(explanation.answers.len(), 1);
        assert_eq!(explanation.ir, None);
    }
}
