//! Replays the committed corpora. These are unit tests: an integration test would build every fuzz
//! target, 100 MB each.

use std::path::Path;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut replayed = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        run(&std::fs::read(path).unwrap());
        replayed += 1;
    }
    assert!(replayed >= 5, "the corpus of {target} is too small to mean anything");
}

#[test]
fn the_reader_holds_on_its_corpus() {
    replay("read", crate::read);
}

#[test]
fn the_canonicaliser_holds_on_its_corpus() {
    replay("canonicalize", crate::canonicalize);
}

#[test]
fn check_holds_on_its_corpus() {
    replay("check", crate::check);
}

#[test]
fn checking_arguments_holds_on_its_corpus() {
    replay("check_arguments", crate::check_arguments);
}

#[test]
fn diff_holds_on_its_corpus() {
    replay("diff", crate::diff);
}

#[test]
fn comparing_schemas_holds_on_its_corpus() {
    replay("compare", crate::compare);
}

#[test]
fn rehearsals_hold_on_their_corpus() {
    replay("rehearsal", crate::rehearsal);
}

#[test]
fn answers_of_hooks_hold_on_their_corpus() {
    replay("hook_effects", crate::hook_effects);
}

#[test]
fn rules_hold_on_their_corpus() {
    replay("policy_rules", crate::policy_rules);
}

#[test]
fn cedar_policies_hold_on_their_corpus() {
    replay("cedar_policies", crate::cedar_policies);
}

#[test]
fn rules_for_urls_hold_on_their_corpus() {
    replay("outbound_target", crate::outbound_target);
}

#[test]
fn signatures_of_webhooks_hold_on_their_corpus() {
    replay("webhook_signature", crate::webhook_signature);
}

#[test]
fn requests_to_the_relay_hold_on_their_corpus() {
    replay("relay_request", crate::relay_request);
}

#[test]
fn frames_of_the_relay_hold_on_their_corpus() {
    replay("relay_frame", crate::relay_frame);
}

#[test]
fn entries_of_ledgers_hold_on_their_corpus() {
    replay("ledger_entry", crate::ledger_entry);
}

#[test]
fn bytes_on_sockets_hold_on_their_corpus() {
    replay("websocket_reader", crate::websocket_reader);
}

#[test]
fn lines_of_journals_hold_on_their_corpus() {
    replay("journal_lines", crate::journal_lines);
}

#[test]
fn documents_hold_on_their_corpus() {
    replay("document", crate::document);
}
