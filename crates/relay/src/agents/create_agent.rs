//! `POST /agents`

use std::sync::Arc;

use assent_ids::{AgentId, TokenId, UserId};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    model::{ConnectionMode, PublishedBy},
    operations::agents::{CreateAgent, CreatedAgent, NewAgent},
    value::{Description, Secret, WebAddress},
};
use assent_store::{StoreError, Tx, Work};
use zeroize::Zeroizing;

use crate::{
    accounts::secrets::{self, AGENT_PREFIX},
    agents::{self, tokens},
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    manifests::{self, Checked, Publication},
    state::Relay,
    storage::times::millis,
    webhooks,
};

impl Serve for CreateAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let owner = call.caller.user()?;
        let agent_id = relay.minter.mint();
        webhooks::check_connection(&relay.settings, &call.body)?;
        let create = Create {
            owner,
            agent_id,
            token_id: relay.minter.mint(),
            token: secrets::generate(AGENT_PREFIX, &*relay.entropy),
            manifest: checked(relay, agent_id, &call.body).await?,
            agent: call.body,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(create).await?))
    }
}

async fn checked(
    relay: &Relay,
    agent: AgentId,
    new: &NewAgent,
) -> Result<Option<Checked>, Refusal> {
    let Some(manifest) = new.capability_manifest.clone() else { return Ok(None) };
    let rules = relay.settings.manifest_rules;
    let lock = relay.publication_locks.take(agent).await;
    lock.run(move || manifests::check(&manifest, rules)).await?.map(Some)
}

struct Create {
    owner: UserId,
    agent_id: AgentId,
    token_id: TokenId,
    token: Zeroizing<String>,
    agent: NewAgent,
    manifest: Option<Checked>,
    relay: Arc<Relay>,
}

const INSERT: &str = "INSERT INTO agents (agent_id, owner_id, name, description, connection_mode,
        webhook_url, health_check_url, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";

const OWNED: &str = "SELECT count(*) FROM agents WHERE owner_id = $1 AND deleted_at IS NULL";

impl Work for Create {
    type Output = (CreatedAgent, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        self.check_limit(tx).await?;
        self.insert(tx).await?;
        let token = tokens::NewToken {
            token_id: self.token_id,
            agent: self.agent_id,
            secret: &self.token,
            name: None,
            scopes: &[],
        };
        tokens::store(tx, &token, self.relay.now()).await?;
        let webhook_secret = match self.mode() {
            ConnectionMode::Webhook => {
                Some(webhooks::new_secret(tx, &self.relay, self.agent_id).await?)
            }
            ConnectionMode::Websocket | ConnectionMode::Polling => None,
        };
        let version = match &self.manifest {
            Some(manifest) => self.publish(tx, manifest, &mut outbox).await?,
            None => 0,
        };
        agents::changed(tx, self.agent_id).await?;
        Ok((self.answer(webhook_secret, version), outbox))
    }
}

impl Create {
    fn mode(&self) -> ConnectionMode {
        self.agent.connection_mode.unwrap_or(ConnectionMode::Websocket)
    }

    async fn check_limit(&self, tx: &mut Tx) -> Result<(), Refusal> {
        let owner = self.owner.to_string();
        tx.lock(&format!("agents:{owner}")).await?;
        let owned: u64 = tx.scalar(OWNED, &[owner.into()]).await?;
        let limit = self.relay.settings.limits.agents;
        if usize::try_from(owned).is_ok_and(|owned| owned < limit) {
            return Ok(());
        }
        let text = format!("there are {limit} agents already; delete one first");
        Err(ApiError::new(ApiCode::AgentLimit, text).with("limit", limit).into())
    }

    async fn insert(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let description = self.agent.description.as_ref().map(Description::as_str);
        let row = [
            self.agent_id.to_string().into(),
            self.owner.to_string().into(),
            self.agent.name.as_str().into(),
            description.filter(|text| !text.is_empty()).into(),
            self.mode().as_str().into(),
            self.agent.webhook_url.as_ref().map(WebAddress::as_str).into(),
            self.agent.health_check_url.as_ref().map(WebAddress::as_str).into(),
            millis(self.relay.now()).into(),
        ];
        tx.execute(INSERT, &row).await?;
        Ok(())
    }

    async fn publish(
        &self,
        tx: &mut Tx,
        manifest: &Checked,
        outbox: &mut Outbox,
    ) -> Result<u64, StoreError> {
        let publication = Publication {
            agent: self.agent_id,
            owner: self.owner,
            manifest,
            comparison: None,
            previous: 0,
            by: PublishedBy::Owner,
            is_new_agent: true,
        };
        manifests::publish(tx, &self.relay, &publication, outbox).await
    }

    fn answer(&self, webhook_secret: Option<Secret>, version: u64) -> CreatedAgent {
        let manifest = self.manifest.as_ref();
        CreatedAgent {
            agent_id: self.agent_id,
            token: Secret::from((*self.token).clone()),
            token_id: self.token_id,
            webhook_secret,
            capability_manifest_version: version,
            capability_manifest_hash: manifest.map(|manifest| manifest.hash.clone()),
            warnings: manifest.map(|manifest| manifest.warnings.clone()).unwrap_or_default(),
        }
    }
}
