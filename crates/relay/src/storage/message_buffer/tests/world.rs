//! A relay, some people and agents, and what they do.

use std::{path::PathBuf, sync::Arc, time::Duration};

use assent_ids::{
    AgentId, ConversationId, EventSeq, Minter, Principal, SystemClock, SystemEntropy,
    TokenFamilyId, TokenId, UnixMillis, UserId, deterministic::ManualClock,
};
use assent_protocol::a2h::ContentType;
use assent_relay_api::{
    operations::conversations::{NewMessage, SendMessage},
    path::ConversationPath,
};
use assent_store::{Database, Location, StoreError, Tx, Work};
use futures_util::future::join_all;
use http::{HeaderMap, StatusCode};
use tempfile::TempDir;

use super::{Letter, Step, Text};
use crate::{
    conversations::message_store::MessageStore,
    delivery::{events::Portion, reading::ReadEvents, socket::WriteAck},
    http::{Call, Caller, Serve as _},
    settings::Settings,
    state::Relay,
    storage::{message_buffer::MAX_ENVELOPE, test_store::Tell},
};

/// Two people, an agent that listens and one that is called.
pub(super) const PARTIES: usize = 4;

/// The first person with each agent, and all parties together.
pub(super) const CONVERSATIONS: usize = 3;

/// The ids of all parties, which are the same in both worlds.
#[derive(Clone)]
pub(super) struct Cast {
    users: [UserId; 2],
    agents: [AgentId; 2],
    conversations: [ConversationId; CONVERSATIONS],
}

impl Cast {
    pub(super) fn new() -> Self {
        let minter = Minter::new(Arc::new(SystemClock), Arc::new(SystemEntropy::new().unwrap()));
        Self {
            users: [minter.mint(), minter.mint()],
            agents: [minter.mint(), minter.mint()],
            conversations: [minter.mint(), minter.mint(), minter.mint()],
        }
    }

    fn party(&self, number: usize) -> Principal {
        match number {
            0 | 1 => Principal::User(self.users[number]),
            _ => Principal::Agent(self.agents[number - 2]),
        }
    }

    fn members(&self, conversation: usize) -> Vec<Principal> {
        let members: &[usize] = match conversation {
            0 => &[0, 2],
            1 => &[0, 1, 2, 3],
            _ => &[0, 3],
        };
        members.iter().map(|member| self.party(*member)).collect()
    }
}

pub(super) struct World {
    pub(super) relay: Arc<Relay>,
    cast: Cast,
    clock: Arc<ManualClock>,
    data: TempDir,
    copies: u32,
}

impl World {
    pub(super) async fn new(cast: Cast, with_buffer: bool) -> Self {
        let data = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
        let location = Settings::new(data.path()).location();
        let store = if with_buffer {
            open(&location)
        } else {
            MessageStore::open_direct(&location).await.unwrap()
        };
        let relay = relay(&data, store, &clock);
        relay.store.write(Found(cast.clone())).await.unwrap();
        Self { relay, cast, clock, data, copies: 0 }
    }

    /// Takes a step. Returns what its party sees.
    pub(super) async fn take(&mut self, step: &Step) -> Vec<String> {
        match step {
            Step::Send(letters) => return self.send_under(0, letters.clone()).await,
            Step::Acknowledge { party, event } => {
                let (party, event) = (self.cast.party(*party), EventSeq(*event));
                self.relay
                    .store
                    .write(WriteAck::new(&self.relay, party, None, event))
                    .await
                    .unwrap();
            }
            Step::Move { is_in } => {
                let left = if *is_in { "NULL" } else { "1" };
                self.change(format!(
                    "UPDATE conversation_members SET left_at = {left}
                    WHERE party_id = '{}' /* whole table */",
                    self.cast.users[1]
                ))
                .await;
            }
            Step::Relate { is_active } => {
                let status = if *is_active { "active" } else { "suspended" };
                self.change(format!(
                    "UPDATE h2a_relations SET status = '{status}' /* whole table */"
                ))
                .await;
            }
            Step::Tell(party) => {
                self.relay.store.write(self.telling(*party)).await.unwrap();
            }
            Step::Look(party) => return self.look(*party).await,
            Step::Wait(millis) => self.clock.advance(Duration::from_millis(*millis)),
            Step::Crash => self.crash().await,
        }
        Vec::new()
    }

