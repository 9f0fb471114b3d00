//! The sources of a crate: its modules, and the functions in them.
//!
//! `read` follows `mod` from the first file on, as the compiler does, but expands no macros and leaves out what is not
//! compiled. Only looks; what becomes of a function is for others to say.

mod read;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::cfg::Cfg;
use super::error::RustError;
use crate::support::spelling;

/// A file of the crate.
pub(super) struct File {
    /// The path of the file.
    pub(super) path: PathBuf,
    /// The text of the file.
    pub(super) text: String,
}

/// A module of the crate.
pub(super) struct Module {
    /// Its names from the root, without `crate`.
    pub(super) path: Vec<String>,
    /// The file that its items stand in.
    pub(super) file: usize,
    /// Where another item can be put, in bytes.
    pub(super) end: usize,
    /// Where its visibility stands, and in which file, if it is not public and not the root.
    pub(super) private: Option<(usize, Range<usize>)>,
    /// Whether other crates can name it.
    pub(super) is_public: bool,
    /// What it gives to others under names of its own.
    uses: Vec<Use>,
}

/// A `pub use` item.
struct Use {
    path: Vec<String>,
    /// Another name, or nothing for all names of a module.
    name: Option<String>,
}

/// A function of the crate.
pub(super) struct Function {
    /// The module that it is in.
    pub(super) module: usize,
    /// The `impl` or `trait` that it stands in, if it does.
    pub(super) owner: Option<Owner>,
    pub(super) is_public: bool,
    pub(super) sig: syn::Signature,
    pub(super) block: syn::Block,
}

/// The `impl` or `trait` that a function stands in.
#[derive(Clone)]
pub(super) struct Owner {
    /// The name of the type, or of the trait.
    pub(super) name: String,
    pub(super) kind: OwnerKind,
    /// The type as it is written after `impl` or `for`; none of a trait.
    pub(super) ty: Option<syn::Type>,
}

/// What a function is to the type that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnerKind {
    /// One of its own.
    Inherent,
    /// One that a trait asks for; the trait as it is written.
    OfTrait(String),
    /// What a trait does for types that have none of their own.
    Default,
    /// Of a type with parameters, or without a plain name.
    Generic,
}

/// All of a crate.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) files: Vec<File>,
    pub(super) modules: Vec<Module>,
    pub(super) functions: Vec<Function>,
    /// What the first file says of the name of the crate, which a copy has another one for.
    pub(super) crate_names: Vec<Range<usize>>,
    /// Functions that are not compiled, with the reason.
    off: Vec<(String, String)>,
    /// Other names of types, without parameters.
    aliases: Vec<(String, syn::Type)>,
    cfg: Cfg,
}

impl Function {
    pub(super) fn name(&self) -> String {
        self.sig.ident.to_string()
    }

    /// The name of the type or trait that it belongs to.
    pub(super) fn owner_name(&self) -> Option<&str> {
        self.owner.as_ref().map(|owner| owner.name.as_str())
    }
}

impl Sources {
    /// What a function is called from the root of the crate.
    pub(super) fn path(&self, function: &Function) -> String {
        let mut names = self.modules[function.module].path.clone();
        names.extend(function.owner_name().map(str::to_owned));
        names.push(function.name());
        names.join("::")
    }

    /// The function that a path means: the whole path, or the end of just one.
    pub(super) fn find(&self, asked: &str, package: &str) -> Result<usize, RustError> {
        let plain = asked.trim().trim_start_matches("::");
        let crate_name = package.replace('-', "_");
        let plain = ["crate", "self", crate_name.as_str()]
            .iter()
            .find_map(|first| plain.strip_prefix(first)?.strip_prefix("::"))
            .unwrap_or(plain);
        let all: Vec<String> = self.functions.iter().map(|f| self.path(f)).collect();
        // A type's own function comes before those that traits ask for.
        let whole = |is_own: bool| {
            (0..all.len()).find(|&i| {
                let owner = self.functions[i].owner.as_ref();
                all[i] == plain
                    && (!is_own || owner.is_none_or(|owner| owner.kind == OwnerKind::Inherent))
            })
        };
        if let Some(found) = whole(true).or_else(|| whole(false)) {
            return Ok(found);
        }
        let suffix = format!("::{plain}");
        let ends: Vec<usize> = (0..all.len()).filter(|&i| all[i].ends_with(&suffix)).collect();
        match ends.as_slice() {
            [one] => Ok(*one),
            [] => {
                let is_it = |path: &str| path == plain || path.ends_with(&suffix);
                if let Some((function, why)) = self.off.iter().find(|(path, _)| is_it(path)) {
                    let (function, why) = (function.clone(), why.clone());
                    return Err(RustError::NotCompiled { function, why });
                }
                let last = plain.rsplit("::").next().unwrap_or(plain);
                let mut near: Vec<(usize, &String)> = all
                    .iter()
                    .map(|path| {
                        (spelling::distance(last, path.rsplit("::").next().unwrap_or(path)), path)
                    })
                    .filter(|(far, path)| *far <= 2 || path.contains(last) && last.len() > 2)
                    .collect();
                near.sort();
                near.dedup();
                let near = near.into_iter().take(8).map(|(_, path)| path.clone()).collect();
                let (asked, package) = (asked.to_owned(), package.to_owned());
                Err(RustError::NoFunction { asked, package, near })
            }
            several => {
                let all = several.iter().map(|&i| all[i].clone()).collect();
                Err(RustError::Ambiguous { asked: asked.to_owned(), all })
            }
        }
    }

