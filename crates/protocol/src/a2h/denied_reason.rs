//! Why a tool call was refused.

use crate::wire::words;

words! {
    /// Why a tool call was refused. Stable: agents branch on it.
    DeniedReason {
        /// The person said no.
        UserRefused = "user_refused",
        /// The scope was never granted.
        ScopeNotGranted = "scope_not_granted",
        /// The manifest does not declare the tool.
        ToolNotDeclared = "tool_not_declared",
        /// The person did not answer in time.
        UserTimeout = "user_timeout",
        /// Tools cannot be called in group conversations.
        ToolNotSupportedInGroup = "tool_not_supported_in_group",
        /// The scope was granted once and taken back.
        PermissionRevoked = "permission_revoked",
    }
}

impl DeniedReason {
    /// Another published spelling of `user_refused`; it is read and never written.
    pub const USER_REJECTED: &'static str = "user_rejected";
}