    /// An event for a party.
    pub(super) fn telling(&self, party: usize) -> Tell {
        Tell { relay: Arc::clone(&self.relay), party: self.cast.party(party) }
    }

    /// Sends messages at the same moment, under names of a series.
    pub(super) async fn send_under(&self, series: usize, letters: Vec<Letter>) -> Vec<String> {
        let sent = letters.iter().map(|letter| self.send(series, letter));
        join_all(sent).await
    }

    async fn send(&self, series: usize, letter: &Letter) -> String {
        let length = match letter.content {
            Text::This => 3,
            Text::That => 6,
            Text::Long => MAX_ENVELOPE,
        };
        let call = Call::<SendMessage> {
            caller: self.caller(letter.sender),
            path: ConversationPath {
                conversation_id: self.cast.conversations[letter.conversation],
            },
            query: (),
            body: NewMessage {
                client_message_id: format!("{series}-{}", letter.name).parse().unwrap(),
                msg_subtype: letter.subtype,
                content_type: ContentType::Text,
                envelope: "eHh4".repeat(length).try_into().unwrap(),
            },
            headers: HeaderMap::new(),
            peer: [127, 0, 0, 1].into(),
        };
        match SendMessage::serve(&self.relay, call).await {
            Ok(answer) => {
                let before = answer.status == Some(StatusCode::OK);
                let word = if before { "again" } else { "new" };
                format!("{word} {}", answer.reply.conversation_seq)
            }
            Err(refusal) => refusal.code().to_string(),
        }
    }

    fn caller(&self, sender: usize) -> Caller {
        let minter = &self.relay.minter;
        match self.cast.party(sender) {
            Principal::User(user_id) => {
                Caller::User { user_id, family_id: minter.mint::<TokenFamilyId>() }
            }
            Principal::Agent(agent_id) => {
                let token_id = minter.mint::<TokenId>();
                Caller::Agent { agent_id, token_id, may_write_manifest: false }
            }
        }
    }

    async fn look(&self, party: usize) -> Vec<String> {
        let portion = Portion { events: 1000, bytes: i64::MAX };
        let read = ReadEvents { party: self.cast.party(party), after: EventSeq(0), portion };
        let batch = self.relay.store.read(read).await.unwrap();
        batch.events.iter().map(|event| format!("{} {}", event.event_id, event.kind)).collect()
    }

    /// Goes on with what is on the disk now.
    async fn crash(&mut self) {
        self.copies += 1;
        let copy: PathBuf = self.data.path().join(format!("copy-{}.db", self.copies));
        self.relay.store.back_up(&copy).await.unwrap();
        let location = Location::Sqlite(copy);
        let store = match self.relay.messages.buffer() {
            Some(_) => open(&location),
            None => MessageStore::open_direct(&location).await.unwrap(),
        };
        self.relay = relay(&self.data, store, &self.clock);
    }

    /// Something that another program does to the file.
    pub(super) fn meddle(&self, sql: &str) {
        let file = self.relay.settings.location();
        let Location::Sqlite(path) = file else { panic!("a server has no file") };
        rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
    }

    /// Number of stored messages that are not flushed.
    pub(super) fn written_down(&self) -> usize {
        self.relay.messages.buffer().unwrap().state().waiting.len()
    }

    /// Everything that messages leave behind, without what is random and without times.
    pub(super) async fn tables(&self) -> Vec<Vec<String>> {
        let mut tables = Vec::new();
        for table in [
            "SELECT conversation_id || ' ' || seq || ' ' || sender_id || ' ' || client_message_id
                || ' ' || msg_subtype || ' ' || length(envelope)
                FROM messages ORDER BY conversation_id, seq /* whole table */",
            "SELECT conversation_id || ' ' || last_seq
                FROM conversations ORDER BY conversation_id /* whole table */",
            "SELECT party_id || ' ' || last_event_id || ' ' || messages_sent
                || ' ' || tool_calls || ' ' || messages_received
                FROM recipients ORDER BY party_id /* whole table */",
            "SELECT party_id || ' ' || event_id || ' ' || type || ' ' || coalesce(conversation_id, '')
                || ' ' || coalesce(seq, '') || ' '
                || coalesce(json_remove(data, '$.message_id'), '')
                FROM events ORDER BY party_id, event_id /* whole table */",
            "SELECT party_id || ' ' || event_id
                FROM event_acks ORDER BY party_id /* whole table */",
            "SELECT agent_id || ' ' || event_id || ' ' || type
                FROM webhook_deliveries ORDER BY agent_id, event_id /* whole table */",
            "SELECT agent_id FROM webhook_line ORDER BY agent_id /* whole table */",
            "SELECT 'out of time' FROM events e JOIN messages m
                ON m.conversation_id = e.conversation_id AND m.seq = e.seq
                WHERE m.created_at > e.created_at /* whole table */",
            // The events of the sender and of the others have the same message id.
            "SELECT 'told another name' FROM events e JOIN messages m
                ON m.conversation_id = json_extract(e.data, '$.conversation_id')
                AND m.seq = json_extract(e.data, '$.conversation_seq')
                WHERE m.message_id <> json_extract(e.data, '$.message_id') /* whole table */",
        ] {
            tables.push(self.rows(table).await);
        }
        tables
    }

