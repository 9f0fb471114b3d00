//! Names of Python functions as users write them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// `package.module:function`, `package.module:Class.method`, or a path to a file in place of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName {
    module: String,
    function: String,
    /// The folder that the module is imported from, if a file was named.
    folder: Option<PathBuf>,
}

/// A text that names no Python function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no Python function: write package.module:function, package.module:Class.method or file.py:function"
)]
pub struct BadName(String);

impl FromStr for FunctionName {
    type Err = BadName;

    fn from_str(text: &str) -> Result<FunctionName, BadName> {
        let bad = || BadName(text.to_owned());
        let (module, function) = text.trim().rsplit_once(':').ok_or_else(bad)?;
        let is_word = |word: &str| {
            !word.is_empty()
                && !word.starts_with(|c: char| c.is_numeric())
                && word.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        if !function.split('.').all(is_word) {
            return Err(bad());
        }
        let function = function.to_owned();
        let file = Path::new(module);
        if module.ends_with(".py") || module.contains(['/', '\\']) {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_word(stem));
            let mut module = stem.ok_or_else(bad)?.to_owned();
            let mut folder = file.parent().unwrap_or(Path::new("")).to_owned();
            // A folder with an __init__.py is a package, and so is what it is in.
            while folder.join("__init__.py").is_file() {
                let Some(package) = folder.file_name().and_then(|name| name.to_str()) else {
                    break;
                };
                module = match module.as_str() {
                    "__init__" => package.to_owned(),
                    inner => format!("{package}.{inner}"),
                };
                folder = folder.parent().unwrap_or(Path::new("")).to_owned();
            }
            return Ok(FunctionName { module, function, folder: Some(folder) });
        }
        if !module.split('.').all(is_word) {
            return Err(bad());
        }
        Ok(FunctionName { module: module.to_owned(), function, folder: None })
    }
}

impl FunctionName {
    /// Another function, by its name in the same module or in full.
    ///
    /// # Errors
    /// When the text names none.
    pub fn other(&self, text: &str) -> Result<FunctionName, BadName> {
        if text.contains(':') {
            return text.parse();
        }
        let other: FunctionName = format!("{}:{text}", self.module).parse()?;
        Ok(FunctionName { folder: self.folder.clone(), ..other })
    }

    /// The name of the module, as it is imported.
    pub fn module(&self) -> &str {
        &self.module
    }

    /// The name of the function in its module.
    pub fn function(&self) -> &str {
        &self.function
    }

    /// The folder that the module is imported from, if a file was named.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

/// As tests import it: `package.module:function`.
impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.module, self.function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_by_its_module_or_by_its_file() {
        let name: FunctionName = "a.b:C.f".parse().unwrap();
        assert_eq!((name.module(), name.function(), name.folder()), ("a.b", "C.f", None));
        let name: FunctionName = "some/folder/maths.py:gcd".parse().unwrap();
        assert_eq!((name.module(), name.function()), ("maths", "gcd"));
        assert_eq!(name.folder(), Some(Path::new("some/folder")));
        for wrong in ["f", "a:", ":f", "a b:f", "a:f()", "a-b:f", "x/a-b.py:f", "a:1f"] {
            let error = wrong.parse::<FunctionName>().unwrap_err().to_string();
            assert!(error.contains("package.module:function"), "{error}");
        }
    }
}
