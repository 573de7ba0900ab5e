//! Where a moment may be sent.

use std::fmt;

use http::Uri;
use url::{Host, Url};

/// The address of a service: `https`, or `http` on this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct HookUrl(Uri);

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// It is none.
    #[error("this is not a URL such as `https://hooks.example/assent`")]
    Malformed,
    /// It is not encrypted.
    #[error(
        "the URL must begin with `https://`; only for a service on this machine there is `allow_loopback_http`"
    )]
    NotEncrypted,
    /// It is not encrypted, and its name need not mean this machine.
    #[error(
        "`http://` is only for this machine: write `127.0.0.1` or `[::1]`, because a name can lead elsewhere"
    )]
    NotLoopback,
    /// It holds a user name or a password.
    #[error("the URL must not hold a user name or a password; use `bearer` or `signing_secret`")]
    Credentials,
}

impl HookUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// If it is none, or the way to it is not safe.
    pub fn parse(text: &str, allow_loopback_http: bool) -> Result<Self, UrlError> {
        let url = Url::parse(text).map_err(|_| UrlError::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if !allow_loopback_http => return Err(UrlError::NotEncrypted),
            "http" if is_loopback(&url) => {}
            "http" => return Err(UrlError::NotLoopback),
            _ => return Err(UrlError::NotEncrypted),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::Credentials);
        }
        url.as_str().parse().map(Self).map_err(|_| UrlError::Malformed)
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.0
    }

    /// Whether the way to it is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme_str() == Some("https")
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

/// A path or a query can be a secret, so a debug print shows only the host.
impl fmt::Debug for HookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HookUrl({})", self.0.host().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{HookUrl, UrlError};

    #[test]
    fn only_encrypted_ways_and_ways_within_this_machine_are_allowed() {
        for (text, plain, loopback) in [
            ("https://hooks.example/a?b=c", Ok(()), Ok(())),
            ("https://10.0.0.1:8443/", Ok(()), Ok(())),
            ("http://127.0.0.1:9/a", Err(UrlError::NotEncrypted), Ok(())),
            ("http://127.1/a", Err(UrlError::NotEncrypted), Ok(())),
            ("http://[::1]:9/", Err(UrlError::NotEncrypted), Ok(())),
            ("http://localhost/", Err(UrlError::NotEncrypted), Err(UrlError::NotLoopback)),
            ("http://127.0.0.1.example/", Err(UrlError::NotEncrypted), Err(UrlError::NotLoopback)),
            ("http://10.0.0.1/", Err(UrlError::NotEncrypted), Err(UrlError::NotLoopback)),
            ("http://[::ffff:127.0.0.1]/", Err(UrlError::NotEncrypted), Err(UrlError::NotLoopback)),
            ("https://user@hooks.example/", Err(UrlError::Credentials), Err(UrlError::Credentials)),
            ("https://:pw@hooks.example/", Err(UrlError::Credentials), Err(UrlError::Credentials)),
            ("file:///etc/passwd", Err(UrlError::NotEncrypted), Err(UrlError::NotEncrypted)),
            ("hooks.example", Err(UrlError::Malformed), Err(UrlError::Malformed)),
            ("", Err(UrlError::Malformed), Err(UrlError::Malformed)),
        ] {
            assert_eq!(HookUrl::parse(text, false).map(drop), plain, "{text}");
            assert_eq!(HookUrl::parse(text, true).map(drop), loopback, "{text}");
        }
    }

    #[test]
    fn a_debug_print_shows_no_path() {
        let url = HookUrl::parse("https://hooks.example/planted?planted", false).unwrap();
        assert_eq!(format!("{url:?}"), "HookUrl(hooks.example)");
    }
}
