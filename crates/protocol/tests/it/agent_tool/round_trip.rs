//! What is written fits the published schemas and reads back the same; what is read is written
//! unchanged.

use assent_protocol::agent_tool::*;
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{
    arbitrary::Arb,
    foreign,
    json::{Gen, normal},
    schemas::{assert_valid, published, validator},
};

/// Random instances of a record: written, validated, read.
fn own<R: Record + Arb + PartialEq + std::fmt::Debug>() {
    let validator = validator(R::KIND);
    proptest!(ProptestConfig::with_cases(150), |(seed: u64)| {
        let record: R = Gen(seed).any();
        let written = serde_json::to_value(&record).unwrap();
        if let Some(validator) = &validator {
            assert_valid(validator, &written);
        }
        prop_assert!(!has_own_null(&record), "absent is omitted, never null");
        let text = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(serde_json::from_str::<R>(&text).unwrap(), record);
    });
}

/// Whether an absent field was written as `null`: the written form of a record without its content
/// holds no `null` at all.
fn has_own_null<R: Record>(record: &R) -> bool {
    let Value::Object(fields) = serde_json::to_value(record).unwrap() else { return true };
    let any_json = [
        "model_input",
        "observable_input",
        "permission_input",
        "call_input",
        "updated_input",
        "updated_output",
        "structured_content",
        "classifier_input",
        "default_tool_choice",
        "model_input_schema",
        "runtime_input_schema",
        "defaults",
        "structured_schema",
        "artifact_expectations",
        "rendering_boundary",
        "redaction_rules",
        "native_error_ref",
        "retry_after",
        "access",
        "native_ref",
    ];
    fields.iter().any(|(name, value)| {
        value.is_null() && !any_json.contains(&name.as_str()) && !name.starts_with('x')
    })
}

/// Random JSON that fits the published schema: read, written, compared.
fn others<R: Record>() {
    let schema = published(R::KIND).unwrap();
    let validator = validator(R::KIND).unwrap();
    proptest!(ProptestConfig::with_cases(400), |(seed: u64)| {
        let received = foreign::record(&schema, &mut Gen(seed));
        assert_valid(&validator, &received);
        let record: R = serde_json::from_str(&received.to_string())
            .map_err(|error| TestCaseError::fail(format!("{error}\n{received:#}")))?;
        let written = serde_json::to_value(&record).unwrap();
        prop_assert_eq!(normal(&written), normal(&received));
    });
}

macro_rules! round_trips {
    ($($test:ident: $record:ident;)+) => {$(
        mod $test {
            use super::*;

            #[test]
            fn our_own_fit_the_schema_and_read_back() {
                own::<$record>();
            }

            #[test]
            fn those_of_others_are_written_unchanged() {
                if $record::KIND.published_schema().is_some() {
                    others::<$record>();
                }
            }
        }
    )+};
}

round_trips! {
    declaration: ToolDeclaration;
    namespace: ToolNamespace;
    interface: ToolInterface;
    surface: ToolSurface;
    deferred_tool: DeferredToolRef;
    search_result: ToolSearchResult;
    input_contract: ToolInputContract;
    output_contract: ToolOutputContract;
    external_mapping: ToolExternalMapping;
    permission_profile: ToolPermissionProfile;
    permission_decision: ToolPermissionDecision;
    execution_profile: ToolExecutionProfile;
    hook: ToolHook;
    input_mutation: ToolInputMutation;
    scheduler_policy: ToolSchedulerPolicy;
    invocation: ToolInvocation;
    progress: ToolProgress;
    result: ToolResult;
    result_persistence: ToolResultPersistence;
    error: ToolError;
    event: ToolEvent;
}

#[test]
fn fifteen_records_have_a_published_schema() {
    let published = RecordKind::ALL.iter().filter(|kind| kind.published_schema().is_some());
    assert_eq!((published.count(), RecordKind::ALL.len()), (15, 21));
    for kind in RecordKind::ALL {
        assert_eq!(kind.published_schema().is_some(), validator(*kind).is_some());
    }
}
