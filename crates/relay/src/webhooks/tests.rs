//! In any order of events, no delivery is attempted twice at once, and no agent with a pending delivery is
//! forgotten.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::{AgentId, Clock, Principal, SystemEntropy, UnixMillis, UserId};
use assent_protocol::a2h::RelayEventType;
use assent_store::{StoreError, Tx, Work};
use http::StatusCode;
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::json;
use tokio::runtime::Runtime;

use super::{
    attempt::Outcome,
    call_permits::LONG,
    claim::{Claim, Claimed, LEASE, Room},
    record::Record,
    redelivery::request_redelivery,
};
use crate::{
    agents::{
        suspension::{self, Change},
        traffic::Counted,
    },
    delivery::{
        events::{self, Content, Recipient},
        outbox::Outbox,
    },
    http::Refusal,
    state::Relay,
    storage::{test_store::TestStore, times::millis, vault::Vault},
};

const AGENTS: usize = 3;

const PLENTY: Room = Room { prompt: 100, patient: 100 };

/// Something that happens.
#[derive(Clone, Debug)]
enum Step {
    /// An event for an agent.
    Event(usize),
    /// Whatever is due is taken.
    Take,
    /// A call ends, well or not.
    End(usize, bool),
    /// The node that makes a call dies.
    Lose(usize),
    /// Time passes.
    Wait(u64),
    Suspend(usize),
    Restore(usize),
    /// The owner of an agent asks for one of its deliveries again, whatever state it is in.
    Redeliver(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let agent = || 0..AGENTS;
    prop_oneof![
        6 => agent().prop_map(Step::Event),
        4 => Just(Step::Take),
        4 => (any::<usize>(), any::<bool>()).prop_map(|(call, well)| Step::End(call, well)),
        1 => any::<usize>().prop_map(Step::Lose),
        3 => (0_u64..90_000).prop_map(Step::Wait),
        1 => agent().prop_map(Step::Suspend),
        1 => agent().prop_map(Step::Restore),
        2 => any::<usize>().prop_map(Step::Redeliver),
    ]
}

/// Shows what the test says.
struct Told(AtomicU64);

impl Clock for Told {
    fn now(&self) -> UnixMillis {
        UnixMillis::new(self.0.load(Ordering::SeqCst))
    }
}

struct World {
    relay: Arc<Relay>,
    clock: Arc<Told>,
    agents: Vec<AgentId>,
    /// Calls that are being made, and the end of each lease.
    calls: Vec<(Claimed, UnixMillis)>,
    _trial: TestStore,
}

impl World {
    async fn new(postgres: bool) -> Self {
        let trial = TestStore::new(postgres).await;
        let (settings, store) = (trial.settings.clone(), trial.store.clone());
        let clock = Arc::new(Told(AtomicU64::new(1_700_000_000_000)));
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        let relay = Arc::new(Relay::new(settings, store, clock.clone(), entropy));
        let agents: Vec<AgentId> = (0..AGENTS).map(|_| relay.minter.mint()).collect();
        let settle = Settle { owner: relay.minter.mint(), agents: agents.clone() };
        relay.store.write(settle).await.unwrap();
        Self { relay, clock, agents, calls: Vec::new(), _trial: trial }
    }

    async fn take_step(&mut self, step: &Step) {
        match *step {
            Step::Event(agent) => self.tell(agent).await,
            Step::Take => self.take().await,
            Step::End(call, well) => self.end(call, well).await,
            Step::Lose(call) => drop(self.a_call(call)),
            Step::Wait(millis) => self.wait(millis),
            Step::Suspend(agent) => self.change(agent, Change::Suspend { reason: None }).await,
            Step::Restore(agent) => self.change(agent, Change::Restore).await,
            Step::Redeliver(number) => {
                let all = self.relay.store.read(Deliveries).await.unwrap();
                if let Some(at) = number.checked_rem(all.len()) {
                    self.redeliver(&all[at].1).await;
                }
            }
        }
    }

    async fn redeliver(&self, delivery_id: &str) {
        let all = self.relay.store.read(Deliveries).await.unwrap();
        let (agent_id, _) = all.iter().find(|(_, id)| id == delivery_id).unwrap();
        let (agent_id, delivery_id) = (agent_id.clone(), delivery_id.to_owned());
        let request = RequestAgain { agent_id, delivery_id, now: millis(self.relay.now()) };
        assert!(self.relay.store.write(request).await.unwrap());
    }

