//! How Java source calls a method: the name of its class, and from where.
//!
//! Knows what class files declare; writes no source.

use super::outline::{MethodOutline, Outline, PRIVATE, PUBLIC};

/// How a method is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its class as source has it, with the package: `a.b.Outer.Inner`.
    pub class: String,
    /// From where the method can be called.
    pub reach: Reach,
    /// Whether it declares exceptions that a caller has to know of.
    pub is_throwing: bool,
}

/// From where a method can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// By reflection only: it, or a class around it, is private or has no name.
    Reflection,
    /// From the classes of its package only.
    Package,
    /// From every class, in whatever package.
    Everywhere,
}

impl Access {
    pub(super) fn of(declared: &MethodOutline, outline: &Outline) -> Access {
        let mut reach = reach(declared.access);
        let mut class = outline.name.clone();
        let mut inner: Vec<String> = Vec::new();
        while let Some(nested) = outline.nested.iter().find(|nested| nested.class == class) {
            let (Some(outer), Some(name)) = (&nested.outer, &nested.name) else {
                reach = Reach::Reflection;
                break;
            };
            reach = reach.min(self::reach(nested.access));
            inner.push(name.clone());
            class = outer.clone();
        }
        if inner.is_empty() {
            reach = reach.min(self::reach(outline.access));
        } else if reach == Reach::Everywhere {
            // Whether the outermost class is public is not said here.
            reach = Reach::Package;
        }
        inner.push(class.replace('/', "."));
        inner.reverse();
        Access { class: inner.join("."), reach, is_throwing: declared.is_throwing }
    }
}

/// What flags say; what is protected can be called from the package too.
fn reach(access: u16) -> Reach {
    match access {
        _ if access & PRIVATE != 0 => Reach::Reflection,
        _ if access & PUBLIC != 0 => Reach::Everywhere,
        _ => Reach::Package,
    }
}

#[cfg(test)]
mod tests {
    use super::super::outline::NestedClass;
    use super::*;

    fn access(method: u16, class: u16, nested: Vec<NestedClass>) -> (String, Reach) {
        let declared = MethodOutline { access: method, ..MethodOutline::default() };
        let name = nested.first().map_or("a/B".to_owned(), |nested| nested.class.clone());
        let outline = Outline { name, access: class, nested, ..Outline::default() };
        let Access { class, reach, .. } = Access::of(&declared, &outline);
        (class, reach)
    }

    fn nested(class: &str, outer: Option<&str>, access: u16) -> NestedClass {
        let name = class.rsplit('$').next().map(str::to_owned);
        NestedClass { class: class.to_owned(), outer: outer.map(str::to_owned), name, access }
    }

    #[test]
    fn both_the_method_and_its_class_say_from_where() {
        assert_eq!(access(PUBLIC, PUBLIC, Vec::new()), ("a.B".to_owned(), Reach::Everywhere));
        assert_eq!(access(PUBLIC, 0, Vec::new()).1, Reach::Package);
        assert_eq!(access(0, PUBLIC, Vec::new()).1, Reach::Package);
        assert_eq!(access(PRIVATE, PUBLIC, Vec::new()).1, Reach::Reflection);
    }

    #[test]
    fn nested_classes_have_the_names_of_the_source() {
        let inner = vec![nested("a/B$C$D", Some("a/B$C"), PUBLIC), nested("a/B$C", Some("a/B"), 0)];
        assert_eq!(access(PUBLIC, PUBLIC, inner), ("a.B.C.D".to_owned(), Reach::Package));
        let hidden = vec![nested("a/B$C", Some("a/B"), PRIVATE)];
        assert_eq!(access(PUBLIC, 0, hidden).1, Reach::Reflection);
        let local = vec![nested("a/B$1C", None, 0)];
        assert_eq!(access(PUBLIC, 0, local).1, Reach::Reflection);
    }
}
