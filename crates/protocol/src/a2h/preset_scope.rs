//! The four scopes that every client has texts for.

use assent_ids::ScopeId;

use super::Sensitivity;
use crate::wire::words;

words! {
    /// A scope whose texts ship with every client. All others need fallback texts in the manifest.
    PresetScope {
        /// Shows notifications of the system.
        NotificationSend = "notification:send",
        /// Reads local files.
        FilesystemRead = "filesystem:read",
        /// Reads the clipboard.
        ClipboardRead = "clipboard:read",
        /// Reads the position.
        LocationRead = "location:read",
    }
}

impl PresetScope {
    /// How sensitive it is.
    #[must_use]
    pub const fn sensitivity(self) -> Sensitivity {
        match self {
            Self::NotificationSend => Sensitivity::Low,
            Self::FilesystemRead | Self::ClipboardRead => Sensitivity::Medium,
            Self::LocationRead => Sensitivity::High,
        }
    }

    /// The preset scope with this id.
    #[must_use]
    pub fn of(id: &ScopeId) -> Option<Self> {
        id.as_str().parse().ok()
    }
}
