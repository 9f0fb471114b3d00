//! Calls that are made together: of two functions on one input, or of one function on two.
//!
//! ```text
//!  Inverse(decode) on s    out = encode(s)     out_g = decode(encode(s))
//!  Then(sorted) on a       out = sort(a)       out_g = sorted(sort(a))     out_gx = sorted(a)
//!  SameAs(gcd2) on a, b    out = gcd(a, b)     out_g = gcd2(a, b)
//!  Concat on s             out = f(s)          out2 = f(t)                 out_both = f(s ++ t)
//!  Sum on x                out = f(x)          out2 = f(y)                 out_both = f(x + y)
//!  Associate on a, b       out = f(a, f(b, c))                             out_both = f(f(a, b), c)
//!  Triangle on a, b        out = f(a, b)       out2 = f(b, c)              out_both = f(a, c)
//! ```
//! All of it is one function with several outputs: [`Composed`] is a [`Subject`](super::Subject), and whatever finds or tries relations of single
//! executions works on it. This file says which calls there are; it runs nothing.

mod accompanied;
mod composed;
mod layout;
mod pairs;
#[cfg(test)]
mod tests;

pub use self::accompanied::Accompanied;
pub use self::composed::Composed;
pub(crate) use self::layout::{Argument, Layout};
pub use self::pairs::{ProposedPair, proposed};

use super::kinds::{Interface, Parameter, plain_name};
use super::signature::{self, CallResult, Signature, Type};
use crate::support::named::named;

named! {
    /// What a second function is to the first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Role {
        /// It undoes what the first does.
        Inverse = "Inverse",
        /// It does the same in another way.
        SameAs = "SameAs",
        /// It is called with what the first returns.
        Then = "Then",
    }
}

impl Role {
    /// The role with a name.
    pub fn of(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The key of a `subject.toml` that names the second function.
    pub fn key(self) -> &'static str {
        match self {
            Role::Inverse => "inverse",
            Role::SameAs => "same_as",
            Role::Then => "then",
        }
    }
}

/// How calls are put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Together {
    /// With a second function, which has this name.
    Second(Role, String),
    /// Of two texts or lists, and of both joined.
    Concat,
    /// Of two numbers, and of their sum.
    Sum,
    /// Of three values, joined from the left and from the right.
    Associate,
    /// From the first of three values to the second, from there to the third, and straight.
    Triangle,
}

/// A second function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Second<S> {
    /// What it is to the first.
    pub role: Role,
    /// Its name in relations; never that of the first.
    pub name: String,
    /// What it takes and gives.
    pub function: S,
}

impl Together {
    /// The name, as in texts of transformations.
    pub fn name(&self) -> &'static str {
        match self {
            Together::Second(role, _) => role.name(),
            Together::Concat => "Concat",
            Together::Sum => "Sum",
            Together::Associate => "Associate",
            Together::Triangle => "Triangle",
        }
    }

    /// The output that laws are about.
    pub fn principal(&self) -> &'static str {
        match self {
            Together::Second(..) => "out_g",
            Together::Concat | Together::Sum | Together::Associate | Together::Triangle => {
                "out_both"
            }
        }
    }
}

impl Signature {
    /// The signature of calls that are made together, on these parameters.
    ///
    /// # Errors
    /// When the types do not fit; says which.
    pub fn together(&self, how: &Together, on: &[String]) -> Result<Signature, String> {
        let interface = self.of_executions();
        let layout = Layout::of(how, on, &interface)?;
        let second = self.second.as_deref().map(|second| &second.function);
        let function = |call: &layout::Call| match (call.is_second, second) {
            (true, Some(second)) => second,
            (_, _) => self,
        };
        let value = |call: &layout::Call| function(call).value().map(|(_, ty)| ty);
        let mut parameters = self.parameters.clone();
        for (of, name) in &layout.copies {
            parameters.push(signature::Parameter { name: name.clone(), ..parameters[*of].clone() });
        }
        for call in &layout.calls {
            for (argument, parameter) in call.arguments.iter().zip(&function(call).parameters) {
                let ty = match *argument {
                    Argument::Input(at) | Argument::Joined(at, _) | Argument::Added(at, _) => {
                        Some(parameters[at].ty)
                    }
                    Argument::Result(at) => value(&layout.calls[at]),
                };
                let Some(ty) = ty.filter(|ty| !ty.fits(parameter.ty)) else { continue };
                let (takes, name) = (&function(call).function, &parameter.name);
                return Err(format!("`{takes}` takes {} as `{name}`, and not {ty}", parameter.ty));
            }
        }
        // What is joined or added must stay within the domain.
        for (one, other) in layout.joined() {
            for at in [one, other] {
                parameters[at].domain = parameters[at].domain.halved();
            }
        }
        let calls = interface.together(how, on)?.calls;
        let named =
            layout.calls.iter().filter_map(|call| Some((call.name?.to_owned(), value(call)?)));
        let outputs = named.zip(calls).map(|((name, ty), call)| CallResult { name, ty, call });
        let outputs = outputs.collect();
        Ok(Signature {
            function: self.function.clone(),
            parameters,
            result: None,
            changed: Vec::new(),
            observed: super::kinds::Observed::Together,
            // A condition is about the inputs of one call.
            condition: self.condition.clone().filter(|_| layout.copies.is_empty()),
            second: None,
            results: outputs,
        })
    }

