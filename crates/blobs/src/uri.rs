//! The names of blobs.

use std::{fmt, str::FromStr};

use assent_json::Digest;

const PREFIX: &str = "blob:sha256:";
const DIGITS: usize = 64;

/// The name of some bytes: `blob:sha256:` and their digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobUri(Digest);

impl BlobUri {
    /// The name of the bytes with this digest.
    #[must_use]
    pub const fn new(digest: Digest) -> Self {
        Self(digest)
    }

    /// The name of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Digest::of(bytes))
    }

    /// The digest of the bytes.
    #[must_use]
    pub const fn digest(self) -> Digest {
        self.0
    }

    /// The first name of a blob that stands anywhere in `text`.
    #[must_use]
    pub fn first_in(text: &str) -> Option<Self> {
        // Most texts are too short to hold one.
        if text.len() < PREFIX.len() + DIGITS {
            return None;
        }
        text.match_indices(PREFIX).find_map(|(at, prefix)| {
            let start = at + prefix.len();
            text.get(start..start + DIGITS)?.parse().ok().map(Self)
        })
    }
}

impl fmt::Display for BlobUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

impl FromStr for BlobUri {
    type Err = ParseUriError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix(PREFIX).ok_or(ParseUriError)?;
        digits.parse().map(Self).map_err(|_| ParseUriError)
    }
}

/// The text names no blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a blob is named `blob:sha256:` and 64 lower-case hexadecimal digits")]
pub struct ParseUriError;

/// A stored blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobRef {
    /// Its name.
    pub uri: BlobUri,
    /// How many bytes it has.
    pub size: u64,
}

impl BlobRef {
    /// The digest of its bytes.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.uri.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::{BlobUri, ParseUriError};

    #[test]
    fn a_name_survives_being_written_and_read() {
        let uri = BlobUri::of(b"assent");
        assert_eq!(uri.to_string().parse(), Ok(uri));
    }

    #[test]
    fn what_only_looks_like_a_name_is_refused() {
        let uri = BlobUri::of(b"assent").to_string();
        let shouted = uri.to_uppercase();
        let cut = uri.strip_suffix(char::is_alphanumeric).unwrap();
        for text in ["", "blob:", "blob:sha256:", cut, &shouted, &format!("{uri}0")] {
            assert_eq!(text.parse::<BlobUri>(), Err(ParseUriError), "{text}");
        }
    }

    #[test]
    fn a_name_is_found_inside_a_text() {
        let uri = BlobUri::of(b"assent");
        let text = format!("not blob:sha256:é but \"{uri}\", please");
        assert_eq!(BlobUri::first_in(&text), Some(uri));
        assert_eq!(BlobUri::first_in("blob:sha256:0123"), None);
        assert_eq!(BlobUri::first_in(""), None);
    }
}
