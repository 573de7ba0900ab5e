//! The head of a frame: two to fourteen bytes.

use crate::Violation;

/// The longest head.
pub(crate) const MAX_HEAD: usize = 14;

/// The longest payload of a control frame.
pub(crate) const MAX_CONTROL: usize = 125;

/// What a frame is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opcode {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Opcode {
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Continuation => 0,
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }

    const fn of(number: u8) -> Result<Self, Violation> {
        Ok(match number {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return Err(Violation::UnknownOpcode(number)),
        })
    }

    pub(crate) const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// The head of a frame of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) is_final: bool,
    pub(crate) opcode: Opcode,
    pub(crate) length: u64,
    pub(crate) mask: [u8; 4],
}

impl Head {
    /// Reads a head from the beginning of `bytes`, and how long it was; `None` if more bytes are needed.
    /// What two bytes forbid is refused with two bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<(Self, usize)>, Violation> {
        let Some(([first, second], rest)) = bytes.split_first_chunk() else { return Ok(None) };
        let is_final = first & 0x80 != 0;
        if first & 0x70 != 0 {
            return Err(Violation::ReservedBit);
        }
        let opcode = Opcode::of(first & 0x0f)?;
        if second & 0x80 == 0 {
            return Err(Violation::Unmasked);
        }
        let short = second & 0x7f;
        if opcode.is_control() && (!is_final || usize::from(short) > MAX_CONTROL) {
            return Err(Violation::BadControl);
        }
        let Some((length, rest)) = length(short, rest)? else { return Ok(None) };
        let Some((mask, rest)) = rest.split_first_chunk() else { return Ok(None) };
        let used = bytes.len().saturating_sub(rest.len());
        Ok(Some((Self { is_final, opcode, length, mask: *mask }, used)))
    }
}

/// The length of a payload, and what follows it.
fn length(short: u8, rest: &[u8]) -> Result<Option<(u64, &[u8])>, Violation> {
    let (length, least, rest) = match short {
        126 => {
            let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
            (u64::from(u16::from_be_bytes(*length)), 126, rest)
        }
        127 => {
            let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
            (u64::from_be_bytes(*length), 1 << 16, rest)
        }
        short => (u64::from(short), 0, rest),
    };
    if length < least || length > i64::MAX.unsigned_abs() {
        return Err(Violation::BadLength);
    }
    Ok(Some((length, rest)))
}
