//! Which rows of inputs go to a worker at a time.

use std::ops::Range;

use genmorph_jit::Column;

use crate::subject::Inputs;

/// The most rows of a batch.
const ROWS: usize = 10_000;
/// About the most bytes of a batch.
const BYTES: usize = 8 << 20;

/// Cuts rows into batches. A row takes `besides` bytes more than its inputs do.
pub(super) fn batches(inputs: &Inputs, besides: usize) -> Vec<Range<usize>> {
    let bytes = |row: usize| {
        let elements = |column: &Column| match column {
            Column::Num(_) | Column::Bool(_) => 1,
            Column::Seq(values) => 1 + values.get(row).len(),
        };
        besides + 8 * inputs.columns().iter().map(elements).sum::<usize>()
    };
    let is_long = |column: &Column| matches!(column, Column::Seq(_));
    // Rows of equal length need no adding up.
    if inputs.is_empty() || !inputs.columns().iter().any(is_long) && ROWS * bytes(0) <= BYTES {
        let starts = (0..inputs.len()).step_by(ROWS);
        return starts.map(|start| start..(start + ROWS).min(inputs.len())).collect();
    }
    let mut batches = Vec::new();
    let (mut start, mut size) = (0, 0);
    for row in 0..inputs.len() {
        let more = bytes(row);
        if row > start && (row - start == ROWS || size + more > BYTES) {
            batches.push(start..row);
            (start, size) = (row, 0);
        }
        size += more;
    }
    batches.push(start..inputs.len());
    batches
}
