//! Instances of templates as texts: `NumericAddition(-1) on e`, `SequenceAppend('a') on s, t`,
//! `PermuteParameters on a, b and c, d`.

use std::fmt;
use std::str::FromStr;

use super::template::Argument;
use super::{Instance, Operand, Template, TransformError};
use crate::subject::together::{Role, Together};

/// A template as a text: an example, and how it is made of its arguments.
struct Form {
    example: &'static str,
    read: fn(&mut Arguments<'_>) -> Result<Template, TransformError>,
}

/// All templates; a row for each.
const FORMS: [Form; 27] = [
    Form { example: "PermuteParameters on a, b", read: |_| Ok(Template::PermuteParameters) },
    Form { example: "BooleanFlip on p", read: |_| Ok(Template::BooleanFlip) },
    Form {
        example: "NumericAddition(-1) on x",
        read: |from| Ok(Template::NumericAddition(from.number()?)),
    },
    Form {
        example: "NumericMultiplication(2) on x",
        read: |from| Ok(Template::NumericMultiplication(from.number()?)),
    },
    Form {
        example: "NumericComplement(10) on x",
        read: |from| Ok(Template::NumericComplement(from.number()?)),
    },
    Form {
        example: "SequenceRemove(0) on s",
        read: |from| Ok(Template::SequenceRemove(from.index()?)),
    },
    Form { example: "SequenceFlip on s", read: |_| Ok(Template::SequenceFlip) },
    Form { example: "SequenceSort on s", read: |_| Ok(Template::SequenceSort) },
    Form {
        example: "SequenceRotate(1) on s",
        read: |from| Ok(Template::SequenceRotate(from.index()?)),
    },
    Form {
        example: "SequenceSwap(0, -1) on s",
        read: |from| Ok(Template::SequenceSwap(from.index()?, from.index()?)),
    },
    Form {
        example: "SequenceAppend(s[0]) on s",
        read: |from| Ok(Template::SequenceAppend(from.value()?)),
    },
    Form {
        example: "SequencePrepend('a') on s",
        read: |from| Ok(Template::SequencePrepend(from.value()?)),
    },
    Form { example: "SequenceAdd(1) on s", read: |from| Ok(Template::SequenceAdd(from.number()?)) },
    Form {
        example: "SequenceMultiply(2) on s",
        read: |from| Ok(Template::SequenceMultiply(from.number()?)),
    },
    Form { example: "SequenceDouble on s", read: |_| Ok(Template::SequenceDouble) },
    Form {
        example: "SequenceTruncate(3) on s",
        read: |from| Ok(Template::SequenceTruncate(from.index()?)),
    },
    Form {
        example: "SequenceReplace(0, x) on s",
        read: |from| Ok(Template::SequenceReplace(from.index()?, from.value()?)),
    },
    Form { example: "TextUpper on s", read: |_| Ok(Template::TextUpper) },
    Form { example: "TextLower on s", read: |_| Ok(Template::TextLower) },
    Form { example: "TextSwapCase on s", read: |_| Ok(Template::TextSwapCase) },
    Form {
        example: "Inverse(decode) on s",
        read: |from| Ok(Template::Together(Together::Second(Role::Inverse, from.name()?))),
    },
    Form {
        example: "SameAs(other) on a, b",
        read: |from| Ok(Template::Together(Together::Second(Role::SameAs, from.name()?))),
    },
    Form {
        example: "Then(after) on x",
        read: |from| Ok(Template::Together(Together::Second(Role::Then, from.name()?))),
    },
    Form { example: "Concat on s", read: |_| Ok(Template::Together(Together::Concat)) },
    Form { example: "Sum on x", read: |_| Ok(Template::Together(Together::Sum)) },
    Form { example: "Associate on a, b", read: |_| Ok(Template::Together(Together::Associate)) },
    Form { example: "Triangle on a, b", read: |_| Ok(Template::Together(Together::Triangle)) },
];

impl Form {
    fn name(&self) -> &'static str {
        self.example.split(['(', ' ']).next().unwrap_or_default()
    }
}

/// An example of every template.
pub(super) fn examples(between: &str) -> String {
    FORMS.map(|form| form.example).join(between)
}

/// The arguments of a template that are not read yet.
struct Arguments<'t> {
    template: &'static str,
    whole: &'t str,
    left: std::vec::IntoIter<&'t str>,
}

impl<'t> Arguments<'t> {
    fn next(&mut self) -> Result<&'t str, TransformError> {
        self.left.next().ok_or_else(|| TransformError::Text(self.whole.to_owned()))
    }

    fn wrong(&self, argument: &str, expected: &'static str) -> TransformError {
        let (template, constant) = (self.template, argument.to_owned());
        TransformError::Constant { template, constant, expected }
    }

    /// i32: larger indices would not be exact as constants of a relation, nor of any use.
    fn index(&mut self) -> Result<i64, TransformError> {
        let argument = self.next()?;
        let index = argument.parse::<i32>().map(i64::from);
        index.map_err(|_| self.wrong(argument, "an index such as 0 or -1"))
    }

    fn number(&mut self) -> Result<Operand, TransformError> {
        const EXPECTED: &str =
            "a number, the name of a parameter, or an element of one such as s[0]";
        let argument = self.next()?;
        operand(argument)
            .filter(|operand| !matches!(operand, Operand::Letter(_)))
            .ok_or_else(|| self.wrong(argument, EXPECTED))
    }

    fn name(&mut self) -> Result<String, TransformError> {
        let argument = self.next()?;
        let name = is_name(argument).then(|| argument.to_owned());
        name.ok_or_else(|| self.wrong(argument, "the name of the second function"))
    }

    fn value(&mut self) -> Result<Operand, TransformError> {
        const EXPECTED: &str = "a number, a character such as 'a', the name of a parameter, or an element of one such as s[0]";
        let argument = self.next()?;
        operand(argument).ok_or_else(|| self.wrong(argument, EXPECTED))
    }
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(letter) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut letters = letter.chars();
        let letter = letters.next()?;
        return letters.next().is_none().then_some(Operand::Letter(letter));
    }
    if is_name(text) {
        return Some(Operand::Parameter(text.to_owned()));
    }
    if let Some((name, index)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        let index = index.trim().parse::<i32>().ok()?;
        return is_name(name).then(|| Operand::Element(name.to_owned(), i64::from(index)));
    }
    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(Operand::Number(number))
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_alphanumeric())
}

