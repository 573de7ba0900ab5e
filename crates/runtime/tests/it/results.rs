//! What comes of a call, however it ended and whatever became of its bytes.

use std::sync::Arc;

use assent_blobs::{BlobStore, MemoryBlobs, Owner};
use assent_ids::UnixMillis;
use assent_json::Digest;
use assent_protocol::agent_tool::{
    ArtifactRef, ContentBlock, ContentClass, ErrorClass, PersistenceStrategy, ResourceRef,
};
use assent_runtime::{
    Body, Executor, Failure, HiddenCharacters, Output, PersistencePolicy, Request, ToolDefinition,
};
use serde_json::{Value, json};

use crate::{
    actors::{Fails, Gives, Person, fails, no, output, says},
    definitions::contract,
    desk::{Desk, Echo, allow_all, json_of, reader, request, rules, writer},
    story::{as_value, invocation, of_kind, records},
};

fn stored(name: &str, strategy: PersistenceStrategy) -> ToolDefinition {
    let mut definition = reader(name);
    definition.persistence =
        PersistencePolicy { strategy: Some(strategy), ..PersistencePolicy::default() };
    definition
}

fn gives(body: Body) -> Arc<dyn Executor> {
    Arc::new(Gives(output(body)))
}

async fn call(desk: &Desk, tool: &str) -> Value {
    let mut request: Request = request(tool, json!({"path": "a"}));
    request.session = Some("session".into());
    as_value(&desk.runtime.call(request).await)
}

/// Items 142, 159: every way not to do it has its own class, says that it is an error, and belongs to
/// the call that was asked for.
#[tokio::test(start_paused = true)]
async fn every_failure_is_distinguished() {
    let tools: Vec<(ToolDefinition, Arc<dyn Executor>)> = vec![
        (writer("refused"), says("")),
        (writer("rejected"), says("")),
        (reader("fails"), fails(ErrorClass::ExecutionFailed)),
        (reader("offline"), fails(ErrorClass::DependencyUnavailable)),
        (reader("busy"), fails(ErrorClass::RateLimited)),
        (reader("locked_out"), fails(ErrorClass::CredentialMissing)),
        (reader("boxed_in"), fails(ErrorClass::SandboxViolation)),
        (stored("lost", PersistenceStrategy::NeverPersist), says("x".repeat(100_000))),
        (reader("strict"), says("")),
    ];
    let desk = Desk::new(tools, |builder| {
        builder
            .approver(Person::new(|_| no()))
            .policy(rules(json!([{"id": "no", "behavior": "deny", "tool": "refused"}])))
    });
    for (tool, input, status, class) in [
        ("nowhere", json!({"path": "a"}), "failed", "unknown_tool"),
        ("strict", json!({}), "failed", "schema_validation_failed"),
        ("refused", json!({"path": "a"}), "denied", "permission_denied"),
        ("rejected", json!({"path": "a"}), "rejected", "approval_rejected"),
        ("fails", json!({"path": "a"}), "failed", "execution_failed"),
        ("offline", json!({"path": "a"}), "failed", "dependency_unavailable"),
        ("busy", json!({"path": "a"}), "failed", "rate_limited"),
        ("locked_out", json!({"path": "a"}), "failed", "credential_missing"),
        ("boxed_in", json!({"path": "a"}), "failed", "sandbox_violation"),
        ("lost", json!({"path": "a"}), "too_large", "result_too_large"),
    ] {
        let mut request = request(tool, input);
        let invocation: assent_ids::InvocationId =
            "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        request.invocation = (tool == "refused").then_some(invocation);
        let result = as_value(&desk.runtime.call(request).await);
        assert_eq!(result["status"], status, "{tool}");
        assert_eq!(result["is_error"], true, "{tool}");
        assert_eq!(result["error"]["error_class"], class, "{tool}");
        if tool == "refused" {
            assert_eq!(result["invocation_id"], invocation.to_string());
        }
    }
}

