//! Reduces the number of mutants of huge functions.

use super::Rule;

/// Largest number of mutants of a function in a group. Code at mem2reg level has some hundreds; unoptimised
/// code has thousands, most of them replaced variables.
pub(super) const MOST: usize = 2_000;

/// Keeps at most [`MOST`] mutants, in their order: drops replaced variables first, then all others alike. The
/// ones that stay are spread evenly over the function.
pub(super) fn thin<T>(mutants: Vec<T>, rule: impl Fn(&T) -> Rule) -> Vec<T> {
    thin_to(MOST, mutants, rule)
}

fn thin_to<T>(most: usize, mutants: Vec<T>, rule: impl Fn(&T) -> Rule) -> Vec<T> {
    if mutants.len() <= most {
        return mutants;
    }
    let exchanged = mutants.iter().filter(|mutant| rule(mutant) == Rule::Vrr).count();
    let others = mutants.len() - exchanged;
    let room = [most.min(others), most.saturating_sub(others).min(exchanged)];
    let size = [others, exchanged];
    let mut seen = [0, 0];
    let stays = |mutant: &T| {
        let kind = usize::from(rule(mutant) == Rule::Vrr);
        seen[kind] += 1;
        // One stays each time the accumulated share passes a whole number.
        seen[kind] * room[kind] / size[kind] > (seen[kind] - 1) * room[kind] / size[kind]
    };
    let mut stays = stays;
    mutants.into_iter().filter(|mutant| stays(mutant)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_variables_go_first_and_what_stays_is_spread() {
        let mutants: Vec<(Rule, usize)> =
            (0..90).map(|i| (if i % 3 == 0 { Rule::Uoi } else { Rule::Vrr }, i)).collect();
        let count = |kept: &[(Rule, usize)], rule| kept.iter().filter(|m| m.0 == rule).count();
        let kept = thin_to(50, mutants.clone(), |mutant| mutant.0);
        assert_eq!((kept.len(), count(&kept, Rule::Uoi)), (50, 30));
        assert!(kept.is_sorted_by_key(|mutant| mutant.1));
        let last: Vec<usize> = kept.iter().filter(|m| m.0 == Rule::Vrr).map(|m| m.1).collect();
        assert!(last.windows(2).all(|two| two[1] - two[0] < 7), "{last:?}");
        let kept = thin_to(15, mutants.clone(), |mutant| mutant.0);
        assert_eq!((kept.len(), count(&kept, Rule::Uoi)), (15, 15));
        assert_eq!(thin_to(90, mutants, |mutant| mutant.0).len(), 90);
    }
}
