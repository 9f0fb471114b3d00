//! The sources of a crate: its modules, and the functions in them.
//!
//! Follows `mod` from the first file on, as the compiler does, but expands no macros and leaves out what is for tests. Only
//! looks; what becomes of a function is for others to say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::error::{self, RustError};
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
    /// Where `mod` stands, and in which file, if it is private and not the root.
    pub(super) private: Option<(usize, usize)>,
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
    /// The type that it belongs to, if it stands in an `impl`.
    pub(super) owner: Option<String>,
    /// Whether the type has parameters, or what stands in the way of calling it by its name.
    pub(super) is_generic_owner: bool,
    pub(super) is_public: bool,
    pub(super) sig: syn::Signature,
    pub(super) block: syn::Block,
}

/// All of a crate.
pub(super) struct Sources {
    pub(super) files: Vec<File>,
    pub(super) modules: Vec<Module>,
    pub(super) functions: Vec<Function>,
    /// Other names of types, without parameters.
    aliases: Vec<(String, syn::Type)>,
}

impl Function {
    pub(super) fn name(&self) -> String {
        self.sig.ident.to_string()
    }
}

impl Sources {
    /// Reads a crate, from its first file.
    pub(super) fn read(root: &Path) -> Result<Sources, RustError> {
        let (files, modules) = (Vec::new(), Vec::new());
        let mut sources = Sources { files, modules, functions: Vec::new(), aliases: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        sources.file(root.to_owned(), &folder, Vec::new(), None, true)?;
        Ok(sources)
    }

    /// What a function is called from the root of the crate.
    pub(super) fn path(&self, function: &Function) -> String {
        let mut names = self.modules[function.module].path.clone();
        names.extend(function.owner.clone());
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
        if let Some(found) = all.iter().position(|path| path == plain) {
            return Ok(found);
        }
        let suffix = format!("::{plain}");
        let ends: Vec<usize> = (0..all.len()).filter(|&i| all[i].ends_with(&suffix)).collect();
        match ends.as_slice() {
            [one] => Ok(*one),
            [] => {
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
        let home = &self.modules[function.module];
        let own = function.owner.clone().unwrap_or_else(|| function.name());
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
        let shortest = found.min_by_key(|path| (path.len(), path.clone()))?;
        let method = function.owner.is_some().then(|| function.name());
        Some(shortest.into_iter().chain(method).collect::<Vec<_>>().join("::"))
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

    fn file(
        &mut self,
        path: PathBuf,
        folder: &Path,
        names: Vec<String>,
        private: Option<(usize, usize)>,
        is_public: bool,
    ) -> Result<(), RustError> {
        let text = fs::read_to_string(&path).map_err(error::file("read", &path))?;
        // A byte-order mark before the first line does not count.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let parsed = syn::parse_file(&text).map_err(|error| {
            let start = error.span().start();
            let (line, column) = (start.line, start.column + 1);
            RustError::Syntax { path: path.clone(), line, column, message: error.to_string() }
        })?;
        let file = self.files.len();
        let end = text.len();
        self.files.push(File { path, text });
        let module = Module { path: names, file, end, private, is_public, uses: Vec::new() };
        self.module(module, folder, parsed.items)
    }

    fn module(
        &mut self,
        module: Module,
        folder: &Path,
        items: Vec<syn::Item>,
    ) -> Result<(), RustError> {
        let number = self.modules.len();
        let (file, names, is_public) = (module.file, module.path.clone(), module.is_public);
        self.modules.push(module);
        for item in items {
            match item {
                syn::Item::Fn(item) if !is_for_tests(&item.attrs) => {
                    self.functions.push(Function {
                        module: number,
                        owner: None,
                        is_generic_owner: false,
                        is_public: is_pub(&item.vis),
                        sig: item.sig,
                        block: *item.block,
                    });
                }
                syn::Item::Impl(item) if !is_for_tests(&item.attrs) => self.methods(number, item),
                syn::Item::Type(item) if item.generics.params.is_empty() => {
                    self.aliases.push((item.ident.to_string(), *item.ty));
                }
                syn::Item::Use(item) if is_pub(&item.vis) => {
                    flatten(&item.tree, &mut Vec::new(), &mut self.modules[number].uses);
                }
                syn::Item::Mod(item) if !is_for_tests(&item.attrs) => {
                    let name = item.ident.to_string();
                    let mut path = names.clone();
                    path.push(name.trim_start_matches("r#").to_owned());
                    let at = item.mod_token.span.byte_range().start;
                    let private =
                        matches!(item.vis, syn::Visibility::Inherited).then_some((file, at));
                    let is_public = is_public && is_pub(&item.vis);
                    match item.content {
                        Some((braces, items)) => {
                            let end = braces.span.close().byte_range().start;
                            let module =
                                Module { path, file, end, private, is_public, uses: Vec::new() };
                            self.module(module, &folder.join(&name), items)?;
                        }
                        None => {
                            let Some((place, inner)) = self.place(file, folder, &name, &item.attrs)
                            else {
                                // Conditional compilation leaves files out; the compiler knows whether it may.
                                continue;
                            };
                            self.file(place, &inner, path, private, is_public)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The functions of an `impl`, methods too.
    fn methods(&mut self, module: usize, item: syn::ItemImpl) {
        let syn::Type::Path(ty) = &*item.self_ty else { return };
        let Some(last) = ty.path.segments.last() else { return };
        let owner = last.ident.to_string();
        let is_generic_owner = !matches!(last.arguments, syn::PathArguments::None)
            || ty.path.segments.len() > 1
            || item.trait_.is_some();
        for part in item.items {
            if let syn::ImplItem::Fn(method) = part
                && !is_for_tests(&method.attrs)
            {
                self.functions.push(Function {
                    module,
                    owner: Some(owner.clone()),
                    is_generic_owner,
                    is_public: is_pub(&method.vis),
                    sig: method.sig,
                    block: method.block,
                });
            }
        }
    }

    /// The file of `mod name;`, and the folder of the modules in it.
    fn place(
        &self,
        file: usize,
        folder: &Path,
        name: &str,
        attrs: &[syn::Attribute],
    ) -> Option<(PathBuf, PathBuf)> {
        let beside = self.files[file].path.parent().unwrap_or(Path::new(""));
        for attr in attrs {
            if let syn::Meta::NameValue(meta) = &attr.meta
                && meta.path.is_ident("path")
                && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) = &meta.value
            {
                let place = beside.join(path.value());
                let inner = place.parent().unwrap_or(Path::new("")).to_owned();
                return place.is_file().then_some((place, inner));
            }
        }
        let name = name.trim_start_matches("r#");
        let inner = folder.join(name);
        let candidates = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        candidates.into_iter().find(|place| place.is_file()).map(|place| (place, inner))
    }
}

/// Bytes of a span.
pub(super) fn bytes(spanned: &impl Spanned) -> std::ops::Range<usize> {
    let span: Span = spanned.span();
    span.byte_range()
}

fn is_pub(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
}

/// Whether an item is a test, or compiled for tests only.
fn is_for_tests(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => {
            list.path.is_ident("cfg") && list.tokens.to_string().trim() == "test"
        }
        syn::Meta::NameValue(_) => false,
    })
}

fn flatten(tree: &syn::UseTree, path: &mut Vec<String>, uses: &mut Vec<Use>) {
    match tree {
        syn::UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, uses);
            path.pop();
        }
        syn::UseTree::Name(part) => {
            let name = part.ident.to_string();
            let path = path.iter().cloned().chain([name.clone()]).collect();
            uses.push(Use { path, name: Some(name) });
        }
        syn::UseTree::Rename(part) => {
            let path = path.iter().cloned().chain([part.ident.to_string()]).collect();
            uses.push(Use { path, name: Some(part.rename.to_string()) });
        }
        syn::UseTree::Glob(_) => uses.push(Use { path: path.clone(), name: None }),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, path, uses));
        }
    }
}
