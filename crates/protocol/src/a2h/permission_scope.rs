//! A permission that an agent asks for, as its manifest declares it.

use assent_ids::{I18nKey, Lax, ScopeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Sensitivity;
use crate::wire::{Object, present};

/// A scope: what it is called, what it means, how sensitive it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
#[non_exhaustive]
pub struct PermissionScope {
    /// The id.
    pub id: ScopeId,
    /// The key of its name.
    pub label_i18n_key: Lax<I18nKey>,
    /// How sensitive it is.
    pub sensitivity: Sensitivity,
    /// The key of its description.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description_i18n_key: Option<Lax<I18nKey>>,
    /// Its name, for clients that do not know the key.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub label_fallback: Option<String>,
    /// Its description, for clients that do not know the key.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description_fallback: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl PermissionScope {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        id: ScopeId,
        label_i18n_key: impl Into<Lax<I18nKey>>,
        sensitivity: Sensitivity,
    ) -> Self {
        Self {
            id,
            label_i18n_key: label_i18n_key.into(),
            sensitivity,
            description_i18n_key: None,
            label_fallback: None,
            description_fallback: None,
            extra: Object::new(),
        }
    }
}
