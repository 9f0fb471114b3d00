//! The call graph of a module, and the effects of functions that have to be undone.
//!
//! Knows nothing of names and scopes: functions are numbers.

use wasmparser::{ElementItems, Operator, Parser, Payload};

use super::module::Module;

/// What the code of one function does.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// Functions that it calls directly, in order, without duplicates.
    calls: Vec<u32>,
    /// Functions to which it takes references.
    references: Vec<u32>,
    /// Whether it calls through a table.
    indirect: bool,
    effects: Effects,
}

/// What code does to the state of an instance, apart from globals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Whether it writes to memory.
    pub(super) writes: bool,
    /// Whether it grows memory.
    pub(super) grows: bool,
    /// Whether it changes tables or drops segments.
    pub(super) tables: bool,
}

/// The call graph of a module.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    facts: Vec<Facts>,
    /// Functions that an indirect call can reach: those in element segments, and those to which references are taken.
    pointed: Vec<u32>,
    /// The function that runs when the module is instantiated.
    pub(super) start: Option<u32>,
}

/// Which calls can lead back to their caller.
#[derive(Clone, Debug)]
pub(super) struct Cycles {
    /// The cycle of each function; a function that does not recurse is alone in its cycle.
    cycle: Vec<usize>,
    /// For each cycle, whether a call through a table can stay in it.
    indirect: Vec<bool>,
}

impl Calls {
    /// Reads the code of all functions.
    pub(super) fn of(module: &Module) -> Calls {
        let facts: Vec<Facts> = (0..module.functions.len()).map(|f| facts(module, f)).collect();
        let mut pointed: Vec<u32> = Vec::new();
        let mut start = None;
        for payload in Parser::new(0).parse_all(&module.bytes).flatten() {
            match payload {
                Payload::StartSection { func, .. } => start = Some(func),
                Payload::ElementSection(section) => {
                    for element in section.into_iter().flatten() {
                        match element.items {
                            ElementItems::Functions(items) => {
                                pointed.extend(items.into_iter().flatten());
                            }
                            ElementItems::Expressions(_, items) => {
                                for item in items.into_iter().flatten() {
                                    pointed.extend(referenced(&item));
                                }
                            }
                        }
                    }
                }
                Payload::TableSection(section) => {
                    for table in section.into_iter().flatten() {
                        if let wasmparser::TableInit::Expr(init) = &table.init {
                            pointed.extend(referenced(init));
                        }
                    }
                }
                Payload::GlobalSection(section) => {
                    for global in section.into_iter().flatten() {
                        pointed.extend(referenced(&global.init_expr));
                    }
                }
                _ => {}
            }
        }
        pointed.extend(facts.iter().flat_map(|f| &f.references));
        pointed.sort_unstable();
        pointed.dedup();
        Calls { facts, pointed, start }
    }

    /// The functions that can be called from the roots, including the roots.
    pub(super) fn reachable(&self, roots: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut seen = vec![false; self.facts.len()];
        let mut todo: Vec<u32> = roots.into_iter().collect();
        while let Some(function) = todo.pop() {
            let seen = &mut seen[function as usize];
            if !std::mem::replace(seen, true) {
                todo.extend(self.callees(function as usize));
            }
        }
        seen
    }

    /// The combined effects of some functions.
    pub(super) fn effects(&self, functions: &[bool]) -> Effects {
        let live = self.facts.iter().zip(functions).filter(|(_, live)| **live);
        live.fold(Effects::default(), |all, (facts, _)| Effects {
            writes: all.writes | facts.effects.writes,
            grows: all.grows | facts.effects.grows,
            tables: all.tables | facts.effects.tables,
        })
    }

