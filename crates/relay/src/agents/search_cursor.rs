//! Where a search goes on. A cursor names the last agent of the page before and how well it fitted, so that
//! agents that come or go meanwhile move nothing else out of its page.

use std::fmt;

use assent_ids::AgentId;
use assent_relay_api::operations::agents::AgentSearch;

use crate::{agents::catalog::Rank, http::Refusal, storage::cursor};

/// A place in the answers to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchCursor {
    /// In the list of all agents.
    Listed(AgentId),
    /// Among hits.
    Ranked(Rank),
}

impl SearchCursor {
    pub(super) const fn agent(self) -> AgentId {
        match self {
            Self::Listed(agent) | Self::Ranked(Rank(_, agent)) => agent,
        }
    }

    pub(super) const fn rank(self) -> Option<Rank> {
        match self {
            Self::Listed(_) => None,
            Self::Ranked(rank) => Some(rank),
        }
    }
}

impl fmt::Display for SearchCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(agent) => agent.fmt(f),
            Self::Ranked(Rank(score, agent)) => write!(f, "{score:x}.{agent}"),
        }
    }
}

/// The place that the cursor of a search names.
pub(super) fn read(search: &AgentSearch) -> Result<Option<SearchCursor>, Refusal> {
    let Some(given) = &search.cursor else { return Ok(None) };
    let place = match (search.q.is_some(), given.as_str().split_once('.')) {
        (true, Some((score, agent))) => ranked(score, agent),
        (false, None) => given.as_str().parse().ok().map(SearchCursor::Listed),
        (true, None) | (false, Some(_)) => None,
    };
    place.map(Some).ok_or_else(cursor::unknown)
}

fn ranked(score: &str, agent: &str) -> Option<SearchCursor> {
    let score = u32::from_str_radix(score, 16).ok()?;
    Some(SearchCursor::Ranked(Rank(score, agent.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use assent_ids::AgentId;
    use assent_relay_api::operations::agents::AgentSearch;
    use proptest::prelude::*;

    use super::{SearchCursor, read};
    use crate::agents::catalog::Rank;

    fn search(q: bool, cursor: &str) -> AgentSearch {
        AgentSearch {
            q: q.then(|| "mail".parse().unwrap()),
            cursor: cursor.parse().ok(),
            ..AgentSearch::default()
        }
    }

    proptest! {
        #[test]
        fn a_cursor_leads_back_to_its_place_and_not_into_another_search(
            score: u32,
            agent in "agt_[0-7][0-9A-HJKMNP-TV-Z]{25}",
        ) {
            let agent: AgentId = agent.parse().unwrap();
            for (place, q) in [(SearchCursor::Listed(agent), false), (SearchCursor::Ranked(Rank(score, agent)), true)] {
                prop_assert_eq!(read(&search(q, &place.to_string())), Ok(Some(place)));
                prop_assert!(read(&search(!q, &place.to_string())).is_err());
            }
        }

        #[test]
        fn any_other_text_is_refused(text in "[A-Za-z0-9_.:=-]{1,40}", q: bool) {
            let outcome = read(&search(q, &text));
            prop_assert!(outcome.is_err() || text.contains("agt_"));
        }
    }
}
