//! The smallest form of a relation that has the same value on all inputs.
//!
//! Equality saturation: a graph of all forms that the rules lead to, and the cheapest of them. Effort is
//! counted in rounds and nodes, never in time.

use egg::{CostFunction, Extractor, Id, Language, Rewrite};
use genmorph_jit::{Expr, Node, Predicate};

use super::orient::orient;
use super::readability::{readability, weight};
use super::rules;
use super::setting::Setting;
use super::term::{Term, TermAnalysis, Terms, add};

/// Largest number of rounds in which all rules are applied. Few relations need more than six.
const ROUNDS: usize = 7;
/// Largest number of terms in a graph.
const TERMS: usize = 2_000;
/// Largest number of places at which a rule is applied in a round.
const MATCHES: usize = 400;

/// The rules, ready to be applied. Making them takes longer than using them once.
#[derive(Debug)]
pub struct Equivalent {
    setting: Setting,
    rewrites: Vec<Rewrite<Term, TermAnalysis>>,
}

impl Equivalent {
    /// Prepares the rules that hold in a setting.
    pub fn new(setting: &Setting) -> Equivalent {
        let rules = rules::all(&setting.tolerance);
        let rewrites = rules.iter().flat_map(rules::Rule::rewrites).collect();
        Equivalent { setting: setting.clone(), rewrites }
    }

    /// The setting of the relations.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The smallest relation found that has the same value on every pair, in its canonical orientation. Never
    /// larger than the given one, and it relates an output pair if the given one does.
    pub fn of(&self, relation: &Predicate) -> Predicate {
        let mut best = orient(relation, &self.setting);
        loop {
            let form = orient(&self.least(&best), &self.setting);
            let nodes = form.nodes();
            let related = self.setting.relates_outputs(nodes);
            if self.cost(&form) >= self.cost(&best)
                || (!related && self.setting.relates_outputs(best.nodes()))
            {
                return best;
            }
            best = form;
        }
    }

    /// Orders relations by number of nodes, then by readability.
    pub(super) fn cost(&self, relation: &Predicate) -> (usize, u32) {
        (relation.size(), readability(relation, &self.setting))
    }

    fn least(&self, relation: &Predicate) -> Predicate {
        let meaning =
            TermAnalysis { tolerance: self.setting.tolerance, finite: self.setting.finite.clone() };
        let mut terms = Terms::new(meaning);
        let root = add(&mut terms, relation.nodes());
        for tie in &self.setting.ties {
            let [var, is] =
                [&[Node::Var(tie.var)][..], &tie.is].map(|nodes| add(&mut terms, nodes));
            terms.union(var, is);
        }
        terms.rebuild();
        saturate(&mut terms, &self.rewrites);
        let extractor = Extractor::new(&terms, Cost(&self.setting));
        let mut nodes = Vec::new();
        spell(&extractor, root, &mut nodes);
        Predicate::new(Expr(nodes), &self.setting.schema).expect("equal terms have equal types")
    }
}

/// Applies rules until nothing new appears, or a limit is reached.
fn saturate(terms: &mut Terms, rewrites: &[Rewrite<Term, TermAnalysis>]) {
    for _ in 0..ROUNDS {
        let before = (terms.total_number_of_nodes(), terms.number_of_classes());
        let found: Vec<_> =
            rewrites.iter().map(|rule| rule.search_with_limit(terms, MATCHES)).collect();
        for (rule, found) in rewrites.iter().zip(&found) {
            rule.apply(terms, found);
            if terms.total_number_of_nodes() > TERMS {
                break;
            }
        }
        terms.rebuild();
        let after = (terms.total_number_of_nodes(), terms.number_of_classes());
        if after == before || after.0 > TERMS {
            break;
        }
    }
}

/// The cost of a form: nodes first, then readability.
struct Cost<'s>(&'s Setting);

impl CostFunction<Term> for Cost<'_> {
    type Cost = (u32, u32);

    fn cost<C: FnMut(Id) -> (u32, u32)>(&mut self, term: &Term, mut costs: C) -> (u32, u32) {
        let own = (1, weight(term.word.node(), self.0));
        term.fold(own, |(nodes, weight), id| {
            let (more, heavier) = costs(id);
            (nodes.saturating_add(more), weight.saturating_add(heavier))
        })
    }
}

/// Appends the cheapest form of a class in postfix order.
fn spell(
    extractor: &Extractor<'_, Cost<'_>, Term, TermAnalysis>,
    class: Id,
    nodes: &mut Vec<Node>,
) {
    let term = extractor.find_best_node(class);
    for &operand in term.children() {
        spell(extractor, operand, nodes);
    }
    nodes.push(term.word.node());
}
