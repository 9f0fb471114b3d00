//! Which rows of inputs go to a worker in one frame.

use std::ops::Range;

use genmorph_jit::Column;

use super::Inputs;

/// Rows in a frame, at most.
const ROWS: usize = 10_000;
/// Bytes in a frame, about at most.
const BYTES: usize = 8 << 20;

/// Parts of the rows that go into a frame each, with so many bytes per row besides the inputs.
pub(super) fn frames(inputs: &Inputs, besides: usize) -> Vec<Range<usize>> {
    let bytes = |row: usize| {
        let elements = |column: &Column| match column {
            Column::Num(_) | Column::Bool(_) => 1,
            Column::Seq(values) => 1 + values.get(row).len(),
        };
        besides + 8 * inputs.columns().iter().map(elements).sum::<usize>()
    };
    let is_long = |column: &Column| matches!(column, Column::Seq(_));
    // Rows that are all as long need no adding up.
    if inputs.is_empty() || !inputs.columns().iter().any(is_long) && ROWS * bytes(0) <= BYTES {
        let starts = (0..inputs.len()).step_by(ROWS);
        return starts.map(|start| start..(start + ROWS).min(inputs.len())).collect();
    }
    let mut frames = Vec::new();
    let (mut start, mut size) = (0, 0);
    for row in 0..inputs.len() {
        let more = bytes(row);
        if row > start && (row - start == ROWS || size + more > BYTES) {
            frames.push(start..row);
            (start, size) = (row, 0);
        }
        size += more;
    }
    frames.push(start..inputs.len());
    frames
}
