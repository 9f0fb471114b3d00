//! The mutation operators of WebAssembly and Rust functions, and which group each belongs to. Java's are those of PIT and Major.

use super::mutant::Group;
use crate::support::named::named;

named! {
    /// A mutation operator. Those up to [`Rule::Std`] are of group A and in the manner of Major, the others of group B and in
    /// the manner of PIT.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Rule {
        /// Another arithmetic operator: AOR.
        Aor = "AOR",
        /// Another operator on bits.
        Lor = "LOR",
        /// Another shift operator: SOR.
        Sor = "SOR",
        /// Another comparison, but for those of [`Rule::Cbm`] and [`Rule::Neg`].
        Ror = "ROR",
        /// A condition that always or never holds; `and` and `or` swapped, or one side of them.
        Cor = "COR",
        /// Another constant: 0, 1, -1, -c; in Rust another truth value and no text, too.
        Lvr = "LVR",
        /// A negation left out.
        Oru = "ORU",
        /// A statement left out.
        Std = "STD",
        /// A boundary: `<` and `<=`, `>` and `>=`.
        Cbm = "CBM",
        /// A condition that is negated.
        Neg = "NEG",
        /// Another constant: c + 1, c - 1, 2 c.
        Crcr = "CRCR",
        /// A variable x as x + 1, x - 1, -x.
        Uoi = "UOI",
        /// One operand in place of the operation.
        Aod = "AOD",
        /// Another variable of the same type.
        Vrr = "VRR",
        /// Another value in place of the returned one.
        Ret = "RET",
        /// Another function or end of a range, or an argument in place of a call.
        Mcr = "MCR",
        /// A loop left after its first iteration.
        Lbm = "LBM",
    }
}

impl Rule {
    /// Which group it belongs to.
    pub(crate) fn group(self) -> Group {
        if self <= Rule::Std { Group::A } else { Group::B }
    }
}
