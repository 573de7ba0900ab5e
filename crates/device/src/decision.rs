//! What a person can answer, and who decided about a call.

use assent_protocol::a2h::Sensitivity;
use serde::{Deserialize, Serialize};

/// The answer of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The call may run.
    AllowOnce,
    /// The call may run, and for 24 hours so may calls of the same tool in the same place. Only for scopes of medium
    /// sensitivity.
    #[serde(rename = "allow_24h")]
    Allow24h,
    /// The call must not run.
    Deny,
    /// The call must not run, and no call of the same tool of the same agent is asked about again.
    AlwaysDeny,
}

impl Decision {
    const ALL: [Self; 4] = [Self::AllowOnce, Self::Allow24h, Self::Deny, Self::AlwaysDeny];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::Allow24h => "allow_24h",
            Self::Deny => "deny",
            Self::AlwaysDeny => "always_deny",
        }
    }

    /// The decision with this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.as_str() == word)
    }

    /// Returns `true` if the call may run.
    #[must_use]
    pub const fn allows(self) -> bool {
        matches!(self, Self::AllowOnce | Self::Allow24h)
    }

    /// The decisions that are offered for a scope of this sensitivity. `silence` says whether calls can be allowed
    /// for a while.
    pub(crate) fn choices(sensitivity: Sensitivity, silence: bool) -> Vec<Self> {
        let has_silence = silence && sensitivity != Sensitivity::High;
        let is_offered = |decision: &Self| has_silence || *decision != Self::Allow24h;
        Self::ALL.into_iter().filter(is_offered).collect()
    }
}

/// Where a person sees prompts and answers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// The pages of the console.
    Console,
    /// A terminal.
    Terminal,
}

/// Who decided whether a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DecidedBy {
    /// The rules: the manifest, what is granted, what was always denied.
    #[serde(rename = "policy")]
    Policy,
    /// An earlier answer, which allows calls for a while.
    #[serde(rename = "silence")]
    Silence,
    /// The person, on a page of the console.
    #[serde(rename = "person:console")]
    Console,
    /// The person, in a terminal.
    #[serde(rename = "person:terminal")]
    Terminal,
    /// The prompt ended without an answer.
    #[serde(rename = "nobody")]
    Nobody,
}

impl DecidedBy {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Silence => "silence",
            Self::Console => "person:console",
            Self::Terminal => "person:terminal",
            Self::Nobody => "nobody",
        }
    }
}

impl From<Interface> for DecidedBy {
    fn from(interface: Interface) -> Self {
        match interface {
            Interface::Console => Self::Console,
            Interface::Terminal => Self::Terminal,
        }
    }
}
