//! Functions of a crate that tests make: all kinds of types, and all kinds of trouble.

#![forbid(unsafe_code)]
#![deny(warnings)]

mod inner {
    mod deep {
        /// Private, in a private module of a private module.
        fn secret(n: i32) -> i32 {
            if n > 10 { n - 3 } else { n * 2 }
        }

        pub fn reached(n: i32) -> i32 {
            secret(n)
        }
    }

    pub use self::deep::reached;
}

pub use inner::reached;

pub fn gcd(a: i32, b: i32) -> i32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        let rest = a % b;
        a = b;
        b = rest;
    }
    if a < 0 { -a } else { a }
}

pub const fn clamp(x: i32, low: i32, high: i32) -> i32 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

pub fn pad_start(s: &str, n: usize, c: char) -> String {
    let length = s.chars().count();
    let mut padded = String::new();
    for _ in length..n {
        padded.push(c);
    }
    padded + s
}

pub fn largest<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    let mut values = values.iter();
    let mut best = *values.next()?;
    for &value in values {
        if value > best {
            best = value;
        }
    }
    Some(best)
}

pub fn sort(values: &mut [i16]) {
    for i in 1..values.len() {
        let mut j = i;
        while j > 0 && values[j - 1] > values[j] {
            values.swap(j - 1, j);
            j -= 1;
        }
    }
}

pub fn scale((x, y): (f64, f64), by: Option<f64>, weights: [u8; 3]) -> (f64, f64, bool) {
    let by = match by {
        Some(by) => by,
        None => 1.0,
    };
    let weight: u32 = weights.iter().map(|w| u32::from(*w)).sum();
    (x * by, y * by, weight > 100)
}

pub fn half(n: u64) -> Result<u64, String> {
    if n % 2 == 0 { Ok(n / 2) } else { Err(format!("{n} is odd")) }
}

pub fn trimmed(text: &str) -> &str {
    text.trim_start()
}

fn descend(n: u64) -> u64 {
    if n == u64::MAX { 0 } else { 1 + descend(n + 1) }
}

/// Shows itself by showing the next one, and so on: nobody counts how deep that is.
struct Deep(u64);

impl std::fmt::Display for Deep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == u64::MAX { Ok(()) } else { write!(f, "{}", Deep(self.0 + 1)) }
    }
}

/// What it does depends on a number.
pub fn trouble(kind: u8) -> u8 {
    match kind {
        1 => panic!("on purpose"),
        2 => std::process::abort(),
        3 => std::process::exit(3),
        4 => descend(0) as u8,
        5 => {
            let mut n = 0_u8;
            loop {
                n = n.wrapping_add(1);
            }
        }
        6 => {
            std::thread::sleep(std::time::Duration::from_secs(1000));
            6
        }
        7 => vec![kind; 1 << 40].len() as u8,
        8 => format!("{}", Deep(0)).len() as u8,
        9 => {
            println!("{}", "what is printed goes nowhere".repeat(1000));
            eprintln!("this too");
            9
        }
        other => other,
    }
}

/// Asks for memory without end, unless `n` is 0.
pub fn hoard(n: u8) -> u32 {
    let mut all: Vec<Vec<u8>> = Vec::new();
    while n > 0 {
        all.push(vec![n; 1 << 20]);
    }
    all.len() as u32
}

pub fn chancy(n: i32) -> bool {
    use std::collections::HashSet;
    let set: HashSet<i32> = (0..100).collect();
    set.iter().position(|x| *x == n.rem_euclid(100)).unwrap_or(0) < 50
}

pub fn remembers(n: i32) -> i32 {
    use std::sync::atomic::{AtomicI32, Ordering};
    static LAST: AtomicI32 = AtomicI32::new(0);
    LAST.swap(n, Ordering::Relaxed)
}

pub struct Point;

impl Point {
    pub fn manhattan(x: i32, y: i32) -> i64 {
        i64::from(x).abs() + i64::from(y).abs()
    }

    pub fn method(&self, n: i32) -> i32 {
        n
    }
}

pub async fn later(n: i32) -> i32 {
    n
}

pub fn apply(f: fn(i32) -> i32, n: i32) -> i32 {
    f(n)
}

pub fn with(f: impl Fn(i32) -> i32, n: i32) -> i32 {
    f(n)
}

pub fn nothing(_n: i32) {}
