//! Finding tools by name and by words.

use assent_protocol::agent_tool::{
    LoadingState, QueryType, SearchMatch, ToolLifecycle, ToolSearchResult, strict::Strict,
};
use assent_runtime::{Catalog, ToolDefinition, catalog::MAX_MATCHES, surface::Resolution};
use proptest::prelude::*;
use serde_json::json;

use crate::definitions::{catalog, definition, equipped, living, minter, register, surface, with};

fn described(namespace: &str, name: &str, description: &str, hint: &str) -> ToolDefinition {
    with(namespace, name, |tool| {
        description.clone_into(&mut tool.declaration.description);
        tool.declaration.search_hint = Some(hint.to_owned());
    })
}

fn sample() -> Catalog {
    catalog([
        described("github", "create_issue", "Files a bug report.", "report a software bug"),
        described("mail", "send", "Sends an electronic letter.", "write to a person"),
        described("files", "read", "Shows what a document says.", "open a text document"),
    ])
}

fn search(catalog: &Catalog, query: &str) -> ToolSearchResult {
    catalog.search(&surface(catalog, equipped()), query, 10)
}

fn ids(result: &ToolSearchResult) -> Vec<&str> {
    result.matches.iter().map(|found| found.tool_id().as_str()).collect()
}

/// Item 45.
#[test]
fn tools_are_selected_by_name_alias_and_qualified_name() {
    let catalog = sample();
    let result = search(&catalog, "select:send, files/read ,nothing");
    assert_eq!(result.query_type, QueryType::Select);
    assert_eq!(ids(&result), ["mail:send", "files:read"]);
    assert_eq!(result.missing_names.as_deref(), Some(["nothing".to_owned()].as_slice()));
}

/// Item 46: name, namespace, description, hint.
#[test]
fn words_are_looked_for_in_every_text_of_a_tool() {
    let catalog = sample();
    for (query, found) in [
        ("issue", "github:create_issue"),
        ("github", "github:create_issue"),
        ("letter", "mail:send"),
        ("document", "files:read"),
        ("software", "github:create_issue"),
    ] {
        assert_eq!(ids(&search(&catalog, query)).first(), Some(&found), "{query}");
    }
}

/// Item 7: a hint takes part in discovery.
#[test]
fn a_hint_takes_part_in_the_search() {
    assert_eq!(ids(&search(&sample(), "person")), ["mail:send"]);
}

/// Item 47.
#[test]
fn providers_that_are_still_connecting_are_named() {
    let mut catalog = sample();
    catalog.provider_pending("jira".parse().unwrap());
    catalog.provider_pending("asana".parse().unwrap());
    let result = search(&catalog, "teapot");
    let pending = ["asana".to_owned(), "jira".to_owned()];
    assert_eq!(result.pending_providers.as_deref(), Some(pending.as_slice()));
    assert_eq!(result.next_action.as_deref(), Some("search again when asana, jira can be reached"));
    catalog.provider_ready(&"jira".parse().unwrap());
    catalog.provider_ready(&"asana".parse().unwrap());
    assert_eq!(search(&catalog, "teapot").pending_providers, Some(Vec::new()));
}

/// Item 48: no match is an answer like any other.
#[test]
fn a_search_that_finds_nothing_is_a_complete_record() {
    let result = search(&sample(), "teapot");
    let mut record = serde_json::to_value(&result).unwrap();
    record.as_object_mut().unwrap().remove("next_action").unwrap();
    assert_eq!(
        record,
        json!({
            "schema_version": "0.2.0",
            "query": "teapot",
            "query_type": "keyword",
            "matches": [],
            "total_deferred_tools": 0,
            "pending_providers": [],
            "missing_names": [],
        })
    );
    assert!(result.problems().is_empty());
}

/// Item 51: scores and reasons.
#[test]
fn every_match_has_a_score_and_its_reasons() {
    for query in ["report bug", "select:send"] {
        for found in search(&sample(), query).matches {
            let SearchMatch::Scored(found) = found else { panic!("no score") };
            assert!(found.score.unwrap().as_f64().unwrap() > 0.0);
            assert!(!found.reasons.unwrap().is_empty());
        }
    }
    let result = search(&sample(), "bug");
    let SearchMatch::Scored(found) = &result.matches[0] else { panic!("no score") };
    assert_eq!(found.reasons.as_deref().unwrap(), ["description:bug", "search_hint:bug"]);
    assert_eq!(found.extra["loading_state"], json!("loaded"));
    assert_eq!(
        (&found.extra["namespace"], &found.extra["name"]),
        (&json!("github"), &json!("create_issue"))
    );
}

