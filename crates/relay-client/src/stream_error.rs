//! Why a connection has ended, and whether to connect again.

use assent_json::visible;
use assent_outbound::CallError;
use assent_relay_api::socket::{
    AuthError, AuthErrorReason, CloseCode, DEAD_AFTER, MAX_FRAME_BYTES,
};
use tokio_tungstenite::tungstenite::{self, protocol::CloseFrame};

use crate::ClientError;

/// Why a connection has ended, or was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The relay cannot be reached, or does not open a socket.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The client has no token to show.
    #[error("a socket needs a token: make the client with `Credentials::bearer`")]
    NoToken,
    /// What answered does not open a socket.
    #[error("what answered does not speak the WebSocket protocol; is there a proxy in between?")]
    NotASocket,
    /// The relay does not let the client in.
    #[error("the relay does not let this client in: {}", visible(&.0.message))]
    Rejected(Box<AuthError>),
    /// The relay has closed the connection.
    #[error("the relay has closed the connection{}", reason_of(*.0))]
    Closed(Option<u16>),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The relay has sent nothing for too long.
    #[error("the relay has sent nothing for {} seconds", DEAD_AFTER.as_secs())]
    Silent,
    /// The relay sent what no relay of this version sends.
    #[error("a frame of the relay is not understood: {0}")]
    NotUnderstood(String),
    /// The token does not fit into a frame.
    #[error("a frame has at most {MAX_FRAME_BYTES} bytes; is this a token?")]
    TooLong,
}

impl StreamError {
    pub(crate) fn broken(error: tungstenite::Error) -> Self {
        match error {
            tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => {
                Self::Closed(None)
            }
            error => Self::Broken(error.to_string()),
        }
    }

    pub(crate) fn closed(frame: Option<CloseFrame>) -> Self {
        Self::Closed(frame.map(|frame| frame.code.into()))
    }

    /// Whether connecting again, with what the client has, may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Client(ClientError::Refused(refusal)) => {
                matches!(refusal.status.as_u16(), 408 | 429 | 500..)
            }
            Self::Client(ClientError::Unreachable(why)) => !matches!(
                why,
                CallError::Header(_)
                    | CallError::Method(_)
                    | CallError::Refused(_)
                    | CallError::NotPublic
            ),
            Self::Closed(code) => {
                let known = code.and_then(CloseCode::of);
                known.is_none_or(CloseCode::reconnect)
            }
            Self::Rejected(why) => matches!(
                why.reason.known(),
                Some(AuthErrorReason::TooManyConnections | AuthErrorReason::AuthTimeout)
            ),
            Self::Broken(_) | Self::Silent => true,
            Self::Client(_)
            | Self::NoToken
            | Self::NotASocket
            | Self::NotUnderstood(_)
            | Self::TooLong => false,
        }
    }
}

fn reason_of(code: Option<u16>) -> String {
    match (code, code.and_then(CloseCode::of)) {
        (_, Some(code)) => format!(": {} ({})", code.reason(), code.code()),
        (Some(code), None) => format!(" ({code})"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use assent_relay_api::socket::{AuthError, AuthErrorReason};

    use super::StreamError;

    #[test]
    fn connecting_again_is_advised_only_where_it_may_help() {
        for (code, passing) in
            [(None, true), (Some(1001), true), (Some(1006), true), (Some(4429), true)]
                .into_iter()
                .chain([(Some(4400), false), (Some(4401), false), (Some(4403), false)])
                .chain([(Some(4410), false), (Some(1009), false), (Some(4408), true)])
        {
            assert_eq!(StreamError::Closed(code).is_transient(), passing, "{code:?}");
        }
        for (reason, passing) in [
            (AuthErrorReason::TooManyConnections, true),
            (AuthErrorReason::InvalidToken, false),
            (AuthErrorReason::SessionRevoked, false),
            (AuthErrorReason::Suspended, false),
        ] {
            let rejected = StreamError::Rejected(Box::new(AuthError::new(reason, "")));
            assert_eq!(rejected.is_transient(), passing, "{reason}");
        }
    }

    #[test]
    fn a_message_says_why_a_connection_was_closed() {
        let text = StreamError::Closed(Some(4410)).to_string();
        assert_eq!(text, "the relay has closed the connection: the session has ended (4410)");
        assert!(StreamError::Closed(Some(4999)).to_string().ends_with("(4999)"));
    }
}
