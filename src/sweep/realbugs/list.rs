//! The faults, as a file lists them: a line each, with fields between `|`.

use std::collections::BTreeSet;

/// The fields of a line.
const FIELDS: [&str; 6] = ["id", "method", "fixed", "buggy", "what was wrong", "a relation"];

/// A fault, and the releases without and with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// A name for it, unique in the list.
    pub id: String,
    /// The method: `org.x.Class#name(int,String)`.
    pub method: String,
    /// The coordinates of the release in which it was fixed.
    pub fixed: String,
    /// The coordinates of the release that has it.
    pub buggy: String,
    /// What was wrong, for people.
    pub what: String,
}

/// A line of the list: a fault, or what is wrong with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBug {
    /// The line in the file, counted from 1.
    pub line: usize,
    /// A name for it, also where the line is malformed.
    pub id: String,
    /// The fault, or what is wrong with the line.
    pub bug: Result<Bug, String>,
}

/// Reads a list. A malformed line is an entry of its own; the others are read all the same. The first line may name the fields.
pub fn read(text: &str) -> Vec<ListedBug> {
    let mut seen = BTreeSet::new();
    let mut listed = Vec::new();
    for (line, written) in (1..).zip(text.lines()) {
        let is_heading = line == 1 && written.split('|').next().is_some_and(|f| f.trim() == "id");
        if is_heading || written.trim().is_empty() || written.starts_with('#') {
            continue;
        }
        let mut bug = parse(written);
        if let Ok(Bug { id, .. }) = &bug
            && !seen.insert(id.clone())
        {
            bug = Err(format!("field 1 (id): `{id}` is listed twice"));
        }
        let id = match &bug {
            Ok(bug) => bug.id.clone(),
            Err(_) => format!("line-{line}"),
        };
        listed.push(ListedBug { line, id, bug });
    }
    listed
}

fn parse(line: &str) -> Result<Bug, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    // What is for people may be left out.
    let needed = 4;
    if fields.len() < needed {
        let (missing, number) = (FIELDS[fields.len()], fields.len() + 1);
        return Err(format!("field {number} ({missing}) is missing: fields are separated by |"));
    }
    if let Some(empty) = (0..needed).find(|&field| fields[field].is_empty()) {
        return Err(format!("field {} ({}) is empty", empty + 1, FIELDS[empty]));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !fields[0].chars().all(plain) || fields[0].starts_with(['.', '-']) {
        return Err(format!("field 1 (id): `{}` is no name of letters, digits and -", fields[0]));
    }
    if fields[2] == fields[3] {
        return Err(format!("fields 3 and 4: both releases are {}", fields[2]));
    }
    let [id, method, fixed, buggy] = [0, 1, 2, 3].map(|field| fields[field].to_owned());
    let what = fields.get(4).copied().unwrap_or_default().to_owned();
    Ok(Bug { id, method, fixed, buggy, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_line_is_an_entry_and_the_rest_is_read() {
        let text = "id|method|fixed|buggy|what|relation\nA-1|a.B#f(int)|g:a:2|g:a:1|wrong|r\n\nB|a.B#g\nC|a.B#h||g:a:1|\n\
                    D|m|g:a:1|g:a:1\nA-1|a.B#f(int)|g:a:2|g:a:1\nx y|m|f|b";
        let listed = read(text);
        let told: Vec<(usize, &str, Option<&str>)> = listed
            .iter()
            .map(|l| (l.line, l.id.as_str(), l.bug.as_ref().err().map(String::as_str)))
            .collect();
        assert_eq!(
            told,
            [
                (2, "A-1", None),
                (4, "line-4", Some("field 3 (fixed) is missing: fields are separated by |")),
                (5, "line-5", Some("field 3 (fixed) is empty")),
                (6, "line-6", Some("fields 3 and 4: both releases are g:a:1")),
                (7, "line-7", Some("field 1 (id): `A-1` is listed twice")),
                (8, "line-8", Some("field 1 (id): `x y` is no name of letters, digits and -")),
            ]
        );
        assert_eq!(listed[0].bug.as_ref().unwrap().what, "wrong");
    }
}
