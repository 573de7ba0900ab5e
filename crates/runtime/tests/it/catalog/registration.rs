//! What a definition must and should have.

use std::sync::Arc;

use assent_protocol::{
    agent_tool::{
        AccessKind, ArgumentMode, FlagName, MappingSource, MutationPolicy, MutationRule,
        ToolExternalMapping, ToolKind,
    },
    wire::{Loose, Open},
};
use assent_runtime::Catalog;
use serde_json::{Value, json};

use crate::definitions::{
    Idle, catalog, contract, definition, lints, problems, register, schema, tool, with,
};

fn unchecked<Id: for<'de> serde::Deserialize<'de>>(text: &str) -> Id {
    serde_json::from_value(Value::from(text)).unwrap()
}

/// Item 1: what is required must be there.
#[test]
fn a_declaration_without_what_is_required_is_refused_with_every_reason() {
    let empty = with("t", "read", |tool| {
        tool.declaration.schema_version = "".into();
        tool.declaration.tool_id = unchecked("");
        tool.declaration.namespace = unchecked("");
        tool.declaration.name = unchecked("");
        tool.declaration.description.clear();
    });
    let found = problems(empty);
    for field in ["schema_version", "tool_id", "namespace", "name", "description"] {
        assert!(found.contains(&format!("/declaration/{field}")), "{field}: {found:?}");
    }
}

/// Items 1, 8: lifecycle and kind cannot be left out of a declaration at all, and a lifecycle is one of
/// the seven words.
#[test]
fn lifecycle_and_kind_are_part_of_every_declaration() {
    let mut record = serde_json::to_value(definition("t", "read").declaration).unwrap();
    for field in ["lifecycle", "tool_kind"] {
        let mut without = record.clone();
        without.as_object_mut().unwrap().remove(field);
        let read = serde_json::from_value::<assent_protocol::agent_tool::ToolDeclaration>(without);
        assert!(read.unwrap_err().to_string().contains(field));
    }
    record["lifecycle"] = "sleeping".into();
    let read = serde_json::from_value::<assent_protocol::agent_tool::ToolDeclaration>(record);
    assert!(read.unwrap_err().to_string().contains("sleeping"));
}

/// Item 3: structured arguments need a contract.
#[test]
fn structured_arguments_without_a_schema_are_refused() {
    let field = "/declaration/input_contract/model_input_schema";
    let bare = with("t", "read", |tool| tool.declaration.input_contract = None);
    assert_eq!(problems(bare), [field]);
    assert_eq!(
        problems(with("t", "read", |tool| contract(tool).model_input_schema = None)),
        [field]
    );
}

/// Item 3: the interface's schema stands in, with a remark.
#[test]
fn the_schema_of_the_interface_stands_in_for_the_contract() {
    let stand_in = with("t", "read", |tool| {
        tool.declaration.input_contract = None;
        tool.interface.model_input_schema = Some(serde_json::from_value(schema()).unwrap());
    });
    assert_eq!(lints(stand_in.clone()), ["/declaration/input_contract"]);
    let kept: Value = serde_json::from_str(tool(stand_in).model_schema().unwrap()).unwrap();
    assert_eq!(kept, schema());
}

#[test]
fn arguments_that_are_not_structured_need_no_schema() {
    let text = with("t", "say", |tool| {
        contract(tool).model_input_schema = None;
        contract(tool).argument_mode = Some(ArgumentMode::Text.into());
    });
    let tool = tool(text);
    assert_eq!(tool.model_schema(), None);
    assert!(tool.schemas().unwrap().model.accepts(assent_json::Json::null().root()));
}

#[test]
fn unknown_statements_about_inputs_are_refused() {
    let odd = with("t", "read", |tool| {
        contract(tool).argument_mode = Some(Open::read("telepathy"));
        contract(tool).mutation_policy = Some(Loose::Raw(json!("sometimes")));
        contract(tool).defaults = Some(json!([]));
    });
    let contract = "/declaration/input_contract";
    assert_eq!(
        problems(odd),
        ["argument_mode", "defaults", "mutation_policy"].map(|f| format!("{contract}/{f}"))
    );
}

/// Item 7: three to ten words, as a remark.
#[test]
fn a_hint_of_the_wrong_length_is_remarked_on() {
    let hinted =
        |hint: &str| with("t", "read", |tool| tool.declaration.search_hint = Some(hint.to_owned()));
    assert_eq!(lints(hinted("read files")), ["/declaration/search_hint"]);
    assert_eq!(lints(hinted("read the whole file")), [""; 0]);
    assert_eq!(lints(hinted("a b c d e f g h i j k")), ["/declaration/search_hint"]);
}

