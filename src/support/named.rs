//! Enums whose variants have names: each name stands beside its variant, and nowhere else.

/// Declares an enum with `ALL`, its variants in the order of declaration, and `name`.
macro_rules! named {
    (
        $(#[$about:meta])*
        $visible:vis enum $ty:ident {
            $($(#[$meaning:meta])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$about])*
        $visible enum $ty {
            $($(#[$meaning])* $variant,)*
        }

        #[allow(dead_code, reason = "of some enums only tests need the whole list")]
        impl $ty {
            /// All of them, in the order of the enum.
            $visible const ALL: [$ty; [$($name),*].len()] = [$($ty::$variant),*];

            /// Its name, in files and messages.
            $visible const fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $name,)*
                }
            }
        }
    };
}

pub(crate) use named;
