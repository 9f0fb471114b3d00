//! Reading and printing together: what is printed reads back, and what is wrong is said.

use super::ParseErrorKind as Kind;
use super::*;
use crate::expr::{Expr, Node, Predicate};
use crate::op::{Fixity, Op, Type};
use crate::schema::Schema;

fn schema() -> Schema {
    use Type::{Bool, Num, Seq};
    let variables = [("a", Num), ("b", Num), ("c", Num), ("out_s", Num)];
    let others = [("p", Bool), ("q", Bool), ("r", Bool), ("s", Seq), ("t", Seq), ("größe", Num)];
    Schema::new(variables.into_iter().chain(others)).unwrap()
}

fn read(text: &str) -> Predicate {
    parse(text, &schema()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Panics unless the nodes print to a text that reads back to them.
fn round_trip(nodes: &[Node], schema: &Schema) {
    let text = print(nodes, schema);
    let back = parse_expr(&text, schema).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(Node::are_same(&back.0, nodes), "{text}\n{nodes:?}\n{back:?}");
}

#[test]
fn texts_print_with_the_fewest_parentheses_and_only_words() {
    for (text, printed) in [
        ("p iff q implies r or p xor q and not r", "p iff q implies r or p xor q and not r"),
        (
            "(p iff (q implies (r or (p xor (q and (not r))))))",
            "p iff q implies r or p xor q and not r",
        ),
        (
            "((((p iff q) implies r) or p) xor q) and r",
            "((((p iff q) implies r) or p) xor q) and r",
        ),
        ("p implies (q implies r)", "p implies q implies r"),
        ("(p implies q) implies r", "(p implies q) implies r"),
        ("(p iff q) iff r", "p iff q iff r"),
        ("p iff (q iff r)", "p iff (q iff r)"),
        ("not (a < b)", "not a < b"),
        ("not not p and q", "not not p and q"),
        ("not (not p and q)", "not (not p and q)"),
        ("p && q || !r => p", "p and q or not r implies p"),
        ("! a == b", "not a == b"),
        ("p == q", "p iff q"),
        ("p != (a < b)", "p xor a < b"),
        ("p == not q and r", "(p iff not q) and r"),
        ("(a+b)+c < a+(b+c)", "a + b + c < a + (b + c)"),
        ("a-(b-c) == a-b-c", "a - (b - c) == a - b - c"),
        ("a*(b/c) <= a*b/c", "a * (b / c) <= a * b / c"),
        ("(a+b)*c >= a+(b*c)", "(a + b) * c >= a + b * c"),
        ("2- -3 > -3*a", "2 - -3 > -3 * a"),
        ("a - - 3 > -inf", "a - -3 > -inf"),
        ("-a/b > --c", "(0 - a) / b > 0 - (0 - c)"),
        ("-abs(a) != - -3", "0 - abs(a) != 0 - -3"),
        ("-(a+b)*c < 0", "(0 - (a + b)) * c < 0"),
        ("s == flip ( t )", "s == flip(t)"),
        (
            "remove(s,length(t)-1)!=truncate(toString(a+1),-2)",
            "remove(s, length(t) - 1) != truncate(toString(a + 1), -2)",
        ),
        ("sum(s)\n\t<\r\ngröße", "sum(s) < größe"),
        ("true xor false", "true xor false"),
        ("a == .5 or a == 2. or a == 1E2", "a == 0.5 or a == 2 or a == 100"),
    ] {
        let predicate = read(text);
        assert_eq!(predicate.display(&schema()).to_string(), printed, "{text}");
        assert_eq!(read(printed), predicate, "{text}");
    }
}

#[test]
fn the_levels_of_the_text_form_are_those_of_the_operators() {
    let operand = |ty| match ty {
        Type::Num => "a",
        Type::Bool => "p",
        Type::Seq => "s",
    };
    for op in Op::ALL {
        let names: Vec<&str> = op.signature().operands.iter().map(|&ty| operand(ty)).collect();
        let text = match op.fixity() {
            Fixity::Infix(..) => names.join(&format!(" {} ", op.spelling())),
            Fixity::Prefix(_) => format!("{} {}", op.spelling(), names[0]),
            Fixity::Call => format!("{}({})", op.spelling(), names.join(", ")),
        };
        let expr = parse_expr(&text, &schema()).unwrap();
        assert_eq!(expr.0.last(), Some(&Node::Op(op)));
        assert_eq!(print(&expr.0, &schema()), text);
    }
}

#[test]
fn constants_print_as_the_shortest_text_that_reads_back() {
    for (value, text) in [
        (1.0, "1"),
        (-0.0, "-0"),
        (0.1, "0.1"),
        (-100.0, "-100"),
        (1e300, "1e300"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e308"),
        (-f64::MIN_POSITIVE, "-2.2250738585072014e-308"),
        (f64::NEG_INFINITY, "-inf"),
        (9_007_199_254_740_993.0, "9007199254740992"),
    ] {
        assert_eq!(print(&[Node::Num(value)], &schema()), text);
        round_trip(&[Node::Num(value)], &schema());
    }
}

#[test]
fn a_tree_has_a_line_per_node() {
    let predicate = read("a < 1 and s == remove(t, abs(-2)) or not p");
    let lines = [
        "or → Bool",
        "├── and → Bool",
        "│   ├── < → Bool",
        "│   │   ├── a",
        "│   │   └── 1",
        "│   └── == → Bool",
        "│       ├── s",
        "│       └── remove → Seq",
        "│           ├── t",
        "│           └── abs → Num",
        "│               └── -2",
        "└── not → Bool",
        "    └── p",
    ];
    assert_eq!(tree(predicate.nodes(), &schema()), lines.join("\n") + "\n");
}

#[test]
fn every_error_names_its_place_and_its_reason() {
    let operand = "an operand";
    let operator = "an operator";
    let unexpected = |expected, found: &str| Kind::Unexpected { expected, found: found.into() };
    let wrong = |op, operand, expected, found| Kind::Operand { op, operand, expected, found };
    let unknown = |name: &str, nearest: Option<&str>| Kind::UnknownVariable {
        name: name.into(),
        nearest: nearest.map(str::to_owned),
    };
    let count = |function, found| Kind::ArgumentCount { function, found };
    for (text, line, column, kind) in [
        ("a @ b", 1, 3, Kind::UnexpectedCharacter('@')),
        ("größe\n= 1", 2, 1, Kind::UnexpectedCharacter('=')),
        ("größe < 1 & p", 1, 11, Kind::UnexpectedCharacter('&')),
        ("a.b < 1", 1, 2, Kind::UnexpectedCharacter('.')),
        ("a < 1.2.3", 1, 5, Kind::BadNumber("1.2.3".into())),
        ("a < 1e", 1, 5, Kind::BadNumber("1e".into())),
        ("a < 1e- 5", 1, 5, Kind::BadNumber("1e-".into())),
        ("a < -0x12", 1, 6, Kind::BadNumber("0x12".into())),
        ("12abc < a", 1, 1, Kind::BadNumber("12abc".into())),
        ("a < 1e999", 1, 5, Kind::NumberTooLarge("1e999".into())),
        ("a < -nan", 1, 6, Kind::NotANumber),
        ("0 < a +\n ot_s", 2, 2, unknown("ot_s", Some("out_s"))),
        ("wholly_else < 1", 1, 1, unknown("wholly_else", None)),
        ("a < sin (1)", 1, 5, Kind::UnknownFunction("sin".into())),
        ("", 1, 1, Kind::UnexpectedEnd { expected: operand }),
        ("a <  \n", 1, 4, Kind::UnexpectedEnd { expected: operand }),
        ("(p and not", 1, 11, Kind::UnexpectedEnd { expected: operand }),
        ("a + * b", 1, 5, unexpected(operand, "*")),
        ("()", 1, 2, unexpected(operand, ")")),
        (", p", 1, 1, unexpected(operand, ",")),
        ("a < abs(b, )", 1, 12, unexpected(operand, ")")),
        ("a <=> b", 1, 5, unexpected(operand, ">")),
        ("p q", 1, 3, unexpected(operator, "q")),
        ("p not q", 1, 3, unexpected(operator, "not")),
        ("a(b) < 1", 1, 2, unexpected(operator, "(")),
        ("(p, q)", 1, 3, unexpected(operator, ",")),
        ("abs a < 1", 1, 5, unexpected("`(` after the name of a function", "a")),
        ("(p) and (q or (r)", 1, 9, Kind::Unclosed),
        ("length(s < 1", 1, 7, Kind::Unclosed),
        ("p) and q", 1, 2, Kind::Unopened),
        ("0 < abs()", 1, 5, count(Op::Abs, 0)),
        ("0 < abs(a, b)", 1, 5, count(Op::Abs, 2)),
        ("s == remove(t)", 1, 6, count(Op::Remove, 1)),
        ("(p or q) + 1 < a", 1, 1, wrong(Op::Add, 1, Type::Num, Type::Bool)),
        ("p and (a + b)", 1, 7, wrong(Op::And, 2, Type::Bool, Type::Num)),
        ("-p < a", 1, 2, wrong(Op::Sub, 1, Type::Num, Type::Bool)),
        ("a - p < a", 1, 5, wrong(Op::Sub, 2, Type::Num, Type::Bool)),
        ("not a", 1, 5, wrong(Op::Not, 1, Type::Bool, Type::Num)),
        ("s == truncate(t, -p)", 1, 19, wrong(Op::Sub, 1, Type::Num, Type::Bool)),
        ("s == truncate(t, p)", 1, 18, wrong(Op::Truncate, 2, Type::Num, Type::Bool)),
        ("s < t", 1, 1, wrong(Op::Lt, 1, Type::Num, Type::Seq)),
        ("a == s", 1, 3, Kind::MixedTypes { op: Op::NumEq, left: Type::Num, right: Type::Seq }),
        ("p != a", 1, 3, Kind::MixedTypes { op: Op::NumNe, left: Type::Bool, right: Type::Num }),
        ("a < b < c", 1, 7, Kind::ComparisonChain),
        ("p == q != r", 1, 8, Kind::ComparisonChain),
        (" a + b", 1, 2, Kind::Root { found: Type::Num }),
        ("flip(s)", 1, 1, Kind::Root { found: Type::Seq }),
    ] {
        assert_eq!(parse(text, &schema()), Err(ParseError { line, column, kind }), "{text}");
    }
}

#[test]
fn errors_tell_what_to_do() {
    for (text, message) in [
        ("0 == a+ot_s", "line 1, column 8: unknown variable `ot_s`; did you mean `out_s`?"),
        ("a = b", "line 1, column 3: unexpected character '='; did you mean `==`?"),
        ("a < 1e999", "line 1, column 5: `1e999` is too large for a 64-bit float; write inf"),
        ("a < b < c", "line 1, column 7: comparisons do not chain; write a < b and b < c"),
        ("s == remove(t)", "line 1, column 6: `remove` takes 2 arguments, found 1"),
        ("a + p < 1", "line 1, column 5: operand 2 of `+` must be Num, found Bool"),
        ("a == s", "line 1, column 3: `==` compares values of one type, found Num and Seq"),
        (
            "0 < len(s)",
            "line 1, column 5: unknown function `len`; \
             there are abs, length, sum, flip, remove, truncate, toString, min, max, floor, \
             sort, upper, lower, first, last, least, greatest, at, count, indexOf, contains, \
             startsWith, endsWith, sameElements, sorted",
        ),
    ] {
        assert_eq!(parse(text, &schema()).unwrap_err().to_string(), message);
    }
    let long = format!("{} < 1", "ä".repeat(100_000));
    assert!(parse(&long, &schema()).unwrap_err().to_string().len() < 200);
}

#[test]
fn hostile_texts_are_refused_and_not_followed() {
    let million = 1_000_000;
    let repeat = |piece: &str| piece.repeat(million / piece.len());
    for (text, kind) in [
        (repeat("("), Kind::TooDeep),
        (repeat("not "), Kind::TooDeep),
        (repeat("!"), Kind::TooDeep),
        (repeat("abs("), Kind::TooDeep),
        (repeat("p=>"), Kind::TooLarge),
        (repeat("1+"), Kind::TooLarge),
        (repeat("1+("), Kind::TooLarge),
        (repeat("- "), Kind::TooLarge),
        (repeat("abs(1,1,"), Kind::TooLarge),
        (format!("abs({}", repeat("1,")), Kind::TooLarge),
        (format!("{}p", "not ".repeat(MAX_NODES)), Kind::TooLarge),
        (repeat("1 "), Kind::Unexpected { expected: "an operator", found: "1".into() }),
        (repeat("1"), Kind::NumberTooLarge(format!("{}…", "1".repeat(64)))),
        (repeat(" \n"), Kind::UnexpectedEnd { expected: "an operand" }),
        ("ä".repeat(MAX_TEXT / 2) + "x", Kind::TooLong { bytes: MAX_TEXT + 1 }),
    ] {
        let found = parse(&text, &schema()).unwrap_err().kind;
        assert_eq!(found, kind, "{}", &text[..8]);
    }
    let sum = parse(&repeat("1+"), &schema()).unwrap_err();
    assert_eq!((sum.line, sum.column), (1, MAX_NODES));
    let padded = format!("{}p{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    assert_eq!(read(&padded).size(), 1);
}

/// SplitMix64: enough randomness for tests, and no dependency.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn number(&mut self) -> f64 {
        let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, -1.0, 0.1];
        match self.below(4) {
            0 => self.pick(&special),
            1 => self.below(201) as f64 - 100.0,
            2 => f64::from_bits(self.next() % (1 << 52)),
            _ => Some(f64::from_bits(self.next())).filter(|x| !x.is_nan()).unwrap_or(1e300),
        }
    }

    fn leaf(&mut self, ty: Type, schema: &Schema) -> Node {
        let variables: Vec<Node> =
            schema.iter().filter(|v| v.2 == ty).map(|v| Node::Var(v.0)).collect();
        match ty {
            Type::Num if self.below(2) == 0 => Node::Num(self.number()),
            Type::Bool if self.below(4) == 0 => Node::Bool(self.below(2) == 0),
            Type::Num | Type::Bool | Type::Seq => self.pick(&variables),
        }
    }

    /// Adds a tree of exactly `size` nodes.
    fn tree(&mut self, ty: Type, size: usize, schema: &Schema, out: &mut Vec<Node>) {
        let fits = |op: &Op| op.result() == ty && op.arity() < size;
        let ops: Vec<Op> = Op::ALL.into_iter().filter(fits).collect();
        if ops.is_empty() {
            return out.push(self.leaf(ty, schema));
        }
        let op = self.pick(&ops);
        let operands = op.signature().operands;
        let first = if operands.len() == 1 { size - 1 } else { 1 + self.below(size - 2) };
        self.tree(operands[0], first, schema, out);
        if let Some(&second) = operands.get(1) {
            self.tree(second, size - 1 - first, schema, out);
        }
        out.push(Node::Op(op));
    }
}

#[test]
fn every_predicate_reads_back_from_its_text() {
    let (schema, mut random) = (schema(), Random(1));
    let sizes = (0..6_000).map(|i| 1 + i % 40).chain([MAX_NODES; 50]);
    for size in sizes {
        let mut nodes = Vec::new();
        random.tree(Type::Bool, size, &schema, &mut nodes);
        let predicate = Predicate::new(Expr(nodes), &schema).unwrap();
        assert_eq!(predicate.size(), size);
        let text = predicate.display(&schema).to_string();
        let back = parse(&text, &schema).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(Node::are_same(back.nodes(), predicate.nodes()), "{text}");
        assert_eq!(tree(predicate.nodes(), &schema).lines().count(), size);
    }
}

#[test]
fn the_largest_predicates_of_extreme_shapes_read_back() {
    let name = "n".repeat(2_000);
    let schema = Schema::new([(name.as_str(), Type::Bool), ("a", Type::Num)]).unwrap();
    let variable = |name: &str| Node::Var(schema.var(name).unwrap());
    let (p, a) = (variable(&name), variable("a"));
    let pairs = (MAX_NODES - 2) / 2;
    for op in [Op::And, Op::Xor, Op::Iff, Op::Implies] {
        let left = [p].into_iter().chain([p, Node::Op(op)].repeat(pairs));
        let right = [p].repeat(pairs + 1).into_iter().chain([Node::Op(op)].repeat(pairs));
        round_trip(&left.chain([Node::Op(Op::Not)]).collect::<Vec<_>>(), &schema);
        round_trip(&right.chain([Node::Op(Op::Not)]).collect::<Vec<_>>(), &schema);
    }
    let alternating = [Op::Not, Op::And].map(Node::Op).repeat(MAX_NODES / 3);
    let leaves = [p].repeat(MAX_NODES / 3 + 1);
    round_trip(&leaves.into_iter().chain(alternating).collect::<Vec<_>>(), &schema);
    let smallest = Node::Num(-f64::MIN_POSITIVE);
    let sums = [smallest].repeat(pairs).into_iter().chain([Node::Op(Op::Sub)].repeat(pairs - 1));
    round_trip(&sums.chain([a, Node::Op(Op::Lt)]).collect::<Vec<_>>(), &schema);
    let calls = [a].into_iter().chain([Node::Op(Op::Abs)].repeat(MAX_NODES - 3));
    round_trip(&calls.chain([a, Node::Op(Op::Lt)]).collect::<Vec<_>>(), &schema);
}

#[test]
fn no_text_breaks_the_parser() {
    let pieces = [
        "a",
        "b",
        "p",
        "q",
        "s",
        "t",
        "größe",
        "x",
        "1",
        "-1",
        "0.5",
        "1e3",
        "1e",
        "inf",
        "nan",
        "true",
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        ",",
        "+",
        "-",
        "*",
        "/",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "!=",
        "=",
        "and",
        "or",
        "xor",
        "iff",
        "implies",
        "not",
        "&&",
        "||",
        "!",
        "=>",
        "abs(",
        "length(",
        "sum(",
        "flip(",
        "remove(",
        "truncate(",
        "toString(",
        " ",
        "\n",
        ".",
        "😀",
        "\u{0}",
        "\u{301}",
        "é",
    ];
    let (schema, mut random) = (schema(), Random(2));
    let mut valid = 0;
    for _ in 0..100_000 {
        let words = 1 + random.below(12);
        let gap = random.pick(&["", " "]);
        let text: String = (0..words).map(|_| random.pick(&pieces).to_owned() + gap).collect();
        if let Ok(expr) = parse_expr(&text, &schema) {
            valid += 1;
            round_trip(&expr.0, &schema);
        }
    }
    assert!(valid > 1_000, "only {valid} texts were valid: the test tests nothing");
}
