//! The pairs of source and follow-up inputs that a test is made of, and the outcomes of the function on them.

use std::collections::BTreeMap;

use genmorph_jit::engine::reference;
use genmorph_jit::{Column, Predicate, Table, Tolerance, Value};

use crate::subject::{Inputs, MachineFailure, Outcomes, Signature, Subject, Version};
use crate::transform::Transform;

/// Inputs with more elements, over all parameters, are left out of tests: nobody would read them.
pub const MOST_ELEMENTS: usize = 500;

/// Source inputs with their follow-ups. The function returns on both what relations can speak of.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The source input of each pair.
    pub sources: Inputs,
    /// The follow-up input of each pair.
    pub follow_ups: Inputs,
    /// The outcomes on the source inputs.
    pub at_source: Outcomes,
    /// The outcomes on the follow-up inputs.
    pub at_follow_up: Outcomes,
    /// The number of pairs that these were chosen from.
    pub candidates: usize,
}

impl Pairs {
    /// Chooses at most `most` pairs of these source inputs, as different as possible: one of each kind of values, then another
    /// of each kind, and so on.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn choose(
        subject: &dyn Subject,
        transform: &Transform,
        inputs: &Inputs,
        most: usize,
    ) -> Result<Pairs, MachineFailure> {
        let signature = subject.signature();
        let (follow_ups, source_rows) = transform.follow_ups(inputs, signature);
        let at_source = subject.run(Version::Original, inputs)?;
        let at_follow_up = subject.run(Version::Original, &follow_ups)?;
        let mut candidates = Vec::new();
        for (follow_up, &source) in source_rows.iter().enumerate() {
            let is_short = elements(inputs.row(source)) <= MOST_ELEMENTS;
            let is_exact = at_source.is_exact(source) && at_follow_up.is_exact(follow_up);
            if !is_short || !is_exact {
                continue;
            }
            let outputs = at_source.row(source).chain(at_follow_up.row(follow_up));
            candidates.push((kind(inputs.row(source).chain(outputs)), (source, follow_up)));
        }
        let (count, chosen) = (candidates.len(), in_turn(candidates, most));
        let mut pairs = (Inputs::new(signature), Inputs::new(signature));
        for (source, follow_up) in chosen {
            pairs.0.push(&inputs.row(source).collect::<Vec<_>>());
            pairs.1.push(&follow_ups.row(follow_up).collect::<Vec<_>>());
        }
        let (sources, follow_ups) = pairs;
        let at_source = subject.run(Version::Original, &sources)?;
        let at_follow_up = subject.run(Version::Original, &follow_ups)?;
        Ok(Pairs { sources, follow_ups, at_source, at_follow_up, candidates: count })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A table of the inputs and outputs of the function on all pairs, for relations.
    pub fn table(&self, signature: &Signature, tolerance: Tolerance) -> Table {
        let rows: Vec<usize> = (0..self.len()).collect();
        self.table_of(signature, tolerance, (&self.at_source, &self.at_follow_up), &rows)
    }

    /// A table of the inputs and outputs of a version of the function on some pairs, on which it returned.
    ///
    /// # Panics
    /// If the outcomes are not of this function on these inputs.
    pub fn table_of(
        &self,
        signature: &Signature,
        tolerance: Tolerance,
        (at_source, at_follow_up): (&Outcomes, &Outcomes),
        rows: &[usize],
    ) -> Table {
        let schema = signature.of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let mut columns: Vec<Column> = schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        for &row in rows {
            let source = self.sources.row(row).chain(at_source.row(row));
            let follow_up = self.follow_ups.row(row).chain(at_follow_up.row(row));
            for (column, value) in columns.iter_mut().zip(source.chain(follow_up)) {
                column.push(&value);
            }
        }
        Table::new(&schema, columns, tolerance).expect("a column per variable, of its type")
    }

    /// The first pair on which a relation is false.
    pub fn refutes(
        &self,
        signature: &Signature,
        relation: &Predicate,
        tolerance: Tolerance,
    ) -> Option<usize> {
        let table = self.table(signature, tolerance);
        (0..self.len()).find(|&row| !reference::holds(relation, &table, row))
    }
}

