//! The types of a method's parameters, as Java source writes them.

/// The types of the parameters as source writes them: `int[]`, `java.lang.CharSequence`, `List<Integer>`.
pub(super) fn declared(descriptor: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut rest = descriptor.trim_start_matches('(');
    while !rest.starts_with(')') && !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = "[]".repeat(rest.len() - element.len());
        let (name, length) = match element.chars().next() {
            Some('L') => {
                let end = element.find(';').unwrap_or(element.len() - 1);
                (element[1..end].replace('/', "."), end + 1)
            }
            Some('Z') => ("boolean".to_owned(), 1),
            Some('B') => ("byte".to_owned(), 1),
            Some('S') => ("short".to_owned(), 1),
            Some('C') => ("char".to_owned(), 1),
            Some('I') => ("int".to_owned(), 1),
            Some('J') => ("long".to_owned(), 1),
            Some('F') => ("float".to_owned(), 1),
            _ => ("double".to_owned(), 1),
        };
        types.push(match name.as_str() {
            "java.lang.String" => format!("String{dimensions}"),
            _ => name + &dimensions,
        });
        rest = &element[length..];
    }
    types
}

/// A type without its package.
pub(super) fn simple(ty: &str) -> String {
    ty.rsplit('.').next().unwrap_or(ty).to_owned()
}
