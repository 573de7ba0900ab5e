//! The output of a tool in the blocks of the standard.

use std::{borrow::Cow, fmt};

use assent_json::{Digest, Json, shorten};
use assent_protocol::agent_tool::{ContentBlock, ContentClass, ErrorClass};
use assent_schema::InputSchema;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{Size, media};
use crate::executor::{Body, Failure};

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

/// The text for the model if the output is empty.
const NOTHING: &str = "The tool worked and has nothing to say.";

/// The output of a tool in its canonical form. It is made once, and everything that is stored, shown and replayed
/// is made from it.
#[derive(Clone)]
pub(crate) struct Mapped {
    content: Content,
}

#[derive(Clone)]
pub(super) enum Content {
    Empty,
    Text(String),
    Structured {
        json: Json,
        /// Whether it can be passed on as `structured_content`.
        conforms: bool,
    },
    Bytes {
        bytes: Vec<u8>,
        media_type: String,
    },
    Blocks(Vec<ContentBlock>),
}

impl Mapped {
    /// Maps the payload of an output.
    ///
    /// # Errors
    /// `result_mapping_failed` if data does not fit the tool's own output schema. The message names
    /// the place, never the value.
    pub(crate) fn of(body: Body, schema: Option<&InputSchema>) -> Result<Self, Failure> {
        let content = match body {
            Body::Empty => Content::Empty,
            Body::Text(text) if text.is_empty() => Content::Empty,
            Body::Text(text) => Content::Text(text),
            Body::Structured(json) => {
                check(&json, schema)?;
                Content::Structured { json, conforms: true }
            }
            Body::Bytes { bytes, media_type } => Content::Bytes { bytes, media_type },
            Body::Blocks(blocks) if blocks.is_empty() => Content::Empty,
            Body::Blocks(blocks) => Content::Blocks(blocks.into_iter().map(standard).collect()),
        };
        Ok(Self { content })
    }

    pub(super) fn from_content(content: Content) -> Self {
        Self { content }
    }

    pub(super) fn into_content(self) -> Content {
        self.content
    }

    /// A payload with the same canonical form.
    pub(crate) fn body(&self) -> Body {
        match self.content.clone() {
            Content::Empty => Body::Empty,
            Content::Text(text) => Body::Text(text),
            Content::Structured { json, .. } => Body::Structured(json),
            Content::Bytes { bytes, media_type } => Body::Bytes { bytes, media_type },
            Content::Blocks(blocks) => Body::Blocks(blocks),
        }
    }

