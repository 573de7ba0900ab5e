//! URLs that may be called.

pub(crate) mod name;

use std::fmt;

use http::Uri;
use url::Url;

use crate::{Origin, Reach, address::NotPublic};

/// The longest URL, in bytes.
pub const MAX_TARGET_BYTES: usize = 2048;

/// A URL whose text was checked.
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
    /// The URL is too long.
    #[error("the URL is longer than {MAX_TARGET_BYTES} bytes")]
    TooLong,
    /// The text is not a URL.
    #[error("this is not a URL such as `https://hooks.example/assent`")]
    Malformed,
    /// The URL contains characters that parsers treat differently.
    #[error("the URL holds white space, a control character or a backslash; encode or remove it")]
    Ambiguous,
    /// The connection would not be encrypted.
    #[error("the URL must begin with `https://`")]
    NotEncrypted,
    /// The URL contains a user name or a password.
    #[error("the URL must not hold a user name or a password")]
    Credentials,
    /// The URL contains a fragment, which is never sent.
    #[error("the URL must not hold a fragment (`#`): it would not be sent")]
    Fragment,
    /// The port is not one of web services.
    #[error("port {0} is not allowed; use 443, or one from 1024 on")]
    Port(u16),
    /// The host is a name of a private network.
    #[error("the host `{0}` is not a public name; use one of the public DNS")]
    PrivateName(String),
    /// The host is an address that is not public.
    #[error(transparent)]
    NotPublic(#[from] NotPublic),
}

impl Target {
    /// Parses a URL and checks its text. The addresses of the host are checked when it is called.
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
    /// If the URL may not be called.
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
        // The normalized form can be longer.
        if url.as_str().len() > MAX_TARGET_BYTES {
            return Err(TargetError::TooLong);
        }
        let origin = Origin::of_url(&url).ok_or(TargetError::Malformed)?;
        reach.admit(&origin)?;
        let uri = url.as_str().parse().map_err(|_| TargetError::Malformed)?;
        Ok(Self { url, uri, origin })
    }

    /// Returns the normalized URL. Its path and query may be secrets.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Returns the origin.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }
}

/// Checks the part between `://` and the path as it is written. URL parsers accept missing or extra slashes
/// and drop an empty user name, which is used only to confuse.
fn check_authority(text: &str, scheme: &str) -> Result<(), TargetError> {
    let (before, rest) = text.split_once("://").ok_or(TargetError::Malformed)?;
    if !before.eq_ignore_ascii_case(scheme) {
        // The slashes after the scheme are missing; these are later ones.
        return Err(TargetError::Malformed);
    }
    match rest.split(['/', '?', '#']).next() {
        None | Some("") => Err(TargetError::Malformed),
        Some(authority) if authority.contains('@') => Err(TargetError::Credentials),
        Some(_) => Ok(()),
    }
}

/// Shows only the origin, because a path or a query can be a secret.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({})", self.origin)
    }
}
