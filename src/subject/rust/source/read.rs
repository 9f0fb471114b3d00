//! Reads a crate from its first file: modules, functions, types and what they are called elsewhere.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{File, Function, Module, Owner, OwnerKind, Sources, Use, bytes, one_line};
use crate::subject::rust::cfg::Cfg;
use crate::subject::rust::error::{self, RustError};

impl Sources {
    /// Reads a crate, from its first file.
    pub(in crate::subject::rust) fn read(root: &Path, cfg: Cfg) -> Result<Sources, RustError> {
        let mut sources = Sources { cfg, ..Sources::default() };
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        sources.file(root.to_owned(), &folder, Vec::new(), None, true)?;
        Ok(sources)
    }

    fn file(
        &mut self,
        path: PathBuf,
        folder: &Path,
        names: Vec<String>,
        private: Option<(usize, Range<usize>)>,
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
        if file == 0 {
            let named = parsed.attrs.iter().filter(|attr| attr.path().is_ident("crate_name"));
            self.crate_names = named.map(bytes).collect();
        }
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
            if let Some(why) = self.cfg.off(attributes(&item)) {
                if let syn::Item::Fn(item) = item {
                    let path: Vec<String> =
                        names.iter().cloned().chain([item.sig.ident.to_string()]).collect();
                    self.off.push((path.join("::"), why));
                }
                continue;
            }
            match item {
                syn::Item::Fn(item) => self.functions.push(Function {
                    module: number,
                    owner: None,
                    is_public: is_pub(&item.vis),
                    sig: item.sig,
                    block: *item.block,
                }),
                syn::Item::Impl(item) => self.methods(number, item),
                syn::Item::Trait(item) => self.defaults(number, item),
                syn::Item::Type(item) if item.generics.params.is_empty() => {
                    self.aliases.push((item.ident.to_string(), *item.ty));
                }
                syn::Item::Use(item) if is_pub(&item.vis) => {
                    flatten(&item.tree, &mut Vec::new(), &mut self.modules[number].uses);
                }
                syn::Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let mut path = names.clone();
                    path.push(name.trim_start_matches("r#").to_owned());
                    let end = item.mod_token.span.byte_range().start;
                    let private = match &item.vis {
                        syn::Visibility::Public(_) => None,
                        syn::Visibility::Inherited => Some((file, end..end)),
                        syn::Visibility::Restricted(vis) => Some((file, bytes(vis).start..end)),
                    };
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
        let (name, is_plain) = match &*item.self_ty {
            syn::Type::Path(ty) => {
                let Some(last) = ty.path.segments.last() else { return };
                let is_plain = match &last.arguments {
                    syn::PathArguments::None => true,
                    syn::PathArguments::AngleBracketed(given) => {
                        let mut given = given.args.iter();
                        given.all(|g| matches!(g, syn::GenericArgument::Lifetime(_)))
                    }
                    syn::PathArguments::Parenthesized(_) => false,
                };
                let is_generic = item.generics.type_params().next().is_some()
                    || item.generics.const_params().next().is_some();
                (last.ident.to_string(), is_plain && !is_generic)
            }
            // What is done for references, slices and tuples has no name.
            other => (one_line(other), false),
        };
        let kind = match &item.trait_ {
            _ if !is_plain => OwnerKind::Generic,
            Some((path, _)) => OwnerKind::OfTrait(one_line(path)),
            None => OwnerKind::Inherent,
        };
        let owner = Owner { name, kind, ty: Some(*item.self_ty) };
        for part in item.items {
            if let syn::ImplItem::Fn(method) = part
                && self.cfg.off(&method.attrs).is_none()
            {
                self.functions.push(Function {
                    module,
                    owner: Some(owner.clone()),
                    is_public: is_pub(&method.vis),
                    sig: method.sig,
                    block: method.block,
                });
            }
        }
    }

    /// What a trait does for types that do not say otherwise.
    fn defaults(&mut self, module: usize, item: syn::ItemTrait) {
        let owner = Owner { name: item.ident.to_string(), kind: OwnerKind::Default, ty: None };
        for part in item.items {
            if let syn::TraitItem::Fn(method) = part
                && self.cfg.off(&method.attrs).is_none()
                && let Some(block) = method.default
            {
                self.functions.push(Function {
                    module,
                    owner: Some(owner.clone()),
                    is_public: false,
                    sig: method.sig,
                    block,
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

fn is_pub(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
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

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        _ => &[],
    }
}
