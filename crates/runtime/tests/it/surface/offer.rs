//! What a surface offers and records.

use std::collections::BTreeSet;

use assent_protocol::{
    agent_tool::{ExclusionReason, SurfaceScope, ToolLifecycle, strict::Strict},
    wire::Open,
};
use assent_runtime::{
    Block, Catalog, Surface, SurfaceContext,
    surface::{ModelCapabilities, Resolution, Role, ToolChoice},
};
use proptest::prelude::*;
use serde_json::json;

use crate::definitions::{catalog, definition, equipped, living, minter, register, surface, with};

fn names(surface: &Surface) -> Vec<&str> {
    surface.loaded().map(|tool| tool.name.as_str()).collect()
}

/// Item 8: only what is available is freely offered and callable.
#[test]
fn each_lifecycle_has_its_place() {
    for lifecycle in ToolLifecycle::ALL {
        let catalog = catalog([living("act", *lifecycle)]);
        let surface = surface(&catalog, equipped());
        let resolution = surface.resolve("act");
        let (fits, offered) = match lifecycle {
            ToolLifecycle::Available => (matches!(resolution, Resolution::Loaded(_)), 1),
            ToolLifecycle::Deprecated => (matches!(resolution, Resolution::Loaded(_)), 0),
            ToolLifecycle::Deferred => (matches!(resolution, Resolution::Deferred(_)), 0),
            ToolLifecycle::Disabled => (
                matches!(
                    resolution,
                    Resolution::Blocked { reason: ExclusionReason::FeatureDisabled, .. }
                ),
                0,
            ),
            ToolLifecycle::RequiresSetup => (
                matches!(
                    resolution,
                    Resolution::Blocked { reason: ExclusionReason::SetupRequired, .. }
                ),
                0,
            ),
            ToolLifecycle::Draft | ToolLifecycle::Retired => {
                (matches!(resolution, Resolution::NotSurfaced(_)), 0)
            }
        };
        assert!(fits, "{lifecycle}: {resolution:?}");
        assert_eq!(surface.loaded().count(), offered, "{lifecycle}");
    }
}

/// Item 9: a tool comes back when its condition clears; a retired id still leads to its history.
#[test]
fn a_disabled_tool_returns_and_a_retired_one_is_history() {
    let mut catalog =
        catalog([living("act", ToolLifecycle::Disabled), living("old", ToolLifecycle::Retired)]);
    register(&mut catalog, living("act", ToolLifecycle::Available));
    assert!(matches!(surface(&catalog, equipped()).resolve("act"), Resolution::Loaded(_)));
    assert!(catalog.get(&"t:old".parse().unwrap()).is_some());
}

/// Item 33: the record is complete.
#[test]
fn the_record_of_a_surface_is_complete() {
    let catalog = catalog([
        definition("t", "read"),
        living("later", ToolLifecycle::Deferred),
        living("off", ToolLifecycle::Disabled),
        living("draft", ToolLifecycle::Draft),
        living("old", ToolLifecycle::Deprecated),
    ]);
    let mut context = equipped();
    context.producer = Some("assent".to_owned());
    context.reason = Some("a test".to_owned());
    context.capability_requirements = vec!["files.read".to_owned()];
    context.policy_refs = vec!["policy:1".to_owned()];
    context.runtime_refs = vec!["session:1".to_owned()];
    context.role = Some(Role { name: "reader".to_owned(), may_use: None });
    let surface = surface(&catalog, context);
    let record = surface.record();
    assert!(record.problems().is_empty(), "{:?}", record.problems());
    assert_eq!(record.surface_id.as_str(), surface.id().to_string());
    let record = serde_json::to_value(record).unwrap();
    for (field, value) in [
        ("scope", json!("session")),
        ("created_at", json!("2023-11-14T22:13:20.000Z")),
        ("producer", json!("assent")),
        ("tool_refs", json!(["t:read", "t:later", "t:old"])),
        ("loaded_tools", json!(["t:read"])),
        ("deferred_tools", json!(["t:later"])),
        (
            "blocked_tools",
            json!([{"tool_id": "t:off", "reason": "feature_disabled", "detail": "it is switched off"}]),
        ),
        (
            "excluded_tools",
            json!([{"tool_id": "t:draft", "reason": "draft", "detail": "it is still a draft"}]),
        ),
        ("default_tool_choice", json!("auto")),
        ("capability_requirements", json!(["files.read"])),
        (
            "model_capabilities",
            json!({"strict_schemas": true, "parallel_calls": true, "deferred_refs": true, "media": []}),
        ),
        (
            "role_constraints",
            json!({"role": "reader", "read_only": false, "interactive": true, "sub_agent": false}),
        ),
        ("surface_reason", json!("a test")),
        ("policy_refs", json!(["policy:1"])),
        ("runtime_refs", json!(["session:1"])),
    ] {
        assert_eq!(record[field], value, "{field}");
    }
    assert_eq!(record["selection_policy"]["deferred"], json!(1));
    assert_eq!(record["selection_policy"]["deprecated"], json!(1));
}

