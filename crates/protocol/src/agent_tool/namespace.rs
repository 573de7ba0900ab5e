//! `tool_namespace`: a group of tools and the boundary of their names. The standard publishes no schema for it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/specification.md#core-objects>

use std::borrow::Cow;

use assent_ids::{Lax, Namespace, ProviderId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION, ToolExternalMapping};
use crate::wire::{Loose, Object, Open, present, words};

/// Where a group of tools comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolNamespace {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The name.
    pub namespace: Lax<Namespace>,
    /// What the tools have in common.
    pub origin: Open<NamespaceOrigin>,
    /// A name for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the tools are for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The server, document or skill behind it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<Lax<ProviderId>>,
    /// Its native names and ids, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub external_mappings: Option<Vec<Loose<ToolExternalMapping>>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolNamespace {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        namespace: impl Into<Lax<Namespace>>,
        origin: impl Into<Open<NamespaceOrigin>>,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            namespace: namespace.into(),
            origin: origin.into(),
            title: None,
            description: None,
            provider_id: None,
            external_mappings: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolNamespace {
    const KIND: RecordKind = RecordKind::ToolNamespace;
}

words! {
    /// What the tools of a namespace have in common.
    NamespaceOrigin {
        /// A field of work.
        Domain = "domain",
        /// A server that offers them.
        Server = "server",
        /// A skill that brought them.
        Skill = "skill",
        /// A provider of models or services.
        Provider = "provider",
        /// The runtime itself.
        Runtime = "runtime",
    }
}
