//! Changing what decides.

use std::sync::Arc;

use assent_policy::{Grant, GrantKey, Grants, Mode, Policy};

use super::Runtime;

impl Runtime {
    /// Takes other rules and policies. Calls that were allowed and have not begun are judged again, and
    /// the tools are offered anew.
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

    /// Takes a grant back, and everything that was handed on from it.
    pub fn revoke(&self, grant: &GrantKey) {
        self.inner.ctx.change_rules(|rules| rules.grants = rules.grants.without(grant));
    }

    /// What people have agreed to, with how often it was used.
    #[must_use]
    pub fn grants(&self) -> Grants {
        self.inner.ctx.rules().grants.clone()
    }
}
