//! The transactions that change relations.

use std::sync::Arc;

use assent_ids::{AgentId, Clock as _, InvocationId, Minter, ScopeId, SystemClock};
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::ToolResponse;
use assent_relay_api::ledger::{LedgerAction, LedgerEntry, SignedEntry};
use assent_sealing::Peer;
use assent_store::{Tx, Work};

use crate::{
    AuditMark, DeviceError, DeviceRelation, RelationStanding,
    agent_manifest::AgentManifest,
    audit::Stamp,
    call_record,
    device::OwnIds,
    outcome::denied,
    relation::{self, Established, UnsentEntry},
    tool_standing, works,
};

/// Changes a relation by a function.
pub(crate) struct ChangeRelation<F> {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) change: F,
}

/// Signs a grant and stores it together with the keys of the agent.
pub(crate) struct SignGrant {
    pub(crate) mailbox: Mailbox,
    pub(crate) own: OwnIds,
    /// The relation as it begins, without its past.
    pub(crate) relation: DeviceRelation,
    /// The agent as a peer, as JSON.
    pub(crate) peer: Vec<u8>,
}

/// Signs what the person grants from now on. What is not granted any more ends at once.
pub(crate) struct SignUpdate {
    pub(crate) mailbox: Mailbox,
    pub(crate) own: OwnIds,
    pub(crate) agent_id: AgentId,
    pub(crate) granted_scopes: Vec<ScopeId>,
    pub(crate) manifest: AgentManifest,
    pub(crate) minter: Arc<Minter>,
}

/// Signs an entry that says what the device does already.
pub(crate) struct SignStep {
    pub(crate) mailbox: Mailbox,
    pub(crate) own: OwnIds,
    pub(crate) agent_id: AgentId,
    pub(crate) action: LedgerAction,
}

/// Records that the relay has stored the unsent entry.
pub(crate) struct SettleEntry {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) established: Option<Established>,
}

/// Drops an entry that the relay has refused for good.
pub(crate) struct DropUnsent {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
}

/// Ends all silences of an agent.
pub(crate) struct EndSilences {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
}

/// Takes scopes back and answers the open calls that need them.
pub(crate) struct TakeBack {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) what: Taken,
    pub(crate) minter: Arc<Minter>,
}

/// Calls that were answered because a permission was taken back.
#[derive(Debug, Default)]
pub(crate) struct ClosedCalls {
    pub(crate) calls: Vec<InvocationId>,
    /// The head of the audit log, if there are any.
    pub(crate) head: Option<AuditMark>,
}

/// What is taken back.
#[derive(Clone, Debug)]
pub(crate) enum Taken {
    /// Everything but these scopes.
    AllBut(Vec<ScopeId>),
    /// Everything, and the relation ends.
    All,
}

impl<F, T> Work for ChangeRelation<F>
where
    F: Fn(&mut DeviceRelation) -> Result<T, DeviceError> + Send + Sync + 'static,
    T: Send + 'static,
{
    type Output = T;
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<T, DeviceError> {
        let mut relation = load(tx, &self.mailbox, self.agent_id).await?;
        let output = (self.change)(&mut relation)?;
        relation::put(tx, &self.mailbox, &relation).await?;
        Ok(output)
    }
}

impl Work for SignGrant {
    type Output = ();
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let mut relation = self.relation.clone();
        let scopes = relation.granted_scopes.clone();
        if let Some(before) = relation::find(tx, &self.mailbox, relation.agent_id).await? {
            if let Some(unsent) = &before.unsent {
                // What was signed and not answered is sent again as it is.
                let entry = &unsent.entry.entry;
                let is_repeated = before.state == RelationStanding::New
                    && unsent.manifest == relation.agreed
                    && entry.granted_scopes == scopes;
                return if is_repeated { Ok(()) } else { Err(DeviceError::ChangePending) };
            }
            if !before.has_ended() {
                return Err(DeviceError::AgentAdded);
            }
            relation.established = before.established;
            relation.ledger = before.ledger;
        }
        self.pin(tx).await?;
        let manifest = relation.agreed.clone();
        let entry = relation.next_entry(self.own, LedgerAction::Grant, scopes, &manifest)?;
        // Nothing is granted before the relay has stored it.
        relation.granted_scopes = Vec::new();
        sign(tx, &self.mailbox, relation, entry, manifest).await
    }
}

impl SignGrant {
    /// Pins the keys of the agent. Sessions with the same keys go on.
    async fn pin(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let mut peer = Peer::from_json(&self.peer).map_err(MailboxError::from)?;
        if let Some(known) = self.mailbox.peer(tx, peer.endpoint()).await?
            && (known.keys(), known.layers()) == (peer.keys(), peer.layers())
        {
            peer = known;
            peer.mark_unchanged();
        }
        Ok(self.mailbox.put_peer(tx, self.relation.agent_id.into(), &peer).await?)
    }
}

