//! A URL that may be called.

pub(crate) mod name;

use std::fmt;

use http::Uri;
use url::Url;

use crate::{Origin, Reach, address::NotPublic};

/// The longest URL, in bytes; more than any receiver needs, and short enough to keep and to log.
pub const MAX_TARGET_BYTES: usize = 2048;

/// A URL that may be called, as far as its text can tell.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    url: Url,
    uri: Uri,
    origin: Origin,
}

/// Why a URL may not be called.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// It is too long.
    #[error("the URL is longer than {MAX_TARGET_BYTES} bytes")]
    TooLong,
    /// It is none.
    #[error("this is not a URL such as `https://hooks.example/assent`")]
    Malformed,
    /// It holds what some readers leave out and others do not.
    #[error("the URL holds white space, a control character or a backslash; encode or remove it")]
    Ambiguous,
    /// The way to it is not encrypted.
    #[error("the URL must begin with `https://`")]
    NotEncrypted,
    /// It holds a user name or a password.
    #[error("the URL must not hold a user name or a password")]
    Credentials,
    /// It holds a part that is never sent.
    #[error("the URL must not hold a fragment (`#`): it would not be sent")]
    Fragment,
    /// Its port is not one of web services.
    #[error("port {0} is not allowed; use 443, or one from 1024 on")]
    Port(u16),
    /// Its host is a name that leads into a private network.
    #[error("the host `{0}` is not a public name; use one of the public DNS")]
    PrivateName(String),
    /// Its host is an address that is not public.
    #[error(transparent)]
    NotPublic(#[from] NotPublic),
}

impl Target {
    /// Reads a URL and judges it by its text. What its name leads to is judged when it is called.
    ///
    /// ```
    /// use assent_outbound::{Origins, Reach, Target, TargetError};
    ///
    /// let strangers = Reach::Public(Origins::default());
    /// assert!(Target::parse("https://hooks.example.com/assent", &strangers).is_ok());
    /// let error = Target::parse("https://2130706433/", &strangers).unwrap_err();
    /// assert_eq!(error.to_string(), "`127.0.0.1` is not a public address: loopback");
    /// ```
    ///
    /// # Errors
    /// If it may not be called.
    pub fn parse(text: &str, reach: &Reach) -> Result<Self, TargetError> {
        if text.len() > MAX_TARGET_BYTES {
            return Err(TargetError::TooLong);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(TargetError::Ambiguous);
        }
        let url = Url::parse(text).map_err(|_| TargetError::Malformed)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(TargetError::NotEncrypted);
        }
        check_authority(text, url.scheme())?;
        if url.fragment().is_some() {
            return Err(TargetError::Fragment);
        }
        // Encoding can have made it longer, and this is the form that is kept.
        if url.as_str().len() > MAX_TARGET_BYTES {
            return Err(TargetError::TooLong);
        }
        let origin = Origin::of_url(&url).ok_or(TargetError::Malformed)?;
        reach.admit(&origin)?;
        let uri = url.as_str().parse().map_err(|_| TargetError::Malformed)?;
        Ok(Self { url, uri, origin })
    }

    /// The URL in its one spelling. Its path and query may be secrets of its owner.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Whom it leads to.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }
}

/// Judges the part between `://` and the path as it is written. Readers of URLs forgive a missing or a
/// third slash and forget an empty user name; whoever wrote such a thing meant to confuse somebody.
fn check_authority(text: &str, scheme: &str) -> Result<(), TargetError> {
    let (before, rest) = text.split_once("://").ok_or(TargetError::Malformed)?;
    if !before.eq_ignore_ascii_case(scheme) {
        // Slashes are missing, and these are later ones.
        return Err(TargetError::Malformed);
    }
    match rest.split(['/', '?', '#']).next() {
        None | Some("") => Err(TargetError::Malformed),
        Some(authority) if authority.contains('@') => Err(TargetError::Credentials),
        Some(_) => Ok(()),
    }
}

/// A path or a query can be a secret, so a debug print shows only the origin.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({})", self.origin)
    }
}
