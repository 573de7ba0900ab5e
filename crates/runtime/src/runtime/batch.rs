//! The results of calls that run together, as they are released.

use std::collections::BTreeMap;

use assent_ids::InvocationId;
use serde_json::Value;
use tokio::sync::mpsc;

use super::CallResult;
use crate::scheduler::ContextRuling;

/// The results of a batch.
#[derive(Debug)]
pub struct BatchResults {
    /// The ids of the calls, in the order of the requests.
    pub invocations: Vec<InvocationId>,
    results: mpsc::UnboundedReceiver<(InvocationId, CallResult)>,
    /// The number of results that have not been returned.
    outstanding: usize,
    /// Changes that wait for the last result, by position.
    deferred: BTreeMap<usize, ContextChange>,
}

/// A change of the conversation's context that a tool asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextChange {
    /// The call whose tool asked.
    pub invocation: InvocationId,
    /// The change, in a form that the tool and the host agree on.
    pub modifier: Value,
}

impl BatchResults {
    pub(super) fn new(
        invocations: Vec<InvocationId>,
        results: mpsc::UnboundedReceiver<(InvocationId, CallResult)>,
    ) -> Self {
        let outstanding = invocations.len();
        Self { invocations, results, outstanding, deferred: BTreeMap::new() }
    }

    /// Waits for the next result; `None` after the last one.
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

    /// Waits for all remaining results, in the order in which they are released.
    pub async fn all(&mut self) -> Vec<(InvocationId, CallResult)> {
        let mut all = Vec::with_capacity(self.outstanding);
        while let Some(result) = self.next().await {
            all.push(result);
        }
        all
    }

    /// The changes of the context that were deferred until the batch was complete, in the model's order of
    /// the calls. Empty while results are outstanding. Each change is returned once.
    #[must_use]
    pub fn context_changes(&mut self) -> Vec<ContextChange> {
        if self.outstanding > 0 {
            return Vec::new();
        }
        std::mem::take(&mut self.deferred).into_values().collect()
    }
}