    /// How other crates call a function, from the root of this one; none if they cannot.
    pub(super) fn public_path(&self, function: &Function) -> Option<String> {
        if !function.is_public {
            return None;
        }
        let own = function.owner_name().map_or_else(|| function.name(), str::to_owned);
        let known = self.public_name(function.module, own)?;
        let method = function.owner.is_some().then(|| function.name());
        Some(known.into_iter().chain(method).collect::<Vec<_>>().join("::"))
    }

    /// How other crates name a public item of a module, from the root of this crate.
    pub(super) fn public_name(&self, module: usize, own: String) -> Option<Vec<String>> {
        let home = &self.modules[module];
        let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
        known.insert(home.path.iter().cloned().chain([own]).collect());
        // One module may give it to another, which gives it on.
        loop {
            let before = known.len();
            for module in &self.modules {
                for used in &module.uses {
                    let Some(target) = self.resolve(&module.path, &used.path) else { continue };
                    let names: Vec<String> = match &used.name {
                        Some(name) => {
                            known.contains(&target).then(|| name.clone()).into_iter().collect()
                        }
                        None => {
                            let there = known.iter().filter_map(|path| path.split_last());
                            let there = there.filter(|(_, folder)| **folder == target);
                            there.map(|(name, _)| name.clone()).collect()
                        }
                    };
                    let given = names
                        .into_iter()
                        .map(|name| module.path.iter().cloned().chain([name]).collect());
                    known.extend(given);
                }
            }
            if known.len() == before {
                break;
            }
        }
        let is_seen = |path: &Vec<String>| {
            let folder = &path[..path.len() - 1];
            self.modules.iter().any(|module| module.is_public && module.path == folder)
        };
        let found = known.into_iter().filter(is_seen);
        found.min_by_key(|path| (path.len(), path.clone()))
    }

    /// What a type is that has another name in this crate.
    pub(super) fn meant<'t>(&'t self, ty: &'t syn::Type) -> &'t syn::Type {
        let mut meant = ty;
        // An alias may stand for an alias, but not for ever.
        for _ in 0..8 {
            let syn::Type::Path(path) = meant else { break };
            let Some(last) = path.path.segments.last().filter(|last| last.arguments.is_none())
            else {
                break;
            };
            match self.aliases.iter().find(|(name, _)| last.ident == name) {
                Some((_, ty)) => meant = ty,
                None => break,
            }
        }
        meant
    }

    /// A path from a module, from the root.
    pub(super) fn resolve(&self, from: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut here = from.to_vec();
        let mut rest = path;
        match rest.first().map(String::as_str) {
            Some("crate") => {
                here.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            _ => {}
        }
        while rest.first().is_some_and(|name| name == "super") {
            here.pop()?;
            rest = &rest[1..];
        }
        here.extend(rest.iter().cloned());
        Some(here)
    }
}

/// Bytes of a span.
pub(super) fn bytes(spanned: &impl Spanned) -> Range<usize> {
    let span: Span = spanned.span();
    span.byte_range()
}

/// Syntax as one line of text.
pub(super) fn one_line(tokens: &impl ToTokens) -> String {
    tokens
        .to_token_stream()
        .to_string()
        .replace(" :: ", "::")
        .replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace("& ", "&")
        .replace(" ,", ",")
}