impl Work for SignUpdate {
    type Output = ClosedCalls;
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<ClosedCalls, DeviceError> {
        let mut relation = load(tx, &self.mailbox, self.agent_id).await?;
        if relation.unsent.is_some() {
            return Err(DeviceError::ChangePending);
        }
        let scopes = &self.granted_scopes;
        let taken = relation.take_back(|scope| scopes.contains(scope));
        relation.revoked_scopes.retain(|scope| !scopes.contains(scope));
        let closed = answer_calls(tx, &self.mailbox, &self.minter, &relation, Some(&taken)).await?;
        let action = LedgerAction::Update;
        let entry = relation.next_entry(self.own, action, scopes.clone(), &self.manifest)?;
        sign(tx, &self.mailbox, relation, entry, self.manifest.clone()).await?;
        Ok(closed)
    }
}

impl Work for SignStep {
    type Output = ();
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let relation = load(tx, &self.mailbox, self.agent_id).await?;
        let (scopes, manifest) = (relation.granted_scopes.clone(), relation.agreed.clone());
        let entry = relation.next_entry(self.own, self.action, scopes, &manifest)?;
        sign(tx, &self.mailbox, relation, entry, manifest).await
    }
}

impl Work for SettleEntry {
    type Output = ();
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let mut relation = load(tx, &self.mailbox, self.agent_id).await?;
        relation.established = self.established;
        if relation.settle() {
            tool_standing::end_silences(tx, &self.mailbox, self.agent_id).await?;
        }
        Ok(relation::put(tx, &self.mailbox, &relation).await?)
    }
}

impl Work for DropUnsent {
    type Output = ();
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let mut relation = load(tx, &self.mailbox, self.agent_id).await?;
        let dropped = relation.unsent.take();
        if relation.ledger.is_empty() {
            self.mailbox.remove_peer(tx, assent_sealing::Endpoint::Agent(self.agent_id)).await?;
            return Ok(relation::remove(tx, self.agent_id).await?);
        }
        let action = dropped.map(|unsent| unsent.entry.entry.action);
        let is_over = matches!(action, Some(LedgerAction::Grant | LedgerAction::Revoke));
        if is_over {
            // Without a grant there is no relation. One that the relay does not know need not be ended there.
            relation.state = RelationStanding::Ended;
        }
        Ok(relation::put(tx, &self.mailbox, &relation).await?)
    }
}

impl Work for EndSilences {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        tool_standing::end_silences(tx, &self.mailbox, self.agent_id).await
    }
}

impl Work for TakeBack {
    type Output = ClosedCalls;
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<ClosedCalls, DeviceError> {
        let mut relation = load(tx, &self.mailbox, self.agent_id).await?;
        let closed = match &self.what {
            Taken::AllBut(kept) => {
                let taken = relation.take_back(|scope| kept.contains(scope));
                answer_calls(tx, &self.mailbox, &self.minter, &relation, Some(&taken)).await?
            }
            Taken::All => {
                relation.take_back(|_| false);
                relation.review = None;
                if !relation.has_ended() {
                    relation.state = RelationStanding::Revoked;
                }
                answer_calls(tx, &self.mailbox, &self.minter, &relation, None).await?
            }
        };
        tool_standing::end_silences(tx, &self.mailbox, self.agent_id).await?;
        relation::put(tx, &self.mailbox, &relation).await?;
        Ok(closed)
    }
}

async fn load(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent_id: AgentId,
) -> Result<DeviceRelation, DeviceError> {
    relation::find(tx, mailbox, agent_id).await?.ok_or(DeviceError::UnknownRelation)
}

async fn sign(
    tx: &mut Tx,
    mailbox: &Mailbox,
    mut relation: DeviceRelation,
    entry: LedgerEntry,
    manifest: AgentManifest,
) -> Result<(), DeviceError> {
    let signature = mailbox.sign(tx, &entry.canonical_bytes()?).await?;
    let entry = SignedEntry { entry, signature: signature.into() };
    relation.unsent = Some(UnsentEntry { entry, manifest });
    Ok(relation::put(tx, mailbox, &relation).await?)
}

/// Answers the open calls of an agent that need one of these scopes, or all of them.
async fn answer_calls(
    tx: &mut Tx,
    mailbox: &Mailbox,
    minter: &Minter,
    relation: &DeviceRelation,
    scopes: Option<&[ScopeId]>,
) -> Result<ClosedCalls, MailboxError> {
    let manifest = relation.manifest().read()?;
    let mut closed = ClosedCalls::default();
    for record in call_record::open(tx, mailbox).await? {
        let scope = manifest.tool(&record.call.tool).map(|tool| &tool.permission_scope);
        let is_concerned = scopes.is_none_or(|all| scope.is_some_and(|scope| all.contains(scope)));
        if record.call.agent_id == relation.agent_id && is_concerned {
            let outcome = denied("permission_revoked");
            let response = ToolResponse::new(record.call.call_id.clone(), outcome);
            let stamp = Stamp { entry_id: minter.mint(), at: SystemClock.now() };
            let head = works::close_call(tx, mailbox, &record, &response, stamp).await?;
            closed.head = Some(head);
            closed.calls.push(record.call.invocation);
        }
    }
    Ok(closed)
}
