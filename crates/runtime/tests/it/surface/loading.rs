//! Tools that are loaded on the way.

use assent_protocol::agent_tool::{
    LoadingState, MappingSource, SchemaVisibility, ToolExternalMapping, ToolLifecycle,
    strict::Strict,
};
use assent_runtime::{Catalog, Surface, ToolDefinition, surface::Resolution};
use serde_json::json;

use crate::definitions::{catalog, definition, equipped, living, minter, register, surface, with};

fn provided(name: &str, lifecycle: ToolLifecycle) -> ToolDefinition {
    with("jira", name, |tool| {
        tool.provider = Some("jira".parse().unwrap());
        tool.declaration.lifecycle = lifecycle;
    })
}

fn state(surface: &Surface, id: &str) -> Option<LoadingState> {
    surface.loading_state(&id.parse().unwrap())
}

/// Item 43: everything that a reference can hold.
#[test]
fn a_deferred_reference_is_complete() {
    let mut tool = provided("tickets", ToolLifecycle::Deferred);
    tool.declaration.search_hint = Some("list open tickets".to_owned());
    let mut mapping = ToolExternalMapping::new(MappingSource::Mcp);
    mapping.extra.insert("tool_name".to_owned(), json!("tickets"));
    tool.declaration.external_mappings = Some(vec![mapping.into()]);
    let catalog = catalog([tool]);
    let surface = surface(&catalog, equipped());
    let refs: Vec<_> = surface.deferred_refs().collect();
    assert!(refs[0].problems().is_empty());
    assert_eq!(
        serde_json::to_value(&refs).unwrap(),
        json!([{
            "schema_version": "0.2.0",
            "tool_id": "jira:tickets",
            "name": "tickets",
            "loading_state": "deferred",
            "namespace": "jira",
            "search_hint": "list open tickets",
            "source": "jira",
            "schema_visibility": "deferred",
            "reason": "deferred_by_lifecycle",
            "selection_ref": "select:jira/tickets",
            "native_ref": {"source": "mcp", "tool_name": "tickets"},
        }])
    );
}

/// Item 42: what is deferred does not show its schema, and there are three ways to be deferred.
#[test]
fn tools_are_deferred_by_lifecycle_interface_or_budget() {
    let by_visibility = with("t", "seen", |tool| {
        tool.interface.schema_visibility = Some(SchemaVisibility::Deferred);
    });
    let by_wish = with("t", "shy", |tool| {
        tool.interface.extra.insert("should_defer".to_owned(), json!(true));
    });
    let catalog = catalog([
        living("later", ToolLifecycle::Deferred),
        by_visibility,
        by_wish,
        definition("t", "plain"),
    ]);
    let mut context = equipped();
    context.budget = Some(0);
    let surface = surface(&catalog, context);
    assert_eq!(surface.loaded().count(), 0);
    let reasons: Vec<_> = surface
        .deferred_refs()
        .map(|record| (record.loading_state, record.reason.unwrap()))
        .collect();
    let expected = [
        (LoadingState::Deferred, "deferred_by_lifecycle"),
        (LoadingState::Deferred, "deferred_by_interface"),
        (LoadingState::Deferred, "deferred_by_interface"),
        (LoadingState::Discoverable, "deferred_until_discovered"),
    ];
    assert_eq!(reasons, expected.map(|(state, reason)| (state, reason.to_owned())));
}

/// Item 44: all five states, and the ways between them.
#[test]
fn changes_of_the_loading_state_can_be_observed() {
    let mut catalog =
        catalog([provided("tickets", ToolLifecycle::Available), definition("t", "plain")]);
    catalog.provider_pending("jira".parse().unwrap());
    let minter = minter();
    let mut context = equipped();
    context.budget = Some(0);
    let mut surfaces = vec![Surface::build(&catalog, context.clone(), &minter, None)];
    let next = |catalog: &Catalog, surfaces: &mut Vec<Surface>| {
        let before = surfaces.last().unwrap();
        let surface = Surface::build(catalog, context.clone(), &minter, Some(before));
        let moved: Vec<_> = surface
            .moved_since(before)
            .map(|record| (record.tool_id.to_string(), record.loading_state))
            .collect();
        surfaces.push(surface);
        moved
    };
    let tickets = |state| vec![("jira:tickets".to_owned(), state)];
    assert_eq!(state(&surfaces[0], "jira:tickets"), Some(LoadingState::PendingProvider));
    let waiting = surfaces[0].deferred_ref(&"jira:tickets".parse().unwrap()).unwrap();
    assert_eq!(waiting.pending_provider_or_server.as_deref(), Some("jira"));
    assert!(waiting.problems().is_empty());

    catalog.provider_ready(&"jira".parse().unwrap());
    assert_eq!(next(&catalog, &mut surfaces), tickets(LoadingState::Discoverable));
    register(&mut catalog, provided("tickets", ToolLifecycle::Deferred));
    assert_eq!(next(&catalog, &mut surfaces), tickets(LoadingState::Deferred));
    let loading = surfaces.last().unwrap().load(["tickets"], &self::minter());
    assert_eq!(loading.refs[0].loading_state, LoadingState::Loaded);
    let moved: Vec<_> = loading.surface.moved_since(surfaces.last().unwrap()).collect();
    assert_eq!(moved, loading.refs);
    surfaces.push(loading.surface);
    catalog.provider_failed("jira".parse().unwrap(), "gone");
    assert_eq!(next(&catalog, &mut surfaces), tickets(LoadingState::Unavailable));
}

