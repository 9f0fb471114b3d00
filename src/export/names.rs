//! Names of parameters as identifiers of a language.

/// An identifier for each name. A reserved word gets an underscore; a name that is no identifier becomes `input1`, `input2`, …
pub(super) fn identifiers(names: &[&str], reserved: &[&str]) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for (i, &name) in names.iter().enumerate() {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic());
        let wanted = match is_plain {
            true if reserved.contains(&name) => format!("{name}_"),
            true => name.to_owned(),
            false => format!("input{}", i + 1),
        };
        let is_taken = made.contains(&wanted) || (wanted != name && names.contains(&&*wanted));
        made.push(if is_taken { format!("parameter{}", i + 1) } else { wanted });
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_a_name_of_its_own() {
        let names = ["n", "type", "größe", "_", "type_"];
        let made = identifiers(&names, &["type", "fn"]);
        assert_eq!(made, ["n", "parameter2", "input3", "input4", "type_"]);
    }
}
