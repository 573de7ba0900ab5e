//! Manifests of agents: checked when they arrive, kept as text, read when they are needed.

use std::collections::BTreeSet;

use assent_builtin_tools::TOOLS;
use assent_ids::{ManifestHash, ScopeId};
use assent_mailbox::MailboxError;
use assent_manifest::{CheckOptions, check};
use assent_protocol::a2h::{CapabilityManifest, ManifestTool, Sensitivity};
use assent_relay_api::model::Agent;
use serde::{Deserialize, Serialize};

use crate::{DeviceError, ScopeAccess, relation::SeenManifest, tools};

/// A manifest with its place in the history of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentManifest {
    /// The version.
    pub version: u64,
    /// The SHA-256 of the canonical form, which this device has computed.
    pub hash: ManifestHash,
    /// The JSON text.
    pub text: String,
}

/// A tool that an agent has declared.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentTool {
    /// What the manifest says about it.
    pub declared: ManifestTool,
    /// The sensitivity of the scope: the highest of what the present manifest, the agreed one and the presets say.
    pub sensitivity: Sensitivity,
    /// Whether calls may run.
    pub access: ScopeAccess,
}

impl AgentTool {
    /// The tool of this device that runs it; `None` if there is none that can.
    #[must_use]
    pub fn served_by(&self) -> Option<&'static str> {
        tools::served_by(&self.declared)
    }
}

/// A manifest that was read.
#[derive(Clone, Debug)]
pub(crate) struct ReadManifest(CapabilityManifest);

impl std::ops::Deref for ReadManifest {
    type Target = CapabilityManifest;

    fn deref(&self) -> &CapabilityManifest {
        &self.0
    }
}

impl AgentManifest {
    /// The manifest that the relay gives for an agent, if it is valid and has the hash that the relay says.
    pub(crate) fn of(agent: &Agent) -> Result<Self, DeviceError> {
        let unusable = |reason: &str| DeviceError::UnusableAgent(reason.to_owned());
        let manifest = agent.capability_manifest.as_ref();
        let text = manifest.ok_or_else(|| unusable("it has published no manifest"))?.to_string();
        let report = check(text.as_bytes(), CheckOptions::default());
        if let Some(error) = report.errors.first() {
            return Err(unusable(&format!("its manifest is not valid: {}", error.message)));
        }
        let computed = report.hash.map(|hash| hash.to_string());
        let hash = agent.capability_manifest_hash.as_ref();
        match hash.filter(|hash| computed.as_deref() == Some(hash.as_str())) {
            Some(hash) => {
                let version = agent.capability_manifest_version;
                Ok(Self { version, hash: hash.clone(), text })
            }
            None => Err(unusable("the relay gives another hash than its manifest has")),
        }
    }

    /// Reads the text.
    pub(crate) fn read(&self) -> Result<ReadManifest, MailboxError> {
        let manifest = serde_json::from_str(&self.text);
        manifest.map(ReadManifest).map_err(|_| MailboxError::Damaged("manifest"))
    }

    pub(crate) fn seen(&self) -> SeenManifest {
        SeenManifest { version: self.version, hash: self.hash.clone() }
    }
}

impl ReadManifest {
    /// The sensitivity of a scope: the highest of what the manifest and the presets say. A scope that neither knows
    /// counts as high.
    pub(crate) fn sensitivity(&self, scope: &ScopeId) -> Sensitivity {
        let declared = self.scope(scope).map(|scope| scope.sensitivity);
        let preset =
            TOOLS.iter().find(|tool| tool.scope == scope.as_str()).map(|tool| tool.sensitivity);
        declared.max(preset).unwrap_or(Sensitivity::High)
    }

    /// Returns an error that names the first scope that the manifest does not declare, or that is named twice.
    pub(crate) fn check_scopes(&self, scopes: &[ScopeId]) -> Result<(), DeviceError> {
        let mut seen = BTreeSet::new();
        if let Some(twice) = scopes.iter().find(|scope| !seen.insert(*scope)) {
            return Err(DeviceError::Input(format!("the scope `{twice}` is named twice")));
        }
        match scopes.iter().find(|scope| self.scope(scope).is_none()) {
            Some(unknown) => Err(DeviceError::UnknownScope(unknown.to_string())),
            None => Ok(()),
        }
    }
}
