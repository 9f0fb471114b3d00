//! The source inputs that were found, and a summary of them.

use std::fmt;

use genmorph_jit::Value;

use super::coverage::Coverage;
use super::error::OutcomeCounts;
use crate::subject::kinds::Kind;
use crate::subject::{Inputs, Outcome, Outcomes, Signature};
use crate::support::digits::grouped;

/// The source inputs of a function, with the outcomes of its original on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources {
    /// All inputs, the user's first.
    pub inputs: Inputs,
    /// The original's outcomes on these inputs. At most a fifth of the inputs that were found are failing ones.
    pub outcomes: Outcomes,
    /// The branch sides that these inputs take.
    pub coverage: Coverage,
    /// How many of the inputs were supplied by the user.
    pub supplied: usize,
    /// Number of calls that were traced to find them.
    pub calls: usize,
    /// Number of these calls per outcome, most frequent first.
    pub ended: Vec<(Outcome, usize)>,
}

impl Sources {
    /// Some of the inputs, in their order. What is said of branches and calls stays.
    #[must_use]
    pub fn rows(&self, signature: &Signature, rows: &[usize]) -> Sources {
        let mut outcomes = Outcomes::new(signature);
        rows.iter().for_each(|&row| outcomes.push(&self.outcomes, row));
        Sources {
            inputs: self.inputs.only(signature, rows.iter().copied()),
            outcomes,
            supplied: rows.partition_point(|row| *row < self.supplied),
            ..self.clone()
        }
    }

    /// Number of inputs on which the original returns.
    pub fn returned(&self) -> usize {
        self.outcomes.outcomes().iter().filter(|o| **o == Outcome::Returned).count()
    }
}

/// `2,000 source inputs (3 supplied); 41 of 44 branch sides covered; not covered: …`
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} source inputs", grouped(self.inputs.len() as u64))?;
        if self.supplied > 0 {
            write!(f, " ({} supplied)", grouped(self.supplied as u64))?;
        }
        let failing = self.inputs.len() - self.returned();
        if failing > 0 {
            write!(f, ", {} of which do not return", grouped(failing as u64))?;
        }
        write!(f, "; {}", self.coverage)?;
        let failed: Vec<_> =
            self.ended.iter().filter(|(o, _)| *o != Outcome::Returned).copied().collect();
        // A few odd inputs that fail are not worth mentioning.
        if failed.iter().map(|(_, calls)| calls).sum::<usize>() > self.calls / 10 {
            write!(f, "; of {} calls {}", grouped(self.calls as u64), OutcomeCounts(&failed))?;
        }
        Ok(())
    }
}

/// A row in readable form: `k = 2, e = -1, s = "abc"`.
pub(super) fn shown(signature: &Signature, row: &[Value<'_>]) -> String {
    let parameters = signature.parameters.iter().zip(row);
    let each = parameters.map(|(parameter, value)| {
        let value = match value {
            Value::Num(number) => format!("{number}"),
            Value::Bool(truth) => format!("{truth}"),
            Value::Seq(elements) if parameter.ty.kind() == Kind::Text => {
                let code = |&code: &f64| char::from_u32(code as u32).unwrap_or('\u{fffd}');
                format!("{:?}", elements.iter().map(code).collect::<String>())
            }
            Value::Seq(elements) => format!("{elements:?}"),
        };
        format!("{} = {value}", parameter.name)
    });
    each.collect::<Vec<_>>().join(", ")
}
