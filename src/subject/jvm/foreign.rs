//! Class files and replies of workers, read for the sake of reading them: fuzzers and tests give damaged bytes to these functions, which
//! answer whether the bytes are acceptable and must not panic.

use super::class::ClassFile;
use super::outline::Outline;
use super::protocol::{BatchReply, Message};
use super::types::{Element, Form, JavaType};
use super::{instrument, mutate, probe};

/// The outputs of an imagined method: one of each kind.
const OUTPUTS: [JavaType; 5] = [
    JavaType { form: Form::Single, element: Element::Int },
    JavaType { form: Form::Single, element: Element::Boolean },
    JavaType { form: Form::Text, element: Element::Char },
    JavaType { form: Form::Array, element: Element::Double },
    JavaType { form: Form::List, element: Element::Text },
];
/// Sides of branches that the imagined method has.
const SIDES: usize = 2;

/// Does to a class all that is done to the classes of a class path: reads, instruments, probes and mutates it. Whether all of it succeeds.
pub fn read_class(bytes: &[u8]) -> bool {
    let outline = Outline::parse(bytes).is_ok();
    let instrumented = instrument::class(bytes).is_ok();
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    let probed = probe::class(&class, 0, |_, _| true).is_ok();
    let mutated = class
        .methods
        .iter()
        .all(|method| mutate::mutants(&class, &method.name, &method.descriptor).is_ok());
    outline && instrumented && probed && mutated
}

/// Reads a frame of a Java worker without its length, and if it answers a batch, the answer. Whether both can be read.
pub fn read_reply(bytes: &[u8]) -> bool {
    match Message::parse(bytes.to_vec()) {
        Ok(Message::Done(body)) => BatchReply::parse(&body, &OUTPUTS, SIDES).is_ok(),
        Ok(
            Message::Hello { .. }
            | Message::Failed(_)
            | Message::Need(_)
            | Message::Progress { .. },
        ) => true,
        Err(_) => false,
    }
}
