//! Mutants as PIT names them, so that its verdicts can be put beside ours.

use std::fmt;

/// A mutant of group B, by what PIT writes about it in `mutations.xml`. No two mutants of a method have the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PitMutant {
    /// `mutatedClass`, such as `org.apache.commons.math3.util.ArithmeticUtils`.
    pub class: String,
    /// `mutatedMethod`: the name of the method.
    pub method: String,
    /// `methodDescription`, such as `(II)I`.
    pub descriptor: String,
    /// The last part of `mutator` as [`crate::subject::Mutant::operator`] has it: `MATH` of `…MathMutator`.
    pub operator: &'static str,
    /// `lineNumber`; 0 if the class has no lines.
    pub line: u32,
    /// `index`: the place of the mutated instruction, as PIT counts.
    pub index: usize,
}

/// Our names for PIT's mutators, by the last part of theirs.
const MUTATORS: [(&str, &str); 11] = [
    ("MathMutator", "MATH"),
    ("NegateConditionalsMutator", "NEGATE_CONDITIONALS"),
    ("ConditionalsBoundaryMutator", "CONDITIONALS_BOUNDARY"),
    ("InvertNegsMutator", "INVERT_NEGS"),
    ("IncrementsMutator", "INCREMENTS"),
    ("VoidMethodCallMutator", "VOID_METHOD_CALLS"),
    ("EmptyObjectReturnValsMutator", "EMPTY_RETURNS"),
    ("BooleanTrueReturnValsMutator", "TRUE_RETURNS"),
    ("BooleanFalseReturnValsMutator", "FALSE_RETURNS"),
    ("NullReturnValsMutator", "NULL_RETURNS"),
    ("PrimitiveReturnsMutator", "PRIMITIVE_RETURNS"),
];

impl PitMutant {
    /// Our name for a mutator that PIT calls by the name of its class; none if it is not one of PIT's defaults.
    pub fn operator_of(mutator: &str) -> Option<&'static str> {
        let last = mutator.rsplit('.').next().unwrap_or_default();
        MUTATORS.iter().find(|(class, _)| *class == last).map(|(_, operator)| *operator)
    }
}

impl fmt::Display for PitMutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PitMutant { class, method, descriptor, operator, line, index } = self;
        write!(f, "{operator} in {class}.{method}{descriptor}, line {line}, index {index}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutators_are_known_by_the_last_part_of_their_names() {
        let math = "org.pitest.mutationtest.engine.gregor.mutators.MathMutator";
        assert_eq!(PitMutant::operator_of(math), Some("MATH"));
        assert_eq!(PitMutant::operator_of("x.y.NakedReceiverMutator"), None);
    }
}
