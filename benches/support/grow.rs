//! Random relations and populations as genetic programming makes them.

use genmorph_jit::{Expr, Node, Op, Predicate, Schema, Type, Var};
use rand::{Rng, RngExt};

/// Random relations over a schema.
pub struct Grower<'a> {
    schema: &'a Schema,
}

impl<'a> Grower<'a> {
    pub fn new(schema: &'a Schema) -> Grower<'a> {
        Grower { schema }
    }

    /// A relation of exactly `size` nodes.
    pub fn relation(&self, size: usize, rng: &mut impl Rng) -> Predicate {
        loop {
            let mut nodes = Vec::with_capacity(size);
            if self.grow(Type::Bool, size, &mut nodes, rng) {
                return Predicate::new(Expr(nodes), self.schema).expect("grown by type");
            }
        }
    }

    /// As many relations of `size` nodes.
    pub fn relations(&self, count: usize, size: usize, rng: &mut impl Rng) -> Vec<Predicate> {
        (0..count).map(|_| self.relation(size, rng)).collect()
    }

    /// Appends a subtree; false if there is none of this type and size, with the nodes half done.
    fn grow(&self, ty: Type, size: usize, nodes: &mut Vec<Node>, rng: &mut impl Rng) -> bool {
        if size == 1 {
            return self.leaf(ty, nodes, rng);
        }
        let ops: Vec<Op> = Op::ALL
            .into_iter()
            .filter(|op| op.result() == ty && op.arity() < size && self.has_operands(*op))
            .collect();
        if ops.is_empty() {
            return false;
        }
        let start = nodes.len();
        for _ in 0..20 {
            let op = ops[rng.random_range(0..ops.len())];
            let operands = op.signature().operands;
            let first = if operands.len() == 2 { rng.random_range(1..size - 1) } else { size - 1 };
            let grown = self.grow(operands[0], first, nodes, rng)
                && (operands.len() == 1
                    || self.grow(operands[1], size - 1 - first, nodes, rng));
            if grown {
                nodes.push(Node::Op(op));
                return true;
            }
            nodes.truncate(start);
        }
        false
    }

    fn leaf(&self, ty: Type, nodes: &mut Vec<Node>, rng: &mut impl Rng) -> bool {
        let vars: Vec<Var> =
            self.schema.iter().filter(|(_, _, found)| *found == ty).map(|(var, _, _)| var).collect();
        let constant = ty == Type::Num && rng.random_bool(0.25);
        if constant {
            nodes.push(Node::Num(f64::from(rng.random_range(-100..=100_i32))));
        } else if vars.is_empty() {
            return false;
        } else {
            nodes.push(Node::Var(vars[rng.random_range(0..vars.len())]));
        }
        true
    }

    /// Whether the schema can feed an operator at all.
    fn has_operands(&self, op: Op) -> bool {
        let has_seq = self.schema.iter().any(|(_, _, ty)| ty == Type::Seq);
        let needs_seq = op.signature().operands.contains(&Type::Seq) || op == Op::ToString;
        has_seq || !needs_seq
    }
}

/// Two populations that evolve by tournament, crossover and mutation: what the population path meets.
pub struct Evolution<'a> {
    grower: Grower<'a>,
    schema: &'a Schema,
    pub population: Vec<Predicate>,
    max_size: usize,
}

impl<'a> Evolution<'a> {
    pub fn new(schema: &'a Schema, size: usize, max_size: usize, rng: &mut impl Rng) -> Self {
        let grower = Grower::new(schema);
        let population = (0..size)
            .map(|_| grower.relation(rng.random_range(3..=max_size), rng))
            .collect();
        Evolution { grower, schema, population, max_size }
    }

    /// The next generation, where smaller `fitness` is better: the better halves are two populations,
    /// each by its own fitness, as in the paper (90 % crossover, 30 % mutation, tournaments of two).
    pub fn step(&mut self, fitness: [&[u64]; 2], rng: &mut impl Rng) {
        let half = self.population.len() / 2;
        let mut next = Vec::with_capacity(self.population.len());
        for (island, fitness) in fitness.into_iter().enumerate() {
            let members = island * half..(island + 1) * half;
            while next.len() < members.end {
                let tournament = |rng: &mut _| {
                    let (a, b) = (pick(&members, rng), pick(&members, rng));
                    if fitness[a] <= fitness[b] { a } else { b }
                };
                let (a, b) = (tournament(rng), tournament(rng));
                let mut child = if rng.random_bool(0.9) {
                    self.crossover(a, b, rng)
                } else {
                    self.population[a].clone()
                };
                if rng.random_bool(0.3) {
                    child = self.mutate(&child, rng);
                }
                next.push(child);
            }
        }
        self.population = next;
    }

    fn crossover(&self, a: usize, b: usize, rng: &mut impl Rng) -> Predicate {
        let (a, b) = (self.population[a].nodes(), self.population[b].nodes());
        for _ in 0..8 {
            let (at, from) = (rng.random_range(0..a.len()), rng.random_range(0..b.len()));
            if a[at].result(self.schema) != b[from].result(self.schema) {
                continue;
            }
            let gone = genmorph_jit::subtree(a, at);
            let come = genmorph_jit::subtree(b, from);
            if a.len() - gone.len() + come.len() <= self.max_size {
                return self.spliced(a, gone, &b[come]);
            }
        }
        self.spliced(a, 0..0, &[])
    }

    fn mutate(&self, parent: &Predicate, rng: &mut impl Rng) -> Predicate {
        let nodes = parent.nodes();
        for _ in 0..8 {
            let at = rng.random_range(0..nodes.len());
            let ty = nodes[at].result(self.schema).expect("of this schema");
            let gone = genmorph_jit::subtree(nodes, at);
            let room = (self.max_size + gone.len() - nodes.len()).min(7);
            let mut come = Vec::new();
            if self.grower.grow(ty, rng.random_range(1..=room), &mut come, rng) {
                return self.spliced(nodes, gone, &come);
            }
        }
        parent.clone()
    }

    fn spliced(&self, nodes: &[Node], gone: std::ops::Range<usize>, come: &[Node]) -> Predicate {
        let mut child = nodes.to_vec();
        child.splice(gone, come.iter().copied());
        Predicate::new(Expr(child), self.schema).expect("subtrees of one type were exchanged")
    }
}

fn pick(members: &std::ops::Range<usize>, rng: &mut impl Rng) -> usize {
    rng.random_range(members.clone())
}
