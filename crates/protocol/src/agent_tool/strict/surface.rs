//! What a surface must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{SurfaceEntry, SurfaceExclusion, ToolSurface};

impl Strict for ToolSurface {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("surface_id", &self.surface_id);
        check.known("scope", &self.scope);
        match &self.created_at {
            Some(time) => check.time("created_at", time),
            None => check.problem("created_at", "a surface has a time"),
        }
        check.ids("tool_refs", self.tool_refs.as_ref());
        for (name, entries) in
            [("loaded_tools", &self.loaded_tools), ("deferred_tools", &self.deferred_tools)]
        {
            for (at, entry) in entries.iter().flatten().enumerate() {
                let named = SurfaceEntry::tool_id(entry).is_some_and(|id| !id.is_empty());
                check.demand(named, &format!("{name}/{at}"), "it must name a tool");
            }
        }
        for (name, exclusions) in
            [("blocked_tools", &self.blocked_tools), ("excluded_tools", &self.excluded_tools)]
        {
            for (at, exclusion) in check.all_typed(name, exclusions.as_ref()) {
                check.nested(&format!("{name}/{at}"), exclusion);
            }
        }
        check.refs("policy_refs", self.policy_refs.as_ref());
        check.refs("runtime_refs", self.runtime_refs.as_ref());
        if let Some(id) = check.typed("supersedes", self.supersedes.as_ref()) {
            check.id("supersedes", id);
            check.demand(*id != self.surface_id, "supersedes", "a surface cannot replace itself");
        }
        check.done()
    }
}

impl Strict for SurfaceExclusion {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.id("tool_id", &self.tool_id);
        check.text("reason", self.reason.as_str());
        check.done()
    }
}
