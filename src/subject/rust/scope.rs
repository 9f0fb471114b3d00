//! Which functions of a crate are mutated: the one that is asked for, and those that it calls, directly or not.
//!
//! Calls are followed by their paths, as far as these can be read without a compiler: functions of the same module, of
//! modules that are named, and associated functions. Methods are followed if only one type of the crate has one of
//! that name.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use super::source::{Function, Sources};

/// The functions, by number, the first one first.
pub(super) fn functions(sources: &Sources, first: usize) -> Vec<usize> {
    let mut scope = vec![first];
    let mut next = 0;
    while let Some(&number) = scope.get(next) {
        let mut calls = Calls::default();
        let Function { sig, block, .. } = &sources.functions[number];
        calls.visit_signature(sig);
        calls.visit_block(block);
        let Calls { paths, variables, .. } = &mut calls;
        // A variable may have the name of a function.
        paths.retain(|path| path.len() > 1 || !variables.contains(&path[0]));
        for call in &calls.paths {
            if let Some(found) = called(sources, &sources.functions[number], call)
                && !scope.contains(&found)
            {
                scope.push(found);
            }
        }
        for method in &calls.methods {
            let mut owners = (0..sources.functions.len()).filter(|&i| {
                let function = &sources.functions[i];
                function.owner.is_some()
                    && function.sig.receiver().is_some()
                    && function.name() == *method
            });
            if let (Some(only), None) = (owners.next(), owners.next())
                && !scope.contains(&only)
            {
                scope.push(only);
            }
        }
        next += 1;
    }
    scope
}

/// Whether a mutant could be switched in a function.
pub(super) fn can_change(function: &Function, is_first: bool) -> bool {
    // What is const may stand where nothing can be switched; that of the first one is left out in the copy.
    (function.sig.constness.is_none() || is_first) && function.sig.asyncness.is_none()
}

/// The function that a path in another one means.
fn called(sources: &Sources, from: &Function, path: &[String]) -> Option<usize> {
    let module = &sources.modules[from.module].path;
    let path: Vec<String> = match (path.first().map(String::as_str), from.owner_name()) {
        (Some("Self"), Some(owner)) => {
            [owner.to_owned()].into_iter().chain(path[1..].iter().cloned()).collect()
        }
        _ => path.to_vec(),
    };
    let target = sources.resolve(module, &path)?.join("::");
    let all = || sources.functions.iter().enumerate();
    if let Some((found, _)) = all().find(|(_, function)| sources.path(function) == target) {
        return Some(found);
    }
    // It may be imported: then the end of its path says which it is, if only one has that.
    let end = path.join("::");
    let suffix = format!("::{end}");
    let mut ends = all().filter(|(_, function)| {
        let whole = sources.path(function);
        whole == end || whole.ends_with(&suffix)
    });
    match (ends.next(), ends.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    }
}

#[derive(Default)]
struct Calls {
    paths: BTreeSet<Vec<String>>,
    /// The names that patterns bind.
    variables: BTreeSet<String>,
    methods: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        // Functions are also passed: `.map(double)`.
        self.paths
            .insert(path.path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_expr_path(self, path);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.variables.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.methods.insert(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }
}
