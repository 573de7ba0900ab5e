//! Rules and Cedar policies, loaded together.

use std::{fmt, sync::Arc};

use assent_policy::{Policy, PolicyProblem, RuleSpec};

use crate::{Cedar, CedarProblem, ToolShape};

/// Loads rules together with the Cedar policies in `text`. `tools` are the tools that the policies may
/// refer to. A blank text is no policies.
///
/// # Errors
///
/// Every problem of the rules and of the policies.
pub fn load_policy<'t>(
    rules: &[RuleSpec],
    text: &str,
    tools: impl IntoIterator<Item = ToolShape<'t>>,
) -> Result<Policy, LoadError> {
    let loaded = Policy::load(rules);
    if text.trim().is_empty() {
        return loaded.map_err(|rules| LoadError { rules, policies: Vec::new() });
    }
    let cedar = Cedar::load(text, tools, rules);
    match (loaded, cedar) {
        (Ok(policy), Ok(cedar)) => Ok(policy.with_engine(Arc::new(cedar))),
        (rules, policies) => Err(LoadError {
            rules: rules.err().unwrap_or_default(),
            policies: policies.err().unwrap_or_default(),
        }),
    }
}

/// Every problem of rules and policies that were loaded together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LoadError {
    /// The problems of the rules.
    pub rules: Vec<PolicyProblem>,
    /// The problems of the Cedar policies.
    pub policies: Vec<CedarProblem>,
}

impl LoadError {
    /// One line per problem.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let rules = self.rules.iter().map(ToString::to_string);
        rules.chain(self.policies.iter().map(ToString::to_string))
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().collect::<Vec<_>>().join("\n"))
    }
}
