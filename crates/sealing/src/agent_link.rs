//! The link with which a person adds an agent: `assent:add/agt_…?relay=URL#k=…`.

use std::{fmt, str::FromStr};

use assent_ids::AgentId;
use sha2::{Digest, Sha256};
use url::Url;

use crate::{PublicKeys, account::hex};

/// The SHA-256 of an agent's identity keys. It stands behind the `#` of a link, so that no server sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFingerprint([u8; 32]);

impl KeyFingerprint {
    /// The fingerprint of these keys.
    #[must_use]
    pub fn of(keys: &PublicKeys) -> Self {
        let digest = Sha256::new().chain_update(keys.signing).chain_update(keys.identity);
        Self(digest.finalize().into())
    }
}

impl fmt::Display for KeyFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl FromStr for KeyFingerprint {
    type Err = AgentLinkError;

    fn from_str(text: &str) -> Result<Self, AgentLinkError> {
        let wrong = AgentLinkError::Fingerprint;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 64 || !text.bytes().all(is_hex) {
            return Err(wrong);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong)?;
        }
        Ok(Self(bytes))
    }
}

/// A link with which a person adds an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentLink {
    /// The agent.
    pub agent: AgentId,
    /// The relay where it is registered.
    pub relay: Option<Url>,
    /// What its keys must be. A link with the right fingerprint proves the keys.
    pub fingerprint: Option<KeyFingerprint>,
}

/// A text is not a link to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentLinkError {
    /// It does not begin with `assent:add/`.
    #[error("a link to an agent begins with `assent:add/`")]
    NotALink,
    /// There is no agent id in it.
    #[error("the link names no agent")]
    Agent,
    /// The relay is not a URL.
    #[error("the relay in the link is not a URL")]
    Relay,
    /// The fingerprint is not 64 hexadecimal digits.
    #[error("the fingerprint in the link is not 64 lower-case hexadecimal digits")]
    Fingerprint,
}

impl fmt::Display for AgentLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "assent:add/{}", self.agent)?;
        if let Some(relay) = &self.relay {
            let relay = relay.as_str().trim_end_matches('/');
            let query = url::form_urlencoded::Serializer::new(String::new())
                .append_pair("relay", relay)
                .finish();
            write!(f, "?{query}")?;
        }
        match &self.fingerprint {
            Some(fingerprint) => write!(f, "#k={fingerprint}"),
            None => Ok(()),
        }
    }
}

impl FromStr for AgentLink {
    type Err = AgentLinkError;

    fn from_str(text: &str) -> Result<Self, AgentLinkError> {
        let url = Url::parse(text.trim()).map_err(|_| AgentLinkError::NotALink)?;
        let path = (url.scheme() == "assent").then(|| url.path().strip_prefix("add/")).flatten();
        let agent = path.ok_or(AgentLinkError::NotALink)?;
        let agent = agent.parse().map_err(|_| AgentLinkError::Agent)?;
        let relay = url.query_pairs().find(|(name, _)| name == "relay");
        let relay = relay.map(|(_, relay)| relay.parse()).transpose();
        let relay = relay.map_err(|_| AgentLinkError::Relay)?;
        let key = url.fragment().map(|text| text.strip_prefix("k=").unwrap_or_default());
        Ok(Self { agent, relay, fingerprint: key.map(str::parse).transpose()? })
    }
}
