//! Why the server closes a socket.

/// The codes with which the server closes sockets, besides those of the WebSocket protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum CloseCode {
    /// The server is going down: connect again.
    GoingAway = 1001,
    /// A frame is longer than frames may be.
    TooLarge = 1009,
    /// A frame is no JSON, or wrong. Connecting again does not help.
    BadFrame = 4400,
    /// The client did not authenticate, or the token is not good. Get another one.
    Unauthenticated = 4401,
    /// The agent is suspended, or the address is of another kind of client.
    Forbidden = 4403,
    /// The first frame did not come in time.
    AuthTimeout = 4408,
    /// The session, the token or the device was ended: `session.invalidated` says why.
    SessionEnded = 4410,
    /// There are too many connections. Wait before connecting again.
    TooMany = 4429,
}

impl CloseCode {
    /// Every code.
    pub const ALL: [Self; 8] = [
        Self::GoingAway,
        Self::TooLarge,
        Self::BadFrame,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::AuthTimeout,
        Self::SessionEnded,
        Self::TooMany,
    ];

    /// The code with this number, if it is one of these.
    #[must_use]
    pub fn of(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.code() == number)
    }

    /// The number.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The reason that is sent along.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::GoingAway => "the server is going down",
            Self::TooLarge => "the frame is too large",
            Self::BadFrame => "the frame is not understood",
            Self::Unauthenticated => "the token is not good",
            Self::Forbidden => "this is not allowed",
            Self::AuthTimeout => "no authentication in time",
            Self::SessionEnded => "the session has ended",
            Self::TooMany => "too many connections",
        }
    }

    /// Whether a client does well to connect again with what it has.
    #[must_use]
    pub const fn reconnect(self) -> bool {
        matches!(self, Self::GoingAway | Self::TooMany | Self::AuthTimeout)
    }
}
