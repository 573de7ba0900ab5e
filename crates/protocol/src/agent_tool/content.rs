//! Blocks of content in results and decisions.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/result-envelope.md>

use serde::{Deserialize, Serialize};

use crate::wire::{Object, Open, present, words};

/// One block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContentBlock {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: Open<ContentClass>,
    /// Its text, if it is text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ContentBlock {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(kind: impl Into<Open<ContentClass>>) -> Self {
        Self { kind: kind.into(), text: None, extra: Object::new() }
    }
}

impl ContentBlock {
    /// A block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::new(ContentClass::Text) }
    }
}

words! {
    /// What a block is.
    ContentClass {
        /// Text.
        Text = "text",
        /// JSON.
        StructuredContent = "structured_content",
        /// An image.
        Image = "image",
        /// Audio.
        Audio = "audio",
        /// A video.
        Video = "video",
        /// A file.
        File = "file",
        /// A link to something that can be fetched.
        ResourceLink = "resource_link",
        /// Something that can be fetched, included.
        EmbeddedResource = "embedded_resource",
        /// A log.
        Log = "log",
        /// A difference between two texts.
        Diff = "diff",
        /// A reference to an artifact.
        ArtifactRef = "artifact_ref",
        /// A reference to stored output.
        PersistedOutputRef = "persisted_output_ref",
        /// A reference to a handoff.
        HandoffRef = "handoff_ref",
    }
}
