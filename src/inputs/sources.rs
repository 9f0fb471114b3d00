//! The source inputs that were found, and what is to be said of them.

use std::fmt;

use genmorph_jit::Value;

use super::coverage::Coverage;
use super::error::Ended;
use crate::subject::kinds::Kind;
use crate::subject::{Inputs, Outcome, Outcomes, Signature};
use crate::support::digits::grouped;

/// Source inputs of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources {
    /// The inputs: first those of the user.
    pub inputs: Inputs,
    /// What the original does on them. At most a fifth of those that were found fail.
    pub outcomes: Outcomes,
    /// The sides of branches that they take.
    pub coverage: Coverage,
    /// How many of the inputs are the user's.
    pub supplied: usize,
    /// How many calls were traced to find them.
    pub calls: usize,
    /// How these calls ended, most frequent first.
    pub ended: Vec<(Outcome, usize)>,
}

impl Sources {
    /// On how many inputs the function returns.
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
        // Worth a word if it is more than a few odd inputs.
        if failed.iter().map(|(_, calls)| calls).sum::<usize>() > self.calls / 10 {
            write!(f, "; of {} calls {}", grouped(self.calls as u64), Ended(&failed))?;
        }
        Ok(())
    }
}

/// A row as people read it: `k = 2, e = -1, s = "abc"`.
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