/// Items 34, 39: only the surface counts, whatever the catalog has.
#[test]
fn what_is_not_on_the_surface_is_not_resolved() {
    let mut catalog = catalog([definition("a", "read"), definition("b", "read")]);
    let mut context = equipped();
    let allowed = BTreeSet::from(["a/".to_owned()]);
    context.role = Some(Role { name: "guest".to_owned(), may_use: Some(allowed) });
    let surface = surface(&catalog, context);
    let Resolution::Loaded(tool) = surface.resolve("read") else { panic!("not loaded") };
    assert_eq!(tool.id.as_str(), "a:read");
    assert!(
        matches!(surface.resolve("b/read"), Resolution::NotSurfaced(id) if id.as_str() == "b:read")
    );
    register(&mut catalog, definition("a", "write"));
    assert!(matches!(surface.resolve("write"), Resolution::Unknown));
}

/// Item 35: a budget, and a way to find the rest.
#[test]
fn beyond_the_budget_tools_have_to_be_found() {
    let many = (0..9).map(|number| definition("t", &format!("tool_{number}")));
    let important = with("t", "important", |tool| {
        tool.interface.extra.insert("always_load".to_owned(), json!(true));
    });
    let catalog = catalog(many.chain([important]));
    let mut context = equipped();
    context.budget = Some(3);
    let surface = surface(&catalog, context.clone());
    assert_eq!(names(&surface), ["tool_0", "tool_1", "important"]);
    assert!(surface.offers_discovery());
    let policy = surface.record().selection_policy.unwrap();
    assert_eq!(
        (&policy["budget"], &policy["deferred"], &policy["discovery"]),
        (&json!(3), &json!(7), &json!(true))
    );
    context.budget = None;
    assert!(!self::surface(&catalog, context).offers_discovery());
}

/// Item 37: whatever changes, the surface is no longer current.
#[test]
fn every_change_of_circumstances_asks_for_a_new_surface() {
    let mut catalog = catalog([definition("t", "read")]);
    let surface = surface(&catalog, equipped());
    assert!(surface.is_current(&catalog, &equipped()));
    let changes: [fn(&mut SurfaceContext); 12] = [
        |context| context.policy_refs.push("p".to_owned()),
        |context| context.blocked.push(Block::new("read", ExclusionReason::PolicyBlocked)),
        |context| context.credentials = BTreeSet::from(["token".to_owned()]),
        |context| context.scope = SurfaceScope::Workspace.into(),
        |context| context.runtime_refs.push("skill:1".to_owned()),
        |context| context.sub_agent = true,
        |context| context.model = ModelCapabilities::default(),
        |context| context.features = BTreeSet::from(["beta".to_owned()]),
        |context| context.read_only = true,
        |context| context.interactive = false,
        |context| context.role = Some(Role { name: "guest".to_owned(), may_use: None }),
        |context| context.browser_session = false,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut context = equipped();
        change(&mut context);
        assert!(!surface.is_current(&catalog, &context), "change {at}");
    }
    let mut changed = |change: &dyn Fn(&mut Catalog)| {
        let before = self::surface(&catalog, equipped());
        change(&mut catalog);
        !before.is_current(&catalog, &equipped())
    };
    assert!(changed(&|catalog| _ = register(catalog, definition("t", "write"))));
    assert!(changed(&|catalog| catalog.provider_pending("p".parse().unwrap())));
    assert!(!changed(&|catalog| catalog.provider_pending("p".parse().unwrap())));
    assert!(changed(&|catalog| catalog.provider_ready(&"p".parse().unwrap())));
    assert!(changed(&|catalog| _ = catalog.remove(&"t:write".parse().unwrap())));
}

