//! The mutation operators of WebAssembly and Rust functions, and which group each belongs to. Java's are those of PIT and Major.

use super::mutant::Group;

/// A mutation operator. Those up to [`Rule::Std`] are of group A and in the manner of Major, the others of group B and in
/// the manner of PIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    /// Another arithmetic operator: AOR.
    Aor,
    /// Another operator on bits.
    Lor,
    /// Another shift operator: SOR.
    Sor,
    /// Another comparison, but for those of [`Rule::Cbm`] and [`Rule::Neg`].
    Ror,
    /// A condition that always or never holds; `and` and `or` swapped, or one side of them.
    Cor,
    /// Another constant: 0, 1, -1, -c; in Rust another truth value and no text, too.
    Lvr,
    /// A negation left out.
    Oru,
    /// A statement left out.
    Std,
    /// A boundary: `<` and `<=`, `>` and `>=`.
    Cbm,
    /// A condition that is negated.
    Neg,
    /// Another constant: c + 1, c - 1, 2 c.
    Crcr,
    /// A variable x as x + 1, x - 1, -x.
    Uoi,
    /// One operand in place of the operation.
    Aod,
    /// Another variable of the same type.
    Vrr,
    /// Another value in place of the returned one.
    Ret,
    /// Another function or end of a range, or an argument in place of a call.
    Mcr,
    /// A loop left after its first iteration.
    Lbm,
}

impl Rule {
    /// All operators, in order.
    #[cfg(test)]
    pub(crate) const ALL: [Rule; 17] = [
        Rule::Aor,
        Rule::Lor,
        Rule::Sor,
        Rule::Ror,
        Rule::Cor,
        Rule::Lvr,
        Rule::Oru,
        Rule::Std,
        Rule::Cbm,
        Rule::Neg,
        Rule::Crcr,
        Rule::Uoi,
        Rule::Aod,
        Rule::Vrr,
        Rule::Ret,
        Rule::Mcr,
        Rule::Lbm,
    ];

    /// Which group it belongs to.
    pub(crate) fn group(self) -> Group {
        if self <= Rule::Std { Group::A } else { Group::B }
    }

    /// Its name in reports: `AOR`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rule::Aor => "AOR",
            Rule::Lor => "LOR",
            Rule::Sor => "SOR",
            Rule::Ror => "ROR",
            Rule::Cor => "COR",
            Rule::Lvr => "LVR",
            Rule::Oru => "ORU",
            Rule::Std => "STD",
            Rule::Cbm => "CBM",
            Rule::Neg => "NEG",
            Rule::Crcr => "CRCR",
            Rule::Uoi => "UOI",
            Rule::Aod => "AOD",
            Rule::Vrr => "VRR",
            Rule::Ret => "RET",
            Rule::Mcr => "MCR",
            Rule::Lbm => "LBM",
        }
    }
}