    /// The deliveries whose attempts are in progress.
    fn in_progress(&self) -> Vec<String> {
        self.calls.iter().map(|(call, _)| call.delivery_id.to_string()).collect()
    }

    async fn tell(&self, agent: usize) {
        let tell = Tell { relay: Arc::clone(&self.relay), agent: self.agents[agent] };
        self.relay.store.write(tell).await.unwrap();
    }

    /// Takes until there is nothing to take. Nothing that could be taken is left.
    async fn take(&mut self) {
        let now = self.relay.now();
        self.calls.retain(|(_, until)| *until > now);
        loop {
            let taken = self
                .relay
                .store
                .write(Claim { now, agents: 2, room: PLENTY, vault: Vault::default() })
                .await
                .unwrap();
            let is_over =
                taken.claimed.is_empty() && taken.next_at.is_none_or(|at| at > millis(now));
            for claimed in taken.claimed {
                let is_new =
                    self.calls.iter().all(|(call, _)| call.delivery_id != claimed.delivery_id);
                assert!(is_new, "{} is on its way already", claimed.delivery_id);
                self.calls.push((claimed, now.after(LEASE)));
            }
            if is_over {
                break;
            }
        }
        let left = self.relay.store.read(LeftStanding(now)).await.unwrap();
        assert!(left.is_empty(), "{left:?}");
    }

    fn a_call(&mut self, call: usize) -> Option<Claimed> {
        let at = call.checked_rem(self.calls.len())?;
        Some(self.calls.swap_remove(at).0)
    }

    async fn end(&mut self, call: usize, well: bool) {
        let Some(claimed) = self.a_call(call) else { return };
        let status = if well { StatusCode::OK } else { StatusCode::BAD_GATEWAY };
        let error = (!well).then(|| "it does not answer".to_owned());
        let outcome = Outcome { status: Some(status), error };
        let started = self.relay.now();
        let record = Record { claimed, outcome, started, took: Duration::ZERO, chance: 0 };
        self.relay.store.write(record).await.unwrap();
    }

    fn wait(&self, millis: u64) {
        self.clock.0.fetch_add(millis, Ordering::SeqCst);
    }

    async fn change(&self, agent: usize, change: Change) {
        let change =
            Suspension { relay: Arc::clone(&self.relay), agent: self.agents[agent], change };
        self.relay.store.write(change).await.unwrap();
    }

    /// All agents answer from now on: everything arrives.
    async fn end_well(&mut self) {
        for agent in 0..AGENTS {
            self.change(agent, Change::Restore).await;
        }
        for _ in 0..1000 {
            if self.relay.store.read(Waiting).await.unwrap() == 0 {
                return;
            }
            self.take().await;
            while !self.calls.is_empty() {
                self.end(0, true).await;
            }
            self.wait(60 * 60 * 1000);
        }
        panic!("something waits for ever");
    }
}

struct Settle {
    owner: UserId,
    agents: Vec<AgentId>,
}

impl Work for Settle {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let owner = self.owner.to_string();
        let new_user = "INSERT INTO users (user_id, email, display_name, password_hash, created_at)
            VALUES ($1, $1, 'x', 'x', 0)";
        tx.execute(new_user, &[(&owner).into()]).await?;
        for agent in &self.agents {
            let new_agent = "INSERT INTO agents (agent_id, owner_id, name, connection_mode,
                    webhook_url, created_at, updated_at)
                VALUES ($1, $2, 'x', 'webhook', 'https://agent.example/', 0, 0)";
            tx.execute(new_agent, &[agent.to_string().into(), (&owner).into()]).await?;
        }
        Ok(())
    }
}

struct Tell {
    relay: Arc<Relay>,
    agent: AgentId,
}

impl Work for Tell {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let content = Content::notice(RelayEventType::Telemetry, &json!({}))?;
        let party = Principal::Agent(self.agent);
        let recipient = Recipient { party, is_called: true, counted: Counted::default() };
        let mut outbox = Outbox::default();
        events::append_to(tx, &self.relay.minter, recipient, &content, &mut outbox).await?;
        Ok(())
    }
}

struct Suspension {
    relay: Arc<Relay>,
    agent: AgentId,
    change: Change,
}

impl Work for Suspension {
    type Output = ();
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), Refusal> {
        suspension::change(tx, &self.relay, self.agent, &self.change).await.map(drop)
    }
}

/// Agents that could be called about something and are not.
struct LeftStanding(UnixMillis);

