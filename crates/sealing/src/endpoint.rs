//! The two ends of a sealed message: a device of a person, or an agent.

use std::fmt;

use assent_ids::{AgentId, DeviceId, GeneratedId, Ulid};
use serde::{Deserialize, Serialize};

/// A device or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Endpoint {
    /// A device of a person.
    Device(DeviceId),
    /// An agent.
    Agent(AgentId),
}

impl Endpoint {
    /// The length of [`Self::to_bytes`].
    pub(crate) const LENGTH: usize = 17;

    const DEVICE: u8 = 1;
    const AGENT: u8 = 2;

    /// The kind, then the 16 bytes of the ULID.
    pub(crate) fn to_bytes(self) -> [u8; Self::LENGTH] {
        let (kind, ulid) = match self {
            Self::Device(id) => (Self::DEVICE, id.ulid()),
            Self::Agent(id) => (Self::AGENT, id.ulid()),
        };
        let mut bytes = [kind; Self::LENGTH];
        let (_, rest) = bytes.split_at_mut(1);
        rest.copy_from_slice(&ulid.bits().to_be_bytes());
        bytes
    }

    /// Returns `None` for an unknown kind.
    pub(crate) fn from_bytes(bytes: [u8; Self::LENGTH]) -> Option<Self> {
        let (kind, ulid) = bytes.split_first_chunk::<1>()?;
        let ulid = Ulid::from_bits(u128::from_be_bytes(ulid.try_into().ok()?));
        match *kind {
            [Self::DEVICE] => Some(Self::Device(DeviceId::from_ulid(ulid))),
            [Self::AGENT] => Some(Self::Agent(AgentId::from_ulid(ulid))),
            _ => None,
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
        }
    }
}

impl From<DeviceId> for Endpoint {
    fn from(id: DeviceId) -> Self {
        Self::Device(id)
    }
}

impl From<AgentId> for Endpoint {
    fn from(id: AgentId) -> Self {
        Self::Agent(id)
    }
}