/// Item 10: `custom` is a fallback.
#[test]
fn a_custom_kind_is_accepted_with_a_remark() {
    let custom = with("t", "read", |tool| tool.declaration.tool_kind = ToolKind::Custom.into());
    assert_eq!(lints(custom), ["/declaration/tool_kind"]);
    let unheard = with("t", "read", |tool| tool.declaration.tool_kind = Open::read("teapot"));
    assert_eq!(lints(unheard), ["/declaration/tool_kind"]);
}

/// Item 12: native names and ids survive.
#[test]
fn native_names_and_ids_survive_unchanged() {
    let mut mapping = ToolExternalMapping::new(MappingSource::Mcp);
    mapping.extra.insert("server_id".to_owned(), json!("files"));
    mapping.extra.insert("tool_name".to_owned(), json!("Read File…"));
    let mapped = with("t", "read", |tool| {
        tool.declaration.external_mappings = Some(vec![mapping.clone().into()]);
        tool.interface.external_mappings = Some(vec![mapping.clone().into()]);
    });
    let tool = tool(mapped);
    assert_eq!(tool.mappings, [mapping.clone()]);
    assert_eq!(tool.declaration().external_mappings, Some(vec![Loose::Typed(mapping)]));
}

/// Item 13: capabilities are not entry points.
#[test]
fn an_entry_point_is_no_capability() {
    let capable = with("t", "read", |tool| {
        let refs = ["files.read", "https://example.com/app", "/menu/open", "Click here"];
        tool.declaration.capability_refs = Some(refs.map(str::to_owned).to_vec());
    });
    let field = |at| format!("/declaration/capability_refs/{at}");
    assert_eq!(lints(capable), [field(1), field(2), field(3)]);
}

/// Item 14: a native schema is used as it is, and can be found where it came from.
#[test]
fn a_native_schema_is_taken_as_it_is() {
    let native = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"q": {"type": "string", "x-native": {"b": 1, "a": 2}}}});
    let given = with("t", "read", |tool| {
        contract(tool).model_input_schema = Some(native.clone());
        tool.interface.schema_visibility =
            Some(assent_protocol::agent_tool::SchemaVisibility::NativeRef);
    });
    assert_eq!(lints(given.clone()), ["/interface/schema_visibility"]);
    let tool = tool(given);
    assert_eq!(serde_json::from_str::<Value>(tool.model_schema().unwrap()).unwrap(), native);
}

/// Item 15: fields of later versions come through.
#[test]
fn unknown_fields_are_kept() {
    let future = with("t", "read", |tool| {
        tool.declaration.extra.insert("from_the_future".to_owned(), json!({"a": 1}));
        tool.interface.extra.insert("also_new".to_owned(), json!([2]));
    });
    let tool = tool(future);
    assert_eq!(tool.declaration().extra["from_the_future"], json!({"a": 1}));
    assert_eq!(tool.interface().extra["also_new"], json!([2]));
}

/// Item 25: a tool that matters for security names the input of its classifier.
#[test]
fn a_security_relevant_tool_without_classifier_input_is_flagged() {
    let field = "/interface/classifier_input";
    let code = with("t", "py", |tool| tool.declaration.tool_kind = ToolKind::CodeExecution.into());
    assert_eq!(lints(code), [field]);
    let paying = with("t", "pay", |tool| {
        tool.permission.access_kinds = Some(vec![AccessKind::Payment.into()]);
    });
    assert_eq!(lints(paying), [field]);
}

/// Item 25: a classifier that would be shown nothing is refused.
#[test]
fn a_fact_left_to_a_classifier_needs_something_to_look_at() {
    let blind = with("t", "sh", |tool| {
        tool.interface.is_read_only =
            Some(assent_protocol::agent_tool::Flag::Text("classifier:sh".to_owned()));
    });
    assert_eq!(problems(blind), ["/interface/classifier_input"]);
}

#[test]
fn a_flag_that_cannot_be_read_is_remarked_on() {
    let odd = with("t", "read", |tool| {
        tool.interface.is_read_only =
            Some(assent_protocol::agent_tool::Flag::Text("mostly".to_owned()));
    });
    assert_eq!(lints(odd), [format!("/interface/{}", FlagName::IsReadOnly)]);
}

#[test]
fn an_id_that_stands_for_no_tool_is_refused() {
    let nobody = with("t", "read", |tool| {
        tool.declaration.tool_id = unchecked("unresolved:read");
        tool.interface.tool_id = unchecked("unresolved:read");
    });
    assert_eq!(problems(nobody), ["/declaration/tool_id"]);
}

