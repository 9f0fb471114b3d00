//! genmorph on itself: laws of its own pure functions, found by exploring their executions.
//!
//! What is found on some inputs must hold on others, and must refute a faulty version of the function: so a change that breaks a
//! law of these functions is noticed without anybody having written the law down.

use genmorph::executions::{Executions, Rows};
use genmorph::explore::{Vocabulary, explore};
use genmorph::jit::{Evaluator, Tolerance, Value, parse};
use genmorph::subject::kinds::{Interface, Kind, Parameter};
use genmorph::support::digits::grouped;
use genmorph::support::seed::Seed;
use genmorph::transform::Transformation;

/// Values of inputs, or of outputs.
type Values = Vec<Value<'static>>;

/// A function of ours, and how its follow-up inputs are made.
struct Own {
    function: &'static str,
    inputs: &'static [(&'static str, Kind)],
    output: Kind,
    transformation: &'static str,
    input_relation: &'static str,
    follow_up: fn(&[f64]) -> Vec<f64>,
}

impl Own {
    /// The executions of a version of the function on inputs that are numbers.
    fn executions(
        &self,
        sources: &[Vec<f64>],
        version: impl Fn(&[f64]) -> Value<'static>,
    ) -> Executions {
        let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
        let interface = Interface {
            function: self.function.to_owned(),
            inputs: self.inputs.iter().copied().map(parameter).collect(),
            outputs: vec![parameter(("out", self.output))],
            ..Interface::default()
        };
        let transformation = Transformation {
            name: self.transformation.to_owned(),
            input_relation: self.input_relation.to_owned(),
        };
        let mut rows = Rows::new(&interface, Vec::new()).unwrap();
        let call = |inputs: &[f64]| -> Values {
            inputs.iter().copied().map(Value::Num).chain([version(inputs)]).collect()
        };
        for source in sources {
            rows.push(None, [call(source), call(&(self.follow_up)(source))].concat()).unwrap();
        }
        rows.into_executions(&interface, &transformation, Tolerance::default(), 1).unwrap()
    }

    /// The laws that are found on some inputs; they must hold on others, and one of them fails for the faulty version.
    fn laws(
        &self,
        sources: impl Fn(u64) -> Vec<Vec<f64>>,
        sound: impl Fn(&[f64]) -> Value<'static>,
        faulty: impl Fn(&[f64]) -> Value<'static>,
    ) -> Vec<String> {
        let found = explore(&self.executions(&sources(1), &sound), &Vocabulary::default());
        let others = [self.executions(&sources(2), sound), self.executions(&sources(2), faulty)];
        let schema = others[0].table.schema();
        let laws: Vec<String> =
            found.laws.iter().map(|law| law.relation.display(schema).to_string()).collect();
        let mut evaluator = Evaluator::default();
        let mut refuted = 0;
        for law in &laws {
            let [holds, fails] = [0, 1].map(|version| {
                let table = &others[version].table;
                let mask = evaluator.mask(&parse(law, table.schema()).unwrap(), table);
                table.rows() - mask.count_ones_in(0)
            });
            assert_eq!(holds, 0, "{}: `{law}` is false on other inputs", self.function);
            refuted += fails;
        }
        assert!(refuted > 0, "{}: no law fails for the faulty version: {laws:?}", self.function);
        laws
    }
}

/// Pairs of numbers, many of them equal or nearly so.
fn pairs(seed: u64) -> Vec<Vec<f64>> {
    let mut rng = Seed(seed).stream("pairs").rng();
    let pair = |_| {
        let a = rng.below(9) as f64 - 4.0;
        let apart = [0.0, 1e-12, 0.5, 1.0, -1.0, 3.0];
        vec![a, a + rng.pick(&apart)]
    };
    (0..400).map(pair).collect()
}

const BOTH: &[(&str, Kind)] = &[("a", Kind::Number), ("b", Kind::Number)];

#[test]
fn equality_within_a_tolerance_is_symmetric() {
    let own = Own {
        function: "eq",
        inputs: BOTH,
        output: Kind::Boolean,
        transformation: "PermuteParameters on a, b",
        input_relation: "a_f == b_s and b_f == a_s",
        follow_up: |inputs| vec![inputs[1], inputs[0]],
    };
    let tolerance = Tolerance::default();
    // Forgets the magnitude: a - b is small wherever b is greater.
    let laws = own.laws(
        pairs,
        |inputs| Value::Bool(tolerance.eq(inputs[0], inputs[1])),
        |inputs| Value::Bool(inputs[0] - inputs[1] <= tolerance.abs()),
    );
    assert!(
        laws.iter().any(|law| law == "out_f iff out_s" || law == "out_s iff out_f"),
        "{laws:?}"
    );
}

#[test]
fn at_most_one_of_two_numbers_is_less_than_the_other() {
    let own = Own {
        function: "lt",
        inputs: BOTH,
        output: Kind::Boolean,
        transformation: "PermuteParameters on a, b",
        input_relation: "a_f == b_s and b_f == a_s",
        follow_up: |inputs| vec![inputs[1], inputs[0]],
    };
    let tolerance = Tolerance::default();
    own.laws(
        pairs,
        |inputs| Value::Bool(tolerance.lt(inputs[0], inputs[1])),
        |inputs| Value::Bool(tolerance.le(inputs[0], inputs[1])),
    );
}

#[test]
fn digits_grow_with_the_number() {
    let own = Own {
        function: "grouped",
        inputs: &[("n", Kind::Number)],
        output: Kind::Text,
        transformation: "NumericMultiplication(1000) on n",
        input_relation: "n_f == n_s * 1000",
        follow_up: |inputs| vec![inputs[0] * 1000.0],
    };
    let numbers = |seed: u64| -> Vec<Vec<f64>> {
        let mut rng = Seed(seed).stream("numbers").rng();
        (0..300).map(|i| vec![(1 + rng.below(10_usize.pow(1 + i % 6))) as f64]).collect()
    };
    let text = |text: String| {
        Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect::<Vec<_>>().into())
    };
    own.laws(
        numbers,
        |inputs| text(grouped(inputs[0] as u64)),
        // Without separators.
        |inputs| text(format!("{}", inputs[0] as u64)),
    );
}
