//! `PATCH /agents/{agent_id}`

use assent_ids::{AgentId, ManifestHash};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Header, Needs, Operation, Reply, Tag,
    model::{ConnectionMode, ManifestChange, ManifestFinding, ManifestText},
    path::AgentPath,
    value::{Description, Name, Secret, WebAddress},
};

/// Changes an agent or publishes a manifest.
#[derive(Clone, Copy, Debug)]
pub struct UpdateAgent;

impl Operation for UpdateAgent {
    const ID: &'static str = "update_agent";
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/agents/{agent_id}";
    const ACCESS: Access =
        Access::new(Credential::UserOrAgent, Needs::OwnerOrAgentWithManifestWrite);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Change an agent";
    const DESCRIPTION: &'static str = "\
        What is not named stays. A manifest is compared with the one before: if a change is \
        breaking, all people concerned are asked again. The same manifest again changes nothing. \
        An agent itself may only publish manifests. Entering webhook mode gives a new secret.";
    const ERRORS: &'static [ApiCode] = &[
        ApiCode::InvalidManifest,
        ApiCode::ManifestTooLarge,
        ApiCode::WebhookUrlRefused,
        ApiCode::PreconditionFailed,
    ];
    const REQUEST_HEADERS: &'static [Header] = &[Header {
        name: "If-Match",
        description: "The hash of the manifest that the change was made for, in quotation marks. \
            Another present one is `PRECONDITION_FAILED`. Several are separated by commas; `*` is any.",
        pattern: r#"^(\*|(W/)?"[ !#-+\--~]*") *(, *(\*|(W/)?"[ !#-+\--~]*") *)*$"#,
    }];
    const IDEMPOTENT: bool = false;
    const BODY_LIMIT: usize = 1024 * 1024;
    const EXAMPLE: &'static str = include_str!("update_agent.json");

    type Path = AgentPath;
    type Query = ();
    type Body = AgentChanges;
    type Reply = UpdatedAgent;
}

/// What is to be different.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentChanges {
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// What it is for; the empty text takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// How it gets its messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_mode: Option<ConnectionMode>,
    /// Where deliveries go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<WebAddress>,
    /// Where to look whether it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health_check_url: Option<WebAddress>,
    /// What it declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_manifest: Option<ManifestText>,
}

/// An agent that was just changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UpdatedAgent {
    /// Which agent.
    pub agent_id: AgentId,
    /// The number of its declaration; 0 if there is none.
    pub capability_manifest_version: u64,
    /// The SHA-256 of its declaration; `null` if there is none.
    pub capability_manifest_hash: Option<ManifestHash>,
    /// Those of the changes for which people have to be asked again.
    pub breaking_changes: Vec<ManifestChange>,
    /// Everything that is different from the manifest before.
    pub changes: Vec<ManifestChange>,
    /// What there is to say about the declaration.
    pub warnings: Vec<ManifestFinding>,
    /// The secret that deliveries are signed with, if the agent has just become one that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Secret")]
    pub webhook_secret: Option<Secret>,
}

impl Reply for UpdatedAgent {}
