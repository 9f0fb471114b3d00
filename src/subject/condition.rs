//! Conditions on the inputs of a function: `length(p1) == length(p2)`, `n >= 0 and n <= 20`.
//!
//! A condition is a relation over the parameters. Inputs on which it is false are not drawn, hunted or judged. What it says of single
//! numbers and lengths narrows their domains; lists that must be equally long are cut, numbers that must be below others are
//! brought there; what is left is a matter of rejection.

use genmorph_jit::engine::scalar;
use genmorph_jit::text::{self, ParseError};
use genmorph_jit::{
    Class, ComparisonOp, Node, Op, Predicate, Schema, Tolerance, Value, Var, subtree,
};

use super::signature::{Parameter, Scalar, Signature, Type};

/// A condition on the inputs of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    predicate: Predicate,
    text: String,
    /// The parts that `and` joins.
    parts: Vec<Vec<Node>>,
}

impl Condition {
    /// Reads a condition over the parameters of a function.
    ///
    /// # Errors
    /// When the text is no relation over them; the error has a line and a column.
    pub fn parse(text: &str, signature: &Signature) -> Result<Condition, ParseError> {
        let predicate = text::parse(text, &signature.inputs_schema())?;
        Ok(Condition::new(predicate, signature))
    }

    /// The condition that a relation over the parameters is.
    pub fn new(predicate: Predicate, signature: &Signature) -> Condition {
        let text = predicate.display(&signature.inputs_schema()).to_string();
        let parts = conjuncts(predicate.nodes());
        Condition { predicate, text, parts }
    }

    /// The condition that another one does not hold, in plain words as far as there are some.
    pub fn opposite(nodes: &[Node], signature: &Signature) -> Condition {
        let schema = signature.inputs_schema();
        let negated = opposite(nodes, &signature.parameters);
        let predicate = Predicate::new(negated.into(), &schema);
        Condition::new(predicate.expect("the opposite of a condition is one"), signature)
    }

    /// What two conditions say together.
    pub fn both(a: Option<Condition>, b: Condition, signature: &Signature) -> Condition {
        let Some(a) = a else { return b };
        let nodes = [a.predicate.nodes(), b.predicate.nodes(), &[Node::Op(Op::And)]].concat();
        let predicate = Predicate::new(nodes.into(), &signature.inputs_schema());
        Condition::new(predicate.expect("two conditions make one"), signature)
    }

