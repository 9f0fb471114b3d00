//! Replaces one relation by several plainer ones.
//!
//! The operands of `and` become relations of their own, which a reader can take in one at a time. Where a
//! long relation is false, some plain relation is mostly false as well, so this file looks for a few plain
//! relations such that on every row on which the long one is false, one of them is. What remains after the
//! best of them is often short. Rows that earlier relations cover need not be covered again.

use genmorph_jit::{Expr, Node, Op, Predicate, subtree};

use super::readability::readability;
use super::setting::Setting;
use super::shrink::{Keep, QUESTION, Simplifier, Stands, Strength};

/// Largest number of plain relations that replace one. A guess: with more, a reader would not see
/// that they belong together.
const TOGETHER: usize = 4;

/// Number of times that the judge is asked for each of them: strong plain relations mostly stand. A guess.
const TRIED: usize = 4;
/// Relations with at most this many nodes are not taken apart.
const PLAIN: usize = 5;

impl Simplifier<'_> {
    /// Smaller or plainer relations that together cover the same incorrect rows as a relation: on every
    /// incorrect row on which it is false, one of these or of the earlier relations is false. Empty if
    /// earlier relations cover all of them.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn apart(&mut self, relation: &Predicate, stands: &mut Stands<'_>) -> Vec<Predicate> {
        let mut parts = Vec::new();
        let whole = self.equivalent.of(relation);
        conjuncts(whole.nodes(), self.setting(), &mut parts);
        let mut replacements: Vec<Predicate> = Vec::new();
        for part in parts {
            let part = Predicate::new(Expr(part), &self.setting().schema)
                .expect("a conjunct is a relation");
            let open = self.strength(&part).up_to(self.rows()).without(&self.covered);
            if open.is_nowhere_false() {
                continue;
            }
            let form = self.shrink(&part, open.clone(), Keep::Rows, stands);
            let forms = match form.size() {
                ..=PLAIN => None,
                _ => self.in_words_of(&form, |own| own.together(&form, open, stands)),
            };
            let forms = forms.unwrap_or_else(|| vec![form]);
            for form in forms {
                self.mark_covered(&form);
                replacements.push(form);
            }
        }
        replacements
    }

    /// Several relations, each smaller and plainer than the given one, such that one of them is false on
    /// each of these rows.
    fn together(
        &mut self,
        relation: &Predicate,
        mut open: Strength,
        stands: &mut Stands<'_>,
    ) -> Option<Vec<Predicate>> {
        let limit = (readability(relation, self.setting()), relation.size());
        let is_plainer = |own: &Predicate, setting: &Setting| {
            readability(own, setting) < limit.0 && own.size() < limit.1
        };
        let mut plain = Vec::new();
        for _ in 0..TOGETHER {
            let next = self.most(&open, &is_plainer, stands)?;
            let next = &self.plain[next];
            open = open.without(&next.strength);
            plain.push(next.relation.clone());
            if open.is_nowhere_false() {
                return Some(plain);
            }
            let rest = self.shrink(relation, open.clone(), Keep::Rows, stands);
            if is_plainer(&rest, self.setting()) {
                plain.push(rest);
                return Some(plain);
            }
        }
        None
    }

    /// Positions of relations that suffice: on every incorrect row on which any relation is false, one of
    /// these is. They are chosen by the rows they cover for the effort of reading them, and listed in order.
    ///
    /// # Panics
    /// If a relation is over other variables.
    pub fn cover(&mut self, relations: &[Predicate]) -> Vec<usize> {
        let rows = self.rows();
        let strengths: Vec<Strength> =
            relations.iter().map(|relation| self.strength(relation).up_to(rows)).collect();
        let cost: Vec<u64> = relations
            .iter()
            .map(|relation| u64::from(readability(relation, self.setting())))
            .collect();
        let mut open = strengths.iter().fold(self.nothing(), |all, own| all.with(own));
        let mut chosen: Vec<usize> = Vec::new();
        while !open.is_nowhere_false() {
            let gain = |place: usize| open.shared(&strengths[place]);
            // The most rows for the effort of reading; in a tie, the first.
            let best = (0..relations.len())
                .reduce(|best, next| {
                    let is_better = gain(next) * cost[best] > gain(best) * cost[next];
                    if is_better { next } else { best }
                })
                .expect("something is false somewhere");
            open = open.without(&strengths[best]);
            chosen.push(best);
        }
        // An early choice may have become unnecessary; try to drop the hardest to read first.
        let mut hardest = chosen.clone();
        hardest.sort_by_key(|&place| std::cmp::Reverse((cost[place], place)));
        for place in hardest {
            let others = chosen.iter().filter(|&&other| other != place);
            let others = others.fold(self.nothing(), |all, &other| all.with(&strengths[other]));
            if strengths[place].without(&others).is_nowhere_false() {
                chosen.retain(|&other| other != place);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// Among the plain relations that stand, the one that is false on the most of some rows for the
    /// effort of reading it.
    fn most(
        &mut self,
        open: &Strength,
        is_plain: &dyn Fn(&Predicate, &Setting) -> bool,
        stands: &mut Stands<'_>,
    ) -> Option<usize> {
        let setting = self.equivalent.setting();
        let mut fitting: Vec<(u64, u64, usize)> = (self.plain.iter().enumerate())
            .filter(|(_, plain)| plain.stands != Some(false) && is_plain(&plain.relation, setting))
            .map(|(i, plain)| {
                (open.shared(&plain.strength), u64::from(readability(&plain.relation, setting)), i)
            })
            .filter(|(gain, _, _)| *gain > 0)
            .collect();
        fitting.sort_by(|a, b| (b.0 * a.1).cmp(&(a.0 * b.1)).then(a.2.cmp(&b.2)));
        let fitting: Vec<usize> = fitting.into_iter().map(|(_, _, i)| i).collect();
        fitting.chunks(QUESTION).take(TRIED).find_map(|some| self.standing(some, stands))
    }
}

/// The operands of `and`, as far as each of them relates an output pair.
fn conjuncts(nodes: &[Node], setting: &Setting, parts: &mut Vec<Vec<Node>>) {
    if let Some((Node::Op(Op::And), operands)) = nodes.split_last() {
        let (a, b) = operands.split_at(subtree(operands, operands.len() - 1).start);
        if setting.relates_outputs(a) && setting.relates_outputs(b) {
            conjuncts(a, setting, parts);
            return conjuncts(b, setting, parts);
        }
    }
    parts.push(nodes.to_vec());
}