    /// What calls that are made together return: `out = encode(s), out_g = decode(encode(s))`.
    pub fn calls(&self) -> String {
        let each = self.results.iter().map(|result| format!("{} = {}", result.name, result.call));
        each.collect::<Vec<_>>().join(", ")
    }

    /// The one output of a function that others can take: its result, or the only argument that it changes.
    pub(crate) fn value(&self) -> Option<(String, Type)> {
        let outputs = self.outputs();
        let is_one = self.result.is_some() || outputs.len() == 1;
        outputs.into_iter().next().filter(|_| is_one)
    }

    /// The same function with a second one.
    ///
    /// # Errors
    /// When the types do not fit; says which.
    pub fn with_second(&self, role: Role, second: &Signature) -> Result<Signature, String> {
        let plain = plain_name(&second.function);
        let name = if plain == plain_name(&self.function) { format!("{plain}_2") } else { plain };
        let second = Second { role, name: name.clone(), function: second.clone() };
        let both = Signature { second: Some(Box::new(second)), ..self.clone() };
        let on: Vec<String> = self.parameters.iter().map(|p| p.name.clone()).collect();
        both.together(&Together::Second(role, name), &on)?;
        Ok(both)
    }
}

impl Interface {
    /// The interface of calls that are made together, on these parameters.
    ///
    /// # Errors
    /// When the kinds of values do not fit; says which.
    pub fn together(&self, how: &Together, on: &[String]) -> Result<Interface, String> {
        let layout = Layout::of(how, on, self)?;
        let second = self.second.as_deref();
        let mut inputs = self.inputs.clone();
        for (of, name) in &layout.copies {
            inputs.push(Parameter { name: name.clone(), kind: inputs[*of].kind });
        }
        let (mut outputs, mut calls) = (Vec::new(), Vec::new());
        for (at, call) in layout.calls.iter().enumerate() {
            let Some(name) = call.name else { continue };
            let function =
                if call.is_second { second.map(|second| &second.function) } else { None };
            let kind = function.unwrap_or(self).outputs[0].kind;
            outputs.push(Parameter { name: name.to_owned(), kind });
            let names = [&*plain_name(&self.function), second.map_or("g", |second| &second.name)];
            calls.push(layout.text(at, names, &inputs));
        }
        let function = self.function.clone();
        let composed = Interface { function, inputs, outputs, calls, second: None };
        match composed.schema() {
            Ok(_) => Ok(composed),
            Err(error) => {
                Err(format!("the names of the parameters leave none for further calls: {error}"))
            }
        }
    }

    /// Which ways of putting calls of the function together fit it, the plainest first: with its second function, then with a
    /// second source.
    pub fn compositions(&self) -> Vec<(Together, Vec<String>)> {
        let names = |at: &[usize]| at.iter().map(|&at| self.inputs[at].name.clone()).collect();
        let all: Vec<usize> = (0..self.inputs.len()).collect();
        let mut fitting: Vec<(Together, Vec<String>)> = Vec::new();
        if let Some(second) = &self.second {
            fitting.push((Together::Second(second.role, second.name.clone()), names(&all)));
        }
        for how in [Together::Associate, Together::Triangle] {
            fitting.push((how, names(&all)));
        }
        for at in 0..self.inputs.len() {
            for how in [Together::Concat, Together::Sum] {
                fitting.push((how, names(&[at])));
            }
        }
        fitting.retain(|(how, on)| self.together(how, on).is_ok());
        fitting
    }
}

impl Type {
    /// Whether its values may be arguments of that type, as far as each is one of it: numbers of another width, for example.
    pub(crate) fn fits(self, parameter: Type) -> bool {
        self.kind() == parameter.kind() && self.scalar().class() == parameter.scalar().class()
    }
}

impl signature::Domain {
    /// The values of which two can be joined or added within the domain.
    fn halved(&self) -> signature::Domain {
        let half = |bound: f64| (bound / 2.0).trunc();
        let range = self.range.map(|(least, most)| {
            let (low, high) = (half(least).max(least), half(most).min(most));
            if low <= high { (low, high) } else { (least, most) }
        });
        let max_len = self.max_len.map(|most| (most / 2).max(self.min_len.unwrap_or(0)));
        signature::Domain { range, max_len, ..self.clone() }
    }
}
