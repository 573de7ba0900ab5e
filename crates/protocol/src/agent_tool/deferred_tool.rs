//! `deferred_tool_ref`: a tool that can be found before its schema is loaded.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/deferred-loading-and-tool-search.md>

use std::borrow::Cow;

use assent_ids::{CallableName, Lax, Namespace, ToolId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Object, present, words};

/// A tool without its schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeferredToolRef {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The tool.
    pub tool_id: Lax<ToolId>,
    /// The callable name.
    pub name: Lax<CallableName>,
    /// How far it is.
    pub loading_state: LoadingState,
    /// The namespace.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Lax<Namespace>>,
    /// Three to ten words that say what it can do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub search_hint: Option<String>,
    /// Where it comes from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether a model can see the schema.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub schema_visibility: Option<SchemaVisibility>,
    /// Why it is deferred.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who it waits for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub pending_provider_or_server: Option<String>,
    /// What to select to load it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub selection_ref: Option<String>,
    /// Its native names and ids, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub native_ref: Option<Object>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl DeferredToolRef {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        tool_id: impl Into<Lax<ToolId>>,
        name: impl Into<Lax<CallableName>>,
        loading_state: LoadingState,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            tool_id: tool_id.into(),
            name: name.into(),
            loading_state,
            namespace: None,
            search_hint: None,
            source: None,
            schema_visibility: None,
            reason: None,
            pending_provider_or_server: None,
            selection_ref: None,
            native_ref: None,
            extra: Object::new(),
        }
    }
}

impl Record for DeferredToolRef {
    const KIND: RecordKind = RecordKind::DeferredToolRef;
}

words! {
    /// Whether a model can see a schema.
    SchemaVisibility {
        /// It is in the model's context.
        Loaded = "loaded",
        /// It is known but not in the context.
        Deferred = "deferred",
        /// It is for the runtime only.
        Internal = "internal",
        /// It stays with its native protocol.
        NativeRef = "native_ref",
    }
}

words! {
    /// How far the loading of a tool is.
    LoadingState {
        /// Loaded; it can be called.
        Loaded = "loaded",
        /// Known, not loaded.
        Deferred = "deferred",
        /// Can be found by search.
        Discoverable = "discoverable",
        /// Its provider is still connecting.
        PendingProvider = "pending_provider",
        /// It cannot be loaded.
        Unavailable = "unavailable",
    }
}
