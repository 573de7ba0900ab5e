//! Outputs become blocks, once and without loss.

use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{ContentBlock, ContentClass, ErrorClass},
    wire::Open,
};
use assent_schema::InputSchema;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    executor::Body,
    results::{Mapped, Redacted, Scrubber, Size},
};

fn mapped(body: Body) -> Mapped {
    Mapped::of(body, None).unwrap()
}

fn bytes(bytes: &[u8], media_type: &str) -> Body {
    Body::Bytes { bytes: bytes.to_vec(), media_type: media_type.to_owned() }
}

fn as_json(blocks: Vec<ContentBlock>) -> Value {
    serde_json::to_value(blocks).unwrap()
}

#[test]
fn text_is_one_block_of_text() {
    let text = mapped(Body::Text("hello".into()));
    assert_eq!(text.blocks(), [ContentBlock::text("hello")]);
    assert_eq!(text.payload(), (b"hello"[..].into(), "text/plain; charset=utf-8"));
    assert_eq!(text.size(), Size { chars: 5, bytes: 5 });
}

/// Item 145.
#[test]
fn data_is_structured_content_and_one_block_of_its_text() {
    let json = Json::read(r#"{"a": [1, 2.50]}"#).unwrap();
    let data = mapped(Body::Structured(json.clone()));
    assert_eq!(data.structured(), Some(&json));
    assert_eq!(data.blocks(), [ContentBlock::text(json.text())]);
    assert_eq!(data.payload().1, "application/json");
}

/// Item 145.
#[test]
fn data_that_breaks_the_output_schema_is_a_failure_that_names_the_place_only() {
    let schema = InputSchema::compile(&json!({
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "integer"}}}
    }))
    .unwrap();
    let good = Json::read(r#"{"items": [1]}"#).unwrap();
    assert!(Mapped::of(Body::Structured(good), Some(&schema)).is_ok());
    let bad = Json::read(r#"{"items": [1, "planted"]}"#).unwrap();
    let failure = Mapped::of(Body::Structured(bad), Some(&schema)).unwrap_err();
    assert_eq!(failure.class, ErrorClass::ResultMappingFailed);
    assert!(failure.message.contains("`/items/1`"), "{}", failure.message);
    assert!(!failure.message.contains("planted"), "{}", failure.message);
    let root = Json::read("7").unwrap();
    let failure = Mapped::of(Body::Structured(root), Some(&schema)).unwrap_err();
    assert!(failure.message.contains("`its root`"), "{}", failure.message);
}

/// Item 156.
#[test]
fn bytes_keep_every_bit_and_become_a_block_of_their_type() {
    let raw = b"\x89PNG\xff\x00\xfe";
    let image = as_json(mapped(bytes(raw, "image/png")).blocks());
    assert_eq!(
        image,
        json!([{
            "type": "image", "media_type": "image/png", "size_bytes": 7, "encoding": "base64",
            "data": STANDARD.encode(raw), "digest": format!("sha256:{}", Digest::of(raw))
        }])
    );
    let text = as_json(mapped(bytes("né".as_bytes(), "text/csv")).blocks());
    assert_eq!(text[0]["text"], "né");
    assert_eq!(text[0]["type"], "file");
    let broken = as_json(mapped(bytes(b"\xffcsv", "text/csv")).blocks());
    assert_eq!(broken[0]["data"], STANDARD.encode(b"\xffcsv"), "never lossy text");
    assert_eq!(mapped(bytes(raw, "image/png")).payload(), (raw[..].into(), "image/png"));
}

#[test]
fn blocks_stay_as_they_are_and_unknown_ones_get_a_class_of_the_standard() {
    let mut link = ContentBlock::new(ContentClass::ResourceLink);
    link.extra.insert("uri".into(), "file:///a".into());
    let mut odd = ContentBlock::new(Open::<ContentClass>::read("hologram"));
    odd.extra.insert("type".into(), "smuggled".into());
    odd.extra.insert("text".into(), "smuggled".into());
    let blocks = mapped(Body::Blocks(vec![link.clone(), odd])).blocks();
    assert_eq!(blocks.first(), Some(&link));
    let odd = serde_json::to_string(blocks.last().unwrap()).unwrap();
    assert_eq!(odd, r#"{"type":"embedded_resource","native_type":"hologram"}"#);
}

/// Item 154.
#[test]
fn an_empty_success_has_no_blocks_and_one_word_for_the_model() {
    for body in [Body::Empty, Body::Text(String::new()), Body::Blocks(Vec::new())] {
        let empty = mapped(body);
        assert!(empty.is_empty());
        assert_eq!(empty.blocks(), []);
        assert_eq!(empty.model_facing().len(), 1);
    }
    assert!(!mapped(Body::Structured(Json::null())).is_empty(), "null is data");
}

/// Item 113.
#[test]
fn the_digest_tells_one_output_from_another_and_is_that_of_the_payload() {
    let text = mapped(Body::Text("a".into()));
    assert_eq!(text.digest(), Digest::of(b"a"));
    assert_eq!(text.clone().digest(), text.digest());
    assert_ne!(mapped(Body::Text("b".into())).digest(), text.digest());
}

/// Item 145.
#[test]
fn data_that_does_not_fit_any_more_without_its_secret_is_only_text() {
    let schema = InputSchema::compile(&json!({
        "properties": {"pin": {"type": "integer"}, "name": {"type": "string"}}
    }))
    .unwrap();
    let redact = |text: &str| {
        let mapped =
            Mapped::of(Body::Structured(Json::read(text).unwrap()), Some(&schema)).unwrap();
        let scrubber = Scrubber::new(["12345".to_owned()]);
        Redacted::new(mapped, Some(&scrubber), Some(&schema))
    };
    let number = redact(r#"{"pin": 12345}"#);
    assert_eq!(number.mapped().structured(), None);
    assert_eq!(number.mapped().blocks(), [ContentBlock::text(r#"{"pin":"[redacted]"}"#)]);
    assert_eq!(number.fields(), ["/structured_content/pin"]);
    let text = redact(r#"{"name": "no. 12345"}"#);
    assert!(text.mapped().structured().is_some());
    let clean = redact(r#"{"pin": 1}"#);
    assert!(clean.mapped().structured().is_some() && !clean.is_redacted());
}

#[test]
fn a_debug_print_shows_no_content() {
    assert!(!format!("{:?}", mapped(Body::Text("planted".into()))).contains("planted"));
}
