//! Records that are made when somebody first reads them. Most never are: a journal in memory forgets
//! them as they came, and a model is sent a text.

use std::{borrow::Cow, fmt, ops::Deref, sync::Arc};

use assent_protocol::agent_tool::ToolResult;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A record, or what it can be made from. Cheap to clone.
pub enum Lazy<R> {
    /// It is there.
    Made(Arc<R>),
    /// It is made when it is needed.
    Unmade(Arc<dyn Source<R>>),
}

/// What a record can be made from.
pub trait Source<R>: Send + Sync {
    /// The record. Whoever asks first has it made, and it is the same for all.
    fn record(&self) -> &R;

    /// The text that a model is sent, for those who need no more than that of a result.
    fn text(&self) -> Option<&str> {
        None
    }
}

impl Lazy<ToolResult> {
    /// What the model is sent, as text. For the ordinary result of one text no record has to be made.
    #[must_use]
    pub fn model_text(&self) -> Cow<'_, str> {
        if let Self::Unmade(source) = self
            && let Some(text) = source.text()
        {
            return Cow::Borrowed(text);
        }
        let blocks = self.model_facing_content.iter().flatten().filter_map(|block| block.typed());
        let texts: Vec<&str> = blocks.filter_map(|block| block.text.as_deref()).collect();
        Cow::Owned(texts.join("\n"))
    }
}

impl<R> Deref for Lazy<R> {
    type Target = R;

    fn deref(&self) -> &R {
        match self {
            Self::Made(record) => record,
            Self::Unmade(source) => source.record(),
        }
    }
}

impl<R> From<R> for Lazy<R> {
    fn from(record: R) -> Self {
        Self::Made(Arc::new(record))
    }
}

impl<R> Clone for Lazy<R> {
    fn clone(&self) -> Self {
        match self {
            Self::Made(record) => Self::Made(Arc::clone(record)),
            Self::Unmade(source) => Self::Unmade(Arc::clone(source)),
        }
    }
}

impl<R: PartialEq> PartialEq for Lazy<R> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<R: fmt::Debug> fmt::Debug for Lazy<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<R: Serialize> Serialize for Lazy<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, R: Deserialize<'de>> Deserialize<'de> for Lazy<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        R::deserialize(deserializer).map(Self::from)
    }
}
