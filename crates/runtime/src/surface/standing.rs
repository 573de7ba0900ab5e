//! The standing of a tool on a surface, and why it is excluded.

use std::borrow::Cow;

use assent_protocol::{
    agent_tool::{ExclusionReason, LoadingState},
    wire::Open,
};

/// The standing of a tool on a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The caller has its schema.
    Loaded,
    /// It can be called by name, but it is not offered.
    Unlisted,
    /// It is loaded when it is requested.
    Deferred,
    /// It exceeds the budget, and can be found.
    Discoverable,
    /// Its provider is still being connected.
    Pending,
    /// It is excluded.
    Barred(Box<Bar>),
}

/// Why a tool cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bar {
    /// Whether it is hidden from callers; only the record of the surface shows it.
    pub(super) is_hidden: bool,
    pub(super) reason: Open<ExclusionReason>,
    pub(super) detail: Option<Cow<'static, str>>,
    pub(super) policy_refs: Vec<String>,
}

impl Standing {
    pub(super) fn loading_state(&self) -> LoadingState {
        match self {
            Self::Loaded | Self::Unlisted => LoadingState::Loaded,
            Self::Deferred => LoadingState::Deferred,
            Self::Discoverable => LoadingState::Discoverable,
            Self::Pending => LoadingState::PendingProvider,
            Self::Barred(_) => LoadingState::Unavailable,
        }
    }
}

impl Bar {
    /// A tool that exists and cannot be used.
    pub(super) fn blocks(
        reason: Open<ExclusionReason>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { is_hidden: false, reason, detail: Some(detail.into()), policy_refs: Vec::new() }
    }

    /// A tool that is hidden.
    pub(super) fn hides(
        reason: Open<ExclusionReason>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { is_hidden: true, ..Self::blocks(reason, detail) }
    }

    /// The reason in the vocabulary of the standard; other reasons are policies of the host.
    pub(super) fn listed_reason(&self) -> ExclusionReason {
        self.reason.known().unwrap_or(ExclusionReason::PolicyBlocked)
    }

    /// The reason for people.
    pub(super) fn words(&self) -> String {
        self.detail.as_deref().unwrap_or(self.reason.as_str()).to_owned()
    }
}