/// E55: a new surface names the one it replaces.
#[test]
fn a_surface_is_superseded_and_never_changed() {
    let catalog = catalog([definition("t", "read")]);
    let minter = minter();
    let first = Surface::build(&catalog, equipped(), &minter, None);
    let second = Surface::build(&catalog, equipped(), &minter, Some(&first));
    assert_ne!(first.id(), second.id());
    assert_eq!((first.supersedes(), second.supersedes()), (None, Some(first.id())));
    assert!(second.record().problems().is_empty());
}

/// Item 40.
#[test]
fn the_default_choice_is_a_word_or_a_tool() {
    for (value, choice) in [
        (json!("auto"), ToolChoice::Auto),
        (json!("none"), ToolChoice::None),
        (json!("required"), ToolChoice::Required),
        (json!({"type": "tool", "name": "read"}), ToolChoice::Tool("read".to_owned())),
    ] {
        assert_eq!(ToolChoice::read(&value), Some(choice.clone()));
        assert_eq!(choice.to_value(), value);
        let mut context = equipped();
        context.default_tool_choice = choice.clone();
        let catalog = catalog([definition("t", "read")]);
        let surface = surface(&catalog, context);
        assert_eq!(surface.default_tool_choice(), &choice);
        assert_eq!(surface.record().default_tool_choice, Some(value));
    }
    assert_eq!(ToolChoice::read(&json!("sometimes")), None);
}

/// Item 40: a chosen tool is loaded, however small the budget; one that cannot be called is not chosen.
#[test]
fn a_chosen_tool_is_loaded_or_not_chosen() {
    let catalog = catalog([
        definition("t", "first"),
        living("later", ToolLifecycle::Deferred),
        living("off", ToolLifecycle::Disabled),
    ]);
    let choose = |name: &str| {
        let mut context = equipped();
        context.budget = Some(1);
        context.default_tool_choice = ToolChoice::Tool(name.to_owned());
        surface(&catalog, context)
    };
    assert_eq!(names(&choose("later")), ["later"]);
    for name in ["off", "nobody"] {
        let surface = choose(name);
        assert_eq!(surface.default_tool_choice(), &ToolChoice::Auto);
        let policy = surface.record().selection_policy.unwrap();
        assert_eq!(policy["default_tool_choice_refused"], json!({"type": "tool", "name": name}));
    }
}

/// Item 41.
#[test]
fn tools_beyond_the_models_means_are_left_out() {
    let needing = |name: &str, needs: serde_json::Value| {
        with("t", name, |tool| {
            tool.interface.extra.insert("model_requirements".to_owned(), needs);
        })
    };
    let catalog = catalog([
        needing("see", json!(["image"])),
        needing("many", json!({"parallel_calls": true, "image": false})),
        needing("odd", json!(["telepathy"])),
        with("t", "exact", |tool| tool.interface.strict = Some(true)),
        living("later", ToolLifecycle::Deferred),
        definition("t", "plain"),
    ]);
    let mut context = equipped();
    context.model = ModelCapabilities::default();
    let poor = surface(&catalog, context.clone());
    assert_eq!(names(&poor), ["plain"]);
    for excluded in poor.record().excluded_tools.unwrap() {
        assert_eq!(excluded.typed().unwrap().reason, ExclusionReason::ModelUnsupported);
    }
    context.model = ModelCapabilities {
        strict: true,
        parallel: true,
        deferred: true,
        media: BTreeSet::from(["image".to_owned()]),
    };
    assert_eq!(names(&surface(&catalog, context)), ["see", "many", "exact", "plain"]);
}

#[test]
fn a_debug_print_of_a_surface_is_short() {
    let catalog = catalog((0..50).map(|number| definition("t", &format!("tool_{number}"))));
    let text = format!("{:?}", surface(&catalog, equipped()));
    assert!(text.ends_with("50 tools)") && text.len() < 60, "{text}");
}