/// The arguments between commas; a comma may be a character in quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut is_quoted) = (Vec::new(), 0, false);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (place, &(at, c)) in letters.iter().enumerate() {
        let after = |by: usize| letters.get(place + by).map(|&(_, c)| c);
        match c {
            // 'x', and ''' too.
            '\'' if !is_quoted && after(2) == Some('\'') => is_quoted = true,
            '\'' if is_quoted && after(1) != Some('\'') => is_quoted = false,
            ',' if !is_quoted => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

impl FromStr for Instance {
    type Err = TransformError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || TransformError::Text(text.to_owned());
        let (call, parameters) = text.rsplit_once(" on ").ok_or_else(wrong)?;
        let call = call.trim();
        let (name, arguments) = match call.strip_suffix(')').and_then(|call| call.split_once('(')) {
            Some((name, arguments)) => (name.trim(), split(arguments)),
            None => (call, Vec::new()),
        };
        let form = FORMS.iter().find(|form| form.name() == name).ok_or_else(wrong)?;
        let mut arguments =
            Arguments { template: form.name(), whole: text, left: arguments.into_iter() };
        let template = (form.read)(&mut arguments)?;
        if arguments.left.next().is_some() {
            return Err(wrong());
        }
        let groups = parameters.split(" and ").map(|group| group.split(',').map(str::trim));
        let groups: Vec<Vec<&str>> = groups.map(Iterator::collect).collect();
        let is_pairs = template == Template::PermuteParameters;
        let is_right = |group: &Vec<&str>| !is_pairs || group.len() == 2;
        if !groups.iter().all(is_right) || !is_pairs && groups.len() > 1 {
            return Err(wrong());
        }
        let parameters: Vec<String> = groups.into_iter().flatten().map(str::to_owned).collect();
        if !parameters.iter().all(|name| is_name(name)) {
            return Err(wrong());
        }
        let repeated = (1..parameters.len()).find(|&at| parameters[..at].contains(&parameters[at]));
        match repeated.map(|at| parameters[at].clone()) {
            Some(name) if is_pairs => Err(TransformError::Same(name)),
            Some(name) => Err(TransformError::Twice(name)),
            None => Ok(Instance { template, parameters }),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.template.name())?;
        let arguments: Vec<String> = self
            .template
            .arguments()
            .into_iter()
            .map(|argument| match argument {
                Argument::Index(index) => index.to_string(),
                Argument::Operand(operand) => operand.to_string(),
                Argument::Name(name) => name.to_owned(),
            })
            .collect();
        if !arguments.is_empty() {
            write!(f, "({})", arguments.join(", "))?;
        }
        write!(f, " on {}", self.listed())
    }
}

impl Instance {
    /// The parameters, as the text of the instance has them.
    fn listed(&self) -> String {
        match self.template {
            Template::PermuteParameters => {
                let pairs: Vec<String> =
                    self.parameters.chunks(2).map(|pair| pair.join(", ")).collect();
                pairs.join(" and ")
            }
            _ => self.parameters.join(", "),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Number(number) => f.write_str(&constant(*number)),
            Operand::Letter(letter) => write!(f, "'{letter}'"),
            Operand::Parameter(name) => f.write_str(name),
            Operand::Element(name, index) => write!(f, "{name}[{index}]"),
        }
    }
}

/// The shortest text that reads back as the same number.
pub(super) fn constant(number: f64) -> String {
    let plain = format!("{number}");
    let short = format!("{number:e}");
    if short.len() < plain.len() { short } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_reads_back_from_its_text() {
        for form in &FORMS {
            let instance: Instance = form.example.parse().unwrap();
            assert_eq!(instance.to_string(), form.example);
            assert_eq!(instance.template.name(), form.name());
        }
        for text in [
            "PermuteParameters on a, b and c, d",
            "NumericAddition(b) on a",
            "NumericMultiplication(2) on a, b, c",
            "NumericComplement(s[-1]) on x",
            "SequenceReplace(-1, ',') on s, t",
            "SequenceAppend(''') on s",
            "SequenceAppend(' ') on s",
            "SequenceAppend(')') on s",
        ] {
            assert_eq!(text.parse::<Instance>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn names_are_parameters_and_quotes_are_characters() {
        let operand = |text: &str| -> Operand {
            let instance: Instance = format!("SequenceAppend({text}) on s").parse().unwrap();
            instance.template.operand().unwrap().clone()
        };
        assert_eq!(operand("7"), Operand::Number(7.0));
        assert_eq!(operand("inf"), Operand::Parameter("inf".to_owned()));
        assert_eq!(operand("'7'"), Operand::Letter('7'));
        assert_eq!(operand("t[2]"), Operand::Element("t".to_owned(), 2));
    }
}
