//! The paper's 23 methods, with the number of mutants that it gives for each.

use super::libraries::{GUAVA, LANG, Library, MATH};

/// A method of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) library: Library,
    /// As in class files.
    pub(super) class: &'static str,
    pub(super) method: &'static str,
    pub(super) descriptor: &'static str,
    /// The paper's `# mutants`, which is what PIT 1.7.4 finds.
    pub(super) mutants: usize,
}

/// In the order of the paper.
pub(super) fn subjects() -> Vec<Subject> {
    let math = |class, method, descriptor, mutants| Subject {
        library: MATH,
        class,
        method,
        descriptor,
        mutants,
    };
    let lang = |class, method, descriptor, mutants| Subject {
        library: LANG,
        class,
        method,
        descriptor,
        mutants,
    };
    let guava = |class, method, descriptor, mutants| Subject {
        library: GUAVA,
        class,
        method,
        descriptor,
        mutants,
    };
    let fast = "org/apache/commons/math3/util/FastMath";
    let arithmetic = "org/apache/commons/math3/util/ArithmeticUtils";
    let combinatorics = "org/apache/commons/math3/util/CombinatoricsUtils";
    let strings = "org/apache/commons/lang3/StringUtils";
    vec![
        math("org/apache/commons/math3/primes/Primes", "nextPrime", "(I)I", 20),
        math("org/apache/commons/math3/primes/SmallPrimes", "millerRabinPrimeTest", "(I)Z", 25),
        math(arithmetic, "gcd", "(II)I", 25),
        math(arithmetic, "pow", "(II)I", 10),
        math(combinatorics, "stirlingS2", "(II)J", 46),
        math(fast, "acos", "(D)D", 76),
        math(fast, "log10", "(D)D", 15),
        math(fast, "sin", "(D)D", 26),
        math(fast, "sinh", "(D)D", 123),
        math(fast, "tan", "(D)D", 37),
        lang(
            strings,
            "abbreviate",
            "(Ljava/lang/String;Ljava/lang/String;II)Ljava/lang/String;",
            39,
        ),
        lang(strings, "capitalize", "(Ljava/lang/String;)Ljava/lang/String;", 10),
        lang(strings, "center", "(Ljava/lang/String;ILjava/lang/String;)Ljava/lang/String;", 12),
        lang(strings, "difference", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", 6),
        lang("org/apache/commons/lang3/ArrayUtils", "isSorted", "([I)Z", 11),
        guava("com/google/common/primitives/Booleans", "indexOf", "([Z[Z)I", 12),
        guava(
            "com/google/common/primitives/Booleans",
            "join",
            "(Ljava/lang/String;[Z)Ljava/lang/String;",
            5,
        ),
        guava("com/google/common/math/Stats", "meanOf", "([I)D", 12),
        guava("com/google/common/primitives/Ints", "min", "([I)I", 9),
        guava(
            "com/google/common/base/Strings",
            "padStart",
            "(Ljava/lang/String;IC)Ljava/lang/String;",
            7,
        ),
        guava(
            "com/google/common/base/Strings",
            "repeat",
            "(Ljava/lang/String;I)Ljava/lang/String;",
            18,
        ),
        guava("com/google/common/primitives/UnsignedBytes", "sort", "([BII)V", 8),
        guava(
            "com/google/common/base/Ascii",
            "truncate",
            "(Ljava/lang/CharSequence;ILjava/lang/String;)Ljava/lang/String;",
            10,
        ),
    ]
}
