//! The URLs that moments may be sent to.

use assent_outbound::{Reach, Target, TargetError};

/// The URL of a service: `https`, or `http` on this machine. `Debug` shows no path, which can be a
/// secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookUrl(Target);

/// Why a URL is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// The text is not a URL.
    #[error("this is not a URL such as `https://hooks.example/assent`")]
    Malformed,
    /// The scheme is not `https`.
    #[error(
        "the URL must begin with `https://`; only for a service on this machine there is `allow_loopback_http`"
    )]
    NotEncrypted,
    /// The scheme is `http`, and the host may be another machine.
    #[error(
        "`http://` is only for this machine: write `127.0.0.1` or `[::1]`, because a name can lead elsewhere"
    )]
    NotLoopback,
    /// The URL contains a user name or a password.
    #[error("the URL must not hold a user name or a password; use `bearer` or `signing_secret`")]
    Credentials,
    /// The URL is too long, or has parts that are not sent or that parsers disagree about.
    #[error(transparent)]
    Refused(TargetError),
}

impl From<TargetError> for UrlError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Malformed => Self::Malformed,
            TargetError::NotEncrypted => Self::NotEncrypted,
            TargetError::Credentials => Self::Credentials,
            other => Self::Refused(other),
        }
    }
}

impl HookUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// If the text is not a URL, or the connection would not be safe.
    pub fn parse(text: &str, allow_loopback_http: bool) -> Result<Self, UrlError> {
        let target = Target::parse(text, &Reach::Anywhere)?;
        let origin = target.origin();
        if !origin.is_encrypted() && !allow_loopback_http {
            return Err(UrlError::NotEncrypted);
        }
        if !origin.is_encrypted() && !origin.address().is_some_and(|address| address.is_loopback())
        {
            return Err(UrlError::NotLoopback);
        }
        Ok(Self(target))
    }

    pub(super) fn target(&self) -> &Target {
        &self.0
    }

    /// Returns `true` if the connection is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.0.origin().is_encrypted()
    }
}

#[cfg(test)]
mod tests {
    use assent_outbound::TargetError;

    use super::{HookUrl, UrlError};

    const FRAGMENT: UrlError = UrlError::Refused(TargetError::Fragment);

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
            ("https://hooks.example/#planted", Err(FRAGMENT), Err(FRAGMENT)),
        ] {
            assert_eq!(HookUrl::parse(text, false).map(drop), plain, "{text}");
            assert_eq!(HookUrl::parse(text, true).map(drop), loopback, "{text}");
        }
    }

    #[test]
    fn a_debug_print_shows_no_path() {
        let url = HookUrl::parse("https://hooks.example/planted?planted", false).unwrap();
        assert_eq!(format!("{url:?}"), "HookUrl(Target(https://hooks.example:443))");
    }
}