/// Items 42, 52, acceptance 1 and 2: find one of many, load it, and nothing else.
#[test]
fn a_tool_is_found_and_loaded_without_the_rest() {
    let mut catalog = Catalog::new();
    for number in 0..500 {
        register(&mut catalog, definition("bulk", &format!("tool_{number}")));
    }
    register(&mut catalog, described("github", "issues", "Lists problems.", "list open issues"));
    let mut context = equipped();
    context.budget = Some(20);
    let surface = surface(&catalog, context);
    assert_eq!(surface.loaded().count(), 20);
    let result = catalog.search(&surface, "open issues", 5);
    assert_eq!(result.total_deferred_tools.map(|count| count.0), Some(481));
    assert_eq!(ids(&result)[0], "github:issues");
    assert!(matches!(surface.resolve("issues"), Resolution::Deferred(_)));
    let loading = surface.load(["issues"], &minter());
    assert!(matches!(loading.surface.resolve("issues"), Resolution::Loaded(_)));
    assert_eq!(loading.surface.loaded().count(), 21);
    assert_eq!(loading.surface.deferred_count(), 480);
}

/// Item 9: what is not offered is not found, except by its name if it can still be called.
#[test]
fn only_what_is_offered_is_found_by_words() {
    use ToolLifecycle::{Deferred, Deprecated, Disabled, Draft, Retired};
    let catalog = catalog(
        [("d1", Draft), ("d2", Disabled), ("d3", Deferred), ("d4", Deprecated), ("d5", Retired)]
            .map(|(name, lifecycle)| living(name, lifecycle)),
    );
    assert_eq!(ids(&search(&catalog, "does what says")), ["t:d3"]);
    let named = search(&catalog, "select:d1,d2,d3,d4,d5");
    assert_eq!(ids(&named), ["t:d3", "t:d4"]);
    assert_eq!(named.missing_names.unwrap(), ["d1", "d2", "d5"]);
    assert_eq!(
        named.extra["blocked_names"],
        json!([{"name": "d2", "tool_id": "t:d2", "reason": "feature_disabled"}])
    );
}

#[test]
fn a_selection_that_fits_several_tools_names_the_candidates() {
    let catalog = catalog([definition("a", "go"), definition("b", "go")]);
    let result = search(&catalog, "select:go");
    assert_eq!(
        result.extra["ambiguous_names"],
        json!([{"name": "go", "candidates": ["a/go", "b/go"]}])
    );
    assert_eq!(
        result.next_action.as_deref(),
        Some("select one of the candidates by its `namespace/name`")
    );
}

#[test]
fn a_changed_description_is_found_and_the_old_one_is_not() {
    let mut catalog = sample();
    register(&mut catalog, described("mail", "send", "Delivers parcels.", "ship a heavy parcel"));
    assert_eq!(ids(&search(&catalog, "parcels")), ["mail:send"]);
    assert!(ids(&search(&catalog, "letter")).is_empty());
    catalog.remove(&"mail:send".parse().unwrap());
    assert!(ids(&search(&catalog, "parcels")).is_empty());
}

#[test]
fn a_pending_tool_is_found_with_its_state() {
    let mut catalog =
        catalog([with("jira", "tickets", |tool| tool.provider = Some("jira".parse().unwrap()))]);
    catalog.provider_pending("jira".parse().unwrap());
    let result = search(&catalog, "tickets");
    let SearchMatch::Scored(found) = &result.matches[0] else { panic!("no score") };
    assert_eq!(found.extra["loading_state"], json!(LoadingState::PendingProvider));
}

#[test]
fn a_limit_is_kept_and_has_a_limit() {
    let catalog = catalog((0..150).map(|number| definition("t", &format!("tool_{number}"))));
    let surface = surface(&catalog, equipped());
    assert_eq!(catalog.search(&surface, "tool", 7).matches.len(), 7);
    assert_eq!(catalog.search(&surface, "tool", usize::MAX).matches.len(), MAX_MATCHES);
    assert_eq!(catalog.search(&surface, "tool", 0).matches.len(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any text is a query, and the same one gets the same answer, which is a right record.
    #[test]
    fn any_query_is_answered_alike_twice(query in prop_oneof![any::<String>(), "select:[a-z,/ ]{0,20}"]) {
        let catalog = sample();
        let surface = surface(&catalog, equipped());
        let result = catalog.search(&surface, &query, 5);
        prop_assert_eq!(&catalog.search(&surface, &query, 5), &result);
        prop_assert!(result.problems().is_empty());
    }
}
