//! Equations with coefficients: linear dependencies among the monomials of degree up to 2 over quantities, such as
//! `out_f * out_f + out_s * out_s == 1` and `2 * out_f == 3 * out_s - k_s`.
//!
//! All sets of up to four monomials are tried. A set is an equation if its columns are dependent on the correct rows, no part of
//! it is, its coefficients are ones that people write, and the engine finds both sides equal on every row. What follows from
//! simpler equations, or from dependencies among one execution's numbers alone, is not said again.
//!
//! Knows nothing of laws, guards and made-up rows: columns in, expressions out. Deterministic, without randomness.

mod algebra;
mod coefficients;
mod monomials;
mod search;
mod sentence;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use genmorph_jit::{Column, Evaluator, Expr, Node, Op, Predicate, Schema, Table, Tolerance, Type};

use self::algebra::{Basis, Field, ROUNDING, Span};
use self::monomials::{Monomial, monomials, times};
use self::search::Candidate;
use self::sentence::{Part, sides, spelled_out};

/// A number that equations may speak of.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// How it is written: an expression of type Num.
    pub nodes: Vec<Node>,
    /// Its values on correct rows.
    pub values: Vec<f64>,
    /// What it is a part of.
    pub role: Role,
}

/// What a quantity is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An output of the follow-up.
    FollowUp,
    /// An output of the source.
    Source,
    /// An input of either.
    Input,
}

/// An equation that holds on every row.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The left side, which has an output of the follow-up.
    pub left: Vec<Node>,
    /// The right side.
    pub right: Vec<Node>,
    /// How many monomials it has.
    pub monomials: usize,
    /// Whether it has an output of the source.
    pub has_source: bool,
}

impl Equation {
    /// The equation as an expression of type Bool.
    pub fn nodes(&self) -> Vec<Node> {
        [&self.left[..], &self.right, &[Node::Op(Op::NumEq)]].concat()
    }
}

/// What a search for equations found, and how much it tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equations {
    /// The equations, the simplest first: linear ones, then those with products; of these, the short ones.
    pub list: Vec<Equation>,
    /// How many sets of monomials were tried.
    pub tried: u64,
    /// How many quantities were left out: there were too many, or they are no finite numbers on most rows.
    pub left_out: usize,
}

/// The most quantities: 45 monomials, and 164,000 sets of up to four.
pub const MOST_QUANTITIES: usize = 8;
/// The most monomials of an equation.
pub const MOST_MONOMIALS: usize = 4;
/// Different rows per monomial that are evidence: with fewer, every set of monomials is dependent.
const EVIDENCE: usize = 3;

/// The equations among quantities that hold on all of their rows. All quantities have as many rows; of more than
/// [`MOST_QUANTITIES`] the outputs come first, then the others in their order.
pub fn equations(quantities: &[Quantity], tolerance: &Tolerance) -> Equations {
    let rows = quantities.iter().map(|quantity| quantity.values.len()).min().unwrap_or(0);
    let is_usual = |quantity: &&Quantity| {
        2 * quantity.values.iter().filter(|value| value.is_finite()).count() > rows
    };
    let mut chosen: Vec<&Quantity> = quantities.iter().filter(is_usual).collect();
    chosen.sort_by_key(|quantity| quantity.role);
    chosen.truncate(MOST_QUANTITIES);
    let left_out = quantities.len() - chosen.len();
    let Some(scene) = Scene::new(chosen, rows) else {
        return Equations { left_out, ..Equations::default() };
    };
    let Some(mut judge) = Judge::new(&scene, rows, tolerance) else {
        return Equations { left_out, ..Equations::default() };
    };
    let mut found = Equations { left_out, ..Equations::default() };
    // Linear equations first: products of quantities often follow from them.
    for (degree, size) in [1, 2].into_iter().flat_map(|d| (2..=MOST_MONOMIALS).map(move |s| (d, s)))
    {
        let mut candidates = Vec::new();
        let tried = search::sets(&scene, degree, size, &mut |set| {
            let new = search::candidate(&scene, set).filter(|candidate| !judge.knows(candidate));
            candidates.extend(new);
        });
        if degree == 2 {
            found.tried += tried;
        }
        candidates.sort_by(|a, b| a.order(b, &scene.monomials));
        found.list.extend(candidates.iter().filter_map(|candidate| judge.judge(candidate)));
    }
    found
}

