//! Every mistake is reported at once, with its line.

use assent_document::{
    Fields, Format, Node, Problems, read, read_confidential,
    readers::{boolean, list, parsed, text, whole},
};
use assent_json::{MAX_DEPTH, Position};

use crate::shown;

#[derive(Debug)]
struct Command {
    _name: String,
    _timeout: u64,
    _network: bool,
    _port: Option<u16>,
}

fn command(node: &Node<'_>) -> Option<Command> {
    let mut fields = Fields::of(node)?;
    let name = fields.required("name", text);
    let timeout = fields.optional("timeout", |node| whole(node, 1..=600));
    let network = fields.or_default("network", boolean);
    let port = fields.optional("port", parsed);
    Some(Command { _name: name?, _timeout: timeout?, _network: network, _port: port })
}

fn commands(node: &Node<'_>) -> Option<Vec<Command>> {
    Fields::of(node)?.required("commands", |node| list(node, command))
}

const TOML: &str = "\
comands = 1
[[commands]]
name = 7
timeout = 601
[[commands]]
nam = 'x'
network = 'no'
since = 1979-05-27
[[commands]]
name = = 'y'
port = '70000'
";

#[test]
fn every_mistake_of_a_toml_document_is_reported_with_its_line() {
    let problems = read(TOML.as_bytes(), Format::Toml, commands).unwrap_err();
    assert_eq!(
        shown(&problems),
        [
            "/comands (1:1): the key `comands` is not known here; did you mean `commands`?",
            "/commands/0/name (3:8): expected text, found a number; put it into quotes",
            "/commands/0/timeout (4:11): expected a whole number from 1 to 600, found 601",
            "/commands/1 (5:1): `name` is missing",
            "/commands/1/nam (6:1): the key `nam` is not known here; did you mean `name`?",
            "/commands/1/network (7:11): expected `true` or `false`, found text",
            "/commands/1/since (8:1): the key `since` is not known here; known are `name`, \
             `timeout`, `network`, `port`",
            "/commands/1/since (8:9): put dates and times into quotes",
            "(10:8): extra `=`, expected nothing",
            "/commands/2/port (11:8): number too large to fit in target type",
        ]
    );
}

#[test]
fn confidential_problems_repeat_no_value() {
    let problems = read_confidential(TOML.as_bytes(), Format::Toml, commands).unwrap_err();
    let shown = shown(&problems);
    assert!(
        shown.contains(
            &"/commands/0/timeout (4:11): expected a whole number from 1 to 600".to_owned()
        )
    );
    assert!(shown.iter().all(|problem| !problem.contains("601")), "{shown:?}");
}

#[test]
fn problems_in_a_text_are_at_their_line_if_the_text_is_written_so() {
    let report = |document: &str| -> Problems {
        let reader = |node: &Node<'_>| -> Option<()> {
            let node = node.member("text")?;
            node.problem_in_text(Position { line: 2, column: 3 }, "wrong");
            None
        };
        read(document.as_bytes(), Format::Yaml, reader).unwrap_err()
    };
    let block = report("text: |\n  first\n  second\n");
    assert_eq!(shown(&block), ["/text (3:5): wrong"]);
    let quoted = report("text: \"first\\nsecond\"\n");
    assert_eq!(shown(&quoted), ["/text (1:7): line 2, column 3 of the text: wrong"]);
}

#[test]
fn depth_is_bounded_in_every_format() {
    let nested = "[".repeat(MAX_DEPTH + 1);
    let texts = [
        (format!("{nested}{}", "]".repeat(MAX_DEPTH + 1)), Format::Json),
        (nested.clone(), Format::Yaml),
        (format!("a = {nested}"), Format::Toml),
        (format!("{} = 1", vec!["a"; 100_000].join(".")), Format::Toml),
    ];
    for (text, format) in texts {
        let read = read(text.as_bytes(), format, assent_document::readers::any);
        assert!(read.is_err(), "{format:?}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_in_every_format() {
    for format in [Format::Json, Format::Yaml, Format::Toml] {
        let problems = read(b"\xff", format, assent_document::readers::any).unwrap_err();
        assert_eq!(problems.as_slice().len(), 1, "{format:?} {problems}");
    }
}