/// The record of a large surface stays small; its counts are complete.
#[test]
fn a_record_lists_a_bounded_number_of_deferred_tools() {
    let many = assent_runtime::surface::MAX_LISTED + 10;
    let catalog = catalog((0..many).map(|number| definition("t", &format!("tool_{number}"))));
    let mut context = equipped();
    context.budget = Some(0);
    let record = surface(&catalog, context).record();
    assert_eq!(record.deferred_tools.unwrap().len(), assent_runtime::surface::MAX_LISTED);
    assert_eq!(record.selection_policy.unwrap()["deferred"], json!(many));
}

fn any_lifecycle() -> impl Strategy<Value = ToolLifecycle> {
    prop::sample::select(ToolLifecycle::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However many tools there are and whatever is asked for: what is offered unasked fits the budget.
    #[test]
    fn the_budget_is_never_exceeded(
        tools in prop::collection::vec((any_lifecycle(), any::<bool>()), 0..30),
        budget in prop::option::of(0_usize..12),
        asked in prop::collection::vec(0_usize..30, 0..4),
    ) {
        let catalog = catalog(tools.iter().enumerate().map(|(at, (lifecycle, always))| {
            let mut tool = living(&format!("tool_{at}"), *lifecycle);
            tool.interface.extra.insert("always_load".to_owned(), json!(always));
            tool
        }));
        let mut context = equipped();
        context.budget = budget;
        let minter = minter();
        let first = Surface::build(&catalog, context.clone(), &minter, None);
        prop_assert!(first.loaded().count() <= budget.unwrap_or(usize::MAX));

        let asked: Vec<String> = asked.iter().map(|at| format!("tool_{at}")).collect();
        let loaded = first.load(asked.iter().map(String::as_str), &minter);
        let again = Surface::build(&catalog, context, &minter, Some(&loaded.surface));
        prop_assert!(again.loaded().count() <= budget.unwrap_or(usize::MAX).max(loaded.loaded.len()));
        for tool in &loaded.loaded {
            prop_assert!(matches!(again.resolve(tool.name.as_str()), Resolution::Loaded(_)));
        }

        let available = tools.iter().filter(|(lifecycle, _)| matches!(lifecycle, ToolLifecycle::Available | ToolLifecycle::Deferred));
        prop_assert_eq!(first.loaded().count() + first.deferred_count(), available.count());
        prop_assert_eq!(first.deferred_refs().count(), first.deferred_count());
        prop_assert!(first.record().problems().is_empty());
    }

    /// Any text means something on a surface, and what is loaded is in the list of loaded tools.
    #[test]
    fn resolution_is_total(requested in prop_oneof![any::<String>(), "[ab/]{0,6}", "(t|u)/[ab]"]) {
        let catalog = catalog([definition("t", "a"), definition("u", "a"), definition("t", "b"), living("d", ToolLifecycle::Draft)]);
        let surface = surface(&catalog, equipped());
        match surface.resolve(&requested) {
            Resolution::Loaded(tool) => {
                let is_named = requested == tool.name.as_str() || requested == tool.qualified_name();
                prop_assert!(is_named && surface.loaded().any(|loaded| loaded.id == tool.id));
            }
            Resolution::Ambiguous(candidates) => prop_assert!(requested == "a" && candidates.len() == 2),
            Resolution::NotSurfaced(id) => prop_assert_eq!(id.as_str(), "t:d"),
            Resolution::Unknown => prop_assert!(catalog.find(&requested).is_none()),
            Resolution::Deferred(_) | Resolution::Blocked { .. } => prop_assert!(false, "{requested}"),
        }
    }
}

#[test]
fn reasons_of_the_host_are_kept_even_if_the_standard_has_no_word_for_them() {
    let catalog = catalog([definition("t", "read")]);
    let mut context = equipped();
    context.blocked = vec![Block::new("read", Open::read("full_moon"))];
    let surface = surface(&catalog, context);
    let Resolution::Blocked { reason, detail, .. } = surface.resolve("read") else {
        panic!("not blocked")
    };
    assert_eq!((reason, detail.as_deref()), (ExclusionReason::PolicyBlocked, Some("full_moon")));
    let record = surface.record();
    assert_eq!(record.blocked_tools.unwrap()[0].typed().unwrap().reason.as_str(), "full_moon");
}
