//! Nothing leaves a directory through the text of a path.

use proptest::prelude::*;
use serde_json::json;

use crate::support::value_matches;

fn holds(directory: &str, path: &str) -> (bool, bool) {
    let ask = |behavior| value_matches(behavior, "under", json!(directory), json!(path));
    (ask("allow"), ask("deny"))
}

const INSIDE: (bool, bool) = (true, true);
const OUTSIDE: (bool, bool) = (false, false);
const DOUBTFUL: (bool, bool) = (false, true);

/// Item 28.
#[test]
fn paths_are_compared_part_by_part_once_dots_are_resolved() {
    for (directory, path, expected) in [
        ("/work", "/work", INSIDE),
        ("/work", "/work/", INSIDE),
        ("/work/", "/work/a/b", INSIDE),
        ("/work", "//work///a/./b", INSIDE),
        ("/work", "/work/a/../b", INSIDE),
        ("/work", "/home/../work/a", INSIDE),
        ("/work", "/../work", INSIDE),
        ("/work/./x/..", "/work/a", INSIDE),
        ("/", "/etc/passwd", INSIDE),
        ("/work", "/work/../etc/passwd", OUTSIDE),
        ("/work", "/work/a/../../etc", OUTSIDE),
        ("/work", "/workshop/a", OUTSIDE),
        ("/work", "/work_evil", OUTSIDE),
        ("/work", "/etc/passwd", OUTSIDE),
        ("/work", "/", OUTSIDE),
        ("/work", "/work..", DOUBTFUL),
        ("/work", "/w/ork", OUTSIDE),
        ("/a b", "/a b/c", INSIDE),
    ] {
        assert_eq!(holds(directory, path), expected, "{path} under {directory}");
    }
}

#[test]
fn what_systems_read_differently_is_in_doubt() {
    for path in [
        "",
        "a",
        "./work/a",
        "../work",
        "~/work",
        "~root/work",
        "C:\\work",
        "/work\\..\\etc",
        "/work/\0/a",
        "\0",
        "$HOME/work",
        "file:///work/a",
        "/WORK/a",
        "/work./a",
        "/work /a",
        "/wor\u{212a}/a",
        "/ｗork/a",
        "/w\u{200b}ork/a",
        "/wor\u{feff}k",
    ] {
        assert_eq!(holds("/work", path), DOUBTFUL, "{path:?}");
    }
    assert_eq!(holds("/caf\u{e9}", "/cafe\u{301}/x"), DOUBTFUL);
    assert_eq!(holds("/stra\u{df}e", "/STRASSE"), DOUBTFUL);
    assert_eq!(holds("/日本", "/中国"), OUTSIDE);
}

#[test]
fn two_relative_paths_start_at_the_same_place() {
    for (path, expected) in [
        ("docs/a", INSIDE),
        ("./docs/a", INSIDE),
        ("docs/../docs/a", INSIDE),
        ("docs/../a", OUTSIDE),
        ("a", OUTSIDE),
        ("docs/../../docs/a", DOUBTFUL),
        ("../docs/a", DOUBTFUL),
        ("/docs/a", DOUBTFUL),
        ("~/docs", DOUBTFUL),
    ] {
        assert_eq!(holds("docs", path), expected, "{path}");
    }
    assert_eq!(holds(".", "any/where"), INSIDE);
    assert_eq!(holds(".", "any/../.."), DOUBTFUL);
}

/// Where a path leads, one step after another; shares nothing with the code under test.
fn walk(path: &str) -> String {
    let mut at = String::new();
    for step in path.split('/') {
        if step == ".." {
            at.truncate(at.rfind('/').unwrap_or(0));
        } else if !step.is_empty() && step != "." {
            at.push('/');
            at.push_str(step);
        }
    }
    at
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("..".to_owned()), 2 => Just(".".to_owned()), 1 => Just(String::new()),
        2 => Just("work".to_owned()), 1 => Just("works".to_owned()), 1 => Just("...".to_owned()),
        1 => Just("..;".to_owned()), 1 => Just("%2e%2e".to_owned()), 1 => Just("．．".to_owned()),
        2 => "[a-c]{1,2}", 1 => "\\PC{1,3}".prop_filter("a part", |p| !p.contains(['/', '\\'])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn an_absolute_path_is_inside_exactly_if_walking_it_ends_inside(
        parts in prop::collection::vec(part(), 0..10)
    ) {
        let path = format!("/{}", parts.join("/"));
        let end = format!("{}/", walk(&path));
        let (allow, deny) = holds("/work/a", &path);
        prop_assert_eq!(allow, end.starts_with("/work/a/"), "{} ends at {}", path, end);
        prop_assert!(deny || !allow);
    }

    #[test]
    fn a_relative_path_is_never_inside_an_absolute_directory(
        parts in prop::collection::vec(part(), 1..8)
    ) {
        let path = parts.join("/");
        prop_assume!(!path.starts_with('/'));
        prop_assert_eq!(holds("/", &path), DOUBTFUL);
    }
}
