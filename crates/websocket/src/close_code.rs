//! Why a connection is closed.

/// A code that may stand in a close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseCode(u16);

impl CloseCode {
    /// Everything was said.
    pub const NORMAL: Self = Self(1000);
    /// The other side broke the protocol.
    pub const PROTOCOL: Self = Self(1002);
    /// A text was no UTF-8.
    pub const INVALID: Self = Self(1007);
    /// A message was too long.
    pub const TOO_LARGE: Self = Self(1009);

    /// The code with this number, if it may be sent: some stand only for what happens without a frame,
    /// and others are reserved.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        match number {
            1000..=1003 | 1007..=1014 | 3000..=4999 => Some(Self(number)),
            _ => None,
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}
