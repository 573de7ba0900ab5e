//! Journals as JSON Lines.

use assent_journal::{
    ImportError, Journal, MemoryJournal, Seq,
    conformance::{
        block_on,
        sample::{allowed_call, batch, catalog, denied_call, every_fact},
    },
    export, import, records_jsonl,
};
use assent_protocol::agent_tool::RecordKind;
use serde_json::Value;

use crate::support::Schemas;

fn exported() -> String {
    let journal = MemoryJournal::new();
    for drafts in [catalog(), every_fact(100), allowed_call(200)] {
        block_on(journal.append(batch(drafts))).unwrap();
    }
    let mut lines = Vec::new();
    block_on(export(&journal, &mut lines)).unwrap();
    String::from_utf8(lines).unwrap()
}

fn imported(lines: &str) -> Result<u64, ImportError> {
    let journal = MemoryJournal::new();
    let result = block_on(import(&journal, &mut lines.as_bytes()));
    if result.is_err() {
        assert_eq!(block_on(journal.last()), Ok(Seq(0)), "nothing was written");
    }
    result
}

#[test]
fn a_line_has_a_place_a_time_a_call_a_step_and_a_fact() {
    let text = exported();
    let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 5);
    assert!(["seq", "at", "invocation", "step", "fact"].iter().all(|key| line.get(key).is_some()));
    assert!(line["fact"].get("ended").is_some());
}

#[test]
fn the_empty_journal_is_no_line() {
    assert_eq!(imported("").unwrap(), 0);
}

#[test]
fn only_an_empty_journal_takes_in_another_one() {
    let journal = MemoryJournal::new();
    block_on(journal.append(batch(denied_call(1)))).unwrap();
    let error = block_on(import(&journal, &mut exported().as_bytes())).unwrap_err();
    assert!(matches!(error, ImportError::NotEmpty(Seq(7))));
}

#[test]
fn lines_that_are_missing_doubled_or_swapped_are_refused() {
    let text = exported();
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() - 1 {
        let mut missing = lines.clone();
        missing.remove(at);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        for wrong in [missing, doubled, swapped] {
            let text = wrong.join("\n") + "\n";
            assert!(matches!(imported(&text), Err(ImportError::Illegal(_))), "{at}");
        }
    }
}

#[test]
fn a_journal_that_was_cut_off_between_lines_is_one_and_within_a_line_is_none() {
    let text = exported();
    let cut = text.lines().take(20).map(|line| format!("{line}\n")).collect::<String>();
    assert_eq!(imported(&cut).unwrap(), 20);
    let within = &cut[..cut.len() - 1];
    assert!(matches!(imported(within), Err(ImportError::Line { line: 20, .. })));
}

#[test]
fn what_would_be_lost_is_refused() {
    let text = exported();
    let planned = text.lines().position(|line| line.contains(r#""planned""#)).unwrap();
    for (from, to) in [
        (r#""seq":"#, r#""note":1,"seq":"#),
        (r#""seq":"#, r#" "seq":"#),
        (r#""requested":"#, r#""unknown":1,"requested":"#),
        (r#""requested":"#, r#""requested":"planted","requested":"#),
        (r#""at":1"#, r#""at":9999999"#),
    ] {
        let lines = text.lines().enumerate().map(|(at, line)| {
            let line = if at == planned { line.replacen(from, to, 1) } else { line.to_owned() };
            line + "\n"
        });
        let error = imported(&lines.collect::<String>()).unwrap_err();
        assert!(matches!(error, ImportError::Line { .. }), "{to}: {error}");
        assert!(!error.to_string().contains("planted"));
    }
}

#[test]
fn the_lines_of_records_have_the_form_of_a_rehearsal() {
    let journal = MemoryJournal::new();
    for drafts in [catalog(), every_fact(100), allowed_call(200)] {
        block_on(journal.append(batch(drafts))).unwrap();
    }
    let mut lines = Vec::new();
    let written = block_on(records_jsonl(&journal, &mut lines)).unwrap();
    let text = String::from_utf8(lines).unwrap();
    assert_eq!(written, text.lines().count() as u64);
    let mut schemas = Schemas::default();
    for (line, seq) in text.lines().zip(1_u64..) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["seq"], seq);
        let kind: RecordKind = line["record"].as_str().unwrap().parse().unwrap();
        schemas.assert_valid(kind, &line["data"]);
    }
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&first["at_ms"], &last["at_ms"]), (&0.into(), &211.into()));
}
