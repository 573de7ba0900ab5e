//! Grants: permissions and denials that a person gave in advance.
//!
//! "Once" is a grant with one use, "in this session" a grant that names the session, "for an hour" a
//! grant that expires. A grant names the definition of the tool, so that it is void once the tool
//! changes.

mod argument_shape;
mod bound;
mod key;
mod spec;
mod text;

use assent_ids::UnixMillis;
use assent_json::Pointer;
use assent_protocol::agent_tool::{ReasonType, RuleSource};

use self::bound::Bound;
pub use self::{
    argument_shape::ArgumentShape,
    key::GrantKey,
    spec::{GrantEffect, GrantSpec, GrantTool, Restriction},
};
use crate::{
    Decision, Location, PolicyProblem, ProblemKind, Question, Reason, problem::Faults, truth::Side,
};

/// The longest chain of narrowed grants.
const MAX_RESTRICTIONS: usize = 64;

/// A compiled grant.
#[derive(Clone, Debug)]
pub struct Grant {
    spec: GrantSpec,
    /// The bound of the grant, then one per restriction. A call must be within all of them, so a
    /// restriction can only narrow the grant.
    bounds: Vec<Bound>,
}

impl Grant {
    /// Compiles a grant.
    ///
    /// # Errors
    /// Every problem of the grant.
    pub fn load(spec: GrantSpec) -> Result<Self, Vec<PolicyProblem>> {
        let side = match spec.effect {
            GrantEffect::Allow => Side::Permit,
            GrantEffect::Deny => Side::Restrict,
        };
        let mut faults = Faults::new();
        let root = Pointer::root();
        let at = root.key("restrictions");
        if spec.restrictions.len() > MAX_RESTRICTIONS {
            faults.push((at.clone(), ProblemKind::TooMany(MAX_RESTRICTIONS)));
        }
        if spec.effect == GrantEffect::Deny && !spec.restrictions.is_empty() {
            faults.push((at.clone(), ProblemKind::NarrowedDeny));
        }
        let mut bounds = vec![Bound::own(&spec, side, &mut faults)];
        for (index, restriction) in spec.restrictions.iter().take(MAX_RESTRICTIONS).enumerate() {
            bounds.push(Bound::added(restriction, &at.index(index), &mut faults));
        }
        if faults.is_empty() {
            return Ok(Self { spec, bounds });
        }
        let problem = |(pointer, kind)| PolicyProblem {
            id: Some(spec.id.to_string()),
            location: Location::Grant(pointer),
            kind,
        };
        Err(faults.into_iter().map(problem).collect())
    }

    /// Derives a narrower grant, which covers no call that this one does not cover.
    ///
    /// # Errors
    /// If the restriction is faulty, the chain is too long, or the grant is a denial: a narrower denial would
    /// allow more.
    pub fn narrow(&self, restriction: Restriction) -> Result<Self, Vec<PolicyProblem>> {
        let mut spec = self.spec.clone();
        spec.restrictions.push(restriction);
        Self::load(spec)
    }

    /// Returns the grant in the form that is stored.
    #[must_use]
    pub fn spec(&self) -> &GrantSpec {
        &self.spec
    }

    /// Returns the id of the grant: the last one of its chain.
    #[must_use]
    pub fn id(&self) -> &GrantKey {
        self.spec.restrictions.last().map_or(&self.spec.id, |restriction| &restriction.id)
    }

    /// Returns the grants that this one was derived from, the nearest first.
    pub fn ancestors(&self) -> impl Iterator<Item = &GrantKey> {
        let chain = self.spec.restrictions.iter().map(|restriction| &restriction.id);
        let count = self.spec.restrictions.len();
        std::iter::once(&self.spec.id)
            .chain(chain)
            .take(count)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
    }

    /// Returns how often the grant may be used.
    #[must_use]
    pub fn uses(&self) -> Option<u32> {
        let restricted = self.spec.restrictions.iter().filter_map(|restriction| restriction.uses);
        self.spec.uses.into_iter().chain(restricted).min()
    }

    /// Returns the time at which the grant expires.
    #[must_use]
    pub fn not_after(&self) -> Option<UnixMillis> {
        let restricted = self.spec.restrictions.iter().filter_map(|one| one.not_after);
        self.spec.not_after.into_iter().chain(restricted).min()
    }

    /// Returns `true` if the call is within all bounds. Uses are not counted.
    #[must_use]
    pub fn covers(&self, question: &Question<'_>) -> bool {
        self.bounds.iter().all(|bound| bound.covers(question))
    }

    /// Returns the prefix of the ids of all covered tools.
    pub(crate) fn tool_prefix(&self) -> String {
        self.bounds.first().map(Bound::tool_prefix).unwrap_or_default()
    }

    pub(crate) fn reason(&self) -> Reason {
        let (decision, message) = match self.spec.effect {
            GrantEffect::Allow => (Decision::Allow, "a grant covers the call"),
            GrantEffect::Deny => (Decision::Deny, "the call was denied in advance"),
        };
        Reason {
            source: Some(self.spec.source.unwrap_or(RuleSource::Session)),
            grant: Some(self.id().clone()),
            ..Reason::new(ReasonType::Rule, decision, message)
        }
    }
}
