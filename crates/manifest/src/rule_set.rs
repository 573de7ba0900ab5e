//! The two ways to read the specification where its documents disagree.

/// Which rules a manifest and its changes are held to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RuleSet {
    /// The manifest specification itself.
    #[default]
    Canonical,
    /// Whatever any of the documents around the specification forbids, too.
    Strict,
}
