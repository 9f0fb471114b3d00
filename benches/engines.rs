//! scratch
mod support;
use genmorph_jit::*;
use support::{grow::Grower, rivals::*, stopwatch::best, tables::*};
use rand::{SeedableRng, rngs::StdRng};
fn main() { 
    for rows in [1024, 2048, 4096, 9000, 18_000] {
    let mut lls = [0.0; 3]; let mut dv = [0.0; 3];
    for (i, isa) in Isa::ALL.iter().enumerate() {
        let rows = 512;
        let mut arena = vec![1.5; 4096*4];
        let o = arena.as_ptr().align_offset(4096);
        let mut arena = &mut arena[o..];
        let mut take = |pad: usize| { let (a, rest) = std::mem::take(&mut arena).split_at_mut(rows + pad); arena = rest; &mut a[..rows] };
        let (a,b,c) = (take(64), take(64), take(64));
        let mut f = || engine::roofline::load_load_store(*isa, [&mut *a, &mut *b, &mut *c], 1000);
        lls[i] = best(40, &mut [("x", &mut f)])[0] / 1000.0 / 512.0;
        let mut f = || engine::roofline::divide(*isa, [&mut *a, &mut *b, &mut *c], 1000);
        dv[i] = best(40, &mut [("x", &mut f)])[0] / 1000.0 / 512.0;
        println!("{isa:?} LLS {:.2} G div {:.2} G", 1e-9 / lls[i], 1e-9 / dv[i]);
    }
    for numbers in [Numbers::Real] {
    let data = numeric(rows, numbers);
    let table = data.table();
    for size in [8, 16] {
        let mut rng = StdRng::seed_from_u64(7);
        let relations = Grower::new(&data.schema).relations(200, size, &mut rng);
        let count = |f: fn(&Op) -> bool| relations.iter().flat_map(|p| p.nodes()).filter(|n| matches!(n, Node::Op(o) if f(o))).count() as f64;
        let divs = count(|o| *o == Op::Div);
        let num = count(|o| matches!(o, Op::Add|Op::Sub|Op::Mul|Op::Abs|Op::NumEq|Op::NumNe|Op::Lt|Op::Gt|Op::Le|Op::Ge));
        let trees: Vec<Tree> = relations.iter().map(|p| Tree::new(p, &data)).collect();
        let tol = Tolerance::default();
        let mut evals: Vec<_> = Isa::ALL.iter().map(|i| Evaluator::with_isa(Policy::Only(Tier::Bytecode), *i)).collect();
        let mut mask = Mask::empty(table.layout());
        let mut times = vec![];
        for e in &mut evals {
            let mut f = || for p in &relations { e.mask_into(p, &table, &mut mask); };
            times.push(best(30, &mut [("x", &mut f)])[0]);
        }
        let mut f = || for t in &trees[..] { std::hint::black_box(t.count(&data, &tol)); };
        let tw = best(3, &mut [("t", &mut f)])[0];
        let g = |t: f64| (size * rows * 200) as f64 / t / 1e9;
        let mut prog = Program::new();
        let mut f = || for p in &relations { prog.lower(p, &table); };
        let lo = best(50, &mut [("x", &mut f)])[0] / 200.0 * 1e9;
        let roof: Vec<f64> = (0..3).map(|i| (num * lls[i] + divs * dv[i]) * rows as f64).collect();
        println!("{rows} {numbers:?} {size}: tree {:.3}G  portable {:.2} avx2 {:.2} avx512 {:.2}  x{:.1}; {:.2} us/rel; lower {lo:.0}ns; roof {:.2} {:.2} {:.2}", g(tw), g(times[0]), g(times[1]), g(times[2]), tw / times[2], times[2] / 200.0 * 1e6, roof[0]/times[0], roof[1]/times[1], roof[2]/times[2]);
    }
    }
}
}
