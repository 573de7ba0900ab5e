//! `PATCH /agents/{agent_id}`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    Operation,
    model::{ConnectionMode, PublishedBy},
    operations::agents::{AgentChanges, UpdateAgent, UpdatedAgent},
    value::{Description, Name, Secret, WebAddress},
};
use assent_store::{StoreError, Tx, Work};

use super::if_match::IfMatch;
use crate::{
    agents::{self, AgentRow},
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    manifests::{self, Checked, Comparison, Publication, PublicationLock},
    state::Relay,
    storage::times::millis,
    webhooks,
};

/// How often a manifest is compared again because another node published one meanwhile.
const TRIES: usize = 32;

impl Serve for UpdateAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (agent, caller) = (call.path.agent_id, call.caller);
        let changes = Arc::new(call.body);
        let look = || Look { agent, caller: caller.clone() };
        // A caller without permission is refused before waiting for other publications.
        relay.store.read(look()).await?;
        let if_match = IfMatch::read(&call.headers)?;
        check(relay, &caller, &changes)?;
        let lock = relay.publication_locks.take(agent).await;
        let manifest = checked(relay, &lock, &changes).await?;
        for _ in 0..TRIES {
            let present = relay.store.read(look()).await?;
            if_match.check(present.hash.as_ref())?;
            let apply = Apply {
                agent,
                expected: present.version,
                comparison: compared(relay, &lock, present, manifest.as_ref()).await?,
                manifest: manifest.clone(),
                by: publisher(&caller),
                changes: Arc::clone(&changes),
                relay: Arc::clone(relay),
            };
            if let Some(updated) = relay.commit(apply).await? {
                return Ok(Answer::new(updated));
            }
        }
        Err(Refusal::new(ApiCode::Conflict, "the manifest changes too fast; try again"))
    }
}

const fn publisher(caller: &Caller) -> PublishedBy {
    match caller {
        Caller::Agent { .. } => PublishedBy::Agent,
        Caller::Anonymous | Caller::User { .. } | Caller::Operator => PublishedBy::Owner,
    }
}

/// What can be said without looking at the agent.
fn check(relay: &Relay, caller: &Caller, changes: &AgentChanges) -> Result<(), Refusal> {
    let only_manifest = AgentChanges {
        capability_manifest: changes.capability_manifest.clone(),
        ..Default::default()
    };
    if publisher(caller) == PublishedBy::Agent && *changes != only_manifest {
        return Err(Refusal::forbidden("an agent itself may only publish manifests"));
    }
    webhooks::check_addresses(
        &relay.settings,
        changes.webhook_url.as_ref(),
        changes.health_check_url.as_ref(),
    )
}

async fn checked(
    relay: &Relay,
    lock: &PublicationLock<'_>,
    changes: &Arc<AgentChanges>,
) -> Result<Option<Arc<Checked>>, Refusal> {
    let (rules, changes) = (relay.settings.manifest_rules, Arc::clone(changes));
    let check = move || {
        let manifest = changes.capability_manifest.as_ref();
        manifest.map(|manifest| manifests::check(manifest, rules)).transpose()
    };
    Ok(lock.run(check).await??.map(Arc::new))
}

/// How the manifest differs from the present one; `None` if there is none to compare.
async fn compared(
    relay: &Relay,
    lock: &PublicationLock<'_>,
    present: AgentRow,
    manifest: Option<&Arc<Checked>>,
) -> Result<Option<Comparison>, Refusal> {
    let rules = relay.settings.manifest_rules;
    let (Some(old), Some(new)) = (present.canonical, manifest.cloned()) else { return Ok(None) };
    if present.hash.as_ref() == Some(&new.hash) {
        return Ok(None);
    }
    let compare = move || manifests::compare(&old, &new.canonical, rules);
    lock.run(compare).await.map(Some)
}

/// Who may change the agent, and what it is now.
struct Look {
    agent: AgentId,
    caller: Caller,
}

impl Work for Look {
    type Output = AgentRow;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<AgentRow, Refusal> {
        agents::admit(tx, UpdateAgent::ACCESS, &self.caller, self.agent).await?;
        agents::find(tx, self.agent).await?.ok_or_else(agents::unknown)
    }
}