    /// The condition as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The condition as a relation over the parameters.
    pub fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// Whether it holds of the values of all parameters.
    pub fn holds(&self, row: &[Value<'_>]) -> bool {
        is_true(self.predicate.nodes(), row)
    }

    /// Brings values nearer to satisfying it: lists that must be equally long are cut, numbers are moved beyond what bounds them.
    pub fn fit(&self, parameters: &[Parameter], row: &mut [Value<'static>]) {
        for part in &self.parts {
            if !is_true(part, row) {
                fit(part, parameters, row);
            }
        }
    }
}

impl Signature {
    /// The variables of conditions on inputs: the parameters.
    pub fn inputs_schema(&self) -> Schema {
        let parameters = self.parameters.iter();
        let schema = Schema::new(parameters.map(|p| (p.name.clone(), p.ty.kind().ty())));
        schema.expect("names were checked with the signature")
    }

    /// The same function on the inputs that satisfy a condition.
    #[must_use]
    pub fn within(mut self, condition: Condition) -> Signature {
        for part in &condition.parts {
            narrow(part, &mut self.parameters);
        }
        self.condition = Some(condition);
        self
    }

    /// Whether values of all parameters satisfy the condition of the function, if it has one.
    pub fn satisfied_by(&self, row: &[Value<'_>]) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.holds(row))
    }

    /// Brings values nearer to satisfying the condition of the function, if it has one.
    pub fn fit(&self, row: &mut [Value<'static>]) {
        if let Some(condition) = &self.condition {
            condition.fit(&self.parameters, row);
        }
    }
}

fn is_true(nodes: &[Node], row: &[Value<'_>]) -> bool {
    value(nodes, row) == Value::Bool(true)
}

fn value<'v>(nodes: &[Node], row: &'v [Value<'_>]) -> Value<'v> {
    scalar::value(nodes, &Tolerance::default(), |var| match &row[var.index()] {
        Value::Num(number) => Value::Num(*number),
        Value::Bool(truth) => Value::Bool(*truth),
        Value::Seq(elements) => Value::Seq(std::borrow::Cow::Borrowed(elements.as_ref())),
    })
}

/// The operands of an operator of two, the last of the nodes.
fn sides(nodes: &[Node]) -> (&[Node], &[Node]) {
    let operands = &nodes[..nodes.len() - 1];
    operands.split_at(subtree(operands, operands.len() - 1).start)
}

/// The parts that `and` joins.
fn conjuncts(nodes: &[Node]) -> Vec<Vec<Node>> {
    match nodes.last() {
        Some(Node::Op(Op::And)) => {
            let (left, right) = sides(nodes);
            [conjuncts(left), conjuncts(right)].concat()
        }
        _ => vec![nodes.to_vec()],
    }
}

/// The opposite of a condition. Only comparisons of integers have an opposite among comparisons: there may be NaN.
fn opposite(nodes: &[Node], parameters: &[Parameter]) -> Vec<Node> {
    let joined = |op: Op, a: &[Node], b: &[Node]| [a, b, &[Node::Op(op)]].concat();
    let not = || [nodes, &[Node::Op(Op::Not)]].concat();
    let Some(&Node::Op(op)) = nodes.last() else { return not() };
    let is_whole = |side: &[Node]| side.iter().all(|node| is_whole(*node, parameters));
    let turned = match op {
        Op::Not => return nodes[..nodes.len() - 1].to_vec(),
        Op::Or | Op::And => {
            let (a, b) = sides(nodes);
            let op = if op == Op::Or { Op::And } else { Op::Or };
            return joined(op, &opposite(a, parameters), &opposite(b, parameters));
        }
        Op::NumEq => Op::NumNe,
        Op::NumNe => Op::NumEq,
        Op::SeqEq => Op::SeqNe,
        Op::SeqNe => Op::SeqEq,
        Op::Lt | Op::Gt | Op::Le | Op::Ge => {
            let (a, b) = sides(nodes);
            if !is_whole(a) || !is_whole(b) {
                return not();
            }
            match op {
                Op::Lt => Op::Ge,
                Op::Gt => Op::Le,
                Op::Le => Op::Gt,
                _ => Op::Lt,
            }
        }
        _ => return not(),
    };
    let (a, b) = sides(nodes);
    joined(turned, a, b)
}

/// Whether a part of a term is never NaN.
fn is_whole(node: Node, parameters: &[Parameter]) -> bool {
    match node {
        Node::Var(var) => match parameters[var.index()].ty {
            Type::Scalar(scalar) => scalar.integers().is_some(),
            Type::String | Type::List(_) => true,
        },
        Node::Op(op) => !matches!(op, Op::Sum),
        Node::Num(number) => number.is_finite(),
        Node::Bool(_) => true,
    }
}

/// A comparison of a parameter, or of its length, with something else: the parameter, whether its length is meant, the operator with
/// the parameter on its left, and the other side.
struct Bound<'n> {
    at: usize,
    is_length: bool,
    op: ComparisonOp,
    other: &'n [Node],
}

/// How a comparison reads for the quantity on its left, and for the one on its right.
fn bounds(nodes: &[Node]) -> Vec<Bound<'_>> {
    let Some(Node::Op(op)) = nodes.last() else { return Vec::new() };
    let Class::Comparison(op) = op.class() else { return Vec::new() };
    let mirrored = match op {
        ComparisonOp::Lt => ComparisonOp::Gt,
        ComparisonOp::Gt => ComparisonOp::Lt,
        ComparisonOp::Le => ComparisonOp::Ge,
        ComparisonOp::Ge => ComparisonOp::Le,
        ComparisonOp::NumEq | ComparisonOp::NumNe | ComparisonOp::SeqEq | ComparisonOp::SeqNe => op,
    };
    let (left, right) = sides(nodes);
    let of = |side: &[Node]| match *side {
        [Node::Var(Var(at))] => Some((usize::from(at), false)),
        [Node::Var(Var(at)), Node::Op(Op::Length)] => Some((usize::from(at), true)),
        _ => None,
    };
    let mut found = Vec::new();
    for (side, op, other) in [(left, op, right), (right, mirrored, left)] {
        if let Some((at, is_length)) = of(side) {
            found.push(Bound { at, is_length, op, other });
        }
    }
    found
}

/// Narrows domains by a part that compares a parameter, or its length, with a constant.
fn narrow(part: &[Node], parameters: &mut [Parameter]) {
    for Bound { at, is_length, op, other } in bounds(part) {
        let [Node::Num(constant)] = *other else { continue };
        if !constant.is_finite() {
            continue;
        }
        let Parameter { ty, domain, .. } = &mut parameters[at];
        let is_integer = is_length || matches!(ty, Type::Scalar(s) if s.integers().is_some());
        // The least and the greatest integer beyond a strict bound; of real numbers the bound itself is left to rejection.
        let (least, most) = match (op, is_integer) {
            (ComparisonOp::NumEq, _) => (Some(constant), Some(constant)),
            (ComparisonOp::Ge, _) | (ComparisonOp::Gt, false) => (Some(constant), None),
            (ComparisonOp::Gt, true) => (Some(constant.floor() + 1.0), None),
            (ComparisonOp::Le, _) | (ComparisonOp::Lt, false) => (None, Some(constant)),
            (ComparisonOp::Lt, true) => (None, Some(constant.ceil() - 1.0)),
            (ComparisonOp::NumNe | ComparisonOp::SeqEq | ComparisonOp::SeqNe, _) => continue,
        };
        match (*ty, is_length) {
            (Type::String | Type::List(_), true) => {
                let least = least.map(|least| least.ceil().max(0.0) as usize);
                let most = most.map(|most| most.floor().max(0.0) as usize);
                domain.min_len = domain.min_len.max(least);
                domain.max_len = match (domain.max_len, most) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
            (Type::Scalar(scalar), false) if scalar != Scalar::Bool && scalar != Scalar::Char => {
                let (low, high) = domain
                    .range
                    .or(scalar.integers())
                    .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                let (low, high) = (low.max(least.unwrap_or(low)), high.min(most.unwrap_or(high)));
                let is_within = |number: &f64| (low..=high).contains(number);
                domain.also.retain(is_within);
                domain.range = Some((low, high));
            }
            (Type::Scalar(_) | Type::String | Type::List(_), _) => {}
        }
    }
}

/// How far beyond its bound a number may come to be.
const BEYOND: f64 = 16.0;

/// Changes values so that a part may hold.
fn fit(part: &[Node], parameters: &[Parameter], row: &mut [Value<'static>]) {
    for Bound { at, is_length, op, other } in bounds(part) {
        let fitted = match (value(other, row), &row[at], is_length) {
            (Value::Num(bound), Value::Num(number), false) if bound.is_finite() => {
                let step = number.abs() % BEYOND;
                let step = if step.is_nan() { 0.0 } else { step };
                let is_integer = parameters[at].ty.scalar().integers().is_some();
                let below = |below: f64| match is_integer && below >= 0.0 && number.is_finite() {
                    true => number.rem_euclid(below + 1.0),
                    false => below - step,
                };
                Some(Value::Num(match op {
                    ComparisonOp::Lt => below(bound - 1.0),
                    ComparisonOp::Le => below(bound),
                    ComparisonOp::Gt => bound + 1.0 + step,
                    ComparisonOp::Ge => bound + step,
                    ComparisonOp::NumEq => bound,
                    ComparisonOp::NumNe => bound + 1.0 + step,
                    ComparisonOp::SeqEq | ComparisonOp::SeqNe => continue,
                }))
            }
            (Value::Num(bound), Value::Seq(elements), true) => {
                let most = match op {
                    ComparisonOp::NumEq | ComparisonOp::Le => bound,
                    ComparisonOp::Lt => bound - 1.0,
                    ComparisonOp::Gt | ComparisonOp::Ge | ComparisonOp::NumNe => continue,
                    ComparisonOp::SeqEq | ComparisonOp::SeqNe => continue,
                };
                let is_longer = most >= 0.0 && elements.len() as f64 > most;
                is_longer.then(|| Value::Seq(elements[..most as usize].to_vec().into()))
            }
            (Value::Seq(other), Value::Seq(_), false) if op == ComparisonOp::SeqEq => {
                Some(Value::Seq(other.to_vec().into()))
            }
            _ => None,
        };
        // Two lists of which one is empty would both be empty when cut: the other is taken instead.
        let fitted = match (&fitted, other) {
            (Some(Value::Seq(cut)), [Node::Var(Var(of)), Node::Op(Op::Length)])
                if cut.is_empty() =>
            {
                let (of, copy) = (usize::from(*of), row[at].clone());
                if parameters[of].admits(&copy) {
                    row[of] = copy;
                    return;
                }
                fitted
            }
            _ => fitted,
        };
        if let Some(fitted) = fitted.filter(|value| parameters[at].admits(value)) {
            row[at] = fitted;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(text: &str) -> Signature {
        Signature::parse("f", text).unwrap()
    }

    fn list(elements: &[f64]) -> Value<'static> {
        Value::Seq(elements.to_vec().into())
    }

    #[test]
    fn what_is_said_of_single_numbers_and_lengths_narrows_their_domains() {
        let signature = signature("func(n: s32, x: f64, s: string) -> s32");
        let text = "n >= 0 and 20 > n and (x <= 1 and length(s) < 5) and length(s) != n";
        let condition = Condition::parse(text, &signature).unwrap();
        let within = signature.within(condition);
        let domains: Vec<_> = within.parameters.iter().map(|p| p.domain.clone()).collect();
        assert_eq!(domains[0].range, Some((0.0, 19.0)));
        assert_eq!(domains[1].range, Some((f64::NEG_INFINITY, 1.0)));
        assert_eq!((domains[2].min_len, domains[2].max_len), (None, Some(4)));
    }

    #[test]
    fn the_opposite_of_a_condition_is_said_plainly() {
        let signature = signature("func(n: s32, x: f64, a: list<s8>, b: list<s8>) -> s32");
        let opposite = |text: &str| {
            let condition = Condition::parse(text, &signature).unwrap();
            Condition::opposite(condition.predicate().nodes(), &signature).text().to_owned()
        };
        assert_eq!(opposite("n < 0 or n > 20"), "n >= 0 and n <= 20");
        assert_eq!(opposite("length(a) != length(b)"), "length(a) == length(b)");
        assert_eq!(opposite("x < 0"), "not x < 0");
        assert_eq!(opposite("not x < 0"), "x < 0");
    }

    #[test]
    fn values_are_brought_to_satisfy_a_condition() {
        let signature = signature("func(a: list<s8>, b: list<s8>, n: s32) -> s32");
        let text = "length(a) == length(b) and n >= 0 and n < length(a)";
        let signature = signature.clone().within(Condition::parse(text, &signature).unwrap());
        for (a, b, n) in [
            (list(&[1.0, 2.0, 3.0]), list(&[4.0]), 7.0),
            (list(&[1.0]), list(&[4.0, 5.0]), 0.0),
            (list(&[]), list(&[4.0, 5.0]), 100.0),
        ] {
            let mut row = vec![a, b, Value::Num(n)];
            assert!(!signature.satisfied_by(&row));
            signature.fit(&mut row);
            assert!(signature.satisfied_by(&row), "{row:?}");
        }
    }

    #[test]
    fn an_error_says_where_a_condition_goes_wrong() {
        let signature = signature("func(n: s32, s: string) -> s32");
        let error = Condition::parse("n > 0 and m < 3", &signature).unwrap_err();
        assert_eq!((error.line, error.column), (1, 11));
        assert!(Condition::parse("n + 1", &signature).is_err());
        assert!(Condition::parse("s < 3", &signature).is_err());
    }
}
