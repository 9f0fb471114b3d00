//! Text to postfix nodes: a shunting yard that checks types as it goes.
//!
//! Never recursive, and linear in the text: it may be as deep and as long as a stranger likes.

use super::error::{Fault, ParseError, ParseErrorKind, excerpt};
use super::lex::{Lexeme, Lexer, Token};
use super::{MAX_DEPTH, MAX_TEXT};
use crate::expr::{Expr, MAX_NODES, Node, Predicate};
use crate::op::{Assoc, Fixity, Op, Type};
use crate::schema::Schema;

/// How tightly a minus before an operand binds: tighter than any infix operator, so that `-a / b`
/// is `(0 - a) / b`. (Protected division tells this from `0 - a / b`.)
const NEGATION: u8 = u8::MAX;

const OPERAND: &str = "an operand";
const OPERATOR: &str = "an operator";

/// Reads a relation: the whole text must be one expression of type Bool.
pub fn parse(text: &str, schema: &Schema) -> Result<Predicate, ParseError> {
    let expr = read(text, schema).and_then(relation).map_err(|fault| fault.locate(text))?;
    Ok(Predicate::new(expr, schema).expect("the parser has checked size, types and constants"))
}

/// Reads an expression of any type.
pub fn parse_expr(text: &str, schema: &Schema) -> Result<Expr, ParseError> {
    read(text, schema).map(|(expr, _)| expr).map_err(|fault| fault.locate(text))
}

fn relation((expr, root): (Expr, Operand)) -> Result<Expr, Fault> {
    match root.ty {
        Type::Bool => Ok(expr),
        found => Err(Fault { at: root.at, kind: ParseErrorKind::Root { found } }),
    }
}

fn read(text: &str, schema: &Schema) -> Result<(Expr, Operand), Fault> {
    if text.len() > MAX_TEXT {
        let kind = ParseErrorKind::TooLong { bytes: text.len() };
        return Err(Fault { at: text.floor_char_boundary(MAX_TEXT), kind });
    }
    Parser {
        schema,
        lexer: Lexer::new(text),
        nodes: Vec::new(),
        operands: Vec::new(),
        pending: Vec::new(),
    }
    .run()
}

/// A finished subtree at the end of the nodes that no operator has taken yet.
#[derive(Clone, Copy, Debug)]
struct Operand {
    ty: Type,
    /// Where its text starts.
    at: usize,
}

/// An operator or a parenthesis that waits for the text after it.
#[derive(Clone, Copy, Debug)]
enum StackEntry {
    /// An operator that waits for the end of its last operand.
    Operator { op: Op, binding: u8, at: usize },
    /// An opening parenthesis, of a group or of a call.
    Bracket { at: usize, call: Option<Call> },
}

/// A function whose arguments are being read.
#[derive(Clone, Copy, Debug)]
struct Call {
    function: Op,
    at: usize,
    /// How many arguments a comma has ended.
    finished: usize,
}

/// What the grammar allows next.
#[derive(Clone, Copy, Debug)]
enum Next {
    Operand,
    Operator,
    Nothing,
}

struct Parser<'a> {
    schema: &'a Schema,
    lexer: Lexer<'a>,
    nodes: Vec<Node>,
    operands: Vec<Operand>,
    pending: Vec<StackEntry>,
}

