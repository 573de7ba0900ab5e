//! Why a call failed, in words for whoever gave the address.

use std::{error::Error, time::Duration};

use assent_json::{shorten, visible};
use http::{HeaderName, Method};

use crate::TargetError;

/// The longest account of a failure, in characters.
const MAX_MESSAGE: usize = 400;

/// Why a call failed.
///
/// The texts are for the owner of the address. They hold nothing of what was sent, and no address that a
/// name led to: that would tell a stranger about our network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// This header is not the caller's to set.
    #[error("the header `{0}` is set by the connection; leave it out")]
    Header(HeaderName),
    /// This method asks for something else than an answer.
    #[error("the method `{0}` cannot be sent")]
    Method(Method),
    /// The address may not be called.
    #[error(transparent)]
    Refused(#[from] TargetError),
    /// The name leads to an address that is not public.
    #[error("its name leads to an address that is not public; use a public one")]
    NotPublic,
    /// The name has no address.
    #[error("its name has no address: {0}")]
    NoAddress(String),
    /// Nobody accepts connections there.
    #[error("it cannot be connected to: {0}")]
    Connect(String),
    /// It cannot prove to be who it should be, or does not speak TLS.
    #[error("it cannot be talked to in confidence: {0}")]
    Tls(String),
    /// The connection took too long.
    #[error("there was no connection within {}", seconds(.0))]
    ConnectTimeout(Duration),
    /// Everything together took too long.
    #[error("there was no complete answer within {}", seconds(.0))]
    Timeout(Duration),
    /// What came back is not HTTP, ended too early, or has a head that is too long.
    #[error("its answer is not complete HTTP: {0}")]
    Answer(String),
}

impl CallError {
    /// What kind of failure it is, as a word that stays.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            Self::Header(_) | Self::Method(_) => "request_refused",
            Self::Refused(_) | Self::NotPublic => "address_refused",
            Self::NoAddress(_) => "name_not_found",
            Self::Connect(_) => "connection_failed",
            Self::Tls(_) => "tls_failed",
            Self::ConnectTimeout(_) | Self::Timeout(_) => "timeout",
            Self::Answer(_) => "bad_answer",
        }
    }
}

fn seconds(duration: &Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// An error with its causes: the outermost alone says nothing. The other side has a say in some of them,
/// so that they are cut and made visible.
pub(crate) fn told(error: &(dyn Error + 'static)) -> String {
    let causes: Vec<String> = causes(error).map(ToString::to_string).collect();
    visible(&shorten(&causes.join(": "), MAX_MESSAGE))
}

/// An error and what caused it, outermost first.
pub(crate) fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}
