//! What a client shows.

use assent_relay_api::value::Secret;
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use zeroize::Zeroizing;

use crate::ClientError;

/// What a client shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing.
    #[default]
    None,
    /// An access token, or the token of an agent.
    Bearer(Secret),
}

impl Credentials {
    /// An access token, or the token of an agent.
    #[must_use]
    pub fn bearer(token: String) -> Self {
        Self::Bearer(token.into())
    }

    /// What the first frame of a socket shows.
    pub(crate) const fn token(&self) -> Option<&Secret> {
        match self {
            Self::None => None,
            Self::Bearer(token) => Some(token),
        }
    }

    pub(crate) fn put_into(&self, headers: &mut HeaderMap) -> Result<(), ClientError> {
        if let Self::Bearer(token) = self {
            let text = Zeroizing::new(format!("Bearer {}", token.expose()));
            let mut value = HeaderValue::from_str(&text).map_err(|_| ClientError::Token)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(())
    }
}