impl Parser<'_> {
    fn run(mut self) -> Result<(Expr, Operand), Fault> {
        let mut next = Next::Operand;
        loop {
            next = match next {
                Next::Operand => self.operand()?,
                Next::Operator => self.after_operand()?,
                Next::Nothing => break,
            };
        }
        let root = self.operands.pop().expect("the text ends after an operand");
        Ok((Expr(self.nodes), root))
    }

    /// Takes a token where an operand starts.
    fn operand(&mut self) -> Result<Next, Fault> {
        let lexeme = self.lexer.advance()?;
        let at = lexeme.at;
        match lexeme.token {
            Token::Number(value) => self.leaf(Node::Num(value), Type::Num, at),
            Token::Bool(value) => self.leaf(Node::Bool(value), Type::Bool, at),
            Token::Name(name) => self.variable(name, at),
            Token::Nan => Err(Fault { at, kind: ParseErrorKind::NotANumber }),
            Token::Function(function) => self.call(function, at),
            Token::Open => self.wait(StackEntry::Bracket { at, call: None }, at),
            Token::Operator(Op::Sub) => self.minus(at),
            // A word of the language only between operands.
            Token::Operator(Op::Mod) => self.variable(lexeme.text, at),
            Token::Operator(op) => match op.fixity() {
                Fixity::Prefix(binding) => self.wait(StackEntry::Operator { op, binding, at }, at),
                Fixity::Infix(..) | Fixity::Call => Err(unexpected(lexeme, OPERAND)),
            },
            Token::Close => match self.pending.last() {
                Some(StackEntry::Bracket {
                    call: Some(call @ Call { finished: 0, .. }), ..
                }) => Err(argument_count(*call, 0)),
                _ => Err(unexpected(lexeme, OPERAND)),
            },
            Token::Comma | Token::End => Err(unexpected(lexeme, OPERAND)),
        }
    }

    /// Takes a token where an operand has just ended.
    fn after_operand(&mut self) -> Result<Next, Fault> {
        let lexeme = self.lexer.advance()?;
        match lexeme.token {
            Token::Operator(op) => match op.fixity() {
                Fixity::Infix(binding, assoc) => self.infix(op, binding, assoc, lexeme.at),
                Fixity::Prefix(_) | Fixity::Call => Err(unexpected(lexeme, OPERATOR)),
            },
            Token::Comma => self.comma(lexeme),
            Token::Close => self.close(lexeme.at),
            Token::End => self.end(),
            Token::Number(_)
            | Token::Bool(_)
            | Token::Nan
            | Token::Name(_)
            | Token::Function(_)
            | Token::Open => Err(unexpected(lexeme, OPERATOR)),
        }
    }

    fn variable(&mut self, name: &str, at: usize) -> Result<Next, Fault> {
        if let Some(var) = self.schema.var(name)
            && let Some(ty) = self.schema.type_of(var)
        {
            return self.leaf(Node::Var(var), ty, at);
        }
        let kind = if matches!(self.lexer.peek(), Ok(Lexeme { token: Token::Open, .. })) {
            ParseErrorKind::UnknownFunction(excerpt(name))
        } else {
            let nearest = self.schema.nearest(name).map(str::to_owned);
            ParseErrorKind::UnknownVariable { name: excerpt(name), nearest }
        };
        Err(Fault { at, kind })
    }

    fn call(&mut self, function: Op, at: usize) -> Result<Next, Fault> {
        let lexeme = self.lexer.advance()?;
        if lexeme.token != Token::Open {
            return Err(unexpected(lexeme, "`(` after the name of a function"));
        }
        let call = Some(Call { function, at, finished: 0 });
        self.wait(StackEntry::Bracket { at: lexeme.at, call }, at)
    }

    /// A minus before an operand: the sign of a constant, or `0 -`.
    fn minus(&mut self, at: usize) -> Result<Next, Fault> {
        if let Token::Number(value) = self.lexer.peek()?.token {
            self.lexer.advance()?;
            return self.leaf(Node::Num(-value), Type::Num, at);
        }
        self.leaf(Node::Num(0.0), Type::Num, at)?;
        self.wait(StackEntry::Operator { op: Op::Sub, binding: NEGATION, at }, at)
    }

    fn infix(&mut self, op: Op, binding: u8, assoc: Assoc, at: usize) -> Result<Next, Fault> {
        while let Some(&StackEntry::Operator { op: before, binding: held, at: place }) =
            self.pending.last()
        {
            if held < binding || (held == binding && assoc == Assoc::Right) {
                break;
            }
            if held == binding && assoc == Assoc::None {
                return Err(Fault { at, kind: ParseErrorKind::ComparisonChain });
            }
            self.pending.pop();
            self.apply_by_type(before, place)?;
        }
        self.wait(StackEntry::Operator { op, binding, at }, at)
    }

    fn comma(&mut self, lexeme: Lexeme<'_>) -> Result<Next, Fault> {
        match self.innermost_bracket()? {
            Some((at, Some(call))) => {
                let call = Some(Call { finished: call.finished + 1, ..call });
                self.wait(StackEntry::Bracket { at, call }, at)
            }
            Some((_, None)) | None => Err(unexpected(lexeme, OPERATOR)),
        }
    }

    fn close(&mut self, at: usize) -> Result<Next, Fault> {
        match self.innermost_bracket()? {
            Some((_, Some(call))) => {
                if call.finished + 1 != call.function.arity() {
                    return Err(argument_count(call, call.finished + 1));
                }
                self.apply(call.function, call.at)?;
            }
            Some((opened, None)) => {
                let group = self.operands.last_mut().expect("a group ends after an operand");
                group.at = opened;
            }
            None => return Err(Fault { at, kind: ParseErrorKind::Unopened }),
        }
        Ok(Next::Operator)
    }

    fn end(&mut self) -> Result<Next, Fault> {
        // Before any operator is applied: a forgotten `)` often gives an operand the wrong type.
        let opened = |pending: &StackEntry| match *pending {
            StackEntry::Bracket { at, .. } => Some(at),
            StackEntry::Operator { .. } => None,
        };
        if let Some(at) = self.pending.iter().rev().find_map(opened) {
            return Err(Fault { at, kind: ParseErrorKind::Unclosed });
        }
        self.innermost_bracket()?;
        Ok(Next::Nothing)
    }

    /// Applies all operators up to the innermost open parenthesis, and takes that away too.
    fn innermost_bracket(&mut self) -> Result<Option<(usize, Option<Call>)>, Fault> {
        while let Some(pending) = self.pending.pop() {
            match pending {
                StackEntry::Operator { op, at, .. } => self.apply_by_type(op, at)?,
                StackEntry::Bracket { at, call } => return Ok(Some((at, call))),
            }
        }
        Ok(None)
    }

    /// Applies an operator after choosing which `==` or `!=` the operands mean.
    fn apply_by_type(&mut self, op: Op, at: usize) -> Result<(), Fault> {
        let op = match (op, &self.operands[..]) {
            (Op::NumEq | Op::NumNe, &[.., Operand { ty: left, .. }, Operand { ty: right, .. }]) => {
                if left != right {
                    let kind = ParseErrorKind::MixedTypes { op, left, right };
                    return Err(Fault { at, kind });
                }
                equality_on(op, left)
            }
            _ => op,
        };
        self.apply(op, at)
    }

    /// Takes the operands of `op` and leaves its result.
    fn apply(&mut self, op: Op, at: usize) -> Result<(), Fault> {
        let first = self.operands.len() - op.arity();
        let operands = &self.operands[first..];
        for (i, (&expected, found)) in op.signature().operands.iter().zip(operands).enumerate() {
            if expected != found.ty {
                // The zero of a negation has the place of the minus: nobody wrote it.
                let operand = operands[..=i].iter().filter(|written| written.at != at).count();
                let kind = ParseErrorKind::Operand { op, operand, expected, found: found.ty };
                return Err(Fault { at: found.at, kind });
            }
        }
        let result = Operand { ty: op.result(), at: operands[0].at.min(at) };
        self.operands.truncate(first);
        self.emit(Node::Op(op), result, at)
    }

    fn leaf(&mut self, node: Node, ty: Type, at: usize) -> Result<Next, Fault> {
        self.emit(node, Operand { ty, at }, at)?;
        Ok(Next::Operator)
    }

    /// Adds a node that stands at `at` and completes an operand.
    fn emit(&mut self, node: Node, operand: Operand, at: usize) -> Result<(), Fault> {
        if self.nodes.len() == MAX_NODES {
            return Err(Fault { at, kind: ParseErrorKind::TooLarge });
        }
        self.nodes.push(node);
        self.operands.push(operand);
        Ok(())
    }

    /// Puts off what only the text after it can complete.
    fn wait(&mut self, pending: StackEntry, at: usize) -> Result<Next, Fault> {
        if self.pending.len() == MAX_DEPTH {
            return Err(Fault { at, kind: ParseErrorKind::TooDeep });
        }
        self.pending.push(pending);
        Ok(Next::Operand)
    }
}

/// The operator that `==` ([`Op::NumEq`]) or `!=` ([`Op::NumNe`]) is between operands of a type.
fn equality_on(op: Op, ty: Type) -> Op {
    let equal = op == Op::NumEq;
    match ty {
        Type::Num => op,
        Type::Seq if equal => Op::SeqEq,
        Type::Seq => Op::SeqNe,
        Type::Bool if equal => Op::Iff,
        Type::Bool => Op::Xor,
    }
}

fn unexpected(lexeme: Lexeme<'_>, expected: &'static str) -> Fault {
    let kind = match lexeme.token {
        Token::End => ParseErrorKind::UnexpectedEnd { expected },
        _ => ParseErrorKind::Unexpected { expected, found: excerpt(lexeme.text) },
    };
    Fault { at: lexeme.at, kind }
}

fn argument_count(call: Call, found: usize) -> Fault {
    let kind = ParseErrorKind::ArgumentCount { function: call.function, found };
    Fault { at: call.at, kind }
}
