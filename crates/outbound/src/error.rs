//! Errors of calls, for the owner of the address.

use std::{error::Error, time::Duration};

use assent_json::{shorten, visible};
use http::{HeaderName, Method};

use crate::TargetError;

/// The longest description of a failure, in characters.
const MAX_MESSAGE: usize = 400;

/// Why a call failed.
///
/// The texts are for the owner of the address. They contain nothing that was sent, and no resolved
/// addresses, which would reveal the internal network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The caller must not set this header.
    #[error("the header `{0}` is set by the connection; leave it out")]
    Header(HeaderName),
    /// The method does not request an answer.
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
    /// The connection was refused.
    #[error("it cannot be connected to: {0}")]
    Connect(String),
    /// The certificate is not valid, or the server does not support TLS.
    #[error("it cannot be talked to in confidence: {0}")]
    Tls(String),
    /// The connection took too long.
    #[error("there was no connection within {}", seconds(.0))]
    ConnectTimeout(Duration),
    /// The whole call took too long.
    #[error("there was no complete answer within {}", seconds(.0))]
    Timeout(Duration),
    /// The answer is not HTTP, ended too early, or has too long a head.
    #[error("its answer is not complete HTTP: {0}")]
    Answer(String),
}

impl CallError {
    /// Returns the kind of failure as a stable word.
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

/// Describes an error with its causes. The other side can influence the texts, so they are shortened and
/// invisible characters are escaped.
pub(crate) fn describe(error: &(dyn Error + 'static)) -> String {
    let causes: Vec<String> = causes(error).map(ToString::to_string).collect();
    visible(&shorten(&causes.join(": "), MAX_MESSAGE))
}

/// Iterates over an error and its causes, outermost first.
pub(crate) fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}