#[test]
fn records_that_speak_of_another_tool_are_refused() {
    let mixed = with("t", "read", |tool| {
        tool.interface.tool_id = unchecked("t:write");
        tool.interface.name = Some(unchecked("write"));
        tool.declaration.execution_profile_ref = Some(unchecked("other"));
        tool.declaration.permission_profile_ref = Some(unchecked("other"));
    });
    assert_eq!(
        problems(mixed),
        [
            "/declaration/execution_profile_ref",
            "/declaration/permission_profile_ref",
            "/interface/name",
            "/interface/tool_id",
        ]
    );
}

#[test]
fn needs_that_cannot_be_read_are_refused_rather_than_overlooked() {
    let odd = with("t", "read", |tool| {
        let extra = &mut tool.interface.extra;
        extra.insert("required_credentials".to_owned(), json!("token"));
        extra.insert("feature_gate_refs".to_owned(), json!([1]));
        extra.insert("requires_setup".to_owned(), json!("yes"));
        extra.insert("model_requirements".to_owned(), json!({"min_context": 8000}));
    });
    assert_eq!(
        problems(odd),
        [
            "/interface/feature_gate_refs",
            "/interface/model_requirements/min_context",
            "/interface/required_credentials",
            "/interface/requires_setup",
        ]
    );
}

#[test]
fn the_input_of_the_model_may_not_be_changed_unless_the_tool_says_so() {
    let silent = tool(definition("t", "read"));
    assert_eq!(silent.hooks_may_change, MutationRule::InternalOnly);
    assert_eq!(silent.prompts_may_change, MutationRule::InternalOnly);
    let open = tool(with("t", "read", |tool| {
        let policy = MutationPolicy { hooks: Some(MutationRule::Allow), ..Default::default() };
        contract(tool).mutation_policy = Some(Loose::Typed(policy));
    }));
    assert_eq!(open.hooks_may_change, MutationRule::Allow);
    assert_eq!(open.prompts_may_change, MutationRule::InternalOnly);
}

#[test]
fn the_digest_changes_with_everything_that_was_said_and_with_nothing_else() {
    let plain = tool(definition("t", "read")).digest;
    assert_eq!(tool(definition("t", "read")).digest, plain);
    let changes: [fn(&mut assent_runtime::ToolDefinition); 8] = [
        |tool| tool.declaration.description.push('!'),
        |tool| tool.interface.is_read_only = Some(true.into()),
        |tool| tool.execution.supports_cancel = Some(false),
        |tool| tool.permission.approval_required = Some(false),
        |tool| tool.persistence.max_inline_chars = Some(1),
        |tool| tool.trusted = true,
        |tool| contract(tool).model_input_schema = Some(json!({"type": "object"})),
        |tool| {
            let lock = assent_protocol::agent_tool::ResourceLock::new(
                "k",
                assent_protocol::agent_tool::LockMode::Shared,
            );
            tool.locks.push(lock);
        },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        assert_ne!(tool(with("t", "read", change)).digest, plain, "change {at}");
    }
}

#[test]
fn a_definition_without_a_canonical_form_is_refused() {
    let odd = with("t", "read", |tool| {
        contract(tool).examples = Some(vec![json!(9_007_199_254_740_993_u64)]);
    });
    assert_eq!(problems(odd), [""]);
}

#[test]
fn a_refused_definition_leaves_the_catalog_as_it_was() {
    let mut catalog = catalog([definition("t", "read")]);
    let (generation, digest) = (catalog.generation(), catalog.find("read").unwrap().digest);
    let broken = with("t", "read", |tool| tool.declaration.description.clear());
    let error = catalog.register(broken, Arc::new(Idle)).unwrap_err();
    assert_eq!(error.tool, "t:read");
    assert!(
        error
            .to_string()
            .starts_with("the tool `t:read` cannot be registered; /declaration/description")
    );
    assert_eq!((catalog.generation(), catalog.find("read").unwrap().digest), (generation, digest));
}

#[test]
fn registering_the_same_definition_again_is_nothing_new() {
    let mut catalog = Catalog::new();
    assert!(register(&mut catalog, definition("t", "read")).is_new);
    let again = register(&mut catalog, definition("t", "read"));
    assert!(!again.is_new && again.replaced.is_none());
    let changed = with("t", "read", |tool| tool.declaration.description.push('!'));
    let changed = register(&mut catalog, changed);
    assert!(changed.is_new && changed.replaced.is_some());
    assert_eq!(changed.tool.id.as_str(), "t:read");
}
