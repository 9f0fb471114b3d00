//! How complete the search for laws was, in sentences: what was tried, what holds, what was left out, what there was no time for.

use crate::record::report::Report;
use crate::record::search::Exploration;
use crate::support::digits::grouped;

/// What was tried in a run; none if laws were not explored.
pub(super) fn sentence(report: &Report) -> Option<String> {
    let searches = report.transformations.iter();
    let explored: Vec<&Exploration> =
        searches.filter_map(|search| search.explored.as_ref()).collect();
    let nodes = explored.iter().map(|explored| explored.nodes).max()?;
    let sum = |of: fn(&Exploration) -> u64| grouped(explored.iter().map(|&e| of(e)).sum());
    let under = match explored.len() {
        1 => "1 transformation".to_owned(),
        count => format!("{count} transformations"),
    };
    let mut text = format!(
        "{} candidates for laws of up to {nodes} nodes were tried under {under}: {} hold on all rows, \
         {} of them say nothing or follow from others",
        sum(|explored| explored.tried),
        sum(|explored| explored.hold as u64),
        sum(|explored| explored.implied as u64)
    );
    if explored.iter().any(|explored| explored.left_out > 0) {
        let left_out = sum(|explored| explored.left_out as u64);
        text +=
            &format!("; {left_out} quantities and terms were left out, because there are too many");
    }
    Some(text)
}
