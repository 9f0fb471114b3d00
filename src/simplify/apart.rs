//! What one relation says, as several that are plainer.
//!
//! What `and` joins is taken apart: a reader takes one thing at a time. And where a long relation is false, mostly some
//! plain relation is false, too. So plain relations are looked for that are false wherever the long one is, one or the other; what
//! is left to say after the best of them is often short. What was said of an earlier relation is not said again.

use genmorph_jit::{Expr, Node, Op, Predicate, subtree};

use super::readability::readability;
use super::setting::Setting;
use super::shrink::{ASKED, Keep, Simplifier, Stands, Strength};

/// Plain relations that stand for one, at most. A guess: with more, nobody would see that they belong together.
const TOGETHER: usize = 4;

/// How often the judge is asked for one of them, at most: what says much mostly stands. A guess.
const TRIED: usize = 4;
/// Relations of so few nodes are not taken apart.
const PLAIN: usize = 5;

impl Simplifier<'_> {
    /// What a relation says that has not been said yet, in relations that are smaller or plainer: on every incorrect row on
    /// which it is false, one of these or of those before is. None if there is nothing left to say.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn apart(&mut self, relation: &Predicate, stands: &mut Stands<'_>) -> Vec<Predicate> {
        let mut parts = Vec::new();
        let whole = self.equivalent.of(relation);
        conjuncts(whole.nodes(), self.setting(), &mut parts);
        let mut told: Vec<Predicate> = Vec::new();
        for part in parts {
            let part = Predicate::new(Expr(part), &self.setting().schema)
                .expect("a conjunct is a relation");
            let open = self.strength(&part).up_to(self.rows()).without(&self.said);
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
                self.say(&form);
                told.push(form);
            }
        }
        told
    }

    /// Several relations, each smaller and plainer than a given one, one of which is false wherever that is, of some rows.
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

    /// The places of relations that it takes: on every incorrect row on which one of all is false, one of these is. The
    /// plainest for what they say, in order.
    ///
    /// # Panics
    /// If a relation is over other variables.
    pub fn cover(&mut self, relations: &[Predicate]) -> Vec<usize> {
        let rows = self.rows();
        let said: Vec<Strength> =
            relations.iter().map(|relation| self.strength(relation).up_to(rows)).collect();
        let cost: Vec<u64> = relations
            .iter()
            .map(|relation| u64::from(readability(relation, self.setting())))
            .collect();
        let mut open = said.iter().fold(self.nothing(), |all, own| all.with(own));
        let mut chosen: Vec<usize> = Vec::new();
        while !open.is_nowhere_false() {
            let gain = |place: usize| open.shared(&said[place]);
            // More rows for what it costs to read; at a tie the first.
            let best = (0..relations.len())
                .reduce(|best, next| {
                    let is_better = gain(next) * cost[best] > gain(best) * cost[next];
                    if is_better { next } else { best }
                })
                .expect("something is false somewhere");
            open = open.without(&said[best]);
            chosen.push(best);
        }
        // What was chosen early may have become unnecessary; what is hardest to read goes first.
        let mut hardest = chosen.clone();
        hardest.sort_by_key(|&place| std::cmp::Reverse((cost[place], place)));
        for place in hardest {
            let others = chosen.iter().filter(|&&other| other != place);
            let others = others.fold(self.nothing(), |all, &other| all.with(&said[other]));
            if said[place].without(&others).is_nowhere_false() {
                chosen.retain(|&other| other != place);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// Of plain relations that stand, the one that is false on most of some rows for what it costs to read.
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
        fitting.chunks(ASKED).take(TRIED).find_map(|some| self.standing(some, stands))
    }
}

/// What `and` joins, as far as each part relates an output pair.
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