    /// Returns `true` if there is no output.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.content, Content::Empty)
    }

    /// The data, if it is data and fits the schema.
    #[must_use]
    pub(crate) fn structured(&self) -> Option<&Json> {
        match &self.content {
            Content::Structured { json, conforms: true } => Some(json),
            _ => None,
        }
    }

    /// The canonical blocks; empty if there is no output.
    #[must_use]
    pub(crate) fn blocks(&self) -> Vec<ContentBlock> {
        match &self.content {
            Content::Empty => Vec::new(),
            Content::Text(text) => vec![ContentBlock::text(text)],
            Content::Structured { json, .. } => vec![ContentBlock::text(json.text())],
            Content::Bytes { bytes, media_type } => vec![file(bytes, media_type)],
            Content::Blocks(blocks) => blocks.clone(),
        }
    }

    /// Converts it into the canonical blocks.
    pub(super) fn into_blocks(self) -> Vec<ContentBlock> {
        match self.content {
            Content::Text(text) => vec![ContentBlock::text(text)],
            Content::Blocks(blocks) => blocks,
            content => Self { content }.blocks(),
        }
    }

    /// What a model is sent: the blocks, or a note if there is no output.
    #[must_use]
    pub(crate) fn model_facing(&self) -> Vec<ContentBlock> {
        if self.is_empty() { vec![ContentBlock::text(NOTHING)] } else { self.blocks() }
    }

    /// The bytes to store, and their media type.
    #[must_use]
    pub(crate) fn payload(&self) -> (Cow<'_, [u8]>, &str) {
        match &self.content {
            Content::Empty => (Cow::Borrowed(&[]), TEXT),
            Content::Text(text) => (Cow::Borrowed(text.as_bytes()), TEXT),
            Content::Structured { json, .. } => (Cow::Borrowed(json.text().as_bytes()), JSON),
            Content::Bytes { bytes, media_type } => (Cow::Borrowed(bytes), media_type),
            // Keys are texts, so this cannot fail.
            Content::Blocks(blocks) => {
                (Cow::Owned(serde_json::to_vec(blocks).unwrap_or_default()), JSON)
            }
        }
    }

    /// The payload as text; invalid UTF-8 is replaced.
    pub(crate) fn payload_text(&self) -> Cow<'_, str> {
        if let Content::Text(text) = &self.content {
            return Cow::Borrowed(text);
        }
        match self.payload().0 {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The digest of the payload.
    #[must_use]
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(&self.payload().0)
    }

    /// The size for a model.
    #[must_use]
    pub(crate) fn size(&self) -> Size {
        Size::of_content(&self.content)
    }

    /// The part of it that can be previewed as text, and whether there is nothing else.
    pub(super) fn readable(&self) -> (Cow<'_, str>, bool) {
        match &self.content {
            Content::Empty => (Cow::Borrowed(""), true),
            Content::Text(text) => (Cow::Borrowed(text), true),
            Content::Structured { json, .. } => (Cow::Borrowed(json.text()), true),
            Content::Bytes { bytes, media_type } => match media::as_text(bytes, media_type) {
                Some(text) => (Cow::Borrowed(text), true),
                None => (Cow::Borrowed(""), false),
            },
            Content::Blocks(blocks) => {
                let texts: Vec<_> =
                    blocks.iter().filter_map(|block| block.text.as_deref()).collect();
                let is_all = blocks.iter().all(|block| block.extra.is_empty());
                (Cow::Owned(texts.join("\n")), is_all)
            }
        }
    }

    /// A short description that shows nothing of the content.
    pub(super) fn gist(&self) -> String {
        let size = self.size();
        match &self.content {
            Content::Empty => "nothing to say".to_owned(),
            Content::Text(_) => format!("a text of {} characters", size.chars),
            Content::Structured { .. } => format!("data of {} characters", size.chars),
            Content::Bytes { bytes, media_type } => {
                format!("{} bytes of type `{}`", bytes.len(), shorten(media_type, 100))
            }
            Content::Blocks(blocks) => format!("{} blocks, {} bytes", blocks.len(), size.bytes),
        }
    }
}

/// Outputs may be private, so a debug print shows only their kind and size.
impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.content {
            Content::Empty => "empty",
            Content::Text(_) => "text",
            Content::Structured { .. } => "structured",
            Content::Bytes { .. } => "bytes",
            Content::Blocks(_) => "blocks",
        };
        f.debug_struct("Mapped").field("kind", &kind).field("size", &self.size()).finish()
    }
}

fn check(json: &Json, schema: Option<&InputSchema>) -> Result<(), Failure> {
    let Some(schema) = schema else { return Ok(()) };
    schema.check(json.root()).map_err(|violation| {
        let place = if violation.path.is_empty() { "its root" } else { &violation.path };
        let message = format!(
            "the tool ran, but its output does not fit its own schema at `{place}`: {}",
            violation.message
        );
        Failure::new(ErrorClass::ResultMappingFailed, message)
    })
}

/// A block of a tool in the form of the standard. An unknown class is kept in an extra field.
fn standard(mut block: ContentBlock) -> ContentBlock {
    // They would be written twice.
    block.extra.remove("type");
    block.extra.remove("text");
    if block.kind.known().is_none() {
        let native = Value::from(block.kind.as_str());
        block.extra.insert("native_type".to_owned(), native);
        block.kind = ContentClass::EmbeddedResource.into();
    }
    block
}

/// A block of bytes: as text if possible, in base64 otherwise.
fn file(bytes: &[u8], media_type: &str) -> ContentBlock {
    let mut block = ContentBlock::new(media::class(media_type));
    let mut add = |key: &str, value: Value| block.extra.insert(key.to_owned(), value);
    add("media_type", media_type.into());
    add("size_bytes", bytes.len().into());
    add("digest", Digest::of(bytes).named().into());
    let text = media::as_text(bytes, media_type);
    if text.is_none() {
        add("encoding", "base64".into());
        add("data", STANDARD.encode(bytes).into());
    }
    block.text = text.map(str::to_owned);
    block
}