/// The quantities of a search, their monomials and the rows that it computes with.
struct Scene<'q> {
    quantities: Vec<&'q Quantity>,
    monomials: Vec<Monomial>,
    /// Different rows on which all quantities are finite.
    rows: Vec<usize>,
    field: Field,
}

impl<'q> Scene<'q> {
    /// `None` if there are too few rows, or there is no output of the follow-up.
    fn new(quantities: Vec<&'q Quantity>, rows: usize) -> Option<Scene<'q>> {
        let mut seen = BTreeSet::new();
        let is_new = |row: &usize| {
            let values = quantities.iter().map(|quantity| quantity.values[*row]);
            values.clone().all(f64::is_finite) && seen.insert(values.map(bits).collect::<Vec<_>>())
        };
        let rows: Vec<usize> = (0..rows).filter(is_new).collect();
        let has_output = quantities.iter().any(|quantity| quantity.role == Role::FollowUp);
        if rows.len() < 2 * EVIDENCE || !has_output {
            return None;
        }
        let column = |monomial: &Monomial| -> Vec<f64> {
            rows.iter().map(|&row| monomial.value(&quantities, row)).collect()
        };
        // A product that overflows is left out.
        let (monomials, columns) = monomials(&quantities)
            .into_iter()
            .map(|monomial| (column(&monomial), monomial))
            .filter(|(column, _)| column.iter().all(|value| value.is_finite()))
            .map(|(column, monomial)| (monomial, column))
            .unzip();
        Some(Scene { quantities, monomials, rows, field: Field::new(columns) })
    }

    /// Coefficients of monomials in the field's scale.
    fn scaled(&self, parts: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut vector = vec![0.0; self.monomials.len()];
        for (monomial, coefficient) in parts {
            vector[monomial] += coefficient * self.field.scales[monomial];
        }
        vector
    }
}

/// Equal numbers have equal bits: 0 and -0 are one.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// Decides which candidates are said, the simplest first.
struct Judge<'s, 'q> {
    scene: &'s Scene<'q>,
    /// What is known or has been said, as coefficients of monomials.
    known: Span,
    schema: Schema,
    table: Table,
    evaluator: Evaluator,
}

impl<'s, 'q> Judge<'s, 'q> {
    /// A judge who knows what depends on what without the follow-up's outputs. `None` if the rows make no table.
    fn new(scene: &'s Scene<'q>, rows: usize, tolerance: &Tolerance) -> Option<Judge<'s, 'q>> {
        let names = (0..scene.quantities.len()).map(|i| (format!("q{i}"), Type::Num));
        let schema = Schema::new(names).ok()?;
        let columns =
            scene.quantities.iter().map(|quantity| Column::Num(quantity.values[..rows].to_vec()));
        let table = Table::new(&schema, columns.collect(), *tolerance).ok()?;
        let known = Span::default();
        let mut judge = Judge { scene, known, schema, table, evaluator: Evaluator::default() };
        let mut basis = Basis::default();
        // Monomials of low degree come first, so a dependency among them is found without the others.
        for (i, monomial) in scene.monomials.iter().enumerate() {
            match &scene.field.vectors[i] {
                None => judge.learn(&[(i, 1.0)]),
                Some(vector) if !monomial.follow_up => {
                    if let Err(dependency) = basis.add(i, vector, ROUNDING) {
                        let scales = &scene.field.scales;
                        let others =
                            dependency.factors.iter().map(|&(j, factor)| (j, -factor / scales[j]));
                        let parts: Vec<(usize, f64)> =
                            others.chain([(i, 1.0 / scales[i])]).collect();
                        judge.learn(&parts);
                    }
                }
                Some(_) => {}
            }
        }
        Some(judge)
    }

    /// Learns that monomials with these coefficients add up to 0, and so do their products with quantities.
    fn learn(&mut self, parts: &[(usize, f64)]) {
        let Scene { monomials, quantities, .. } = self.scene;
        self.known.add(&self.scene.scaled(parts.iter().copied()));
        for quantity in 0..quantities.len() {
            let product = |&(monomial, coefficient): &(usize, f64)| {
                times(monomials, monomial, quantity).map(|at| (at, coefficient))
            };
            if let Some(product) = parts.iter().map(product).collect::<Option<Vec<_>>>() {
                self.known.add(&self.scene.scaled(product.into_iter()));
            }
        }
    }