/// Items 158, 160, 161: an error says what happened, what can be done, when, and what its own protocol
/// said; to programs and to people.
#[tokio::test(start_paused = true)]
async fn an_error_says_everything_that_helps() {
    let failure = Failure {
        code: Some("quota_exceeded".to_owned()),
        retry_after: Some(std::time::Duration::from_secs(90).into()),
        native: Some(Box::new(json!({"http_status": 429}))),
        ..Failure::new(ErrorClass::RateLimited, "too many calls this hour")
    };
    let tool = Arc::new(crate::actors::Fails(failure));
    let desk = Desk::new(vec![(reader("read"), tool)], |builder| builder);
    let result = call(&desk, "read").await;
    assert_eq!(
        result["error"],
        json!({
            "error_class": "rate_limited", "error_code": "quota_exceeded",
            "message": "too many calls this hour", "recoverability": "retry_after_delay",
            "retry_after": 90, "native_error_ref": {"http_status": 429},
            "retry": {
                "safe": true, "arguments_must_change": false, "discover_first": false,
                "approval_again": false, "sibling_caused": false
            }
        })
    );
    let shown = result["model_facing_content"][0]["text"].as_str().unwrap();
    assert!(shown.starts_with("rate_limited: too many calls this hour\n"), "{shown}");
}

/// Items 143, 144, 149: what is private reaches the model as a summary and a protected reference that
/// says what it refers to and who may have it.
#[tokio::test(start_paused = true)]
async fn a_private_file_is_summed_up_and_referred_to() {
    let desk = Desk::new(
        vec![(stored("diary", PersistenceStrategy::RefOnly), says("dear diary"))],
        |builder| builder,
    );
    let result = call(&desk, "diary").await;
    assert!(!result.to_string().contains("dear diary"));
    assert_eq!(result["summary"], "a text of 10 characters");
    let record = of_kind(&desk, "tool_result_persistence").await.remove(0);
    let place = &record["persisted_ref"];
    assert_eq!(place["digest"], format!("sha256:{}", Digest::of(b"dear diary")));
    assert_eq!(place["access"], json!({"owner": "session", "kept": "session"}));
    assert_eq!(place["redaction_state"], "none");
    assert_eq!(result["persistence_refs"], json!([record["decision_id"]]));
}

/// Items 146-148, 150: a picture of a page is something to fetch, its snapshot something that lasts; one
/// result refers to both, and both say where they come from.
#[tokio::test(start_paused = true)]
async fn a_result_refers_to_resources_and_artifacts_side_by_side() {
    let mut screenshot = ResourceRef::new("browser://page/3/screenshot");
    screenshot.media_type = Some("image/png".to_owned());
    screenshot.digest = Some(format!("sha256:{}", Digest::of(b"png")));
    screenshot.access = Some(json!({"session": "b-1"}));
    let mut snapshot = ArtifactRef::new("snapshot-7".parse::<assent_ids::ArtifactId>().unwrap());
    snapshot.uri = Some("https://files.example.org/snapshot-7.html".to_owned());
    snapshot.media_type = Some("text/html".to_owned());
    let given = Output {
        artifacts: vec![snapshot],
        resources: vec![screenshot],
        ..output(Body::Text("a page".to_owned()))
    };
    let desk = Desk::new(vec![(reader("look"), Arc::new(Gives(given)))], |builder| builder);
    let result = call(&desk, "look").await;
    let relation = format!("created_by:{}", result["invocation_id"].as_str().unwrap());
    assert_eq!(
        result["resource_refs"],
        json!([{
            "uri": "browser://page/3/screenshot", "media_type": "image/png",
            "digest": format!("sha256:{}", Digest::of(b"png")), "access": {"session": "b-1"},
            "source_relation": relation
        }])
    );
    let artifacts = json!([{
        "artifact_id": "snapshot-7", "uri": "https://files.example.org/snapshot-7.html",
        "media_type": "text/html", "source_relation": relation
    }]);
    assert_eq!(result["artifact_refs"], artifacts);
    let call = invocation(&desk).await;
    assert_eq!(call["artifact_refs"][0]["artifact_id"], "snapshot-7");
    // Each refers to the others and repeats nothing of them.
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    assert_eq!(call["permission_decision_refs"], json!([decision["decision_id"]]));
    assert_eq!(call["result_ref"], result["result_id"]);
    for (record, words) in [
        (&call, ["a page", "screenshot", "behavior"]),
        (&decision, ["a page", "screenshot", "snapshot-7"]),
        (&result, ["decision_id", "status_transitions", "model_input"]),
    ] {
        for word in words {
            assert!(!record.to_string().contains(word), "{word} in {record:#}");
        }
    }
    let kinds: Vec<String> = records(&desk).await.into_iter().map(|(kind, _)| kind).collect();
    for kind in ["tool_invocation", "tool_permission_decision", "tool_result"] {
        assert_eq!(kinds.iter().filter(|found| *found == kind).count(), 1, "{kind} stands alone");
    }
}

