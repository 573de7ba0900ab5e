//! The providers of tools and the states of their connections.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::ProviderId;

/// Why the tools of a provider cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProviderState {
    /// It is still being connected.
    Pending,
    /// It could not be reached, for this reason.
    Failed(Arc<str>),
}

/// The providers that are not connected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Providers(BTreeMap<ProviderId, ProviderState>);

impl Providers {
    pub(crate) fn state(&self, provider: &ProviderId) -> Option<&ProviderState> {
        self.0.get(provider)
    }

    pub(crate) fn pending(&self) -> impl Iterator<Item = &ProviderId> {
        let pending =
            |(_, state): &(&ProviderId, &ProviderState)| **state == ProviderState::Pending;
        self.0.iter().filter(pending).map(|(provider, _)| provider)
    }

    pub(super) fn set(&mut self, provider: ProviderId, state: Option<ProviderState>) {
        match state {
            Some(state) => self.0.insert(provider, state),
            None => self.0.remove(&provider),
        };
    }
}