    /// Functions to which the code of some functions takes references.
    pub(super) fn references(&self, functions: &[bool]) -> Vec<u32> {
        let live = self.facts.iter().zip(functions).filter(|(_, live)| **live);
        let mut all: Vec<u32> = live.flat_map(|(facts, _)| facts.references.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Finds the recursion with two passes, one over the calls and one over the reversed calls: each set of
    /// functions that the second pass reaches, in the finishing order of the first, is a cycle (Kosaraju).
    pub(super) fn cycles(&self) -> Cycles {
        let count = self.facts.len();
        let mut callers = vec![Vec::new(); count];
        for function in 0..count {
            for callee in self.callees(function) {
                callers[callee as usize].push(function);
            }
        }
        let mut done = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for root in 0..count {
            let mut path = vec![(root, false)];
            while let Some((function, left)) = path.pop() {
                if left {
                    done.push(function);
                } else if !std::mem::replace(&mut seen[function], true) {
                    path.push((function, true));
                    let callees = self.callees(function).map(|callee| (callee as usize, false));
                    path.extend(callees.filter(|&(callee, _)| !seen[callee]));
                }
            }
        }
        let mut cycle = vec![usize::MAX; count];
        for &root in done.iter().rev() {
            let mut todo = vec![root];
            while let Some(function) = todo.pop() {
                if cycle[function] == usize::MAX {
                    cycle[function] = root;
                    todo.extend(&callers[function]);
                }
            }
        }
        let stays = |f: usize| self.pointed.iter().any(|&to| cycle[to as usize] == cycle[f]);
        let indirect = (0..count).map(|f| self.facts[f].indirect && stays(f)).collect();
        Cycles { cycle, indirect }
    }

    fn callees(&self, function: usize) -> impl Iterator<Item = u32> {
        let facts = &self.facts[function];
        let pointed: &[u32] = if facts.indirect { &self.pointed } else { &[] };
        facts.calls.iter().chain(pointed).copied()
    }
}

impl Cycles {
    /// Whether a call can lead back to its caller; `None` stands for an indirect call.
    pub(super) fn recurses(&self, caller: usize, callee: Option<u32>) -> bool {
        match callee {
            Some(callee) => self.cycle[caller] == self.cycle[callee as usize],
            None => self.indirect[caller],
        }
    }
}

/// The functions to which a constant expression refers.
fn referenced(expression: &wasmparser::ConstExpr<'_>) -> Vec<u32> {
    let operators = expression.get_operators_reader().into_iter().flatten();
    operators
        .filter_map(|operator| match operator {
            Operator::RefFunc { function_index } => Some(function_index),
            _ => None,
        })
        .collect()
}

fn facts(module: &Module, function: usize) -> Facts {
    let mut facts = Facts::default();
    for operator in module.operators(function) {
        match operator {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                facts.calls.push(function_index);
            }
            Operator::CallIndirect { .. } | Operator::ReturnCallIndirect { .. } => {
                facts.indirect = true;
            }
            Operator::RefFunc { function_index } => facts.references.push(function_index),
            Operator::MemoryGrow { .. } => facts.effects.grows = true,
            Operator::TableSet { .. }
            | Operator::TableGrow { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
            | Operator::ElemDrop { .. }
            | Operator::DataDrop { .. } => facts.effects.tables = true,
            Operator::MemoryFill { .. }
            | Operator::MemoryCopy { .. }
            | Operator::MemoryInit { .. } => facts.effects.writes = true,
            _ => facts.effects.writes |= store(&operator).is_some(),
        }
    }
    for list in [&mut facts.calls, &mut facts.references] {
        list.sort_unstable();
        list.dedup();
    }
    facts
}

/// The type that a store writes, and its offset.
pub(super) fn store(
    operator: &Operator<'_>,
) -> Option<(wasm_encoder::ValType, wasmparser::MemArg)> {
    use wasm_encoder::ValType;
    Some(match *operator {
        Operator::I32Store { memarg }
        | Operator::I32Store8 { memarg }
        | Operator::I32Store16 { memarg } => (ValType::I32, memarg),
        Operator::I64Store { memarg }
        | Operator::I64Store8 { memarg }
        | Operator::I64Store16 { memarg }
        | Operator::I64Store32 { memarg } => (ValType::I64, memarg),
        Operator::F32Store { memarg } => (ValType::F32, memarg),
        Operator::F64Store { memarg } => (ValType::F64, memarg),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"(module
        (memory 1) (table 4 funcref) (elem (i32.const 0) $even)
        (type $f (func (param i32) (result i32)))
        (func $main (param i32) (result i32) local.get 0 call $even)
        (func $even (param i32) (result i32) local.get 0 call $odd)
        (func $odd (param i32) (result i32) local.get 0 call $even)
        (func $alone (param i32) (result i32) i32.const 0 i32.const 0 i32.store i32.const 1)
        (func $through (param i32) (result i32) local.get 0 i32.const 0 call_indirect (type $f)))"#;

    #[test]
    fn functions_that_call_each_other_are_a_cycle() {
        let module = Module::parse(wat::parse_str(TEXT).unwrap()).unwrap();
        let calls = Calls::of(&module);
        let cycles = calls.cycles();
        assert!(!cycles.recurses(0, Some(1)));
        assert!(cycles.recurses(1, Some(2)) && cycles.recurses(2, Some(1)));
        assert!(!cycles.recurses(4, None));
        assert_eq!(calls.reachable([0]), [true, true, true, false, false]);
        assert_eq!(calls.reachable([4]), [false, true, true, false, true]);
    }

    #[test]
    fn effects_are_those_of_the_functions_asked_for() {
        let module = Module::parse(wat::parse_str(TEXT).unwrap()).unwrap();
        let calls = Calls::of(&module);
        assert_eq!(calls.effects(&[true, true, true, false, true]), Effects::default());
        assert!(calls.effects(&[false, false, false, true, false]).writes);
    }
}
