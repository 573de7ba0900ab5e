//! Suspending relations and restoring them: the work behind the routes of owners and of operators.

use std::sync::Arc;

use assent_ids::RelationId;
use assent_protocol::a2h::{ApiCode, RelayEventType};
use assent_relay_api::{
    Access,
    model::{Relation, RelationState, SuspendedBy},
    value::Reason,
};
use assent_store::{Tx, Work};

use super::{Found, admit, find, lock, tell, tell_reauth, unknown};
use crate::{
    delivery::outbox::Outbox,
    http::{Caller, Refusal},
    state::Relay,
    storage::times::millis,
};

/// On whose authority.
#[derive(Clone, Debug)]
pub(crate) enum Authority {
    /// The owner of the agent: this caller, if the access of the operation allows it.
    Owner(Caller, Access),
    /// The operator of the relay.
    Operator,
}

impl Authority {
    async fn find(&self, tx: &mut Tx, relation: RelationId) -> Result<Found, Refusal> {
        let found = match self {
            Self::Owner(caller, access) => admit(tx, *access, caller, relation).await?,
            Self::Operator => find(tx, relation).await?.ok_or_else(unknown)?,
        };
        lock(tx, found.key()).await?;
        find(tx, relation).await?.ok_or_else(unknown)
    }

    const fn word(&self) -> SuspendedBy {
        match self {
            Self::Owner(..) => SuspendedBy::Owner,
            Self::Operator => SuspendedBy::Operator,
        }
    }

    /// Whether it goes beyond what `found` was suspended with.
    fn outranks(&self, found: &Found) -> bool {
        let by = found.relation.suspended_by.as_ref();
        matches!(self, Self::Operator) && by.is_some_and(|by| *by != SuspendedBy::Operator)
    }
}

const SUSPEND: &str = "UPDATE h2a_relations SET status = 'suspended', suspended_by = $2,
        suspended_reason = $3, updated_at = $4
    WHERE relation_id = $1";
const RESTORE: &str = "UPDATE h2a_relations SET status = 'active', suspended_by = NULL,
        suspended_reason = NULL, updated_at = $2
    WHERE relation_id = $1";

/// Suspends a relation: nothing is delivered between the two until it is restored.
pub(crate) struct Suspend {
    pub(crate) relation: RelationId,
    pub(crate) authority: Authority,
    pub(crate) reason: Option<Reason>,
    pub(crate) relay: Arc<Relay>,
}

impl Work for Suspend {
    type Output = (Relation, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        let found = self.authority.find(tx, self.relation).await?;
        refuse_revoked(&found)?;
        // An owner could otherwise lift what an operator has decided as well.
        if found.is(RelationState::Suspended) && !self.authority.outranks(&found) {
            return Ok((found.relation, outbox));
        }
        let row = [
            self.relation.to_string().into(),
            self.authority.word().as_str().into(),
            self.reason.as_ref().map(Reason::as_str).into(),
            millis(self.relay.now()).into(),
        ];
        tx.execute(SUSPEND, &row).await?;
        let relation = find(tx, self.relation).await?.ok_or_else(unknown)?.relation;
        let kind = RelayEventType::RelationSuspended;
        tell(tx, &self.relay, kind, &relation, &mut outbox).await?;
        Ok((relation, outbox))
    }
}

/// Restores a suspended relation.
pub(crate) struct Restore {
    pub(crate) relation: RelationId,
    pub(crate) authority: Authority,
    pub(crate) relay: Arc<Relay>,
}

impl Work for Restore {
    type Output = (Relation, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        let found = self.authority.find(tx, self.relation).await?;
        refuse_revoked(&found)?;
        if found.is(RelationState::Active) {
            return Ok((found.relation, outbox));
        }
        let by_operator = found.relation.suspended_by == Some(SuspendedBy::Operator.into());
        if by_operator && matches!(self.authority, Authority::Owner(..)) {
            return Err(Refusal::forbidden("an operator suspended it; ask the operator"));
        }
        let row = [self.relation.to_string().into(), millis(self.relay.now()).into()];
        tx.execute(RESTORE, &row).await?;
        let restored = find(tx, self.relation).await?.ok_or_else(unknown)?;
        let kind = RelayEventType::RelationRestored;
        tell(tx, &self.relay, kind, &restored.relation, &mut outbox).await?;
        tell_reauth(tx, &self.relay, &restored, &mut outbox).await?;
        Ok((restored.relation, outbox))
    }
}

fn refuse_revoked(found: &Found) -> Result<(), Refusal> {
    if found.is(RelationState::Revoked) {
        return Err(Refusal::new(ApiCode::RelationInactive, "the relation has ended"));
    }
    Ok(())
}