struct Apply {
    agent: AgentId,
    /// The version that was compared with.
    expected: u64,
    changes: Arc<AgentChanges>,
    manifest: Option<Arc<Checked>>,
    comparison: Option<Comparison>,
    by: PublishedBy,
    relay: Arc<Relay>,
}

const CHANGE: &str = "UPDATE agents SET name = $2, description = $3, connection_mode = $4,
        webhook_url = $5, health_check_url = $6, updated_at = $7
    WHERE agent_id = $1";

impl Work for Apply {
    /// `None` if another manifest was published meanwhile.
    type Output = (Option<UpdatedAgent>, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        tx.lock(&self.agent.to_string()).await?;
        let present = agents::find(tx, self.agent).await?.ok_or_else(agents::unknown)?;
        if present.version != self.expected {
            return Ok((None, outbox));
        }
        let webhook_secret = self.change(tx, &present, &mut outbox).await?;
        let new = self.manifest.as_ref().filter(|new| present.hash.as_ref() != Some(&new.hash));
        let version = match new {
            Some(manifest) => self.publish(tx, &present, manifest, &mut outbox).await?,
            None => present.version,
        };
        agents::changed(tx, self.agent).await?;
        Ok((Some(self.answer(present, version, webhook_secret)), outbox))
    }
}

impl Apply {
    /// Changes everything but the manifest. Gives back a secret if the agent is called from now on.
    async fn change(
        &self,
        tx: &mut Tx,
        present: &AgentRow,
        outbox: &mut Outbox,
    ) -> Result<Option<Secret>, Refusal> {
        let changes = &*self.changes;
        let given = changes.description.as_ref().map(Description::as_str);
        let description = given.or(present.description.as_deref()).filter(|text| !text.is_empty());
        let mode = changes.connection_mode.map_or(present.connection_mode.clone(), Into::into);
        let address = |given: &Option<WebAddress>, present: &Option<String>| {
            given.as_ref().map(|address| address.as_str().to_owned()).or_else(|| present.clone())
        };
        let webhook = address(&changes.webhook_url, &present.webhook_url);
        let is_called = mode == ConnectionMode::Webhook;
        if is_called && webhook.is_none() {
            return Err(webhooks::without_address());
        }
        let row = [
            self.agent.to_string().into(),
            changes.name.as_ref().map_or(present.name.as_str(), Name::as_str).into(),
            description.into(),
            mode.as_str().into(),
            webhook.as_ref().into(),
            address(&changes.health_check_url, &present.health_check_url).into(),
            millis(self.relay.now()).into(),
        ];
        tx.execute(CHANGE, &row).await?;
        if webhook != present.webhook_url {
            webhooks::try_again(tx, &self.agent.to_string(), self.relay.now()).await?;
            outbox.deliveries = true;
        }
        let was_called = present.connection_mode == ConnectionMode::Webhook;
        if was_called && !is_called {
            webhooks::give_up(tx, &self.agent.to_string(), self.relay.now()).await?;
        }
        if is_called && !was_called {
            return Ok(Some(webhooks::new_secret(tx, &self.relay, self.agent).await?));
        }
        Ok(None)
    }

    async fn publish(
        &self,
        tx: &mut Tx,
        present: &AgentRow,
        manifest: &Checked,
        outbox: &mut Outbox,
    ) -> Result<u64, StoreError> {
        let publication = Publication {
            agent: self.agent,
            owner: present.owner,
            manifest,
            comparison: self.comparison.as_ref(),
            previous: present.version,
            by: self.by,
            is_new_agent: false,
        };
        manifests::publish(tx, &self.relay, &publication, outbox).await
    }

    fn answer(&self, present: AgentRow, version: u64, secret: Option<Secret>) -> UpdatedAgent {
        let manifest = self.manifest.as_deref();
        let comparison = self.comparison.clone().unwrap_or_default();
        UpdatedAgent {
            agent_id: self.agent,
            capability_manifest_version: version,
            capability_manifest_hash: manifest.map(|new| new.hash.clone()).or(present.hash),
            breaking_changes: comparison.breaking_changes(),
            changes: comparison.changes,
            warnings: manifest.map_or(present.warnings, |manifest| manifest.warnings.clone()),
            webhook_secret: secret,
        }
    }
}
