//! Draws the columns and the trees that are strangers to each other, always the same ones.
//!
//! Random numeric trees as genetic programming grows them, of an exact number of nodes, with one
//! comparison at the root.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use genmorph_jit::{Expr, Node, Op, Predicate, Schema, Var, text};

use crate::infix;
use crate::world::{COLUMNS, RANDOM, ROWS, schema};

/// Sizes of the trees in nodes, leaves and root included.
const SIZES: [usize; 2] = [8, 16];

/// Trees of each size.
const TREES: usize = 200;

const SEED: u64 = 20_261_116;

/// One leaf in five is a constant.
const CONSTANTS: usize = 5;

const BINARY: [Op; 4] = [Op::Add, Op::Sub, Op::Mul, Op::Div];
/// What may stand at a root.
pub(crate) const COMPARISONS: [Op; 6] = [Op::NumEq, Op::NumNe, Op::Lt, Op::Gt, Op::Le, Op::Ge];

/// Writes both files.
pub(crate) fn write(folder: &Path) -> io::Result<()> {
    let mut random = Random(SEED);
    fs::write(folder.join(RANDOM.columns), columns(&mut random))?;
    let schema = schema();
    let mut lines = String::new();
    for size in SIZES {
        for _ in 0..TREES {
            let tree = tree(&mut random, size, &schema);
            line(("size", size), &tree, &schema, &mut lines);
        }
    }
    fs::write(folder.join(RANDOM.trees), lines)
}

/// Uniform reals in (-10, 10), column after column.
fn columns(random: &mut Random) -> Vec<u8> {
    (0..ROWS * COLUMNS).flat_map(|_| random.column_value().to_le_bytes()).collect()
}

/// A comparison of exactly `size` nodes.
fn tree(random: &mut Random, size: usize, schema: &Schema) -> Predicate {
    let mut nodes = Vec::with_capacity(size);
    binary(random, size, &COMPARISONS, &mut nodes);
    Predicate::new(Expr(nodes), schema).expect("a comparison of two numbers over the schema")
}

/// A numeric expression of exactly `size` nodes.
///
/// Binary operators make odd sizes, so an even size needs an `abs` and has exactly one. With more of
/// them (any split of any size) they would be the most frequent operator, mostly `abs(abs(x))`.
fn grow(random: &mut Random, size: usize, nodes: &mut Vec<Node>) {
    match size {
        1 if random.below(CONSTANTS) == 0 => nodes.push(random.constant()),
        1 => nodes.push(random.variable()),
        2 => {
            nodes.push(random.variable());
            nodes.push(Node::Op(Op::Abs));
        }
        _ if size.is_multiple_of(2) && random.below(3) == 0 => {
            grow(random, size - 1, nodes);
            nodes.push(Node::Op(Op::Abs));
        }
        _ => binary(random, size, &BINARY, nodes),
    }
}

/// A binary operator of a list over two operands: both of odd size, or one if `size` is even.
///
/// Never over two constants (and above, never `abs` of one): there is nothing to fold, so that
/// nobody is faster by doing it.
fn binary(random: &mut Random, size: usize, operators: &[Op], nodes: &mut Vec<Node>) {
    let left = match size % 2 {
        0 => 1 + random.below(size - 2),
        _ => 1 + 2 * random.below((size - 1) / 2),
    };
    grow(random, left, nodes);
    if matches!(nodes.last(), Some(Node::Num(_))) && size == 3 {
        nodes.push(random.variable());
    } else {
        grow(random, size - 1 - left, nodes);
    }
    nodes.push(Node::Op(operators[random.below(operators.len())]));
}

/// Appends the line of a tree. It begins with the part of the file that the tree belongs to.
pub(crate) fn line(
    (part, number): (&str, usize),
    tree: &Predicate,
    schema: &Schema,
    lines: &mut String,
) {
    let (left, right) = infix::sides(tree);
    writeln!(
        lines,
        r#"{{"{part}":{number},"relation":"{}","postfix":{:?},"left":"{}","right":"{}"}}"#,
        text::print(tree.nodes(), schema),
        // Rust's debug form of a list of plain ASCII words is its JSON form.
        infix::tokens(tree.nodes()),
        infix::numeric(left, "abs"),
        infix::numeric(right, "abs"),
    )
    .expect("writing to a string cannot fail");
}

/// SplitMix64: the same trees on every machine, whatever happens to a library.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`. The bias of a remainder is 2^-60 here.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Never an integer: an integer column would get our evaluator its cheaper comparisons.
    fn column_value(&mut self) -> f64 {
        loop {
            let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
            let value = unit * 20.0 - 10.0;
            if value.fract() != 0.0 {
                return value;
            }
        }
    }

    fn variable(&mut self) -> Node {
        Node::Var(Var(self.below(COLUMNS) as u16))
    }

    /// From 0.5 to 5, exact in f32 too, so that Operon has the same constants.
    fn constant(&mut self) -> Node {
        Node::Num((32 + self.below(289)) as f64 / 64.0)
    }
}
