//! The digest of a definition. An approval is bound to it.

use assent_ids::ProviderId;
use assent_json::Digest;
use assent_protocol::agent_tool::{
    PersistenceStrategy, ResourceLock, ToolDeclaration, ToolExecutionProfile, ToolInterface,
    ToolPermissionProfile,
};
use serde::Serialize;

use super::Findings;
use crate::{catalog::ToolDefinition, results::HiddenCharacters};

#[derive(Serialize)]
struct Said<'a> {
    declaration: &'a ToolDeclaration,
    interface: &'a ToolInterface,
    execution: &'a ToolExecutionProfile,
    permission: &'a ToolPermissionProfile,
    locks: &'a [ResourceLock],
    persistence: Persistence,
    provider: Option<&'a ProviderId>,
    trusted: bool,
}

#[derive(Serialize)]
struct Persistence {
    max_inline_chars: Option<usize>,
    max_inline_bytes: Option<usize>,
    strategy: Option<PersistenceStrategy>,
    /// Left out unless it is set, so that the digests of other definitions stay the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    keeps_hidden_characters: bool,
}

/// The SHA-256 of the canonical form of the whole definition.
pub(super) fn of(definition: &ToolDefinition, findings: &mut Findings) -> Option<Digest> {
    let persistence = &definition.persistence;
    let said = Said {
        declaration: &definition.declaration,
        interface: &definition.interface,
        execution: &definition.execution,
        permission: &definition.permission,
        locks: &definition.locks,
        persistence: Persistence {
            max_inline_chars: persistence.max_inline_chars,
            max_inline_bytes: persistence.max_inline_bytes,
            strategy: persistence.strategy,
            keeps_hidden_characters: persistence.hidden_characters == HiddenCharacters::Keep,
        },
        provider: definition.provider.as_ref(),
        trusted: definition.trusted,
    };
    let text = serde_json::to_vec(&said).map_err(|error| error.to_string());
    let digest =
        text.and_then(|text| assent_json::digest(&text).map_err(|error| error.to_string()));
    digest.map_err(|why| findings.problem("", format!("it has no canonical form: {why}"))).ok()
}
