//! Tools without their schemas: the loading state of each, and the reason.

use std::sync::Arc;

use assent_ids::{Lax, ToolId};
use assent_protocol::agent_tool::{
    DeferredToolRef, ExclusionReason, LoadingState, SchemaVisibility, ToolLifecycle,
};

use super::{Surface, standing::Standing};
use crate::catalog::{Key, Tool};

impl Surface {
    /// The loading state of a tool for the caller; `None` if the surface does not have it.
    #[must_use]
    pub fn deferred_ref(&self, id: &ToolId) -> Option<DeferredToolRef> {
        let key = self.base.directory.key(id).filter(|key| self.base.is_present(*key))?;
        self.ref_of(key)
    }

    /// The tools that have to be found or loaded first, in the order of registration.
    pub fn deferred_refs(&self) -> impl Iterator<Item = DeferredToolRef> {
        self.deferred_keys().filter_map(|key| self.ref_of(key))
    }

    /// The loading state of each tool that differs from `before`.
    pub fn moved_since<'s>(
        &'s self,
        before: &'s Surface,
    ) -> impl Iterator<Item = DeferredToolRef> + use<'s> {
        let present = self.base.standings.iter().map(|(key, _)| *key);
        let present = present.filter(|key| self.base.is_present(*key));
        let state = |surface: &Surface, tool: &Arc<Tool>| surface.loading_state(&tool.id);
        present.filter_map(move |key| {
            let tool = self.tool(key)?;
            let has_moved = state(self, tool) != state(before, tool);
            has_moved.then(|| self.ref_of(key)).flatten()
        })
    }

    pub(super) fn deferred_keys(&self) -> impl Iterator<Item = Key> {
        let is_deferred = |(key, standing): &&(Key, Standing)| match standing {
            Standing::Deferred | Standing::Discoverable => !self.requested.contains(key),
            Standing::Pending => true,
            Standing::Loaded | Standing::Unlisted | Standing::Barred(_) => false,
        };
        self.base.standings.iter().filter(is_deferred).map(|(key, _)| *key)
    }

    fn ref_of(&self, key: Key) -> Option<DeferredToolRef> {
        let (tool, standing) = (self.tool(key)?, self.base.standing(key)?);
        let state = self.loading_state(&tool.id)?;
        let mut record = DeferredToolRef::new(Lax::from(&*tool.id), Lax::from(&tool.name), state);
        record.namespace = Some(Lax::from(&tool.namespace));
        record.search_hint = tool.search_hint().map(str::to_owned);
        record.source = tool.definition.provider.as_ref().map(ToString::to_string);
        record.schema_visibility = Some(match state {
            LoadingState::Loaded => SchemaVisibility::Loaded,
            _ => SchemaVisibility::Deferred,
        });
        record.native_ref = tool.mappings.first().map(|mapping| {
            let mut native = mapping.extra.clone();
            native.insert("source".to_owned(), mapping.source.as_str().into());
            native
        });
        match state {
            LoadingState::Loaded => {}
            LoadingState::Deferred | LoadingState::Discoverable => {
                record.reason = Some(why_deferred(tool, standing).to_owned());
                record.selection_ref = Some(format!("select:{}", tool.qualified_name()));
            }
            LoadingState::PendingProvider => {
                record.reason = Some("provider_pending".to_owned());
                record.pending_provider_or_server = record.source.clone();
            }
            LoadingState::Unavailable => {
                if let Standing::Barred(bar) = standing {
                    record.reason = Some(bar.reason.as_str().to_owned());
                }
            }
        }
        Some(record)
    }
}

fn why_deferred(tool: &Tool, standing: &Standing) -> &'static str {
    match standing {
        Standing::Discoverable => ExclusionReason::DeferredUntilDiscovered.as_str(),
        _ if tool.definition.declaration.lifecycle == ToolLifecycle::Deferred => {
            "deferred_by_lifecycle"
        }
        _ => "deferred_by_interface",
    }
}
