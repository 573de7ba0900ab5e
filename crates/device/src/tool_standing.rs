//! What the person has decided about a tool of an agent, beyond single calls.

use std::{collections::BTreeMap, time::Duration};

use assent_ids::{AgentId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::Tx;
use serde::{Deserialize, Serialize, Serializer};

use crate::{
    Decision, Timings,
    events::timestamp,
    millis,
    silence::{Silence, SilenceKey},
};

/// Number of refusals in a row, or of unanswered prompts in a row, after which an agent must not ask for a tool for
/// a while.
const MAX_NOES: u32 = 3;
const MAX_TIMEOUTS: u32 = 4;
const EMBARGO: Duration = Duration::from_hours(7 * 24);

const FIND: &str = "SELECT tools FROM device_standings WHERE agent_id = $1";
const UPSERT: &str = "INSERT INTO device_standings (agent_id, tools) VALUES ($1, $2)
    ON CONFLICT (agent_id) DO UPDATE SET tools = excluded.tools";

/// What the person has decided about a tool, as the API of the console shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolStanding {
    /// The tool.
    pub tool: String,
    /// Until when some calls need no prompt, if there is no further one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_timestamp")]
    pub silent_until: Option<UnixMillis>,
    /// Until when some calls need no prompt at most.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_timestamp")]
    pub silent_at_most: Option<UnixMillis>,
    /// Whether every call is refused.
    pub always_denied: bool,
    /// Until when the agent must not ask.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_timestamp")]
    pub embargoed_until: Option<UnixMillis>,
}

fn optional_timestamp<S: Serializer>(
    time: &Option<UnixMillis>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => timestamp(time, serializer),
        None => serializer.serialize_none(),
    }
}

/// Why calls of a tool are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barred {
    /// The person always refuses it.
    AlwaysDenied,
    /// The agent has asked too often.
    Embargoed,
}

/// How a prompt ended, as far as it matters for further ones.
#[derive(Clone, Debug)]
pub(crate) enum Lesson {
    Decided {
        decision: Decision,
        silence: Option<SilenceKey>,
    },
    /// The person could have answered, and did not.
    Ignored,
}

/// The standings of the tools of one agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Standings(BTreeMap<String, Standing>);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Standing {
    is_always_denied: bool,
    /// In a row.
    noes: u32,
    /// In a row.
    timeouts: u32,
    embargo: Option<Embargo>,
    silences: BTreeMap<SilenceKey, Silence>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Embargo {
    #[serde(with = "millis")]
    until: UnixMillis,
}

impl Standings {
    /// Why calls of a tool are refused now, if they are.
    pub(crate) fn barred(&self, tool: &str, now: UnixMillis) -> Option<Barred> {
        let standing = self.0.get(tool)?;
        if standing.is_always_denied {
            return Some(Barred::AlwaysDenied);
        }
        standing.embargo.filter(|embargo| now < embargo.until).map(|_| Barred::Embargoed)
    }

    /// Learns how a prompt about a tool ended. Returns `true` if other calls are treated differently from now on.
    pub(crate) fn learn(&mut self, tool: &str, lesson: &Lesson, now: UnixMillis) -> bool {
        let standing = self.0.entry(tool.to_owned()).or_default();
        match lesson {
            Lesson::Ignored => {
                standing.timeouts = standing.timeouts.saturating_add(1);
                standing.timeouts >= MAX_TIMEOUTS && standing.begin_embargo(now)
            }
            Lesson::Decided { decision: Decision::AllowOnce, .. } => {
                standing.forget_refusals();
                false
            }
            Lesson::Decided { decision: Decision::Allow24h, silence } => {
                standing.forget_refusals();
                let silence = silence.clone().map(|key| (key, Silence::begin(now)));
                let is_silent = silence.is_some();
                standing.silences.extend(silence);
                is_silent
            }
            Lesson::Decided { decision: Decision::Deny, .. } => {
                standing.timeouts = 0;
                standing.noes = standing.noes.saturating_add(1);
                standing.noes >= MAX_NOES && standing.begin_embargo(now)
            }
            Lesson::Decided { decision: Decision::AlwaysDeny, .. } => {
                *standing = Standing { is_always_denied: true, ..Standing::default() };
                true
            }
        }
    }

    /// Returns `true` if a call needs no prompt. Its silence then lasts for its whole time from now on, but never
    /// longer than its limit.
    pub(crate) fn use_silence(
        &mut self,
        tool: &str,
        key: &SilenceKey,
        timings: &Timings,
        now: UnixMillis,
    ) -> bool {
        let Some(standing) = self.0.get_mut(tool) else { return false };
        standing.silences.retain(|_, silence| silence.is_current(timings, now));
        let silence = standing.silences.get_mut(key);
        silence.map(|silence| silence.renew(now)).is_some()
    }

    /// Ends all silences.
    pub(crate) fn end_silences(&mut self) {
        for standing in self.0.values_mut() {
            standing.silences.clear();
        }
    }

    /// Makes calls of a tool ask again. Returns `true` if that is a change.
    pub(crate) fn ask_again(&mut self, tool: &str) -> bool {
        self.0.remove(tool).is_some()
    }

    /// What the person is shown.
    pub(crate) fn list(&self, timings: &Timings, now: UnixMillis) -> Vec<ToolStanding> {
        let list = self.0.iter().map(|(tool, standing)| {
            let current = || standing.silences.values().filter(|it| it.is_current(timings, now));
            ToolStanding {
                tool: tool.clone(),
                silent_until: current().map(|silence| silence.until(timings)).max(),
                silent_at_most: current().map(|silence| silence.at_most(timings)).max(),
                always_denied: standing.is_always_denied,
                embargoed_until: standing
                    .embargo
                    .map(|embargo| embargo.until)
                    .filter(|until| now < *until),
            }
        });
        list.collect()
    }
}

impl Standing {
    fn forget_refusals(&mut self) {
        (self.noes, self.timeouts) = (0, 0);
    }

    fn begin_embargo(&mut self, now: UnixMillis) -> bool {
        self.forget_refusals();
        self.embargo = Some(Embargo { until: now.after(EMBARGO) });
        true
    }
}

fn place(agent: &str) -> String {
    format!("device_standings/{agent}")
}

/// The standings of the tools of an agent.
pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent: AgentId,
) -> Result<Standings, MailboxError> {
    let agent = agent.to_string();
    let row = tx.optional(FIND, &[(&agent).into()]).await?;
    let Some(row) = row else { return Ok(Standings::default()) };
    let json = mailbox.decrypt(&place(&agent), &row.get::<Vec<u8>>(0)?)?;
    serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("standing"))
}

/// Ends all silences of an agent.
pub(crate) async fn end_silences(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent: AgentId,
) -> Result<(), MailboxError> {
    let mut standings = find(tx, mailbox, agent).await?;
    standings.end_silences();
    save(tx, mailbox, agent, &standings).await
}

pub(crate) async fn save(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent: AgentId,
    standings: &Standings,
) -> Result<(), MailboxError> {
    let agent = agent.to_string();
    let json = serde_json::to_vec(standings).map_err(|_| MailboxError::Damaged("standing"))?;
    let sealed = mailbox.encrypt(&place(&agent), &json);
    Ok(tx.execute(UPSERT, &[agent.into(), sealed.into()]).await?)
}
