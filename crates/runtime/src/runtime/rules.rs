//! Changing rules, grants and mode.

use std::sync::Arc;

use assent_policy::{Grant, GrantKey, Grants, Mode, Policy};

use super::Runtime;

impl Runtime {
    /// Replaces the rules and policies. Calls that were allowed and have not begun are judged again, and a new
    /// surface is made.
    pub fn set_policy(&self, policy: Arc<Policy>) {
        self.inner.ctx.change_rules(|rules| rules.policy = policy);
        self.offer(|_| {});
    }

    /// Changes the mode.
    pub fn set_mode(&self, mode: Mode) {
        self.inner.ctx.change_rules(|rules| rules.mode = mode);
        self.offer(|context| {
            context.read_only = mode == Mode::ReadOnly;
            context.interactive = mode == Mode::Interactive;
        });
    }

    /// Adds a grant.
    pub fn grant(&self, grant: Grant) {
        self.inner.ctx.change_rules(|rules| rules.grants = rules.grants.with(grant));
    }

    /// Revokes a grant and everything that was delegated from it.
    pub fn revoke(&self, grant: &GrantKey) {
        self.inner.ctx.change_rules(|rules| rules.grants = rules.grants.without(grant));
    }

    /// The grants with their numbers of uses.
    #[must_use]
    pub fn grants(&self) -> Grants {
        self.inner.ctx.rules().grants.clone()
    }
}
