//! Texts with places that are filled in: `{name}`.

/// The template with each `{key}` replaced by its value; braces around other texts stay.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text += before;
        let found = values
            .iter()
            .find_map(|(key, value)| Some((value, after.strip_prefix(key)?.strip_prefix('}')?)));
        rest = match found {
            Some((value, after)) => {
                text += value;
                after
            }
            None => {
                text.push('{');
                after
            }
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_templates() {
        let values = [("x", "{y}"), ("y", "2")];
        assert_eq!(fill("{ {x}, {y}, {z} }", &values), "{ {y}, 2, {z} }");
    }
}