impl Work for LeftStanding {
    type Output = BTreeSet<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<BTreeSet<String>, StoreError> {
        let left = "SELECT a.agent_id FROM agents a WHERE a.suspended_at IS NULL /* whole table */
            AND (SELECT count(*) FROM webhook_deliveries d WHERE d.status = 'pending'
                AND d.agent_id = a.agent_id AND d.next_attempt_at <= $1 AND d.leased_until <= $1) > 0
            AND (SELECT count(*) FROM webhook_deliveries d
                WHERE d.agent_id = a.agent_id AND d.leased_until > $1)
            < CASE WHEN a.failing_since IS NOT NULL OR EXISTS (SELECT 1 FROM webhook_deliveries d
                WHERE d.agent_id = a.agent_id AND d.leased_until > $1 AND d.leased_until < $2)
                THEN 1 ELSE 4 END";
        let lately = self.0.after(LEASE).since(UnixMillis::new(0)).saturating_sub(LONG);
        let lately = i64::try_from(lately.as_millis()).unwrap();
        Ok(tx.column(left, &[millis(self.0).into(), lately.into()]).await?.into_iter().collect())
    }
}

/// Every delivery and the agent that it is for.
struct Deliveries;

impl Work for Deliveries {
    type Output = Vec<(String, String)>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let all = "SELECT agent_id, delivery_id FROM webhook_deliveries ORDER BY delivery_id
            /* whole table */";
        let rows = tx.all(all, &[]).await?;
        rows.into_iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
    }
}

struct RequestAgain {
    agent_id: String,
    delivery_id: String,
    now: i64,
}

impl Work for RequestAgain {
    type Output = bool;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        request_redelivery(tx, &self.agent_id, &self.delivery_id, self.now).await
    }
}

/// Gives every agent an address at which its health is checked.
struct CheckHealth;

impl Work for CheckHealth {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let health = "UPDATE agents SET health_check_url = webhook_url /* whole table */";
        tx.execute(health, &[]).await
    }
}

/// How much has not arrived.
struct Waiting;

impl Work for Waiting {
    type Output = i64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        tx.scalar("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'", &[]).await
    }
}

fn check(postgres: bool, cases: u32) {
    let tokio = Runtime::new().unwrap();
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    });
    let walked = runner.run(&prop::collection::vec(step(), 1..60), |steps| {
        tokio.block_on(async {
            let mut world = World::new(postgres).await;
            for step in &steps {
                world.take_step(step).await;
            }
            world.end_well().await;
        });
        Ok(())
    });
    walked.unwrap();
}

#[test]
fn on_sqlite_no_agent_with_a_pending_delivery_is_forgotten() {
    check(false, 48);
}

#[test]
fn on_postgres_no_agent_with_a_pending_delivery_is_forgotten() {
    check(true, 6);
}

#[tokio::test]
async fn a_redelivery_during_an_attempt_follows_it_only_if_it_fails() {
    for (postgres, succeeds) in [(false, true), (false, false), (true, true), (true, false)] {
        let mut world = World::new(postgres).await;
        world.tell(0).await;
        world.take().await;
        let delivery = world.in_progress();
        world.redeliver(&delivery[0]).await;
        world.take().await;
        assert_eq!(world.in_progress(), delivery, "one attempt at a time");
        world.end(0, succeeds).await;
        world.take().await;
        let again = if succeeds { Vec::new() } else { delivery };
        assert_eq!(world.in_progress(), again, "postgres: {postgres}");
    }
}

#[tokio::test]
async fn a_redelivery_is_attempted_once_although_the_agent_is_unreachable() {
    for postgres in [false, true] {
        let mut world = World::new(postgres).await;
        world.relay.store.write(CheckHealth).await.unwrap();
        world.tell(0).await;
        world.tell(0).await;
        world.take().await;
        let [failed, lost] = world.in_progress().try_into().unwrap();
        world.end(0, false).await;
        world.wait(11 * 60 * 1000);
        world.take().await;
        assert_eq!(world.in_progress(), [lost], "a failing agent gets one call at a time");
        world.redeliver(&failed).await;
        // The agent has failed for ten minutes: everything else waits for it to recover.
        world.end(0, false).await;
        world.take().await;
        assert_eq!(world.in_progress(), [failed]);
        world.end(0, false).await;
        world.take().await;
        assert_eq!(world.in_progress(), [""; 0], "postgres: {postgres}");
    }
}
