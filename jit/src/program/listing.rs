//! A program as text, one instruction per line.

use std::fmt;

use super::{
    Arith, Bits, Comparison, ComparisonKernel, DirectMeasure, Domain, Extra, Instr, LogicInstr,
    Look, Making, Num, Program, Seq,
};
use crate::op::{LogicOp, Op, TestOp};
use crate::schema::{Schema, Var};

/// A program as text; see [`Program::listing`].
#[derive(Debug)]
pub struct Listing<'a> {
    program: &'a Program,
    schema: Schema,
}

impl<'a> Listing<'a> {
    pub(super) fn new(program: &'a Program, schema: &Schema) -> Listing<'a> {
        Listing { program, schema: schema.clone() }
    }

    fn name(&self, var: Var) -> &str {
        self.schema.name(var).unwrap_or("?")
    }

    fn num(&self, num: Num) -> String {
        match num {
            Num::Column(var) => self.name(var).to_owned(),
            Num::Length(var) => format!("length({})", self.name(var)),
            Num::Sum(var) => format!("sum({})", self.name(var)),
            Num::Extreme(var, extreme) => {
                let measure = Op::from(extreme.measure());
                format!("{}({})", measure.spelling(), self.name(var))
            }
            Num::Register(register) => format!("n{register}"),
            Num::Constant(value) => format!("{value:?}"),
        }
    }

    fn seq(&self, seq: Seq) -> String {
        match seq {
            Seq::Column(var) => self.name(var).to_owned(),
            Seq::Flipped(var) => format!("flip({})", self.name(var)),
            Seq::Register(register) => format!("s{register}"),
        }
    }

    fn bits(&self, bits: Bits) -> String {
        match bits {
            Bits::Atom(atom) => format!("a{atom}"),
            Bits::Column(var) => self.name(var).to_owned(),
            Bits::Temp(temp) => format!("t{temp}"),
            Bits::Constant(value) => value.to_string(),
        }
    }

    fn instr(&self, instr: &Instr, atom: usize) -> String {
        match instr {
            Instr::Arith { op, to, a, b } => {
                format!("n{to} = {} {}, {}", arith_name(*op), self.num(*a), self.num(*b))
            }
            Instr::Abs { to, a } => format!("n{to} = abs {}", self.num(*a)),
            Instr::Extra { op: Extra::Floor, to, a, .. } => {
                format!("n{to} = floor {}", self.num(*a))
            }
            Instr::Extra { op, to, a, b } => {
                format!("n{to} = {} {}, {}", extra_name(*op), self.num(*a), self.num(*b))
            }
            Instr::Look { look, to, s, t, n } => match look {
                Look::Length => format!("n{to} = length {}", self.seq(*s)),
                Look::Extreme(extreme) => {
                    let measure = Op::from(extreme.measure());
                    format!("n{to} = {} {}", measure.spelling(), self.seq(*s))
                }
                Look::At => format!("n{to} = at {}, {}", self.seq(*s), self.num(*n)),
                Look::Count => format!("n{to} = count {}, {}", self.seq(*s), self.num(*n)),
                Look::IndexOf => format!("n{to} = indexOf {}, {}", self.seq(*s), self.seq(*t)),
            },
            Instr::Make { making, to, s, t } => match making {
                Making::Join => format!("s{to} = join {}, {}", self.seq(*s), self.seq(*t)),
                Making::Sort => format!("s{to} = sort {}", self.seq(*s)),
                Making::Upper => format!("s{to} = upper {}", self.seq(*s)),
                Making::Lower => format!("s{to} = lower {}", self.seq(*s)),
            },
            Instr::Test { op, negate, s, t } => {
                let not = if *negate { "not " } else { "" };
                let name = Op::from(*op).spelling();
                match op {
                    TestOp::Sorted => format!("a{atom} = {not}{name} {}", self.seq(*s)),
                    TestOp::Contains
                    | TestOp::StartsWith
                    | TestOp::EndsWith
                    | TestOp::SameElements => {
                        format!("a{atom} = {not}{name} {}, {}", self.seq(*s), self.seq(*t))
                    }
                }
            }
            Instr::Measure { measure, to, a, b } => {
                let (name, a, b) = (measure_name(*measure), self.num(*a), self.num(*b));
                match measure {
                    DirectMeasure::TruncatedLength | DirectMeasure::RemovedLength => {
                        format!("n{to} = {name} {a}, {b}")
                    }
                    DirectMeasure::TextLength | DirectMeasure::TextSum => {
                        format!("n{to} = {name} {a}")
                    }
                }
            }
            Instr::Sum { to, s } => format!("n{to} = sum {}", self.seq(*s)),
            Instr::Flip { to, s } => format!("s{to} = flip {}", self.seq(*s)),
            Instr::Truncate { to, s, n } => {
                format!("s{to} = truncate {}, {}", self.seq(*s), self.num(*n))
            }
            Instr::Remove { to, s, n } => {
                format!("s{to} = remove {}, {}", self.seq(*s), self.num(*n))
            }
            Instr::ToString { to, n } => format!("s{to} = toString {}", self.num(*n)),
            Instr::Compare { kernel: ComparisonKernel { comparison, domain, negate }, a, b } => {
                let not = if *negate { "not " } else { "" };
                let (comparison, domain) = (comparison_name(*comparison), domain_name(*domain));
                format!("a{atom} = {not}{comparison}.{domain} {}, {}", self.num(*a), self.num(*b))
            }
            Instr::SeqEq { negate, s, t } => {
                let not = if *negate { "not " } else { "" };
                format!("a{atom} = {not}eq.seq {}, {}", self.seq(*s), self.seq(*t))
            }
        }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let mut start = 0;
        for (atom, &end) in program.atom_ends.iter().enumerate() {
            for instr in &program.code[start..end as usize] {
                writeln!(f, "{}", self.instr(instr, atom))?;
            }
            start = end as usize;
        }
        for &LogicInstr { op, to, a, b } in &program.logic.instrs {
            if op == LogicOp::Not {
                writeln!(f, "t{to} = not {}", self.bits(a))?;
            } else {
                let (a, b) = (self.bits(a), self.bits(b));
                writeln!(f, "t{to} = {} {a}, {b}", Op::from(op).spelling())?;
            }
        }
        match program.root {
            Some(root) => write!(f, "return {}", self.bits(root)),
            None => f.write_str("(empty)"),
        }
    }
}

fn arith_name(op: Arith) -> &'static str {
    match op {
        Arith::Add => "add",
        Arith::Sub => "sub",
        Arith::Mul => "mul",
        Arith::Div => "div",
    }
}

fn extra_name(op: Extra) -> &'static str {
    match op {
        Extra::Min => "min",
        Extra::Max => "max",
        Extra::Mod => "mod",
        Extra::Floor => "floor",
    }
}

fn measure_name(measure: DirectMeasure) -> &'static str {
    match measure {
        DirectMeasure::TruncatedLength => "length.truncate",
        DirectMeasure::RemovedLength => "length.remove",
        DirectMeasure::TextLength => "length.toString",
        DirectMeasure::TextSum => "sum.toString",
    }
}

fn comparison_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "eq",
        Comparison::Lt => "lt",
        Comparison::Le => "le",
    }
}

fn domain_name(domain: Domain) -> &'static str {
    match domain {
        Domain::Integer => "integer",
        Domain::Finite => "finite",
        Domain::Any => "any",
    }
}
