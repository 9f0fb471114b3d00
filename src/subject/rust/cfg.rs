//! Conditional compilation: whether an item is there, as far as that can be known before Cargo builds.
//!
//! Features come from the manifest and the flags, everything else from `rustc --print cfg`. What a build script decides is not
//! known, and then the item is taken to be there: the compiler has the last word.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use syn::punctuated::Punctuated;

/// What is switched on.
#[derive(Clone, Debug, Default)]
pub(super) struct Cfg {
    features: BTreeSet<String>,
    /// What the compiler says of the platform: `unix`, `target_os="linux"`.
    platform: BTreeSet<String>,
}

/// Names that the compiler sets or leaves out by itself. Any other name may be set by a build script.
const PLATFORM: [&str; 16] = [
    "unix",
    "windows",
    "debug_assertions",
    "overflow_checks",
    "panic",
    "proc_macro",
    "target_abi",
    "target_arch",
    "target_endian",
    "target_env",
    "target_family",
    "target_feature",
    "target_has_atomic",
    "target_os",
    "target_pointer_width",
    "target_vendor",
];

/// Names that only other tools set.
const OTHER_TOOLS: [&str; 6] = ["test", "doc", "doctest", "miri", "loom", "kani"];

impl Cfg {
    /// What is on in a package with these features, of those that its manifest declares.
    pub(super) fn new(declared: &BTreeMap<String, Vec<String>>, asked: &[String]) -> Cfg {
        let mut features = BTreeSet::new();
        let mut todo: Vec<String> = asked.to_vec();
        while let Some(feature) = todo.pop() {
            if features.insert(feature.clone()) {
                let needed = declared.get(&feature).into_iter().flatten();
                todo.extend(needed.filter(|needed| !needed.contains(['/', ':'])).cloned());
            }
        }
        let output = Command::new("rustc").args(["--print", "cfg"]).output();
        let said = output.map(|output| output.stdout).unwrap_or_default();
        let platform = String::from_utf8_lossy(&said).lines().map(str::to_owned).collect();
        Cfg { features, platform }
    }

    /// Why an item with these attributes is left out, if it is.
    pub(super) fn off(&self, attrs: &[syn::Attribute]) -> Option<String> {
        attrs.iter().find_map(|attr| match &attr.meta {
            syn::Meta::Path(path) if path.is_ident("test") || path.is_ident("bench") => {
                Some("it is a test".to_owned())
            }
            syn::Meta::List(list) if list.path.is_ident("cfg") => {
                let meta: syn::Meta = list.parse_args().ok()?;
                (self.holds(&meta) == Some(false)).then(|| self.reason(&meta))
            }
            _ => None,
        })
    }

    /// Whether a predicate holds, if that is known.
    fn holds(&self, meta: &syn::Meta) -> Option<bool> {
        match meta {
            syn::Meta::Path(path) => {
                let name = path.get_ident()?.to_string();
                match self.platform.contains(&name) {
                    true => Some(true),
                    false if OTHER_TOOLS.contains(&name.as_str()) => Some(false),
                    false => self.is_of_the_platform(&name).then_some(false),
                }
            }
            syn::Meta::NameValue(meta) => {
                let name = meta.path.get_ident()?.to_string();
                let value = text(&meta.value)?;
                if name == "feature" {
                    return Some(self.features.contains(&value));
                }
                let is_there = self.platform.contains(&format!("{name}={value:?}"));
                (is_there || self.is_of_the_platform(&name)).then_some(is_there)
            }
            syn::Meta::List(list) => {
                let parts = parts(list)?;
                let all: Vec<Option<bool>> = parts.iter().map(|part| self.holds(part)).collect();
                let known = |wanted: bool| match () {
                    () if all.contains(&Some(!wanted)) => Some(!wanted),
                    () if all.contains(&None) => None,
                    () => Some(wanted),
                };
                match list.path.get_ident()?.to_string().as_str() {
                    "not" => all.first()?.map(|holds| !holds),
                    // One that is off is enough, or one that is on.
                    "all" => known(true),
                    "any" => known(false),
                    _ => None,
                }
            }
        }
    }

    /// Without an answer of the compiler nothing is known of the platform.
    fn is_of_the_platform(&self, name: &str) -> bool {
        !self.platform.is_empty() && PLATFORM.contains(&name)
    }

    fn reason(&self, meta: &syn::Meta) -> String {
        let mut missing = Vec::new();
        self.missing(meta, &mut missing);
        match missing.as_slice() {
            [] => {
                use quote::ToTokens;
                format!("it is compiled for {} only", meta.to_token_stream())
            }
            [one] => format!("the feature `{one}` is off; --features {one} switches it on"),
            several => format!("the features {} are off", several.join(", ")),
        }
    }

    /// The features that have to be on, and are not.
    fn missing(&self, meta: &syn::Meta, found: &mut Vec<String>) {
        match meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("feature") => {
                found.extend(text(&pair.value).filter(|name| !self.features.contains(name)));
            }
            syn::Meta::List(list) if !list.path.is_ident("not") => {
                for part in parts(list).into_iter().flatten() {
                    self.missing(&part, found);
                }
            }
            _ => {}
        }
    }
}

fn parts(list: &syn::MetaList) -> Option<Punctuated<syn::Meta, syn::Token![,]>> {
    list.parse_args_with(Punctuated::parse_terminated).ok()
}

fn text(value: &syn::Expr) -> Option<String> {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(attribute: &str) -> Option<String> {
        let declared = [("default".to_owned(), vec!["std".to_owned()])].into();
        let cfg = Cfg::new(&declared, &["default".to_owned()]);
        let item: syn::ItemFn = syn::parse_str(&format!("{attribute} fn f() {{}}")).unwrap();
        cfg.off(&item.attrs)
    }

    #[test]
    fn an_item_is_left_out_for_a_feature_that_is_off() {
        let reason = off("#[cfg(all(feature = \"std\", feature = \"fancy\"))]").unwrap();
        assert_eq!(reason, "the feature `fancy` is off; --features fancy switches it on");
        assert_eq!(off("#[cfg(feature = \"std\")]"), None);
        assert_eq!(off("#[cfg(any(feature = \"fancy\", feature = \"std\"))]"), None);
    }

    #[test]
    fn tests_and_other_platforms_are_left_out_and_what_is_unknown_is_not() {
        assert!(off("#[cfg(test)]").is_some() && off("#[test]").is_some());
        assert!(off("#[cfg(target_os = \"none_of_these\")]").is_some());
        assert_eq!(off("#[cfg(set_by_a_build_script)]"), None);
        assert_eq!(off("#[cfg(not(set_by_a_build_script))]"), None);
    }
}
