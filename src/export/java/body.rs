//! The statements of a test: follow-up inputs, two calls, and what is asserted of them.

use std::collections::BTreeMap;

use genmorph_jit::{Predicate, Type, Var};

use super::class::Writer;
use super::declared::simple;
use super::language::{copied, named};
use super::{Assertion, JavaError, Junit, Part};
use crate::export::expression::{Variable, expression};
use crate::export::follow_up::statements;
use crate::export::template::fill;
use crate::export::types::Field;
use crate::export::variables::used;
use crate::subject::Subject;
use crate::subject::jvm::{Element, Form, JavaType, Reach};

/// Longer messages take two lines.
const WIDTH: usize = 100;

impl Writer<'_> {
    /// The statements of a test: the follow-up, the two calls and the assertions.
    pub(super) fn body(&mut self, part: &Part<'_>, relation: usize) -> Result<String, JavaError> {
        let instance = part.instance();
        let names = self.method.names.iter().zip(&self.method.parameters);
        let fields: Vec<Field<'_>> = names
            .zip(&self.subject.signature().parameters)
            .map(|((name, &ty), parameter)| Field { name: name.clone(), ty: named(ty), parameter })
            .collect();
        let lines = statements(&instance, &fields, &mut self.helpers);
        let mut lines = lines.ok_or_else(|| JavaError::Exchange {
            transformation: instance.to_string(),
            types: self
                .method
                .parameters
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        })?;
        let related = self.expression(&part.transform.said(&self.schema));
        let inputs = self.message("the inputs are not related", &["s", "f"], false);
        lines.extend(self.assertion(&related, &inputs));
        lines.push(String::new());
        for end in ["_s", "_f"] {
            lines.extend(self.call(end));
        }
        lines.push(String::new());
        let (holds, text) = match self.style.assertion {
            Assertion::Relation => {
                let relation = &part.relations[relation];
                (self.expression(relation), relation.display(&self.schema).to_string())
            }
            Assertion::Nothing => ("true".to_owned(), "true".to_owned()),
        };
        let message = self.message(&format!("{text} is false"), &["s", "f"], true);
        lines.extend(self.assertion(&holds, &message));
        let mut body = String::new();
        for line in lines {
            body += &if line.is_empty() { "\n".to_owned() } else { format!("        {line}\n") };
        }
        Ok(body)
    }

    /// An assertion, in as many lines as it needs.
    fn assertion(&self, holds: &str, [what, values]: &[String; 2]) -> Vec<String> {
        let lambda = match self.style.junit {
            Junit::Four => "",
            Junit::Five => "() -> ",
        };
        let (end, last) = match self.style.junit {
            Junit::Four => (",", format!("    {holds});")),
            Junit::Five => (");", String::new()),
        };
        let mut lines = match self.style.junit {
            Junit::Four => vec!["assertTrue(".to_owned()],
            Junit::Five => vec![format!("assertTrue({holds},")],
        };
        match what.len() + values.len() < WIDTH {
            true => lines.push(format!("    {lambda}{what} + {values}{end}")),
            false => {
                lines.push(format!("    {lambda}{what}"));
                lines.push(format!("        + {values}{end}"));
            }
        }
        lines.extend(Some(last).filter(|last| !last.is_empty()));
        lines
    }

    /// The message of a failed assertion: the values of all variables.
    fn message(&mut self, what: &str, sides: &[&str], with_outputs: bool) -> [String; 2] {
        self.helpers.need("show");
        let signature = self.subject.signature();
        let mut shown = Vec::new();
        for side in sides {
            let inputs = self.method.names.iter().map(|name| format!("{name}_{side}"));
            shown.extend(inputs);
            if with_outputs {
                shown.extend(signature.outputs().iter().map(|(name, _)| format!("{name}_{side}")));
            }
        }
        let shown: Vec<String> = shown.iter().map(|name| format!("\"{name}\", {name}")).collect();
        [format!("\"{what}: \""), format!("show({})", shown.join(", "))]
    }

    /// The expression of a predicate over the variables of a test.
    fn expression(&mut self, predicate: &Predicate) -> String {
        let mut variables = BTreeMap::new();
        for var in used(predicate) {
            let name = self.schema.name(var).expect("a predicate of this schema");
            let ty = self.type_of(var);
            let variable = match self.schema.type_of(var) {
                Some(Type::Seq) => {
                    let seq = self.helpers.need_for("seq", &ty.to_string());
                    Variable::new(format!("{seq}({name})"))
                }
                Some(Type::Num | Type::Bool) | None => {
                    Variable { text: name.to_owned(), is_narrow: ty.element != Element::Double }
                }
            };
            variables.insert(var.index(), variable);
        }
        let variable = |var: Var| variables[&var.index()].clone();
        expression(predicate, &variable, &mut self.helpers)
    }

    /// The Java type of a variable of relations: inputs, result and what is changed, of both sides.
    fn type_of(&self, var: Var) -> JavaType {
        let signature = self.subject.signature();
        let changed = signature.changed.iter().map(|&i| self.method.parameters[i]);
        let side: Vec<JavaType> = self
            .method
            .parameters
            .iter()
            .copied()
            .chain(self.method.result)
            .chain(changed)
            .collect();
        side[var.index() % side.len()]
    }

    /// The lines that call the method with inputs whose names end so, and keep its outputs.
    pub(super) fn call(&mut self, end: &str) -> Vec<String> {
        let signature = self.subject.signature();
        let changed = signature.changed.clone();
        let method = self.method;
        let mut lines = Vec::new();
        for &i in &changed {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let copy = copy(&format!("{name}{end}"), ty);
            lines.push(format!("{ty} {name}_after{end} = {copy};"));
        }
        let arguments = (0..method.names.len()).map(|i| {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let value = match changed.contains(&i) {
                true => format!("{name}_after{end}"),
                false => copy(&format!("{name}{end}"), ty),
            };
            // A cast chooses among overloaded methods.
            let declared = simple(&self.declared[i]);
            let is_text = ty.element == Element::Text;
            match ty.form {
                // A list of texts may be declared as one of String or of CharSequence.
                Form::List if is_text => format!("({declared}) {value}"),
                Form::Array if is_text && method.access.reach == Reach::Reflection => {
                    format!("(Object) {value}")
                }
                Form::List if declared == "List" => value,
                Form::List => format!("({}) {value}", ty.to_string().replace("List", &declared)),
                _ if declared == ty.to_string() => value,
                Form::Single | Form::Array | Form::Text => format!("({declared}) {value}"),
            }
        });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let is_reflection = method.access.reach == Reach::Reflection;
        let call = match is_reflection {
            true => format!("call({arguments})"),
            false => format!("{}.{}({arguments})", self.class, method.name),
        };
        match method.result {
            None => lines.push(format!("{call};")),
            Some(ty) => {
                let cast = match ty.form {
                    Form::Single | Form::Array if is_reflection => format!("({ty}) "),
                    Form::Text if is_reflection => "(CharSequence) ".to_owned(),
                    Form::List if ty.element == Element::Text => format!("({ty}) (List<?>) "),
                    Form::List => format!("({ty}) "),
                    Form::Single | Form::Array | Form::Text => String::new(),
                };
                let value = self.checked(&format!("{cast}{call}"), ty);
                lines.push(format!("{ty} out{end} = {value};"));
            }
        }
        for &i in &changed {
            let (name, ty) = (&method.names[i], method.parameters[i]);
            let name = format!("{name}_after{end}");
            let checked = match ty.element {
                Element::Char => Some(self.checked(&name, ty)),
                _ if ty.form == Form::List => Some(self.checked(&name, ty)),
                _ => None,
            };
            lines.extend(checked.map(|call| format!("{call};")));
        }
        lines
    }

    /// A check that an output is a value that relations know: not null, and no half of a surrogate pair.
    fn checked(&mut self, value: &str, ty: JavaType) -> String {
        let is_char = ty.element == Element::Char;
        if ty.form == Form::Single && !is_char {
            return value.to_owned();
        }
        format!("{}({value})", self.helpers.need_for("whole", &ty.to_string()))
    }

    /// A method that calls the tested one by reflection, where source cannot name it.
    pub(super) fn reflection(&self) -> String {
        if self.method.access.reach != Reach::Reflection {
            return String::new();
        }
        let types: Vec<String> = self.declared.iter().map(|ty| format!(", {ty}.class")).collect();
        format!(
            "
    /** Calls the method, which cannot be called from here otherwise. */
    private static Object call(Object... arguments) throws Throwable {{
        Class<?> declaring = Class.forName(\"{}\");
        Method method = declaring.getDeclaredMethod(\"{}\"{});
        method.setAccessible(true);
        try {{
            return method.invoke(null, arguments);
        }} catch (InvocationTargetException thrown) {{
            throw thrown.getCause();
        }}
    }}
",
            self.method.class.replace('/', "."),
            self.method.name,
            types.concat(),
        )
    }
}

/// A copy of a value, so that a call cannot change the original.
fn copy(name: &str, ty: JavaType) -> String {
    let ty = named(ty);
    fill(copied(&ty), &[("source", name), ("ty", &ty.name)])
}
