//! Where a relay is.

use std::fmt;

use url::{Host, Url};

/// The address of a relay: `https`, or `http` on this machine, maybe with a path in front of all paths.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Why an address is no address of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaseUrlError {
    /// It is none.
    #[error("this is not a URL such as `https://relay.example`")]
    Malformed,
    /// It is not encrypted, and leads to another machine.
    #[error(
        "without encryption only this machine may be called: use `https://`, or write `127.0.0.1` or `[::1]`, because a name can lead elsewhere"
    )]
    NotEncrypted,
    /// It holds a user name or a password.
    #[error("the URL must not hold a user name or a password; they would end up in logs")]
    Credentials,
    /// It holds a query or a fragment.
    #[error("the URL of a relay ends with its path: leave out what follows `?` or `#`")]
    Tail,
}

impl BaseUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// If it is none, or the way to it is not safe.
    pub fn parse(text: &str, allow_plain_http: bool) -> Result<Self, BaseUrlError> {
        let url = Url::parse(text).map_err(|_| BaseUrlError::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if allow_plain_http || is_this_machine(&url) => {}
            "http" => return Err(BaseUrlError::NotEncrypted),
            _ => return Err(BaseUrlError::Malformed),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Tail);
        }
        Ok(Self(url))
    }

    /// The address of a path and query that begin with a slash.
    #[must_use]
    pub fn join(&self, target: &str) -> String {
        format!("{}{target}", self.0.as_str().trim_end_matches('/'))
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BaseUrl({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseUrl, BaseUrlError};

    #[test]
    fn only_encrypted_ways_and_ways_within_this_machine_are_taken_unasked() {
        for (text, careful, asked) in [
            ("https://relay.example", Ok(()), Ok(())),
            ("https://10.0.0.1:8443/relay/", Ok(()), Ok(())),
            ("http://127.0.0.1:9", Ok(()), Ok(())),
            ("http://[::1]:9/", Ok(()), Ok(())),
            ("http://127.1:9", Ok(()), Ok(())),
            ("http://localhost:9", Err(BaseUrlError::NotEncrypted), Ok(())),
            ("http://relay.example", Err(BaseUrlError::NotEncrypted), Ok(())),
            ("http://0.0.0.0", Err(BaseUrlError::NotEncrypted), Ok(())),
            ("ftp://relay.example", Err(BaseUrlError::Malformed), Err(BaseUrlError::Malformed)),
            ("relay.example", Err(BaseUrlError::Malformed), Err(BaseUrlError::Malformed)),
            (
                "https://a:b@relay.example",
                Err(BaseUrlError::Credentials),
                Err(BaseUrlError::Credentials),
            ),
            ("https://relay.example/?a", Err(BaseUrlError::Tail), Err(BaseUrlError::Tail)),
            ("https://relay.example/#a", Err(BaseUrlError::Tail), Err(BaseUrlError::Tail)),
        ] {
            assert_eq!(BaseUrl::parse(text, false).map(drop), careful, "{text}");
            assert_eq!(BaseUrl::parse(text, true).map(drop), asked, "{text}");
        }
    }

    #[test]
    fn a_relay_may_live_below_a_path() {
        for (base, expected) in [
            ("https://relay.example", "https://relay.example/agents?q=a"),
            ("https://relay.example/", "https://relay.example/agents?q=a"),
            ("https://example/relay/", "https://example/relay/agents?q=a"),
        ] {
            assert_eq!(BaseUrl::parse(base, false).unwrap().join("/agents?q=a"), expected);
        }
    }
}
