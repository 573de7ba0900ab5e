//! An output without sensitive values: the only kind that is measured, stored or shown.

use assent_json::{Json, Pointer};
use assent_protocol::agent_tool::ContentBlock;
use assent_schema::InputSchema;
use serde_json::Value;

use super::{
    Mapped, Scrubber,
    map::Content,
    media,
    scrub::{Path, Touched},
};

/// An output without sensitive values.
#[derive(Clone, Debug)]
pub(crate) struct Redacted {
    mapped: Mapped,
    fields: Vec<String>,
}

impl Redacted {
    /// Removes the values of `scrubber` from an output. Data that does not fit its schema afterwards is passed on
    /// as text only.
    #[must_use]
    pub(crate) fn new(
        mapped: Mapped,
        scrubber: Option<&Scrubber>,
        schema: Option<&InputSchema>,
    ) -> Self {
        let Some(scrubber) = scrubber.filter(|scrubber| !scrubber.is_idle()) else {
            return Self { mapped, fields: Vec::new() };
        };
        let mut touched = Touched::default();
        let content = redact(mapped.into_content(), scrubber, schema, &mut touched);
        Self { mapped: Mapped::from_content(content), fields: touched.into_fields() }
    }

    /// The remaining output.
    #[must_use]
    pub(crate) fn mapped(&self) -> &Mapped {
        &self.mapped
    }

    /// Converts it into the remaining output.
    pub(super) fn into_mapped(self) -> Mapped {
        self.mapped
    }

    /// Where values were removed, as JSON Pointers into the result.
    #[must_use]
    pub(crate) fn fields(&self) -> &[String] {
        &self.fields
    }

    /// Returns `true` if values were removed.
    #[must_use]
    pub(crate) fn is_redacted(&self) -> bool {
        !self.fields.is_empty()
    }
}

fn redact(
    content: Content,
    scrubber: &Scrubber,
    schema: Option<&InputSchema>,
    touched: &mut Touched,
) -> Content {
    let root = Path::root();
    match content {
        Content::Empty => Content::Empty,
        Content::Text(text) => {
            let at = root.key("content");
            let first = at.index(0);
            Content::Text(scrubber.text_at(text, &first.key("text"), touched))
        }
        Content::Structured { json, conforms } => {
            let at = root.key("structured_content");
            let before = json.clone();
            let json = scrubber.json_at(&json, &at, touched);
            let fits = |json: &Json| schema.is_none_or(|schema| schema.accepts(json.root()));
            let conforms = conforms && (json.is_same(&before) || fits(&json));
            Content::Structured { json, conforms }
        }
        Content::Bytes { bytes, media_type } => {
            let bytes = redact_bytes(bytes, &media_type, scrubber, touched);
            Content::Bytes { bytes, media_type }
        }
        Content::Blocks(mut blocks) => {
            let at = root.key("content");
            for (index, block) in blocks.iter_mut().enumerate() {
                redact_block(block, scrubber, &at.index(index), touched);
            }
            Content::Blocks(blocks)
        }
    }
}

fn redact_bytes(
    bytes: Vec<u8>,
    media_type: &str,
    scrubber: &Scrubber,
    touched: &mut Touched,
) -> Vec<u8> {
    let at = Pointer::root().key("content").index(0);
    if let Some(text) = media::as_text(&bytes, media_type) {
        let clean = scrubber.text(text);
        if clean == text {
            return bytes;
        }
        touched.add(at.key("text").as_str());
        return clean.into_bytes();
    }
    match scrubber.overwritten(&bytes) {
        Some(clean) => {
            touched.add(at.key("data").as_str());
            clean
        }
        None => bytes,
    }
}

fn redact_block(
    block: &mut ContentBlock,
    scrubber: &Scrubber,
    at: &Path<'_>,
    touched: &mut Touched,
) {
    if let Some(text) = block.text.take() {
        block.text = Some(scrubber.text_at(text, &at.key("text"), touched));
    }
    let mut members = Value::Object(std::mem::take(&mut block.extra).into_iter().collect());
    scrubber.value_at(&mut members, at, touched);
    if let Value::Object(members) = members {
        block.extra = members.into_iter().collect();
    }
}
