//! On whose behalf bytes are kept.

use std::{fmt, sync::Arc};

use assent_ids::GeneratedId;

/// Longer names are no names: every blob remembers the names of the sessions that keep it.
const MAX_BYTES: usize = 256;

/// On whose behalf bytes are kept, such as a session.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner(Arc<str>);

impl Owner {
    /// The owner of this name.
    ///
    /// # Errors
    /// If the name is empty, longer than 256 bytes or holds control characters.
    pub fn new(name: impl Into<Arc<str>>) -> Result<Self, BadOwner> {
        let name = name.into();
        let fits = (1..=MAX_BYTES).contains(&name.len()) && !name.contains(char::is_control);
        fits.then_some(Self(name)).ok_or(BadOwner)
    }

    /// The owner that has an id: a session, a run, a call.
    #[must_use]
    pub fn of(id: impl GeneratedId + fmt::Display) -> Self {
        Self(id.to_string().into())
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owner({})", self.0)
    }
}

/// The text is no name of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an owner has a name of 1 to {MAX_BYTES} bytes without control characters")]
pub struct BadOwner;

#[cfg(test)]
mod tests {
    use super::{BadOwner, MAX_BYTES, Owner};

    #[test]
    fn a_name_has_an_end_and_is_visible() {
        assert!(Owner::new("x".repeat(MAX_BYTES)).is_ok());
        for name in [String::new(), "x".repeat(MAX_BYTES + 1), "a\nb".to_owned()] {
            assert_eq!(Owner::new(name), Err(BadOwner));
        }
    }
}
