//! A surface as a record of the standard.

use assent_ids::Lax;
use assent_protocol::{
    agent_tool::{SurfaceEntry, SurfaceExclusion, ToolSurface},
    wire::{Loose, Object, Timestamp},
};
use serde_json::{Value, json};

use super::{
    Surface,
    standing::{Bar, Standing},
};
use crate::catalog::{Key, Tool};

/// The number of tools of each kind that a record lists besides the loaded ones; the counts are complete. Without
/// a limit, loading one tool of a large catalog would write megabytes.
pub const MAX_LISTED: usize = 1000;

impl Surface {
    /// The record, for the journal.
    #[must_use]
    pub fn record(&self) -> ToolSurface {
        let context = &*self.base.context;
        let mut record = ToolSurface::new(Lax::from(self.id), context.scope.clone());
        record.created_at = Some(Timestamp::from(self.created_at));
        record.producer = context.producer.clone();
        record.surface_reason = Some(self.reason());
        record.supersedes = self.supersedes.map(|id| Loose::Typed(Lax::from(id)));
        let loaded: Vec<_> = self.loaded().map(|tool| Lax::from(&*tool.id)).collect();
        let deferred: Vec<_> =
            self.deferred_keys().take(MAX_LISTED).filter_map(|key| self.lax(key)).collect();
        let unlisted: Vec<_> = self.unlisted().take(MAX_LISTED).collect();
        let known = loaded.iter().chain(&deferred).cloned();
        record.tool_refs =
            Some(known.chain(unlisted.iter().filter_map(|key| self.lax(*key))).collect());
        record.loaded_tools = Some(loaded.into_iter().map(SurfaceEntry::Id).collect());
        record.deferred_tools = Some(deferred.into_iter().map(SurfaceEntry::Id).collect());
        record.blocked_tools = Some(self.barred(false));
        record.excluded_tools = Some(self.barred(true));
        record.selection_policy = Some(self.selection_policy());
        record.default_tool_choice = Some(self.base.choice.to_value());
        record.capability_requirements = Some(context.capability_requirements.clone());
        record.model_capabilities = Some(object(context.model.to_value()));
        record.role_constraints = Some(self.role_constraints());
        record.policy_refs = Some(context.policy_refs.clone());
        record.runtime_refs = Some(context.runtime_refs.clone());
        record
    }

    fn reason(&self) -> String {
        match (&self.base.context.reason, self.supersedes) {
            (Some(reason), _) => reason.clone(),
            (None, Some(_)) => "something it depends on has changed".to_owned(),
            (None, None) => "it was asked for".to_owned(),
        }
    }

    fn lax(&self, key: Key) -> Option<Lax<assent_ids::ToolId>> {
        self.tool(key).map(|tool| Lax::from(&*tool.id))
    }

    /// Tools that can still be called and are not offered.
    fn unlisted(&self) -> impl Iterator<Item = Key> {
        let standings = self.base.standings.iter();
        standings.filter(|(_, standing)| *standing == Standing::Unlisted).map(|(key, _)| *key)
    }

    fn barred(&self, hidden: bool) -> Vec<Loose<SurfaceExclusion>> {
        let bars = self.base.standings.iter().filter_map(|(key, standing)| match standing {
            Standing::Barred(bar) if bar.is_hidden == hidden => Some((self.tool(*key)?, &**bar)),
            _ => None,
        });
        bars.take(MAX_LISTED).map(|(tool, bar)| Loose::Typed(exclusion(tool, bar))).collect()
    }

    fn selection_policy(&self) -> Object {
        let (counts, context) = (self.base.counts, &self.base.context);
        let mut policy = object(json!({
            "loaded": self.base.loaded.len() + self.requested.len(),
            "loaded_on_request": self.requested.len(),
            "deferred": self.deferred_count(),
            "blocked": counts.blocked,
            "excluded": counts.excluded,
            "deprecated": counts.unlisted,
            "listed_at_most": MAX_LISTED,
            "discovery": self.offers_discovery(),
        }));
        let mut state = |name: &str, value: Value| _ = policy.insert(name.to_owned(), value);
        if let Some(budget) = context.budget {
            state("budget", budget.into());
        }
        if !self.base.unmatched_blocks.is_empty() {
            state("blocked_unknown", json!(self.base.unmatched_blocks));
        }
        if self.base.choice != context.default_tool_choice {
            state("default_tool_choice_refused", context.default_tool_choice.to_value());
        }
        let pending: Vec<_> = self.base.providers.pending().map(ToString::to_string).collect();
        if !pending.is_empty() {
            state("pending_providers", json!(pending));
        }
        policy
    }

    fn role_constraints(&self) -> Object {
        let context = &self.base.context;
        let mut constraints = object(json!({
            "read_only": context.read_only,
            "interactive": context.interactive,
            "sub_agent": context.sub_agent,
        }));
        if let Some(role) = &context.role {
            constraints.insert("role".to_owned(), role.name.clone().into());
            if let Some(allowed) = &role.may_use {
                constraints.insert("may_use".to_owned(), json!(allowed));
            }
        }
        constraints
    }
}

fn exclusion(tool: &Tool, bar: &Bar) -> SurfaceExclusion {
    let mut exclusion = SurfaceExclusion::new(Lax::from(&*tool.id), bar.reason.clone());
    exclusion.detail = bar.detail.as_ref().map(|detail| detail.clone().into_owned());
    if !bar.policy_refs.is_empty() {
        exclusion.policy_refs = Some(bar.policy_refs.clone());
    }
    exclusion
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(members) => members.into_iter().collect(),
        _ => Object::new(),
    }
}