/// At most `most` candidates, in their order: one of each kind, then another of each kind, and so on.
pub(super) fn in_turn<T: Copy + Ord>(candidates: Vec<(String, T)>, most: usize) -> Vec<T> {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_kind: Vec<Vec<T>> = Vec::new();
    for (kind, candidate) in candidates {
        let place = *kinds.entry(kind).or_insert_with(|| {
            by_kind.push(Vec::new());
            by_kind.len() - 1
        });
        by_kind[place].push(candidate);
    }
    let mut chosen = Vec::new();
    for turn in 0..by_kind.iter().map(Vec::len).max().unwrap_or(0) {
        let turns = by_kind.iter().filter_map(|candidates| candidates.get(turn));
        chosen.extend(turns.take(most - chosen.len()).copied());
        if chosen.len() == most {
            break;
        }
    }
    // In the order of the run.
    chosen.sort_unstable();
    chosen
}

/// The number of elements of all values.
pub(super) fn elements<'v>(values: impl Iterator<Item = Value<'v>>) -> usize {
    let count = |value: Value<'_>| match value {
        Value::Num(_) | Value::Bool(_) => 1,
        Value::Seq(elements) => elements.len(),
    };
    values.map(count).sum()
}

/// The kind of a row: signs, magnitudes, lengths, and which numbers are equal.
pub(super) fn kind<'v>(values: impl Iterator<Item = Value<'v>>) -> String {
    let mut kind = String::new();
    let mut numbers: Vec<f64> = Vec::new();
    for value in values {
        match value {
            Value::Num(number) => {
                kind.push(look(number));
                let same = numbers.iter().position(|known| known.to_bits() == number.to_bits());
                kind.push_str(&same.map(|place| place.to_string()).unwrap_or_default());
                numbers.push(number);
            }
            Value::Bool(truth) => kind.push(if truth { 't' } else { 'f' }),
            Value::Seq(elements) => {
                kind.push_str(&format!("[{}", elements.len().min(4)));
                let rises = elements.windows(2).all(|pair| pair[0] <= pair[1]);
                let falls = elements.windows(2).all(|pair| pair[0] >= pair[1]);
                kind.push_str(if rises { "<" } else { "" });
                kind.push_str(if falls { ">" } else { "" });
                kind.extend(elements.first().map(|&first| look(first)));
            }
        }
        kind.push(' ');
    }
    kind
}

fn look(number: f64) -> char {
    match number {
        _ if number.is_nan() => 'n',
        _ if number.is_infinite() => {
            if number > 0.0 {
                'I'
            } else {
                'i'
            }
        }
        _ if number == 0.0 => '0',
        _ if number == 1.0 => '1',
        _ if number.fract() != 0.0 => {
            if number > 0.0 {
                'F'
            } else {
                'f'
            }
        }
        _ if number.abs() >= 1e6 => {
            if number > 0.0 {
                'L'
            } else {
                'l'
            }
        }
        _ if number > 0.0 => '+',
        _ => '-',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::WasmDefinition;
    use crate::subject::wasm::{Engine, WasmSubject};
    use crate::transform::Instance;

    #[test]
    fn every_kind_of_pair_gets_its_turn() {
        let subject = WasmSubject::defined(&WasmDefinition::demo(), Engine::default()).unwrap();
        let signature = subject.signature();
        let down: Instance = "NumericAddition(-1) on e".parse().unwrap();
        let down = down.bind(&signature.of_executions()).unwrap();
        let row = |k: f64, e: f64| vec![Value::Num(k), Value::Num(e)];
        // Many of one kind, and two others; the last has no follow-up within the domain.
        let mut rows: Vec<_> = (3..40).map(|k| row(f64::from(k), 3.0)).collect();
        rows.extend([row(-2.0, 5.0), row(0.0, 2.0), row(2.0, 0.0)]);
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        let pairs = Pairs::choose(&subject, &down, &inputs, 4).unwrap();
        assert_eq!((pairs.len(), pairs.candidates), (4, 39));
        let last: Vec<_> = pairs.sources.row(3).collect();
        assert_eq!(last, row(0.0, 2.0));
        let everything = Pairs::choose(&subject, &down, &inputs, 1000).unwrap();
        assert_eq!(everything.len(), 39);
    }
}
