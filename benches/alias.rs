//! scratch
mod support;
use genmorph_jit::*;
use support::{grow::Grower, tables::*, stopwatch::best};
use rand::{SeedableRng, rngs::StdRng};
fn main() {
    let data = mixed(18000);
    let table = data.table();
    let mut e = Evaluator::new(Policy::Only(Tier::Bytecode));
    let mut mask = Mask::empty(table.layout());
    for s in ["text_s == out_s", "flip(text_s) == text_f", "flip(text_s) == out_f","truncate(text_s, n_s) == out_f", "remove(text_s, n_s) == out_f", "remove(text_s, 2) == out_f",  "remove(text_s, 2) == remove(flip(text_f), 2)", "toString(n_s) == out_f", "length(toString(n_s)) == n_f", "sum(truncate(text_s, n_s)) == n_f", "length(truncate(text_s, n_s)) == n_f", "length(remove(text_s, n_s)) == n_f", "sum(remove(text_s, n_s)) == n_f", "sum(flip(text_s)) == x_s", "flag_s and flag_f", "x_s < x_f"] {
        let p = text::parse(s, &data.schema).unwrap();
        let mut f = || for _ in 0..10 { e.mask_into(&p, &table, &mut mask); };
        let t = best(10, &mut [("x", &mut f)])[0] / 10.0;
        println!("{s:50} {:8.1} us  {} rows", t * 1e6, mask.count_ones());
    }
    for size in [8, 16] {
    let mut rng = StdRng::seed_from_u64(7);
    let relations = Grower::new(&data.schema).relations(200, size, &mut rng);
    let mut f = || for p in &relations { e.mask_into(p, &table, &mut mask); };
    let t = best(3, &mut [("x", &mut f)])[0] / 200.0;
    println!("mixed {size}: {:.2} us", t * 1e6);
    }
}
