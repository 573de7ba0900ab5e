//! What is passed on, what is stored, and that nothing sensitive is in either.

use assent_blobs::{
    About, Answer, BlobError, BlobMeta, BlobRef, BlobStore, BlobUri, Collected, Owner,
};
use assent_ids::UnixMillis;
use assent_json::{Digest, Json};
use assent_protocol::agent_tool::{
    ContentBlock, ContentClass, Delivery, PersistenceStrategy as Way, TerminalStatus,
    strict::Strict,
};
use proptest::prelude::*;
use serde_json::json;

use super::{
    Choice, draft, filing, limit, persist, persisted, persisted_in, redacted, run, text_of,
};
use crate::{
    executor::Body,
    results::{PersistedResult, PersistencePolicy},
};

fn uri_of(result: &PersistedResult) -> BlobUri {
    let place = result.record.persisted_ref.as_ref().and_then(|place| place.typed());
    place.unwrap().uri.parse().unwrap()
}

/// Items 144, 151: the reference carries digest, access hints and redaction state.
#[test]
fn every_decision_is_recorded_with_its_sizes_and_its_reason() {
    let result = persisted(Body::Text("é".repeat(300)), &limit(200, None));
    assert_eq!(result.record.problems(), []);
    let record = serde_json::to_value(&result.record).unwrap();
    let digest = Digest::of("é".repeat(300).as_bytes());
    assert_eq!(record["strategy"], "preview_and_persist");
    assert_eq!(record["threshold"], json!({"max_inline_chars": 200}));
    assert_eq!(record["original_size_bytes"], 600);
    assert_eq!(record["preview_size_bytes"], text_of(&result.model_facing).len());
    assert_eq!(record["reason"], "it has 300 characters, and 200 are passed on whole");
    assert_eq!(record["redaction_state"], "none");
    assert_eq!(
        record["persisted_ref"],
        json!({
            "uri": format!("blob:sha256:{digest}"), "digest": format!("sha256:{digest}"),
            "media_type": "text/plain; charset=utf-8", "size_bytes": 600, "redaction_state": "none",
            "access": {"owner": "session", "kept": "session"}
        })
    );
}

/// Item 153.
#[test]
fn a_large_result_reaches_the_model_as_preview_and_reference_only() {
    let text = "line\n".repeat(1_000_000);
    let (result, store) =
        persisted_in(1 << 24, Body::Text(text.clone()), &PersistencePolicy::default(), &[]);
    assert_eq!(result.record.strategy, Way::PreviewAndPersist);
    assert_eq!(result.delivery, Delivery::TooLarge { retrievable: true });
    assert_eq!((result.content, result.structured), (None, None));
    assert!(text_of(&result.model_facing).chars().count() <= 2_000);
    assert_eq!(result.model_facing.last().unwrap().kind, ContentClass::PersistedOutputRef);
    let uri = result.record.persisted_ref.as_ref().unwrap().typed().unwrap().uri.clone();
    assert!(text_of(&result.model_facing).contains(&uri));
    let stored = run(store.get(uri.parse().unwrap(), None)).unwrap();
    assert_eq!(stored, Some(text.into_bytes()));
}

/// Item 143.
#[test]
fn a_reference_alone_shows_nothing_of_the_result() {
    let policy = PersistencePolicy { strategy: Some(Way::RefOnly), ..PersistencePolicy::default() };
    let result = persisted(Body::Text("planted".into()), &policy);
    assert_eq!(result.record.strategy, Way::RefOnly);
    assert_eq!(result.delivery, Delivery::Redacted);
    let shown = format!("{:?}{:?}", result.content, result.model_facing);
    assert!(!shown.contains("planted"), "{shown}");
    assert!(shown.contains(&uri_of(&result).to_string()));
}

