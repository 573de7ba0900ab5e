//! What the operations talk about: the things that several of them take or give.

mod account;
mod agent;
mod backup;
mod conversation;
mod delivery;
mod device;
mod empty;
mod manifest;
mod prekey;
mod relation;
mod telemetry;
mod token;

pub use account::{Account, Session};
pub use agent::{Agent, AgentState, AgentSummary, ConnectionMode, WebhookState};
pub use backup::{Argon2Params, KeyBackup};
pub use conversation::{Conversation, ConversationKind, Member, MemberRole};
pub use delivery::{Delivery, DeliveryAttempt, DeliveryState};
pub use device::{AgentKeys, Device, DeviceKeys};
pub use empty::Empty;
pub use manifest::{
    ManifestChange, ManifestFinding, ManifestText, ManifestVersion, PublishedBy, PublishedManifest,
};
pub use prekey::{KemPrekey, MAX_PREKEYS, OneTimePrekey, PrekeyBundle, PrekeyCount, SignedPrekey};
pub use relation::{Relation, RelationGrant, RelationState, SuspendedBy};
pub use telemetry::{AgentTelemetry, RelationCounts, TelemetryWarning, Traffic, WebhookHealth};
pub use token::{AgentToken, TokenScope};
