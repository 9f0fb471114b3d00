//! Which calls are made together: of which function, with which arguments, and what their results are called.

use super::{Role, Together};
use crate::subject::kinds::{Interface, Kind, Observed, Parameter};

/// Calls in the order in which they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Further inputs: the parameter that each is another value of, and its name.
    pub(crate) copies: Vec<(usize, String)>,
    pub(crate) calls: Vec<Call>,
}

/// A call of one of the functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Whether it is of the second function.
    pub(crate) is_second: bool,
    pub(crate) arguments: Vec<Argument>,
    /// What its result is called; nothing if only other calls use it.
    pub(crate) name: Option<&'static str>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// An input, by its position.
    Input(usize),
    /// The result of an earlier call.
    Result(usize),
    /// Two inputs, one after the other.
    Joined(usize, usize),
    /// The sum of two inputs.
    Added(usize, usize),
}

impl Layout {
    /// The calls, for a function of this interface.
    ///
    /// # Errors
    /// When the function has other parameters; says which are needed.
    pub(crate) fn of(
        how: &Together,
        on: &[String],
        interface: &Interface,
    ) -> Result<Layout, String> {
        let name = how.name();
        let inputs = &interface.inputs;
        let position = |name: &String| inputs.iter().position(|input| input.name == *name);
        let on: Option<Vec<usize>> = on.iter().map(position).collect();
        let on = on.ok_or_else(|| {
            format!("{name} is on parameters that `{}` does not have", interface.function)
        })?;
        let second = interface.second.as_deref().map(|second| &second.function);
        for function in [Some(interface), second].into_iter().flatten() {
            let is_one = match &function.outputs[..] {
                [] => false,
                [_] => true,
                [first, ..] => first.name == Observed::Values.output(),
            };
            if function.inputs.is_empty() || !is_one || !function.calls.is_empty() {
                let name = &function.function;
                return Err(format!(
                    "`{name}` cannot be called together with others: it needs parameters, and one result"
                ));
            }
        }
        let all = || (0..inputs.len()).map(Argument::Input).collect::<Vec<_>>();
        let call = |name, arguments| Call { is_second: false, arguments, name: Some(name) };
        let out = interface.outputs[0].kind;
        let needs = |what: &str| {
            Err(format!("{name} needs {what}, and `{}` has others", interface.function))
        };
        match how {
            Together::Second(role, g) => {
                let second = interface.second.as_deref().filter(|second| second.role == *role);
                let second = second.filter(|second| second.name == *g).ok_or_else(|| {
                    format!("{name}({g}) needs the second function; name it by --{0} or by `{1}` in subject.toml",
                        role.key().replace('_', "-"), role.key())
                })?;
                let takes = &second.function.inputs;
                let of_second =
                    |name, arguments| Call { is_second: true, arguments, name: Some(name) };
                let is_alike = || {
                    takes.len() == inputs.len()
                        && takes.iter().zip(inputs).all(|(t, i)| t.kind == i.kind)
                };
                let mut calls = vec![call("out", all())];
                match role {
                    Role::SameAs if is_alike() => calls.push(of_second("out_g", all())),
                    Role::SameAs => {
                        return Err(format!(
                            "`{g}` takes {}, and `{}` takes {}",
                            kinds(takes),
                            interface.function,
                            kinds(inputs)
                        ));
                    }
                    Role::Inverse | Role::Then => {
                        // What else it takes are the last parameters of the first function: a key, an alphabet.
                        let further = takes.len().saturating_sub(1);
                        let first = inputs.len().checked_sub(further);
                        let is_given = |first: usize| {
                            takes[1..].iter().zip(&inputs[first..]).all(|(t, i)| t.kind == i.kind)
                        };
                        let first = first.filter(|&first| {
                            !takes.is_empty() && takes[0].kind == out && is_given(first)
                        });
                        let Some(first) = first else {
                            return Err(format!(
                                "`{g}` takes {}, and `{}` gives {}",
                                kinds(takes),
                                interface.function,
                                words(out)
                            ));
                        };
                        let rest = (first..inputs.len()).map(Argument::Input);
                        calls.push(of_second(
                            "out_g",
                            [Argument::Result(0)].into_iter().chain(rest).collect(),
                        ));
                        if *role == Role::Then && is_alike() {
                            calls.push(of_second("out_gx", all()));
                        }
                    }
                }
                Ok(Layout { copies: Vec::new(), calls })
            }
            Together::Concat | Together::Sum => {
                let [at] = on[..] else { return needs("one parameter") };
                let is_sum = *how == Together::Sum;
                match inputs[at].kind {
                    Kind::Number if is_sum => {}
                    Kind::Text | Kind::Numbers if !is_sum => {}
                    _ if is_sum => return needs("a number"),
                    _ => return needs("a text or a list"),
                }
                let other = inputs.len();
                let with = |argument: Argument| {
                    let mut arguments = all();
                    arguments[at] = argument;
                    arguments
                };
                let both =
                    if is_sum { Argument::Added(at, other) } else { Argument::Joined(at, other) };
                Ok(Layout {
                    copies: vec![(at, another(&inputs[at].name, inputs))],
                    calls: vec![
                        call("out", all()),
                        call("out2", with(Argument::Input(other))),
                        call("out_both", with(both)),
                    ],
                })
            }
            Together::Associate | Together::Triangle => {
                let [a, b] = &inputs[..] else { return needs("two parameters of one kind") };
                if a.kind != b.kind {
                    return needs("two parameters of one kind");
                }
                let copies = vec![(1, another(&b.name, inputs))];
                let of = |a, b| vec![Argument::Input(a), Argument::Input(b)];
                let calls = match how {
                    Together::Triangle if out == Kind::Number => {
                        vec![
                            call("out", of(0, 1)),
                            call("out2", of(1, 2)),
                            call("out_both", of(0, 2)),
                        ]
                    }
                    Together::Associate if out == a.kind => {
                        let hidden = |arguments| Call { is_second: false, arguments, name: None };
                        vec![
                            hidden(of(1, 2)),
                            call("out", vec![Argument::Input(0), Argument::Result(0)]),
                            hidden(of(0, 1)),
                            call("out_both", vec![Argument::Result(2), Argument::Input(2)]),
                        ]
                    }
                    Together::Triangle => return needs("a number as its result"),
                    _ => return needs("a result of the kind of its parameters"),
                };
                Ok(Layout { copies, calls })
            }
        }
    }

