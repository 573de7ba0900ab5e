//! The results of calls that run together, as they come out.

use std::collections::BTreeMap;

use assent_ids::InvocationId;
use serde_json::Value;
use tokio::sync::mpsc;

use super::CallResult;
use crate::scheduler::ContextRuling;

/// Calls that run together.
#[derive(Debug)]
pub struct Batch {
    /// Their ids, in the order in which they were asked for.
    pub invocations: Vec<InvocationId>,
    results: mpsc::UnboundedReceiver<(InvocationId, CallResult)>,
    /// How many results have not come out.
    outstanding: usize,
    /// By position: changes that wait for the last result.
    deferred: BTreeMap<usize, ContextChange>,
}

/// A change of the conversation's context that a tool asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextChange {
    /// The call whose tool asked.
    pub invocation: InvocationId,
    /// What it asked for, in words that the tool and the host agree on.
    pub modifier: Value,
}

impl Batch {
    pub(super) fn new(
        invocations: Vec<InvocationId>,
        results: mpsc::UnboundedReceiver<(InvocationId, CallResult)>,
    ) -> Self {
        let outstanding = invocations.len();
        Self { invocations, results, outstanding, deferred: BTreeMap::new() }
    }

    /// The next result that is released; none when all are.
    pub async fn next(&mut self) -> Option<(InvocationId, CallResult)> {
        let (invocation, result) = self.results.recv().await?;
        self.outstanding = self.outstanding.saturating_sub(1);
        if let Some(modifier) = ContextRuling::Defer.modifier_of(&result) {
            let position = self.invocations.iter().position(|other| *other == invocation);
            let change = ContextChange { invocation, modifier: modifier.clone() };
            self.deferred.insert(position.unwrap_or(usize::MAX), change);
        }
        Some((invocation, result))
    }

    /// All results that are still to come, in the order in which they are released.
    pub async fn all(&mut self) -> Vec<(InvocationId, CallResult)> {
        let mut all = Vec::with_capacity(self.outstanding);
        while let Some(result) = self.next().await {
            all.push(result);
        }
        all
    }

    /// The changes of the context that had to wait for the batch, in the model's order of the calls,
    /// whatever the order in which they ended. Nothing while results are outstanding; each change is
    /// handed over once.
    #[must_use]
    pub fn context_changes(&mut self) -> Vec<ContextChange> {
        if self.outstanding > 0 {
            return Vec::new();
        }
        std::mem::take(&mut self.deferred).into_values().collect()
    }
}