    /// Whether a candidate follows from what is known.
    fn knows(&self, candidate: &Candidate) -> bool {
        self.known.holds(&self.scene.scaled(candidate.parts().into_iter()))
    }

    /// The equation of a candidate, if it holds and says something new.
    fn judge(&mut self, candidate: &Candidate) -> Option<Equation> {
        let scene = self.scene;
        if self.knows(candidate) {
            return None;
        }
        let Candidate { set, written, exact, .. } = candidate;
        let parts = candidate.parts();
        let monomials: Vec<Part<'_>> = parts
            .iter()
            .map(|&(i, coefficient)| Part { monomial: &scene.monomials[i], coefficient })
            .collect();
        let [left, right] = sides(&monomials);
        let is_evident = self.different_rows(set) >= EVIDENCE * set.len();
        let holds = *written && is_evident && self.holds(&left, &right);
        if holds || *exact {
            // Also what nobody would write, or what fails on a row without numbers: whatever follows from it is no better.
            self.learn(&parts);
        }
        let is_of_follow_up = set.iter().all(|&i| scene.monomials[i].is_of_follow_up());
        if !holds || is_of_follow_up || is_plain(&monomials) || is_multiple(&monomials) {
            return None;
        }
        let spell = |nodes: &[Node]| spelled_out(nodes, |i| scene.quantities[i].nodes.clone());
        Some(Equation {
            left: spell(&left),
            right: spell(&right),
            monomials: set.len(),
            has_source: set.iter().any(|&i| scene.monomials[i].source),
        })
    }

    /// Whether the engine finds both sides equal on every row.
    fn holds(&mut self, left: &[Node], right: &[Node]) -> bool {
        let nodes = [left, right, &[Node::Op(Op::NumEq)]].concat();
        Predicate::new(Expr(nodes), &self.schema).is_ok_and(|equation| {
            self.evaluator.mask(&equation, &self.table).count_ones() == self.table.rows()
        })
    }

    /// How many rows differ in the values of the quantities in these monomials.
    fn different_rows(&self, set: &[usize]) -> usize {
        let Scene { monomials, quantities, rows, .. } = self.scene;
        let used: BTreeSet<usize> =
            set.iter().flat_map(|&i| monomials[i].factors.iter().copied()).collect();
        let values = |row: &usize| -> Vec<u64> {
            used.iter().map(|&i| bits(quantities[i].values[*row])).collect()
        };
        rows.iter().map(values).collect::<BTreeSet<_>>().len()
    }
}

/// Whether an equation says that one of two factors is 0: all monomials have one in common, or it is `(a + c) * (b + d) == 0`.
fn is_multiple(parts: &[Part<'_>]) -> bool {
    let [first, others @ ..] = parts else { return false };
    let mut factors = first.monomial.factors.iter();
    if factors.any(|factor| others.iter().all(|part| part.monomial.factors.contains(factor))) {
        return true;
    }
    let of = |factors: &[usize]| {
        let part = parts.iter().find(|part| part.monomial.factors == *factors);
        part.map_or(0.0, |part| part.coefficient)
    };
    let products = parts.iter().filter(|part| part.monomial.degree() == 2);
    let mut products = products.map(|part| &part.monomial.factors[..]);
    match (products.next(), products.next()) {
        (Some(&[a, b]), None) if a != b => {
            parts.len() == 4 && (of(&[a, b]) * of(&[]) - of(&[a]) * of(&[b])).abs() < 1e-9
        }
        _ => false,
    }
}

/// Whether an equation says no more than `a == b`, `a == -b`, `a == c` for a constant, or that two magnitudes are equal. Such laws need no
/// search for coefficients.
fn is_plain(parts: &[Part<'_>]) -> bool {
    let [a, b] = parts else { return false };
    let is_square = |monomial: &Monomial| matches!(monomial.factors[..], [i, j] if i == j);
    let has_constant = b.monomial.degree() == 0;
    let linear = [a, b].iter().all(|part| part.monomial.degree() <= 1);
    let squares = [a, b].iter().all(|part| is_square(part.monomial));
    let unit = a.coefficient == 1.0 && (has_constant || b.coefficient.abs() == 1.0);
    unit && (linear || squares && b.coefficient < 0.0)
}