/// Item 154.
#[test]
fn an_empty_success_is_marked_and_differs_from_a_missing_one() {
    let empty = persisted(Body::Empty, &PersistencePolicy::default());
    let mut worked = draft(TerminalStatus::Succeeded);
    worked.delivered = Some(empty);
    let worked = worked.assemble();
    assert_eq!(worked.problems(), []);
    let worked = serde_json::to_value(worked).unwrap();
    assert_eq!(worked["status"], "succeeded");
    assert_eq!(worked["content"], json!([]));
    assert_eq!(worked["empty_result"], true);
    assert_eq!(worked["model_facing_content"].as_array().unwrap().len(), 1);

    let (lost, _) = persisted_in(0, Body::Text("x".repeat(300)), &limit(200, None), &[]);
    let mut missing = draft(TerminalStatus::Succeeded);
    missing.delivered = Some(lost);
    let missing = serde_json::to_value(missing.assemble()).unwrap();
    assert_eq!(missing["status"], "too_large");
    assert_eq!(missing.get("empty_result"), None);
    assert_eq!(missing.get("content"), None);
}

#[test]
fn an_empty_result_cannot_be_withheld() {
    for strategy in Way::ALL {
        let policy = PersistencePolicy { strategy: Some(*strategy), ..Default::default() };
        let result = persisted(Body::Empty, &policy);
        assert_eq!(result.record.problems(), [], "{strategy}");
        assert_eq!(result.delivery, Delivery::Whole, "{strategy}");
    }
}

/// Item 155.
#[test]
fn a_large_result_that_must_not_be_stored_is_cut_off_and_says_so() {
    let text = "x".repeat(1_000);
    let (result, store) =
        persisted_in(1 << 20, Body::Text(text), &limit(300, Some(Way::NeverPersist)), &[]);
    assert_eq!(result.record.strategy, Way::NeverPersist);
    assert_eq!(result.delivery, Delivery::TooLarge { retrievable: false });
    let shown = text_of(&result.model_facing);
    assert!((250..=300).contains(&shown.len()), "{shown}");
    assert!(shown.ends_with("they are not kept]"), "{shown}");
    assert_eq!(run(store.collect(UnixMillis::MAX)).unwrap(), Collected::default());
    let mut ended = draft(TerminalStatus::Succeeded);
    ended.delivered = Some(result);
    let ended = ended.assemble();
    assert_eq!(ended.problems(), []);
    assert_eq!(ended.is_error, Some(true));
}

#[test]
fn what_a_hook_wants_dropped_is_nowhere() {
    let result = redacted(Body::Text("planted".into()), &[]);
    let choice = Choice::new(&PersistencePolicy::default(), &result, false)
        .tightened(Way::DropWithReason, "the hook `dlp` forbids it");
    let (store, filing) = (assent_blobs::MemoryBlobs::new(1000), filing());
    let result = run(persist(result, choice, &store, filing));
    assert_eq!(result.record.problems(), []);
    assert_eq!(result.delivery, Delivery::Redacted, "it was not too large");
    assert!(!format!("{result:?}").contains("planted"));
    assert!(text_of(&result.model_facing).contains("the hook `dlp` forbids it"));
}

/// A store whose disk is gone.
struct Broken;

impl BlobStore for Broken {
    fn put(&self, _: Vec<u8>, _: BlobMeta) -> Answer<'_, BlobRef> {
        Box::pin(std::future::ready(Err(BlobError::Interrupted)))
    }
    fn get(&self, _: BlobUri, _: Option<std::ops::Range<u64>>) -> Answer<'_, Option<Vec<u8>>> {
        Box::pin(std::future::ready(Err(BlobError::Interrupted)))
    }
    fn about(&self, _: BlobUri) -> Answer<'_, Option<About>> {
        Box::pin(std::future::ready(Err(BlobError::Interrupted)))
    }
    fn release(&self, _: Owner) -> Answer<'_, ()> {
        Box::pin(std::future::ready(Err(BlobError::Interrupted)))
    }
    fn collect(&self, _: UnixMillis) -> Answer<'_, Collected> {
        Box::pin(std::future::ready(Err(BlobError::Interrupted)))
    }
}

#[test]
fn a_call_whose_result_cannot_be_stored_has_still_worked() {
    for strategy in [Way::PreviewAndPersist, Way::RefOnly] {
        let text = format!("hunter2 {}", "x".repeat(1_000));
        let result = redacted(Body::Text(text), &["hunter2"]);
        let choice = Choice::new(&limit(400, Some(strategy)), &result, false);
        let result = run(persist(result, choice, &Broken, filing()));
        assert_eq!(result.record.strategy, Way::DropWithReason);
        let reason = result.record.reason.clone().unwrap();
        assert_eq!(reason, "the result could not be stored: the work on the store was cut off");
        assert!(!format!("{result:?}").contains("hunter2"));
        let mut ended = draft(TerminalStatus::Succeeded);
        ended.delivered = Some(result);
        let ended = ended.assemble();
        assert_eq!(ended.problems(), []);
        let ended = serde_json::to_value(ended).unwrap();
        assert_eq!(ended["status"], "too_large");
        assert_eq!(ended["error"]["error_class"], "result_too_large");
        assert_eq!(ended["error"]["message"], *reason);
    }
}

