//! What is noted beside the bytes of a blob.

use std::collections::BTreeSet;

use assent_ids::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{BlobMeta, Owner, retention::Holds};

/// What the bytes are, and who keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) media_type: String,
    pub(crate) holds: Holds,
}

/// A label as it is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
    #[serde(default)]
    forever: bool,
    #[serde(default)]
    sessions: Vec<String>,
}

impl Label {
    /// The label of bytes that are stored for the first time, without holds.
    pub(crate) fn new(media_type: String) -> Self {
        Self { media_type, holds: Holds::default() }
    }

    /// Of bytes whose label cannot be read.
    fn unreadable() -> Self {
        Self { media_type: "application/octet-stream".to_owned(), holds: Holds::unknown() }
    }

    /// Keeps the bytes as `meta` says. Tells whether that changed anything. The first type stays:
    /// the same bytes can be stored under several, and none is more true than another.
    pub(crate) fn keep(&mut self, meta: BlobMeta) -> bool {
        self.holds.add(meta.owner, meta.retention)
    }

    /// As it is written down.
    pub(crate) fn write(&self) -> Vec<u8> {
        let written = Written {
            media_type: self.media_type.clone(),
            until: self.holds.until().map(UnixMillis::get),
            forever: self.holds.is_forever(),
            sessions: self.holds.sessions().iter().map(|owner| owner.as_str().into()).collect(),
        };
        // Texts and numbers can always be written; an empty label would be read as "kept for good".
        serde_json::to_vec(&written).unwrap_or_default()
    }

    /// Reads what was written. What makes no sense is a label that keeps the bytes for good.
    pub(crate) fn read(text: &[u8]) -> Self {
        Self::try_read(text).unwrap_or_else(Self::unreadable)
    }

    fn try_read(text: &[u8]) -> Option<Self> {
        let written: Written = serde_json::from_slice(text).ok()?;
        let sessions: Option<BTreeSet<Owner>> =
            written.sessions.into_iter().map(|name| Owner::new(name).ok()).collect();
        let until = written.until.map(UnixMillis::new);
        let holds = Holds::from_parts(until, written.forever, sessions?);
        Some(Self { media_type: written.media_type, holds })
    }
}

#[cfg(test)]
mod tests {
    use super::{Label, UnixMillis};
    use crate::{BlobMeta, Owner, Retention};

    fn label(retentions: &[Retention]) -> Label {
        let mut label = Label::new("text/plain".into());
        for retention in retentions {
            label.keep(BlobMeta::new("x/y", Owner::new("é \"session\"").unwrap(), *retention));
        }
        label
    }

    #[test]
    fn a_label_survives_being_written_and_read() {
        let until = Retention::Until(UnixMillis::new(7));
        for retentions in [vec![], vec![Retention::Session, until], vec![until, Retention::Forever]]
        {
            let label = label(&retentions);
            assert_eq!(Label::read(&label.write()), label);
        }
    }

    #[test]
    fn bytes_with_an_unreadable_label_are_never_thrown_away() {
        for text in ["", "{", "{}", r#"{"media_type":"a/b","sessions":[""]}"#, "\u{0}"] {
            assert!(Label::read(text.as_bytes()).holds.hold_at(UnixMillis::MAX), "{text}");
        }
    }
}
