//! Any text is read or refused, with problems at lines that it has.

use assent_document::{Format, read, readers::any as any_value};
use proptest::prelude::*;

fn holds(text: &[u8]) {
    let lines = text.split(|&byte| byte == b'\n').count();
    for format in [Format::Json, Format::Yaml, Format::Toml] {
        if let Err(problems) = read(text, format, any_value) {
            assert!(!problems.as_slice().is_empty());
            for problem in &problems {
                assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        holds(&bytes);
    }

    #[test]
    fn any_text_like_a_document(text in "[-a-c0-9:?{}\\[\\],&*!|>'\"%#~<.= \n\t]{0,200}") {
        holds(text.as_bytes());
    }
}
