//! Replays the committed corpora.

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
    replay("read", assent_fuzz::read);
}

#[test]
fn the_canonicaliser_holds_on_its_corpus() {
    replay("canonicalize", assent_fuzz::canonicalize);
}

#[test]
fn check_holds_on_its_corpus() {
    replay("check", assent_fuzz::check);
}

#[test]
fn checking_arguments_holds_on_its_corpus() {
    replay("check_arguments", assent_fuzz::check_arguments);
}

#[test]
fn diff_holds_on_its_corpus() {
    replay("diff", assent_fuzz::diff);
}

#[test]
fn comparing_schemas_holds_on_its_corpus() {
    replay("compare", assent_fuzz::compare);
}

#[test]
fn rehearsals_hold_on_their_corpus() {
    replay("rehearsal", assent_fuzz::rehearsal);
}

#[test]
fn answers_of_hooks_hold_on_their_corpus() {
    replay("hook_effects", assent_fuzz::hook_effects);
}

#[test]
fn rules_hold_on_their_corpus() {
    replay("policy_rules", assent_fuzz::policy_rules);
}

#[test]
fn cedar_policies_hold_on_their_corpus() {
    replay("cedar_policies", assent_fuzz::cedar_policies);
}

#[test]
fn rules_for_urls_hold_on_their_corpus() {
    replay("outbound_target", assent_fuzz::outbound_target);
}

#[test]
fn signatures_of_webhooks_hold_on_their_corpus() {
    replay("webhook_signature", assent_fuzz::webhook_signature);
}

#[test]
fn requests_to_the_relay_hold_on_their_corpus() {
    replay("relay_request", assent_fuzz::relay_request);
}

#[test]
fn frames_of_the_relay_hold_on_their_corpus() {
    replay("relay_frame", assent_fuzz::relay_frame);
}

#[test]
fn entries_of_ledgers_hold_on_their_corpus() {
    replay("ledger_entry", assent_fuzz::ledger_entry);
}

#[test]
fn bytes_on_sockets_hold_on_their_corpus() {
    replay("websocket_reader", assent_fuzz::websocket_reader);
}

#[test]
fn lines_of_journals_hold_on_their_corpus() {
    replay("journal_lines", assent_fuzz::journal_lines);
}
