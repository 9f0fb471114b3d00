//! `sort_range(a, from, to)`: sorts `a[from..to]` in place, by insertion. Refuses a range that is not in `a`.

#[macro_use]
mod genmorph;

fn sort_range(a: &mut [i32], from: i32, to: i32) {
    assert!(0 <= from && from <= to && to <= a.len() as i32);
    let a = &mut a[from as usize..to as usize];
    let mut i = 1;
    while i < a.len() {
        let value = a[i];
        let mut j = i;
        while j > 0 && a[j - 1] > value {
            a[j] = a[j - 1];
            j -= 1;
        }
        a[j] = value;
        i += 1;
    }
}

genmorph! { sort_range: func(a: list<s32>, from: s32, to: s32) }
