//! Any bytes: an answer, places that are in the text, and one meaning in both formats.

use assent_document::locate;
use assent_rehearsal::{Format, read};
use proptest::prelude::*;

const SEEDS: [&str; 2] =
    [include_str!("../data/complete.yaml"), include_str!("../data/complete.json")];

fn holds(text: &[u8]) {
    for format in [Format::Yaml, Format::Json] {
        let lines = text.split(|&byte| byte == b'\n').count();
        match read(text, format) {
            Ok(scenario) => assert_eq!(read(text, format), Ok(scenario), "the same again"),
            Err(problems) => {
                assert!(!problems.as_slice().is_empty());
                for problem in &problems {
                    assert!(problem.line >= 1 && problem.line <= lines, "{problem}");
                    assert!(problem.column >= 1 && !problem.message.is_empty(), "{problem}");
                    let _place = locate(text, format, &problem.path);
                }
            }
        }
    }
    if let (Ok(yaml), Ok(json)) = (read(text, Format::Yaml), read(text, Format::Json)) {
        assert_eq!(yaml, json);
    }
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        holds(&bytes);
    }

    #[test]
    fn any_yaml_like_text_gets_an_answer(text in "[-a-c0-9:?{}\\[\\],&*!|>'\"%#~<. \n\t]{0,200}") {
        holds(text.as_bytes());
    }

    #[test]
    fn a_good_file_with_a_few_bytes_changed_gets_an_answer(
        seed in 0..SEEDS.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut text = SEEDS[seed].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        holds(&text);
        text.truncate(cut.index(text.len()));
        holds(&text);
    }

    #[test]
    fn a_good_file_with_two_lines_swapped_gets_an_answer(
        first in any::<prop::sample::Index>(),
        second in any::<prop::sample::Index>(),
    ) {
        let mut lines: Vec<&str> = SEEDS[0].lines().collect();
        let (first, second) = (first.index(lines.len()), second.index(lines.len()));
        lines.swap(first, second);
        holds(lines.join("\n").as_bytes());
    }
}
