//! Simplified relations on recorded executions: the same answers where they must be the same, and nothing lost where rows decide.

use genmorph::executions::power;
use genmorph::executions::recorded::{self, Settings};
use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::jit::engine::reference;
use genmorph::jit::oracle::{self, Choices};
use genmorph::jit::{Mask, Predicate, parse};
use genmorph::simplify::{Equivalent, Keep, Setting, Simplifier};

use crate::folder::subject;

/// The built-in example and recorded subjects, a sample of their rows.
fn recorded() -> Vec<Executions> {
    let recorded = [
        ("pow/plain.ndjson", "NumericAddition(-1) on e"),
        ("sin", "NumericMultiplication(-1) on x"),
        ("pad_start", "NumericAddition(1) on n"),
    ];
    let limits = genmorph::executions::Limits { correct: 60, incorrect: 200 };
    let collected = recorded.map(|(name, transformation)| {
        let settings = Settings::new(transformation.parse().unwrap());
        recorded::run(subject(name).as_ref(), &settings).unwrap().executions
    });
    let all = std::iter::once(power::executions()).chain(collected);
    all.map(|executions| executions.sampled(limits, 1)).collect()
}

fn text(relation: &Predicate, executions: &Executions) -> String {
    relation.display(executions.table.schema()).to_string()
}

#[test]
fn equivalent_forms_have_the_same_mask_on_recorded_rows() {
    let mut choices = Choices::from_seed(4);
    for executions in recorded() {
        let setting = Setting::of(&executions);
        assert!(!setting.ties.is_empty(), "{}", executions.transformation.input_relation);
        let equivalent = Equivalent::new(&setting);
        let mut smaller = 0;
        for _ in 0..60 {
            let relation = oracle::predicate(&mut choices, &setting.schema, 16);
            let form = equivalent.of(&relation);
            let [old, new] =
                [&relation, &form].map(|form| reference::evaluate(form, &executions.table));
            let [was, is] = [&relation, &form].map(|form| text(form, &executions));
            assert_eq!(old, new, "{was} became {is}");
            assert!(form.size() <= relation.size(), "{was} became {is}");
            smaller += usize::from(form.size() < relation.size());
        }
        assert!(smaller > 10, "{smaller}");
    }
}

/// Rows of a group on which a mask says no.
fn alarms(mask: &Mask, executions: &Executions, group: usize) -> Vec<usize> {
    let first = if group == CORRECT { 0 } else { executions.count(CORRECT) };
    (0..executions.count(group)).filter(|row| !mask.get(first + row)).collect()
}

#[test]
fn what_rows_decide_is_smaller_and_never_weaker() {
    let executions = power::executions();
    let mut simplifier = Simplifier::new(&executions);
    let cases = [
        "out_f * k_f == out_s and (e_s > -3 or k_s == 2)",
        "abs(out_f * k_s - out_s) <= 0.12345",
        "not (out_f * k_s != out_s)",
        "out_s == 2 * out_f or out_f * k_s + (e_s - e_f) - 1 == out_s",
    ];
    for case in cases {
        let relation = parse(case, executions.table.schema()).unwrap();
        let mut asked = 0;
        let form = simplifier.simplify(&relation, Keep::Rows, &mut |relations| {
            asked += relations.len();
            vec![true; relations.len()]
        });
        let is = text(&form, &executions);
        let [old, new] =
            [&relation, &form].map(|form| reference::evaluate(form, &executions.table));
        assert!(alarms(&new, &executions, CORRECT).is_empty(), "{case} became {is}");
        let new = alarms(&new, &executions, INCORRECT);
        let lost = alarms(&old, &executions, INCORRECT).into_iter().find(|row| !new.contains(row));
        assert_eq!(lost, None, "{case} became {is}");
        assert!(form.size() < relation.size(), "{case} became {is}");
        assert!(simplifier.setting().relates_outputs(form.nodes()), "{case} became {is}");
        assert!(asked < 200, "{case}: {asked}");
        let again = simplifier.simplify(&form, Keep::Rows, &mut |asked| vec![true; asked.len()]);
        assert!(again.size() <= form.size());
    }
}

#[test]
fn what_a_judge_refutes_is_not_taken() {
    let executions = power::executions();
    let mut simplifier = Simplifier::new(&executions);
    let relation = "out_f * k_f == out_s and (e_s > -3 or k_s == 2)";
    let relation = parse(relation, executions.table.schema()).unwrap();
    let mut asked = Vec::new();
    let form = simplifier.simplify(&relation, Keep::Rows, &mut |relations| {
        asked.extend(relations.iter().map(|relation| text(relation, &executions)));
        vec![false; relations.len()]
    });
    assert!(!asked.is_empty());
    assert!(!asked.contains(&text(&form, &executions)));
    // What is left is equivalent.
    let masks = [&relation, &form].map(|form| reference::evaluate(form, &executions.table));
    assert_eq!(masks[0], masks[1]);
}

#[test]
fn simplification_can_be_repeated() {
    let run = || {
        let executions = &recorded()[2];
        let mut simplifier = Simplifier::new(executions);
        let relation = "abs(out_s) <= abs(out_f) and (out_f > -2 or x_s == 3.25)";
        let relation = parse(relation, executions.table.schema()).unwrap();
        let form = simplifier.simplify(&relation, Keep::Mutants, &mut |all| vec![true; all.len()]);
        text(&form, executions)
    };
    assert_eq!(run(), run());
}

#[test]
fn plain_relations_stand_and_kill() {
    let executions = power::executions();
    let mut simplifier = Simplifier::new(&executions);
    let mut refused = Vec::new();
    // A judge who takes nothing with an inequality.
    let chosen = simplifier.plain(&mut |relations| {
        let verdict = |relation: &Predicate| text(relation, &executions).contains("==");
        let verdicts: Vec<bool> = relations.iter().map(verdict).collect();
        let wrong = relations.iter().zip(&verdicts).filter(|(_, stands)| !**stands);
        refused.extend(wrong.map(|(relation, _)| text(relation, &executions)));
        verdicts
    });
    let mut killed = vec![false; executions.mutants.len()];
    for relation in &chosen {
        let mask = reference::evaluate(relation, &executions.table);
        assert!(alarms(&mask, &executions, CORRECT).is_empty(), "{}", text(relation, &executions));
        assert!(!refused.contains(&text(relation, &executions)));
        assert!(simplifier.setting().relates_outputs(relation.nodes()));
        let (missed, kills) = simplifier.score(relation);
        assert_eq!(executions.count(INCORRECT) - missed as usize, {
            alarms(&mask, &executions, INCORRECT).len()
        });
        assert!(kills.iter().any(|&mutant| !killed[mutant]), "each adds something");
        kills.iter().for_each(|&mutant| killed[mutant] = true);
    }
    assert_eq!(killed, vec![true; executions.mutants.len()]);
}
