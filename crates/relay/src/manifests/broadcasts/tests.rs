//! Many people, several nodes, and plugs that are pulled.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use assent_ids::{AgentId, Minter, SystemClock, SystemEntropy};
use assent_store::{StoreError, Tx, Work};

use super::{News, begin, chunk::Chunk, round};
use crate::{delivery::outbox::Outbox, state::Relay, storage::test_store::TestStore};

/// More than fit into two chunks.
const PEOPLE: usize = 600;

/// Some nodes on one database.
struct World {
    nodes: Vec<Arc<Relay>>,
    agent: AgentId,
    _trial: TestStore,
}

impl World {
    async fn new(postgres: bool) -> Self {
        let trial = TestStore::new(postgres).await;
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        let minter = Minter::new(Arc::new(SystemClock), entropy.clone());
        let mut nodes = Vec::new();
        // SQLite belongs to one process; two handles of one database are as good as two nodes.
        for _ in 0..2 {
            let (settings, store) = (trial.settings.clone(), trial.store.clone());
            let relay = Relay::new(settings, store, Arc::new(SystemClock), entropy.clone());
            nodes.push(Arc::new(relay));
        }
        let agent = minter.mint();
        let relations = (0..PEOPLE).map(|_| {
            let ids = [minter.mint::<assent_ids::UserId>().to_string()];
            (ids[0].clone(), minter.mint::<assent_ids::RelationId>().to_string())
        });
        let settle = Settle { agent, relations: relations.collect() };
        nodes[0].store.write(settle).await.unwrap();
        Self { nodes, agent, _trial: trial }
    }

    async fn publish(&self, version: u64, reauth: Option<&'static [&'static str]>) {
        let publish = Publish { agent: self.agent, version, reauth };
        self.nodes[0].store.write(publish).await.unwrap();
    }

    async fn run(&self, sql: &'static str) {
        self.nodes[0].store.write(Run(sql)).await.unwrap();
    }

    /// The events of every person, in order.
    async fn told(&self) -> BTreeMap<String, Vec<String>> {
        let mut told = BTreeMap::<_, Vec<_>>::new();
        for (person, kind, data) in self.nodes[0].store.read(Events).await.unwrap() {
            let data: serde_json::Value = serde_json::from_str(&data).unwrap();
            let version =
                data.get("new_manifest_version").or(data.get("manifest_version")).unwrap();
            let scopes = &data["scopes_requiring_reauth"];
            told.entry(person).or_default().push(format!("{kind} {version} {scopes}"));
        }
        told
    }
}

/// Makes an agent and people who have agreed to its first manifest; the last hundred have suspended it.
struct Settle {
    agent: AgentId,
    relations: Vec<(String, String)>,
}

impl Work for Settle {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let agent = self.agent.to_string();
        for (at, (user, relation)) in self.relations.iter().enumerate() {
            let new_user =
                "INSERT INTO users (user_id, email, display_name, password_hash, created_at)
                VALUES ($1, $1, 'x', 'x', 0)";
            tx.execute(new_user, &[user.into()]).await?;
            if at == 0 {
                let new_agent = "INSERT INTO agents
                    (agent_id, owner_id, name, connection_mode, created_at, updated_at)
                    VALUES ($1, $2, 'x', 'websocket', 0, 0)";
                tx.execute(new_agent, &[(&agent).into(), user.into()]).await?;
            }
            let new_relation = "INSERT INTO h2a_relations (relation_id, user_id, agent_id,
                    conversation_id, status, manifest_hash, manifest_version, told_version,
                    created_at, updated_at)
                VALUES ($1, $2, $3, $1, $4, 'x', 1, 1, 0, 0)";
            let status = if at < PEOPLE - 100 { "active" } else { "suspended" };
            let row = [relation.into(), user.into(), (&agent).into(), status.into()];
            tx.execute(new_relation, &row).await?;
        }
        Ok(())
    }
}

struct Publish {
    agent: AgentId,
    version: u64,
    reauth: Option<&'static [&'static str]>,
}

impl Work for Publish {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let hash = "ab".repeat(32).parse().unwrap();
        let scopes: Option<Vec<_>> =
            self.reauth.map(|scopes| scopes.iter().map(|scope| scope.parse().unwrap()).collect());
        let (agent, version) = (self.agent, self.version);
        let news = News { agent, version, hash: &hash, reauth: scopes.as_deref() };
        begin(tx, &news, &mut Outbox::default()).await
    }
}

struct Run(&'static str);

impl Work for Run {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(self.0, &[]).await
    }
}

struct Events;

impl Work for Events {
    type Output = Vec<(String, String, String)>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let all = "SELECT party_id, type, data FROM events ORDER BY party_id, event_id
            /* whole table */";
        let rows = tx.all(all, &[]).await?;
        rows.into_iter().map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).collect()
    }
}

async fn on_both(test: impl AsyncFn(&World)) {
    for postgres in [false, true] {
        test(&World::new(postgres).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_person_gets_one_event_however_many_nodes_send() {
    on_both(async |world| {
        world.publish(2, Some(&["files:read"])).await;
        world.publish(3, None).await;
        world.publish(4, Some(&["files:write"])).await;
        let (one, two) = (&world.nodes[0], &world.nodes[1]);
        let (one, two) = tokio::join!(round(one), round(two));
        assert!(one && two);
        let told = world.told().await;
        let expected = [
            r#"h2a.reauth_required 2 ["files:read"]"#,
            "agent.capability_changed 3 null",
            r#"h2a.reauth_required 4 ["files:read","files:write"]"#,
        ];
        assert_eq!(told.len(), PEOPLE - 100);
        assert_eq!(
            told.values().collect::<BTreeSet<_>>(),
            BTreeSet::from([&expected.map(str::to_owned).to_vec()])
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_dies_leaves_the_rest_to_another_one() {
    on_both(async |world| {
        world.publish(2, Some(&["files:read"])).await;
        let [one, two] = &*world.nodes else { panic!("two nodes") };
        // One chunk, and then nothing more of this node.
        let chunk = Chunk { agent: world.agent, relay: Arc::clone(one) };
        one.commit(chunk).await.unwrap();
        let first = world.told().await.len();
        assert!((1..PEOPLE - 100).contains(&first), "{first}");
        assert!(round(two).await);
        let told = world.told().await;
        assert_eq!(told.len(), PEOPLE - 100);
        assert!(told.values().all(|events| events.len() == 1));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_people_with_an_older_manifest_get_an_event() {
    on_both(async |world| {
        world
            .run(
                "UPDATE h2a_relations SET manifest_version = 2, told_version = 2 /* whole table */",
            )
            .await;
        world.publish(2, Some(&["files:read"])).await;
        world.publish(3, None).await;
        world.run("UPDATE h2a_relations SET status = 'revoked' /* whole table */").await;
        assert!(round(&world.nodes[0]).await);
        assert!(world.told().await.is_empty());
    })
    .await;
}
