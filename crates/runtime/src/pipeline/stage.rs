//! The names of the stages, in order.

use std::fmt;

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Which tool is meant?
    Resolve,
    /// Does the caller know its schema?
    Deferral,
    /// Do the arguments fit the schema?
    Parse,
    /// Does the tool accept the values?
    Validate,
    /// What do hooks and people get to see?
    Observe,
    /// What do hooks say?
    PreHooks,
    /// May it run?
    Permission,
    /// When is its turn?
    Schedule,
    /// Run it.
    Execute,
    /// What does the output mean?
    MapResult,
    /// What do hooks say about the outcome?
    PostHooks,
    /// What is kept of the result?
    Persist,
    /// Report how it ended.
    Emit,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 13] = [
        Self::Resolve,
        Self::Deferral,
        Self::Parse,
        Self::Validate,
        Self::Observe,
        Self::PreHooks,
        Self::Permission,
        Self::Schedule,
        Self::Execute,
        Self::MapResult,
        Self::PostHooks,
        Self::Persist,
        Self::Emit,
    ];

    /// The name of the phase in the standard.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resolve => "resolve_tool",
            // The standard has no phase of its own for it.
            Self::Deferral => "check_deferral",
            Self::Parse => "parse_schema",
            Self::Validate => "validate_values",
            Self::Observe => "prepare_observable_input",
            Self::PreHooks => "pre_hooks",
            Self::Permission => "permission",
            Self::Schedule => "schedule",
            Self::Execute => "execute",
            Self::MapResult => "map_result",
            Self::PostHooks => "post_hooks",
            Self::Persist => "persist_result",
            Self::Emit => "emit_terminal",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