    pub(super) async fn rows(&self, sql: &'static str) -> Vec<String> {
        self.relay.store.read(Rows(sql)).await.unwrap()
    }

    async fn change(&self, sql: String) {
        self.relay.store.write(Change(sql.leak())).await.unwrap();
    }
}

/// A store with a buffer that is not flushed by time, however slow the machine is.
fn open(location: &Location) -> (Database, MessageStore) {
    let Location::Sqlite(path) = location else { panic!("a server has no buffer") };
    MessageStore::open_buffered(path, Duration::from_secs(24 * 60 * 60)).unwrap()
}

fn relay(data: &TempDir, store: (Database, MessageStore), clock: &Arc<ManualClock>) -> Arc<Relay> {
    let entropy = Arc::new(SystemEntropy::new().unwrap());
    let clock = Arc::<ManualClock>::clone(clock);
    let mut settings = Settings::new(data.path());
    // Time passes in both worlds, and not quite the same.
    settings.limits.messages_per_second = usize::MAX;
    settings.limits.tool_calls_per_minute = usize::MAX;
    Arc::new(Relay::new(settings, store, clock, entropy))
}

/// Makes all parties, and their conversations.
struct Found(Cast);

impl Work for Found {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let Cast { users, agents, conversations } = &self.0;
        for user in users {
            let new = "INSERT INTO users (user_id, email, display_name, password_hash, created_at)
                VALUES ($1, $1, 'x', 'x', 0)";
            tx.execute(new, &[user.to_string().into()]).await?;
        }
        let [first, _] = users.map(|user| user.to_string());
        for (agent, mode) in agents.iter().zip(["websocket", "webhook"]) {
            let new = "INSERT INTO agents
                (agent_id, owner_id, name, connection_mode, created_at, updated_at)
                VALUES ($1, $2, 'x', $3, 0, 0)";
            tx.execute(new, &[agent.to_string().into(), (&first).into(), mode.into()]).await?;
        }
        for (number, conversation) in conversations.iter().enumerate() {
            let conversation = conversation.to_string();
            let new = "INSERT INTO conversations
                (conversation_id, kind, founder_id, created_at, active_at) VALUES ($1, 'x', $2, 0, 0)";
            tx.execute(new, &[(&conversation).into(), (&first).into()]).await?;
            for member in self.0.members(number) {
                let new = "INSERT INTO conversation_members
                    (conversation_id, party_id, added_by, joined_at, joined_seq)
                    VALUES ($1, $2, $3, 0, 0)";
                tx.execute(
                    new,
                    &[(&conversation).into(), member.to_string().into(), (&first).into()],
                )
                .await?;
            }
        }
        for (agent, conversation) in agents.iter().zip([conversations[0], conversations[2]]) {
            let relation = "INSERT INTO h2a_relations (relation_id, user_id, agent_id,
                    conversation_id, status, manifest_hash, manifest_version, told_version,
                    created_at, updated_at)
                VALUES ($1, $2, $3, $1, 'active', 'x', 1, 1, 0, 0)";
            let row = [conversation.to_string().into(), (&first).into(), agent.to_string().into()];
            tx.execute(relation, &row).await?;
        }
        Ok(())
    }
}

struct Change(&'static str);

impl Work for Change {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(self.0, &[]).await
    }
}

struct Rows(&'static str);

impl Work for Rows {
    type Output = Vec<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        tx.column(self.0, &[]).await
    }
}
