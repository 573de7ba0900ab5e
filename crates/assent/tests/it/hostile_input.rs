//! Any input: exit 1 or 2 with a reason, never a panic, in bounded time and memory.

use proptest::prelude::*;

use crate::{file, manifest};

/// The commands that take one document and those that take two.
const COMMANDS: [&[&str]; 7] = [
    &["check", "-"],
    &["check", "-", "--json"],
    &["canonicalize", "-"],
    &["hash", "-", "--json"],
    &["diff", "-"],
    &["diff", "-", "--json"],
    &["compare-schemas", "-"],
];

fn run(command: &[&str], input: &[u8], other: &str) -> crate::Run {
    let two = matches!(command[0], "diff" | "compare-schemas");
    let mut arguments = command.to_vec();
    if two {
        arguments.insert(2, other);
    }
    manifest(&arguments, input)
}

#[test]
fn hostile_documents_are_refused_with_a_reason() {
    let other = file("hostile-other.json", manifest(&["init"], b"").stdout);
    let deep = "[".repeat(200_000);
    let wide = format!("[{}0]", "0,".repeat(1_000_000));
    let long = format!("\"{}\"", "A".repeat(9_000_000));
    for input in [
        &b"\x00\x01\x02"[..],
        b"\xff\xfe{\x00}\x00",
        b"\x1b]0;title\x07{",
        b"{\"a\":\"\\u202e\"}",
        deep.as_bytes(),
        wide.as_bytes(),
        long.as_bytes(),
        b"null",
        b"",
    ] {
        for command in COMMANDS {
            let run = run(command, input, &other);
            // A schema may be anything that is JSON, and everything that is JSON has a hash.
            assert!(matches!(run.code, 0..=2), "{command:?} {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{command:?} {}", run.stderr);
            assert!(!run.stdout.contains(&0x1b) && !run.stderr.contains('\u{1b}'), "{command:?}");
            if run.code != 0 && !command.contains(&"--json") {
                assert!(!run.stderr.is_empty() || !run.stdout.is_empty(), "{command:?}");
            }
        }
    }
}

#[test]
fn an_endless_file_is_refused() {
    let run = manifest(&["check", "/dev/zero", "--json"], b"");
    assert_eq!(run.code, 1);
    assert_eq!(run.json()["errors"][0]["code"], "MANIFEST_TOO_LARGE");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_bytes_are_refused(input in proptest::collection::vec(any::<u8>(), 0..400)) {
        for command in COMMANDS {
            let other = file("random-other.json", b"{}");
            let run = run(command, &input, &other);
            prop_assert!(matches!(run.code, 0..=2) && !run.stderr.contains("panicked"), "{}", run.stderr);
        }
    }
}
