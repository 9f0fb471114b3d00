//! A unified diff: which lines of which files it changes.

use std::ops::RangeInclusive;

use genmorph::subject::rust::ListedFunction;

/// The lines of a file that are new or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileChange {
    path: String,
    lines: Vec<RangeInclusive<usize>>,
}

/// Reads a diff.
pub(super) fn read(text: &str) -> Result<Vec<FileChange>, String> {
    let mut changes: Vec<FileChange> = Vec::new();
    let mut line = 0;
    let mut left = (0_usize, 0_usize);
    for row in text.lines() {
        if left != (0, 0) {
            let Some(change) = changes.last_mut() else { continue };
            match row.as_bytes().first() {
                Some(b'+') => {
                    change.lines.push(line..=line);
                    (line, left.1) = (line + 1, left.1.saturating_sub(1));
                }
                // What is gone was between two lines that are there.
                Some(b'-') => {
                    change.lines.push(line.saturating_sub(1)..=line);
                    left.0 = left.0.saturating_sub(1);
                }
                Some(b'\\') => {}
                _ => {
                    line += 1;
                    left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                }
            }
        } else if let Some(path) = row.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path).trim();
            let path = path.strip_prefix("b/").unwrap_or(path).to_owned();
            changes.push(FileChange { path, lines: Vec::new() });
        } else if let Some(hunk) = row.strip_prefix("@@ -") {
            let wrong = || format!("this is no hunk of a unified diff: {row}");
            let (old, rest) = hunk.split_once(" +").ok_or_else(wrong)?;
            let (new, _) = rest.split_once(" @@").ok_or_else(wrong)?;
            let count = |side: &str| match side.split_once(',') {
                Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
                None => Some((side.parse().ok()?, 1)),
            };
            let ((_, removed), (start, added)): ((usize, usize), (usize, usize)) =
                (count(old).ok_or_else(wrong)?, count(new).ok_or_else(wrong)?);
            (line, left) = (start, (removed, added));
        }
    }
    if changes.iter().all(|change| change.lines.is_empty()) {
        return Err(
            "there is no changed line in it; is it a unified diff, such as `git diff` prints?"
                .to_owned(),
        );
    }
    Ok(changes)
}

/// Whether a function has changed lines. The paths of a diff may begin above the package.
pub(super) fn changes(all: &[FileChange], function: &ListedFunction) -> bool {
    let (first, last) = function.lines;
    all.iter().any(|change| {
        let is_it =
            change.path == function.file || change.path.ends_with(&format!("/{}", function.file));
        is_it && change.lines.iter().any(|lines| *lines.start() <= last && first <= *lines.end())
    })
}

/// The files of a diff, for people.
pub(super) fn named(all: &[FileChange]) -> String {
    let names: Vec<&str> = all.iter().map(|change| change.path.as_str()).take(5).collect();
    let more = if all.len() > names.len() { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_and_removed_lines_are_found() {
        let text = "diff --git a/src/lib.rs b/src/lib.rs\n--- a/src/lib.rs\n+++ b/src/lib.rs\n\
                    @@ -3,3 +3,3 @@ fn f() {\n a\n-b\n+c\n d\n@@ -20 +20,2 @@\n x\n+y\n";
        let changes = read(text).unwrap();
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].path, "src/lib.rs");
        assert_eq!(changes[0].lines, [3..=4, 4..=4, 21..=21]);
    }

    #[test]
    fn what_is_no_diff_is_refused() {
        assert!(read("").is_err());
        assert!(read("hello\n").is_err());
        assert!(read("+++ b/x\n@@ -a +b @@\n").is_err());
    }
}
