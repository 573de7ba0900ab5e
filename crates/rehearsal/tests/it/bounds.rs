//! Files that would cost too much are refused, and quickly.

use std::time::{Duration, Instant};

use assent_document::{MAX_DOCUMENT_BYTES, MAX_PROBLEMS};
use assent_json::MAX_DEPTH;
use assent_rehearsal::{Format, Problem, read};

/// Generous: the tests run on busy machines, and what is meant here never ends.
const SOON: Duration = Duration::from_secs(60);

#[track_caller]
fn refused(text: &str, format: Format) -> Vec<Problem> {
    let start = Instant::now();
    let Err(problems) = read(text.as_bytes(), format) else { panic!("it was read") };
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    problems.as_slice().to_vec()
}

#[test]
fn a_billion_laughs_are_not_laughed() {
    let mut text =
        String::from("policies: x\na0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..30 {
        let previous = format!("*a{}", level - 1);
        let nine = [previous.as_str(); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{nine}]\n"));
    }
    let problems = refused(&text, Format::Yaml);
    assert_eq!(
        problems[0].message,
        "the document takes more than 67108864 bytes with its aliases expanded"
    );
}

#[test]
fn a_long_text_is_not_repeated_without_end() {
    let long = "x".repeat(1 << 20);
    let aliases = vec!["*x"; 10_000].join(", ");
    let problems = refused(&format!("a: &x {long}\nb: [{aliases}]\n"), Format::Yaml);
    assert_eq!(
        problems[0].message,
        "the document takes more than 67108864 bytes with its aliases expanded"
    );
}

#[test]
fn anchors_inside_of_anchors_cost_what_they_hold() {
    let text = "&a [".repeat(100) + &"1, ".repeat(200_000) + &"]".repeat(100);
    let problems = refused(&text, Format::Yaml);
    assert!(problems[0].message.contains("aliases expanded"), "{}", problems[0]);
}

#[test]
fn files_are_as_long_as_they_may_be_and_not_longer() {
    for format in [Format::Yaml, Format::Json] {
        let fill = |bytes: usize| format!("{{}}{}", " ".repeat(bytes - 2));
        assert!(read(fill(MAX_DOCUMENT_BYTES).as_bytes(), format).is_ok());
        let problems = refused(&fill(MAX_DOCUMENT_BYTES + 1), format);
        assert_eq!(problems[0].message, "the text is longer than 8388608 bytes");
    }
}

#[test]
fn values_are_as_deep_as_they_may_be_and_not_deeper() {
    let input = |depth: usize| {
        // The file, the list of calls and the call are three.
        let (open, close) = ("[".repeat(depth - 3), "]".repeat(depth - 3));
        format!(r#"{{"calls": [{{"id": "a", "tool": "t", "input": {open}{close}}}]}}"#)
    };
    for format in [Format::Yaml, Format::Json] {
        assert!(read(input(MAX_DEPTH).as_bytes(), format).is_ok());
        let problems = refused(&input(MAX_DEPTH + 1), format);
        assert_eq!(problems[0].message, "arrays and objects are nested deeper than 128");
    }
    let blocks: String = (0..100_000).map(|_| "- ").collect();
    refused(&blocks, Format::Yaml);
    refused(&"{a: ".repeat(100_000), Format::Yaml);
}

#[test]
fn aliases_do_not_lead_deeper_than_the_text() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let file = |inner: usize, outer: usize| {
        let (open, close) = ("[".repeat(outer), "]".repeat(outer));
        let deep = nested(inner);
        format!("calls: [{{id: a, tool: t, input: {{x: &x {deep}, y: {open}*x {close}}}}}]")
    };
    // Four around, so many lists, and what the alias stands for.
    assert!(read(file(60, MAX_DEPTH - 64).as_bytes(), Format::Yaml).is_ok());
    let problems = refused(&file(60, MAX_DEPTH - 63), Format::Yaml);
    assert_eq!(problems[0].message, "arrays and objects are nested deeper than 128");
}

#[test]
fn many_values_are_refused_in_either_format() {
    let many = format!("{{\"a\": [{}0]}}", "0,".repeat(1_100_000));
    for format in [Format::Yaml, Format::Json] {
        let problems = refused(&many, format);
        assert!(problems[0].message.contains("more than 67108864 bytes"), "{}", problems[0]);
    }
}

#[test]
fn the_number_of_reported_problems_is_bounded_and_the_rest_is_counted() {
    let keys = |count: usize| -> String { (0..count).map(|key| format!("k{key}: 1\n")).collect() };
    let problems = refused(&keys(MAX_PROBLEMS), Format::Yaml);
    assert_eq!(problems.len(), MAX_PROBLEMS);
    assert!(problems.iter().all(|problem| problem.message.contains("not known")));
    let problems = refused(&keys(MAX_PROBLEMS + 7), Format::Yaml);
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    assert_eq!(problems[MAX_PROBLEMS].message, "there are 7 more problems");
    refused(&keys(500_000), Format::Yaml);
}

#[test]
fn many_expensive_patterns_are_refused() {
    let tool = |index: usize| {
        let patterns: Vec<String> =
            (0..7).map(|at| format!("p{at}: {{pattern: '\\p{{L}}{{40}}{index}'}}")).collect();
        let properties = patterns.join(", ");
        format!(
            "- {{name: t{index}, input_schema: {{properties: {{{properties}}}}}, run: [{{hang: true}}]}}\n"
        )
    };
    let text: String = std::iter::once("tools:\n".to_owned()).chain((0..100).map(tool)).collect();
    let problems = refused(&text, Format::Yaml);
    assert!(problems.iter().any(|problem| problem.message.contains("patterns")), "{}", problems[0]);
    let rule = |index: usize| {
        format!("- {{id: r{index}, behavior: ask, arguments: [{{path: /a, matches: x}}]}}\n")
    };
    let rules = |count: usize| -> String {
        std::iter::once("rules:\n".to_owned()).chain((0..count).map(rule)).collect()
    };
    assert!(read(rules(500).as_bytes(), Format::Yaml).is_ok());
    assert_eq!(refused(&rules(501), Format::Yaml)[0].message, "a file has at most 500 patterns");
}

#[test]
fn a_long_chain_of_calls_is_followed_without_recursion() {
    let call = |index: usize| {
        let before = index.checked_sub(1);
        let waits = before.map_or(String::new(), |before| format!(", depends_on: [c{before}]"));
        format!("- {{id: c{index}, tool: t, input: 1{waits}}}\n")
    };
    let text: String =
        std::iter::once("calls:\n".to_owned()).chain((0..50_000).map(call)).collect();
    assert!(read(text.as_bytes(), Format::Yaml).is_ok());
}