/// Items 32, 157: what people are shown, what the model is sent and what the result is are three things,
/// and a title or a rendering changes only the first.
#[tokio::test(start_paused = true)]
async fn hints_for_people_leave_the_result_as_it_is() {
    let of = |title: Option<&str>, rendering: Value| {
        let mut definition = reader("read");
        definition.declaration.title = title.map(str::to_owned);
        definition.interface.rendering = serde_json::from_value(rendering).unwrap();
        Desk::new(vec![(definition, says("hello"))], |builder| builder)
    };
    let mut plain = call(&of(None, json!({})), "read").await;
    let hint = json!({"component": "card", "template": "<b>{{content}}</b>"});
    let mut hinted = call(&of(Some("Read a file"), hint), "read").await;
    assert_eq!(plain["ui_facing_summary"].take(), "read: done");
    assert_eq!(hinted["ui_facing_summary"].take(), "Read a file: done");
    assert_eq!(plain, hinted);
    assert_eq!(plain["content"], json!([{"type": "text", "text": "hello"}]));
    assert_eq!(plain["model_facing_content"], plain["content"]);
}

/// Item 157: what a call was given and gave back is not found by searching unless it is indexed.
#[tokio::test(start_paused = true)]
async fn what_calls_say_is_not_indexed_by_itself() {
    let desk = Desk::new(vec![(reader("read"), says("xylophone zeppelin"))], |builder| builder);
    desk.call("read", json!({"path": "quagmire"})).await;
    let found = |query: &str| {
        let found = serde_json::to_value(desk.runtime.search(query, None)).unwrap();
        found["matches"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(found("read"), 1, "the tool itself is found");
    for query in ["xylophone", "zeppelin", "quagmire"] {
        assert_eq!(found(query), 0, "{query}");
    }
}

/// Items 153, 156: a large result reaches the model as a preview with a reference, and all of it can be
/// fetched.
#[tokio::test(start_paused = true)]
async fn a_large_result_is_kept_and_shown_in_part() {
    let blobs = Arc::new(MemoryBlobs::new(1 << 24));
    let text = "line\n".repeat(1_000_000);
    let desk = Desk::new(vec![(reader("read"), says(text.clone()))], |builder| {
        builder.blobs(Arc::clone(&blobs) as _)
    });
    let result = call(&desk, "read").await;
    assert_eq!((&result["status"], &result["is_error"]), (&json!("too_large"), &json!(false)));
    assert_eq!(result.get("content"), None);
    assert!(result["model_facing_content"].to_string().len() < 5_000);
    let place = result["native_output_ref"].as_str().unwrap().parse().unwrap();
    assert_eq!(blobs.get(place, None).await.unwrap(), Some(text.into_bytes()));
    assert_eq!(of_kind(&desk, "tool_invocation").await[0]["status"], "succeeded");
}

/// Item 154: a tool that says nothing and a result that is lost look different.
#[tokio::test(start_paused = true)]
async fn nothing_is_not_the_same_as_lost() {
    let desk = Desk::new(
        vec![
            (reader("silent"), gives(Body::Empty)),
            (stored("dropped", PersistenceStrategy::DropWithReason), says("gone")),
        ],
        |builder| builder,
    );
    let silent = call(&desk, "silent").await;
    assert_eq!((&silent["status"], &silent["content"]), (&json!("succeeded"), &json!([])));
    assert_eq!(silent["empty_result"], true);
    let dropped = call(&desk, "dropped").await;
    assert_eq!(dropped.get("empty_result"), None);
    assert_eq!(dropped.get("content"), None);
    assert_eq!(dropped["status"], "redacted");
}

/// Item 155: what was read from the store is not stored a second time, however large it is.
#[tokio::test(start_paused = true)]
async fn reading_a_stored_result_stores_nothing() {
    let desk = Desk::new(vec![(reader("fetch"), says("x".repeat(100_000)))], |builder| builder);
    let uri = format!("blob:sha256:{}", Digest::of(b"something large"));
    desk.call("fetch", json!({"path": uri})).await;
    let record = of_kind(&desk, "tool_result_persistence").await.remove(0);
    assert_eq!(record["strategy"], "never_persist");
    assert_eq!(record.get("persisted_ref"), None);
}

/// Items 151, 152: each of the six ways to treat a result is recorded with its sizes and its reason.
#[tokio::test(start_paused = true)]
async fn every_way_to_treat_a_result_is_recorded() {
    for strategy in PersistenceStrategy::ALL {
        let desk = Desk::new(vec![(stored("read", *strategy), says("x".repeat(60_000)))], |b| b);
        let result = call(&desk, "read").await;
        let record = of_kind(&desk, "tool_result_persistence").await.remove(0);
        let expected = match strategy {
            // Too large to be passed on whole.
            PersistenceStrategy::Inline | PersistenceStrategy::Redact => "preview_and_persist",
            other => other.as_str(),
        };
        assert_eq!(record["strategy"], expected);
        assert_eq!(record["result_id"], result["result_id"]);
        assert_eq!(record["invocation_id"], result["invocation_id"]);
        assert_eq!(record["original_size_bytes"], 60_000);
        for field in ["decision_id", "reason", "redaction_state", "created_at"] {
            assert!(record[field].is_string(), "{strategy}: {field}");
        }
        assert!(record["threshold"].is_object(), "{strategy}");
        let shows = matches!(expected, "preview_and_persist" | "never_persist");
        assert_eq!(record.get("preview_size_bytes").is_some(), shows, "{strategy}: {record}");
        let keeps = matches!(expected, "preview_and_persist" | "ref_only");
        assert_eq!(record.get("persisted_ref").is_some(), keeps, "{strategy}");
    }
    assert_eq!(PersistenceStrategy::ALL.len(), 6);
}

/// Item 145: structured content fits the output schema, or there is none.
#[tokio::test(start_paused = true)]
async fn structured_content_keeps_to_the_output_schema() {
    for (required, status) in [("path", "succeeded"), ("size", "failed")] {
        let mut definition = reader("read");
        definition.interface.output_schema =
            Some(serde_json::from_value(json!({"required": [required]})).unwrap());
        let desk = Desk::new(vec![(definition, Arc::new(Echo::default()))], |builder| builder);
        let result = call(&desk, "read").await;
        assert_eq!(result["status"], status);
        assert_eq!(result.get("structured_content").is_some(), status == "succeeded");
    }
}

/// Items 103, 173: when the bytes are gone, because they were too large, private, dropped, redacted or
/// have expired, the call, its state, the reason and all references are still there.
#[tokio::test(start_paused = true)]
async fn a_call_outlives_its_bytes() {
    let blobs = Arc::new(MemoryBlobs::new(1 << 20));
    let mut private = reader("private");
    contract(&mut private).sensitive_fields = Some(vec!["/path".to_owned()]);
    let desk = Desk::new(
        vec![
            (reader("large"), says("y".repeat(60_000))),
            (stored("diary", PersistenceStrategy::RefOnly), says("dear diary")),
            (stored("dropped", PersistenceStrategy::DropWithReason), says("gone")),
            (private, says("the secret is hunter2")),
        ],
        |builder| builder.blobs(Arc::clone(&blobs) as _),
    );
    for tool in ["large", "diary", "dropped"] {
        call(&desk, tool).await;
    }
    let redacted = as_value(&desk.call("private", json!({"path": "hunter2"})).await);
    assert_eq!(redacted["redaction_state"], "redacted");
    assert!(!redacted.to_string().contains("hunter2"));

    blobs.release(Owner::new("session").unwrap()).await.unwrap();
    blobs.collect(UnixMillis::MAX).await.unwrap();
    let calls = of_kind(&desk, "tool_invocation").await;
    let results = of_kind(&desk, "tool_result").await;
    let stored = of_kind(&desk, "tool_result_persistence").await;
    assert_eq!((calls.len(), results.len(), stored.len()), (4, 4, 4));
    for ((call, result), stored) in calls.iter().zip(&results).zip(&stored) {
        assert_eq!(call["status"], "succeeded");
        assert_eq!(call["result_ref"], result["result_id"]);
        assert_eq!(result["persistence_refs"], json!([stored["decision_id"]]));
        assert!(stored["reason"].is_string(), "{stored}");
        if let Some(place) = stored.get("persisted_ref") {
            let uri = place["uri"].as_str().unwrap().parse().unwrap();
            assert_eq!(blobs.get(uri, None).await.unwrap(), None, "the bytes have expired");
            assert!(place["digest"].is_string());
        }
    }
}

/// Item 163: the parts of a result that MCP knows come through as they are.
#[tokio::test(start_paused = true)]
async fn links_and_embedded_resources_come_through() {
    let mut link = ContentBlock::new(ContentClass::ResourceLink);
    link.extra.insert("uri".to_owned(), json!("file:///a"));
    link.extra.insert("_meta".to_owned(), json!({"x": 1}));
    let mut embedded = ContentBlock::new(ContentClass::EmbeddedResource);
    embedded.extra.insert("resource".to_owned(), json!({"uri": "file:///b", "text": "b"}));
    let blocks = vec![link, embedded, ContentBlock::text("and a text")];
    let expected = serde_json::to_value(&blocks).unwrap();
    let desk =
        Desk::new(vec![(writer("mcp"), gives(Body::Blocks(blocks)))], |b| b.policy(allow_all()));
    let result = call(&desk, "mcp").await;
    assert_eq!(result["content"], expected);
}

/// Characters that a person does not see reach a model as escapes, and the result says so.
#[tokio::test(start_paused = true)]
async fn invisible_characters_in_results_are_made_visible_for_the_model() {
    let hidden = "a\u{200b}b\u{e0041}\u{202e}c";
    let text = || Body::Text(hidden.to_owned());
    let data = || Body::Structured(json_of(json!({"note": hidden})));
    let blocks = || Body::Blocks(vec![ContentBlock::text("plain"), ContentBlock::text(hidden)]);
    let in_text = "a\\u200bb\\udb40\\udc41\\u202ec";
    let in_data = "{\"note\":\"a\\u200bb\\udb40\\udc41\\u202ec\"}";
    for (body, expected) in [
        (text(), json!([in_text])),
        (data(), json!([in_data])),
        (blocks(), json!(["plain", in_text])),
    ] {
        let desk = Desk::new(vec![(reader("read"), gives(body))], |builder| builder);
        let result = call(&desk, "read").await;
        assert_eq!(model_texts(&result), expected);
        assert_eq!(result["hidden_characters"], json!({"escaped": 3}));
        assert_eq!(of_kind(&desk, "tool_result").await, [result]);
    }
    let kept = |body| {
        let mut keeping = reader("read");
        keeping.persistence.hidden_characters = HiddenCharacters::Keep;
        Desk::new(vec![(keeping, gives(body))], |builder| builder)
    };
    let result = call(&kept(text()), "read").await;
    assert_eq!(model_texts(&result), json!([hidden]));
    assert_eq!(result.get("hidden_characters"), None);
    // Data keeps its meaning: a program that reads it gets what the tool gave.
    let desk = Desk::new(vec![(reader("read"), gives(data()))], |builder| builder);
    assert_eq!(call(&desk, "read").await["structured_content"], json!({"note": hidden}));
}

/// What a tool says about its failure is a text like any other.
#[tokio::test(start_paused = true)]
async fn invisible_characters_in_failures_are_made_visible_for_the_model() {
    let failing = Fails(Failure::new(ErrorClass::ExecutionFailed, "no\u{200b}pe"));
    let desk = Desk::new(vec![(reader("read"), Arc::new(failing) as _)], |builder| builder);
    let result = call(&desk, "read").await;
    let texts = model_texts(&result).to_string();
    assert!(texts.contains("no\\\\u200bpe"), "{texts}");
    assert_eq!(result["hidden_characters"], json!({"escaped": 1}));
}

/// The texts that a model is sent.
fn model_texts(result: &Value) -> Value {
    let blocks = result["model_facing_content"].as_array().unwrap().iter();
    blocks.map(|block| block["text"].clone()).collect()
}
