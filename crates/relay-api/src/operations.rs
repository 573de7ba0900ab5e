//! The operations of the relay, one file each, and the lists of all of them.

pub mod accounts;
pub mod admin;
pub mod agents;
pub mod conversations;
pub mod delivery;
pub mod keys;
pub mod manifests;
pub mod observability;
pub mod relations;
pub mod webhooks;

use crate::Described;

/// Every operation of the public interface: the table of routes.
#[must_use]
pub fn operations() -> &'static [Described] {
    &OPERATIONS
}

/// Every operation of the local admin socket.
#[must_use]
pub fn admin_operations() -> &'static [Described] {
    &ADMIN
}

static OPERATIONS: [Described; 54] = [
    Described::of::<accounts::Register>(),
    Described::of::<accounts::Login>(),
    Described::of::<accounts::Refresh>(),
    Described::of::<accounts::Logout>(),
    Described::of::<accounts::Me>(),
    Described::of::<accounts::RegisterDevice>(),
    Described::of::<accounts::ListDevices>(),
    Described::of::<accounts::RemoveDevice>(),
    Described::of::<keys::PublishPrekeys>(),
    Described::of::<keys::ListUserDevices>(),
    Described::of::<keys::GetAgentKeys>(),
    Described::of::<keys::ClaimPrekeys>(),
    Described::of::<keys::PutBackup>(),
    Described::of::<keys::GetBackup>(),
    Described::of::<agents::CreateAgent>(),
    Described::of::<agents::GetAgent>(),
    Described::of::<agents::SearchAgents>(),
    Described::of::<agents::UpdateAgent>(),
    Described::of::<agents::DeleteAgent>(),
    Described::of::<agents::GetTelemetry>(),
    Described::of::<agents::CreateToken>(),
    Described::of::<agents::ListTokens>(),
    Described::of::<agents::RevokeToken>(),
    Described::of::<agents::RegisterAgentKeys>(),
    Described::of::<manifests::ListManifests>(),
    Described::of::<manifests::GetManifest>(),
    Described::of::<manifests::DiffManifests>(),
    Described::of::<relations::CreateRelation>(),
    Described::of::<relations::ListRelations>(),
    Described::of::<relations::GetRelation>(),
    Described::of::<relations::UpdateRelation>(),
    Described::of::<relations::RevokeRelation>(),
    Described::of::<relations::DeleteRelation>(),
    Described::of::<relations::SuspendRelation>(),
    Described::of::<relations::RestoreRelation>(),
    Described::of::<relations::GetLedger>(),
    Described::of::<conversations::ListConversations>(),
    Described::of::<conversations::CreateConversation>(),
    Described::of::<conversations::GetConversation>(),
    Described::of::<conversations::AddMembers>(),
    Described::of::<conversations::RemoveMember>(),
    Described::of::<conversations::SendMessage>(),
    Described::of::<conversations::ListMessages>(),
    Described::of::<conversations::PollMessages>(),
    Described::of::<webhooks::RotateWebhookSecret>(),
    Described::of::<webhooks::ListDeliveries>(),
    Described::of::<webhooks::Redeliver>(),
    Described::of::<delivery::ListEvents>(),
    Described::of::<delivery::ConnectHuman>(),
    Described::of::<delivery::ConnectAgent>(),
    Described::of::<observability::Health>(),
    Described::of::<observability::Ready>(),
    Described::of::<observability::Metrics>(),
    Described::of::<observability::GetOpenApi>(),
];

static ADMIN: [Described; 7] = [
    Described::of::<admin::ListAllAgents>(),
    Described::of::<admin::SuspendAgent>(),
    Described::of::<admin::RestoreAgent>(),
    Described::of::<admin::SuspendAnyRelation>(),
    Described::of::<admin::RestoreAnyRelation>(),
    Described::of::<admin::RotateSigningKeys>(),
    Described::of::<admin::BackUp>(),
];
