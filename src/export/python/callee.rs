//! The function that a test module calls.

use super::PythonError;

/// A function of a module: `package.module:function`, or `package.module:Class.function`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    module: String,
    name: String,
    /// The lines that define `function`, where it does not do to import it.
    around: Option<String>,
}

impl Callee {
    /// Reads `module:function` or `module:Class.function`.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn read(text: &str) -> Result<Callee, PythonError> {
        let wrong = || PythonError::Call(text.to_owned());
        let (module, name) = text.trim().split_once(':').ok_or_else(wrong)?;
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_numeric())
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let all = module.split('.').chain(name.split('.')).all(is_name);
        let callee = Callee { module: module.to_owned(), name: name.to_owned(), around: None };
        all.then_some(callee).ok_or_else(wrong)
    }

    /// The same with lines that import it and define a `function` around it, which takes and gives the values of relations.
    #[must_use]
    pub fn around(self, lines: &str) -> Callee {
        Callee { around: Some(lines.to_owned()), ..self }
    }

    /// The lines that import it as `function`.
    pub(super) fn import(&self) -> String {
        let Callee { module, name, around } = self;
        if let Some(lines) = around {
            return lines.clone();
        }
        match name.contains('.') {
            true => format!("import {module}\n\nfunction = {module}.{name}\n"),
            false => format!("from {module} import {name} as function\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_imported_from_their_modules() {
        let import = |text| Callee::read(text).map(|callee| callee.import());
        assert_eq!(import("a.b:f"), Ok("from a.b import f as function\n".to_owned()));
        let method = "import builtins\n\nfunction = builtins.str.rjust\n".to_owned();
        assert_eq!(import("builtins:str.rjust"), Ok(method));
        for wrong in ["f", "a:", ":f", "a b:f", "a:f()", "a-b:f"] {
            assert_eq!(import(wrong), Err(PythonError::Call(wrong.to_owned())));
        }
    }
}