/// Items 49, 50: before it is loaded, a tool is distinguished from one that can be called.
#[test]
fn a_deferred_tool_is_not_callable_before_it_is_loaded() {
    let catalog = catalog([living("later", ToolLifecycle::Deferred)]);
    let surface = surface(&catalog, equipped());
    let Resolution::Deferred(tool) = surface.resolve("later") else { panic!("not deferred") };
    let hint = surface.deferred_ref(&tool.id).unwrap().selection_ref;
    assert_eq!(hint.as_deref(), Some("select:t/later"));
    let loading = surface.load(["t/later"], &minter());
    assert!(matches!(loading.surface.resolve("later"), Resolution::Loaded(_)));
    assert!(
        matches!(surface.resolve("later"), Resolution::Deferred(_)),
        "the old surface is as it was"
    );
}

/// Item 50: the tool of a provider that is not there cannot be loaded.
#[test]
fn a_pending_tool_cannot_be_loaded() {
    let mut catalog = catalog([provided("tickets", ToolLifecycle::Available)]);
    catalog.provider_pending("jira".parse().unwrap());
    let surface = surface(&catalog, equipped());
    let loading = surface.load(["tickets"], &minter());
    assert!(loading.loaded.is_empty());
    assert_eq!(loading.surface.id(), surface.id());
    assert_eq!(loading.refs[0].loading_state, LoadingState::PendingProvider);
    assert!(matches!(loading.surface.resolve("tickets"), Resolution::Deferred(_)));
}

/// E55: loading gives a new surface that names the old one.
#[test]
fn loading_makes_a_new_surface_and_only_if_there_is_something_to_load() {
    let catalog = catalog([
        living("later", ToolLifecycle::Deferred),
        definition("t", "now"),
        living("off", ToolLifecycle::Disabled),
    ]);
    let surface = surface(&catalog, equipped());
    let minter = minter();
    let loading = surface.load(["later", "now", "off", "nobody", "later"], &minter);
    assert_eq!(loading.surface.supersedes(), Some(surface.id()));
    assert_eq!(loading.loaded.len(), 1);
    let states: Vec<_> = loading.refs.iter().map(|record| record.loading_state).collect();
    assert_eq!(
        states,
        [
            LoadingState::Loaded,
            LoadingState::Loaded,
            LoadingState::Unavailable,
            LoadingState::Loaded
        ]
    );
    assert_eq!(loading.missing, ["nobody"]);
    assert!(loading.refs.iter().all(|record| record.problems().is_empty()));
    let again = loading.surface.load(["later"], &minter);
    assert_eq!(again.surface.id(), loading.surface.id());
    let record = loading.surface.record();
    assert_eq!(serde_json::to_value(record.loaded_tools).unwrap(), json!(["t:now", "t:later"]));
    assert_eq!(record.selection_policy.unwrap()["loaded_on_request"], json!(1));
}

/// E55: a schema that the caller has seen stays loaded; one that has changed does not.
#[test]
fn what_was_loaded_stays_loaded_unless_it_has_changed() {
    let mut catalog =
        catalog([living("a", ToolLifecycle::Deferred), living("b", ToolLifecycle::Deferred)]);
    let minter = minter();
    let surface = surface(&catalog, equipped()).load(["a", "b"], &minter).surface;
    let changed = with("t", "b", |tool| {
        tool.declaration.lifecycle = ToolLifecycle::Deferred;
        tool.declaration.description.push_str(" Differently.");
    });
    register(&mut catalog, changed);
    let next = Surface::build(&catalog, equipped(), &minter, Some(&surface));
    assert!(matches!(next.resolve("a"), Resolution::Loaded(_)));
    assert!(matches!(next.resolve("b"), Resolution::Deferred(_)));
    assert!(matches!(surface.resolve("b"), Resolution::Loaded(_)));
}

#[test]
fn only_so_many_tools_are_loaded_at_once() {
    let most = assent_runtime::surface::MAX_LOADED_AT_ONCE;
    let names: Vec<String> = (0..=most).map(|number| format!("tool_{number}")).collect();
    let catalog = catalog(names.iter().map(|name| living(name, ToolLifecycle::Deferred)));
    let surface = surface(&catalog, equipped());
    let load =
        |count| surface.load(names.iter().take(count).map(String::as_str), &minter()).loaded.len();
    assert_eq!((load(most), load(most + 1)), (most, most));
}