    /// The pairs of inputs that are joined or added.
    pub(crate) fn joined(&self) -> impl Iterator<Item = (usize, usize)> {
        let arguments = self.calls.iter().flat_map(|call| &call.arguments);
        arguments.filter_map(|argument| match *argument {
            Argument::Joined(one, other) | Argument::Added(one, other) => Some((one, other)),
            Argument::Input(_) | Argument::Result(_) => None,
        })
    }

    /// A call as people write it: `decode(encode(s))`.
    pub(super) fn text(&self, at: usize, names: [&str; 2], inputs: &[Parameter]) -> String {
        let call = &self.calls[at];
        let input = |at: usize| &*inputs[at].name;
        let arguments = call.arguments.iter().map(|argument| match *argument {
            Argument::Input(at) => input(at).to_owned(),
            Argument::Result(at) => self.text(at, names, inputs),
            Argument::Joined(one, other) => format!("{} ++ {}", input(one), input(other)),
            Argument::Added(one, other) => format!("{} + {}", input(one), input(other)),
        });
        let arguments: Vec<String> = arguments.collect();
        format!("{}({})", names[usize::from(call.is_second)], arguments.join(", "))
    }
}

/// The kinds of parameters, for people: `a text`, `a text and a number`.
fn kinds(parameters: &[Parameter]) -> String {
    let kinds: Vec<&str> = parameters.iter().map(|p| words(p.kind)).collect();
    if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(" and ") }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "a number",
        Kind::Boolean => "a truth value",
        Kind::Text => "a text",
        Kind::Numbers => "a list of numbers",
    }
}

/// A name for another value of a parameter: the letter after it, `s` and `t`, or the name with a 2.
fn another(name: &str, inputs: &[Parameter]) -> String {
    let is_free = |name: &str| inputs.iter().all(|input| input.name != name);
    let next = match name.as_bytes() {
        [letter @ (b'a'..=b'd' | b'i'..=b'm' | b'p'..=b's' | b'u'..=b'y')] => {
            Some(char::from(letter + 1).to_string())
        }
        _ => None,
    };
    next.filter(|next| is_free(next)).unwrap_or_else(|| {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        numbered.into_iter().find(|name| is_free(name)).unwrap_or_default()
    })
}
