//! Finds the shard of a sweep that a task runs: from its flags, or from its job scheduler.

use genmorph::sweep::Shard;

use super::super::Failure;

/// Reads a variable of the environment.
pub(in crate::cli) type Env<'e> = &'e dyn Fn(&str) -> Option<String>;

const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

/// The requested shard; otherwise that of an element of a Slurm array or of a pod of an indexed Kubernetes
/// job; otherwise everything. `shards` is the number of parts of the sweep, in case not all elements or pods
/// run.
pub(in crate::cli) fn find(
    requested: Option<Shard>,
    shards: Option<usize>,
    env: Env<'_>,
) -> Result<Shard, Failure> {
    if let Some(shard) = requested {
        return Ok(shard);
    }
    let at = |name: &str, place: usize, of: usize| {
        Shard::at(place, of).map_err(|error| Failure::Input(format!("{name} is {place}: {error}")))
    };
    if let Some(id) = number(SLURM, env)? {
        return match shards {
            Some(shards) => at(SLURM, id, shards),
            None => {
                let (place, of) = element(id, env)?;
                at(SLURM, place, of)
            }
        };
    }
    match (number(KUBERNETES, env)?, shards) {
        (Some(index), Some(shards)) => at(KUBERNETES, index, shards),
        (Some(_), None) => Err(Failure::Input(format!(
            "{KUBERNETES} is set, but not the number of pods: give --shards N with the job's `completions`, or --shard K/N"
        ))),
        (None, Some(_)) => Err(Failure::Input(format!(
            "--shards says how many shards there are, and neither {SLURM} nor {KUBERNETES} says which one to run: give --shard K/N"
        ))),
        (None, None) => Ok(Shard::ALL),
    }
}

/// The position of an element in a whole array, and the size of the array.
fn element(id: usize, env: Env<'_>) -> Result<(usize, usize), Failure> {
    let get = |name: &str| {
        let missing =
            || Failure::Input(format!("{SLURM} is set, but {name} is not: give --shards N"));
        number(name, env)?.ok_or_else(missing)
    };
    let count = get("SLURM_ARRAY_TASK_COUNT")?;
    let (least, most) = (get("SLURM_ARRAY_TASK_MIN")?, get("SLURM_ARRAY_TASK_MAX")?);
    let step = number("SLURM_ARRAY_TASK_STEP", env)?.unwrap_or(1).max(1);
    let from = id.checked_sub(least);
    match from.filter(|from| from % step == 0) {
        Some(from) if least <= most && (most - least) / step + 1 == count => Ok((from / step, count)),
        _ => Err(Failure::Input(
            "the elements of this array are not evenly spaced, so they do not say which shard this is: \
             give --shards N, and number the elements from 0 to N-1"
                .to_owned(),
        )),
    }
}

fn number(name: &str, env: Env<'_>) -> Result<Option<usize>, Failure> {
    let parse = |text: String| {
        text.parse()
            .map_err(|_| Failure::Input(format!("{name} is `{text}`, which is not a number")))
    };
    env(name).filter(|text| !text.is_empty()).map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shards: Option<usize>, set: &[(&str, &str)]) -> Result<String, String> {
        let env = |name: &str| {
            set.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        let shard = find(None, shards, &env);
        shard.map(|shard| shard.to_string()).map_err(|failure| failure.to_string())
    }

    fn array(id: &str, [count, least, most, step]: [&str; 4]) -> Vec<(&'static str, String)> {
        vec![
            ("SLURM_ARRAY_TASK_ID", id.to_owned()),
            ("SLURM_ARRAY_TASK_COUNT", count.to_owned()),
            ("SLURM_ARRAY_TASK_MIN", least.to_owned()),
            ("SLURM_ARRAY_TASK_MAX", most.to_owned()),
            ("SLURM_ARRAY_TASK_STEP", step.to_owned()),
        ]
    }

    fn in_array(shards: Option<usize>, id: &str, numbers: [&str; 4]) -> Result<String, String> {
        let set = array(id, numbers);
        let set: Vec<(&str, &str)> =
            set.iter().map(|(name, value)| (*name, value.as_str())).collect();
        found(shards, &set)
    }

    #[test]
    fn a_slurm_array_says_which_shard_it_is() {
        assert_eq!(in_array(None, "1", ["10", "1", "10", "1"]), Ok("1/10".to_owned()));
        assert_eq!(in_array(None, "9", ["10", "0", "9", "1"]), Ok("10/10".to_owned()));
        assert_eq!(in_array(None, "20", ["3", "0", "20", "10"]), Ok("3/3".to_owned()));
        // --array=3,7 of ten: the user gives the number of shards.
        assert!(in_array(None, "7", ["2", "3", "7", "1"]).unwrap_err().contains("--shards"));
        assert_eq!(in_array(Some(10), "7", ["2", "3", "7", "1"]), Ok("8/10".to_owned()));
        assert!(
            in_array(Some(5), "7", ["2", "3", "7", "1"]).unwrap_err().contains("no shard 8 of 5")
        );
        assert!(found(None, &[("SLURM_ARRAY_TASK_ID", "x")]).unwrap_err().contains("not a number"));
        assert!(found(None, &[("SLURM_ARRAY_TASK_ID", "1")]).unwrap_err().contains("--shards N"));
    }

    #[test]
    fn a_pod_of_an_indexed_job_says_which_shard_it_is() {
        let pod = [("JOB_COMPLETION_INDEX", "2")];
        assert_eq!(found(Some(4), &pod), Ok("3/4".to_owned()));
        assert!(found(None, &pod).unwrap_err().contains("--shards N"));
        assert!(found(Some(2), &pod).unwrap_err().contains("no shard 3 of 2"));
    }

    #[test]
    fn without_a_scheduler_it_is_everything() {
        assert_eq!(found(None, &[]), Ok("1/1".to_owned()));
        assert!(found(Some(3), &[]).unwrap_err().contains("--shard K/N"));
    }
}
