//! What an operation is about.

/// The parts that the interface is divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// Registration, login, sessions.
    Accounts,
    /// The devices of a person.
    Devices,
    /// Public keys, prekeys and the sealed backup.
    Keys,
    /// Agents and their tokens.
    Agents,
    /// What agents declare.
    Manifests,
    /// What people grant.
    Relations,
    /// Conversations and their members.
    Conversations,
    /// Sealed messages.
    Messages,
    /// Deliveries to agents that are called.
    Webhooks,
    /// What happened, for catching up and as it happens.
    Events,
    /// The server itself.
    Operations,
    /// What only operators do.
    Admin,
}

impl Tag {
    /// Every tag, in the order of the document.
    pub const ALL: [Self; 12] = [
        Self::Accounts,
        Self::Devices,
        Self::Keys,
        Self::Agents,
        Self::Manifests,
        Self::Relations,
        Self::Conversations,
        Self::Messages,
        Self::Webhooks,
        Self::Events,
        Self::Operations,
        Self::Admin,
    ];

    /// Its name in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Devices => "devices",
            Self::Keys => "keys",
            Self::Agents => "agents",
            Self::Manifests => "manifests",
            Self::Relations => "relations",
            Self::Conversations => "conversations",
            Self::Messages => "messages",
            Self::Webhooks => "webhooks",
            Self::Events => "events",
            Self::Operations => "operations",
            Self::Admin => "admin",
        }
    }

    /// What it is about, in a line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Accounts => "Registration, login and sessions of people.",
            Self::Devices => "The devices of a person and their public keys.",
            Self::Keys => "Public keys, prekeys and the sealed backup of private keys.",
            Self::Agents => "Agents, their tokens and their keys.",
            Self::Manifests => "What agents declare that they may ask for, version by version.",
            Self::Relations => "What people grant to agents, as a signed and chained ledger.",
            Self::Conversations => "Private and group conversations and who is in them.",
            Self::Messages => "Sealed messages, which the relay can deliver but not read.",
            Self::Webhooks => "Deliveries to agents that are called instead of calling.",
            Self::Events => "What happened, as it happens and for catching up.",
            Self::Operations => "The server itself: health, readiness, metrics, this document.",
            Self::Admin => "What only operators do, on the local admin socket.",
        }
    }
}
