//! All classes of the three libraries, rewritten.

use super::libraries::{ACCESS, GUAVA, LANG, Library, MATH, has_jdk};
use super::verifier::{Verifier, behaviour};
use crate::subject::jvm::class::ClassFile;
use crate::subject::jvm::{constants, instrument, probe};

#[test]
fn a_class_that_is_not_edited_is_written_as_it_was_read() {
    if !has_jdk() {
        return;
    }
    for library in [MATH, LANG, GUAVA] {
        for (name, bytes) in library.classes() {
            assert!(ClassFile::parse(&bytes).unwrap().to_bytes() == bytes, "{name}");
        }
    }
}

#[test]
fn all_rewritten_classes_pass_the_verifier() {
    if !has_jdk() {
        return;
    }
    let mut verifier = Verifier::start();
    let mut count = 0;
    for library in [MATH, LANG, GUAVA] {
        let around = [library, ACCESS].into_iter().flat_map(Library::classes);
        for (name, bytes) in around {
            verifier.define(&name, &instrument::class(&bytes).unwrap());
            count += 1;
        }
        verifier.link_all();
        verifier.forget();
    }
    let (linked, refused) = verifier.finish();
    assert_eq!(refused, [""; 0]);
    assert_eq!(linked, count);
    assert!(count > 3_000, "{count}");
}

#[test]
fn the_verifier_refuses_wrong_code() {
    if !has_jdk() {
        return;
    }
    // `ireturn` of `arrays` becomes `lreturn`: the last of the instructions before its table of lines.
    let mut bytes = behaviour();
    let [arraylength, imul, iadd, ireturn, lreturn] = [0xbe, 0x68, 0x60, 0xac, 0xad];
    let code = [arraylength, imul, iadd, ireturn];
    let at = bytes.windows(4).position(|window| window == code).unwrap();
    bytes[at + 3] = lreturn;
    let mut verifier = Verifier::start();
    verifier.link("Behaviour", &instrument::class(&bytes).unwrap());
    verifier.link("Behaviour", &instrument::class(&behaviour()).unwrap());
    let (linked, refused) = verifier.finish();
    assert_eq!((linked, refused.len()), (2, 1));
    assert!(refused[0].contains("VerifyError"), "{refused:?}");
}

#[test]
fn all_probed_classes_pass_the_verifier() {
    if !has_jdk() {
        return;
    }
    let mut verifier = Verifier::start();
    let mut branches = 0;
    for library in [MATH, LANG, GUAVA] {
        for (name, bytes) in library.classes() {
            let class = ClassFile::parse(&bytes).unwrap();
            let (probed, found) = probe::class(&class, branches, |_, _| true).unwrap();
            verifier.define(&name, &probed.to_bytes());
            branches += found.len() as u32;
        }
        verifier.link_all();
        verifier.forget();
    }
    let (_, refused) = verifier.finish();
    assert_eq!(refused, [""; 0]);
    assert!(branches > 20_000, "{branches}");
}

#[test]
fn rewritten_code_does_what_it_did_and_counts() {
    if !has_jdk() {
        return;
    }
    let original = behaviour();
    let class = ClassFile::parse(&original).unwrap();
    let (probed, branches) = probe::class(&class, 0, |name, _| name != "all").unwrap();
    let mut verifier = Verifier::start();
    for bytes in [original.clone(), instrument::class(&original).unwrap(), probed.to_bytes()] {
        verifier.define("Behaviour", &bytes);
        verifier.call("Behaviour.all");
    }
    let (_, lines) = verifier.finish();
    let [plain, no_counts, rewritten, counts, probed, hits] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!(rewritten, plain);
    assert_eq!(probed, plain);
    assert_eq!(no_counts, "0 ticks, 0 elements, {}");
    // The arrays of `arrays` and the two of `all`.
    let ticks =
        counts.strip_suffix(" ticks, 30 elements, {}").unwrap_or_else(|| panic!("{counts}"));
    assert!(ticks.parse::<u32>().unwrap() > 1_000, "{ticks}");
    assert!(hits.starts_with(&format!("{ticks} ticks, 30 elements, {{0=")), "{hits}");
    // Most branches go both ways here, and every side is one of a branch.
    let sides = hits.matches('=').count();
    assert!(sides > branches.len() && sides <= 2 * branches.len(), "{sides} {}", branches.len());
}

#[test]
fn there_is_no_way_out() {
    if !has_jdk() {
        return;
    }
    let mut verifier = Verifier::start();
    verifier.define("Behaviour", &instrument::class(&behaviour()).unwrap());
    verifier.call("Behaviour.leavings");
    let (_, lines) = verifier.finish();
    assert_eq!(lines[0], "exit 3, exit 4, halt 5, sleep 100000, sleep 100000, ");
}

#[test]
fn a_private_method_becomes_public() {
    if !has_jdk() {
        return;
    }
    let exposed = instrument::expose(&behaviour(), "loops", "(I)I").unwrap();
    let class = ClassFile::parse(&exposed).unwrap();
    let method = &class.methods()[class.method_index("loops", "(I)I").unwrap()];
    assert_eq!((method.access() & 7, class.access() & 1), (1, 1));
    let error = instrument::expose(&behaviour(), "loops", "(J)J").unwrap_err().to_string();
    assert_eq!(error, "class Behaviour has no method loops(J)J; it has: (I)I");
}

#[test]
fn constants_are_those_of_the_method_and_of_what_it_calls() {
    if !has_jdk() {
        return;
    }
    let class = ClassFile::parse(&behaviour()).unwrap();
    let numbers = |method, descriptor| {
        let found = constants::of(&class, method, descriptor).unwrap();
        found.iter().map(|one| (one.value, one.count)).collect::<Vec<_>>()
    };
    assert_eq!(numbers("loops", "(I)I"), [(0.0, 2), (3.0, 1), (10.0, 1)]);
    let arms = numbers("arms", "(I)I");
    for key in [-1.0, 0.0, 1.0, 1000.0, 10.0, 50.0] {
        assert!(arms.iter().any(|(value, _)| *value == key), "{key} of {arms:?}");
    }
    let texts = constants::strings(&class, "words", "(Ljava/lang/String;)Ljava/lang/String;");
    let texts = texts.unwrap();
    assert!(
        ["one", "two", "three", "many"].iter().all(|text| texts.contains(&String::from(*text)))
    );
}

#[test]
fn what_is_no_class_is_an_error() {
    let error = |bytes: &[u8]| ClassFile::parse(bytes).unwrap_err().to_string();
    assert_eq!(error(b"PK"), "this is no class file: it does not begin with CAFEBABE");
    let cut_off = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 9];
    assert_eq!(error(&cut_off), "the class file ends in the middle: is it cut off?");
}

#[test]
fn damaged_classes_are_errors_and_no_panics() {
    if !has_jdk() {
        return;
    }
    let bytes = behaviour();
    for at in 0..bytes.len() {
        for flip in [0x01, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            // Either is fine, as long as it is an answer.
            let _ = instrument::class(&damaged);
            let _ = ClassFile::parse(&damaged).map(|class| {
                let _ = probe::class(&class, 0, |_, _| true);
                for method in class.methods() {
                    let _ = crate::subject::jvm::mutate::mutants(
                        &class,
                        method.name(),
                        method.descriptor(),
                    );
                }
            });
        }
        let _ = instrument::class(&bytes[..at]);
    }
}