#[test]
fn what_is_stored_has_been_redacted() {
    let text = format!("{} hunter2", "x".repeat(1_000));
    let (result, store) = persisted_in(1 << 20, Body::Text(text), &limit(300, None), &["hunter2"]);
    let stored = run(store.get(uri_of(&result), None)).unwrap().unwrap();
    assert!(stored.ends_with(b"x [redacted]"));
    assert_eq!(result.record.redaction_state.as_deref(), Some("redacted"));
    assert_eq!(result.redacted_fields, ["/content/0/text"]);
}

#[test]
fn bytes_are_stored_as_they_are_and_described_in_words() {
    let raw: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let body = Body::Bytes { bytes: raw.clone(), media_type: "application/octet-stream".into() };
    let (result, store) = persisted_in(1 << 20, body, &PersistencePolicy::default(), &[]);
    assert_eq!(run(store.get(uri_of(&result), None)).unwrap(), Some(raw));
    let shown = text_of(&result.model_facing);
    assert!(shown.starts_with("[not all of the 100000 bytes are shown;"), "{shown}");
    let about = run(store.about(uri_of(&result))).unwrap().unwrap();
    assert_eq!(about.media_type, "application/octet-stream");
}

#[test]
fn blocks_with_a_large_picture_are_stored_together() {
    let mut picture = ContentBlock::new(ContentClass::Image);
    picture.extra.insert("data".into(), "A".repeat(60_000).into());
    let body = Body::Blocks(vec![ContentBlock::text("a view"), picture]);
    let result = persisted(body, &PersistencePolicy::default());
    assert_eq!(result.record.strategy, Way::PreviewAndPersist);
    let shown = text_of(&result.model_facing);
    assert!(shown.starts_with("a view\n[not all of the"), "{shown}");
}

fn body() -> impl Strategy<Value = Body> {
    let text = "(\\PC|\n){0,120}";
    prop_oneof![
        Just(Body::Empty),
        text.prop_map(Body::Text),
        text.prop_map(|text| Body::Structured(Json::from_value(&json!({"t": text})).unwrap())),
        (prop::collection::vec(any::<u8>(), 0..120), prop::bool::ANY).prop_map(
            |(bytes, is_text)| {
                let media_type = if is_text { "text/plain" } else { "image/png" }.to_owned();
                Body::Bytes { bytes, media_type }
            }
        ),
        text.prop_map(|text| Body::Blocks(vec![ContentBlock::text(text)])),
    ]
}

proptest! {
    #[test]
    fn whatever_a_tool_gives_and_a_policy_says_the_records_keep_the_rules(
        body in body(),
        chars in prop::option::of(0..100_usize),
        bytes in prop::option::of(0..100_usize),
        strategy in prop::option::of(prop::sample::select(Way::ALL)),
        asked in prop::option::of(prop::sample::select(Way::ALL)),
        reads_stored: bool,
        room in 0..200_usize,
    ) {
        let policy = PersistencePolicy {
            max_inline_chars: chars,
            max_inline_bytes: bytes,
            strategy,
            ..PersistencePolicy::default()
        };
        let result = redacted(body, &["secret-1"]);
        let mut choice = Choice::new(&policy, &result, reads_stored);
        if let Some(asked) = asked {
            choice = choice.tightened(asked, "a hook asks for it");
        }
        let store = assent_blobs::MemoryBlobs::new(room);
        let result = run(persist(result, choice, &store, filing()));
        prop_assert_eq!(result.record.problems(), []);
        prop_assert!(!result.model_facing.is_empty());
        let mut draft = draft(TerminalStatus::Succeeded);
        draft.delivered = Some(result);
        let result = draft.assemble();
        prop_assert_eq!(result.problems(), []);
    }
}
