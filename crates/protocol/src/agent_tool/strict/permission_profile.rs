//! What a permission profile must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{ToolPermissionProfile, WriteEffect};

impl Strict for ToolPermissionProfile {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("permission_profile_id", &self.permission_profile_id);
        check.all_known("access_kinds", self.access_kinds.as_ref());
        check.all_known("write_effects", self.write_effects.as_ref());
        if let Some(effects) = &self.write_effects {
            let none = effects.iter().any(|effect| *effect == WriteEffect::None);
            check.demand(!none || effects.len() == 1, "write_effects", "`none` stands alone");
        }
        check.refs("credential_refs", self.credential_refs.as_ref());
        check.refs("policy_refs", self.policy_refs.as_ref());
        check.done()
    }
}
