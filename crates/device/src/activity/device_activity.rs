//! The activity of a device.

use std::collections::BTreeMap;

use assent_ids::{AgentId, InvocationId, UnixMillis};
use assent_journal::{Fact, JournalError};
use assent_runtime::View;
use serde::Serialize;

use super::{
    ActivityFilter, CallItem, CallStage, CallStatus,
    call_item::StoredCall,
    refused::RefusedRecord,
    stages::stages,
    works::{FindActivity, FoundActivity, ListActivity},
};
use crate::{AuditEntry, Device, DeviceError, DeviceRelation, PromptAgent, prompt::view};

/// The most items of a page, and how many are looked at for one.
const MAX_ITEMS: usize = 200;
const BATCH: u32 = 100;
const MAX_BATCHES: usize = 50;

/// A page of the activity.
#[derive(Clone, Debug)]
pub struct ActivityPage {
    /// The items, newest first.
    pub items: Vec<CallItem>,
    /// Where the next page begins; `None` if there is none.
    pub next: Option<String>,
}

/// One call in full.
#[derive(Clone, Debug, Serialize)]
pub struct CallStory {
    /// The call.
    #[serde(flatten)]
    pub call: CallItem,
    /// The arguments as the person sees them; `None` if the call did not get there.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_view")]
    pub view: Option<View>,
    /// What was seen, answered and run.
    pub digests: ViewDigests,
    /// Why the call was allowed or refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its thirteen stages; empty if it was refused before the first.
    pub stages: Vec<CallStage>,
    /// Its entry in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}

/// The digests of a view: of what the person saw, of what they answered, and of what ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ViewDigests {
    /// What the person saw.
    pub saw: Option<String>,
    /// What the answer named.
    pub answered: Option<String>,
    /// What the tool was given.
    pub ran: Option<String>,
}

fn optional_view<S: serde::Serializer>(
    shown: &Option<View>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match shown {
        Some(shown) => view(shown, serializer),
        None => serializer.serialize_none(),
    }
}

/// What the journal says about a call.
#[derive(Default)]
struct Recorded {
    stages: Vec<CallStage>,
    why: Option<String>,
    view: Option<View>,
    ran: Option<String>,
}

impl Device {
    /// What agents have asked for, newest first.
    ///
    /// # Errors
    /// If the state cannot be read, or `after` is not where a page ended.
    pub async fn activity(
        &self,
        filter: &ActivityFilter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<ActivityPage, DeviceError> {
        let limit = limit.clamp(1, MAX_ITEMS);
        let relations = self.relations_by_agent().await?;
        let mut before = match after {
            Some(cursor) => read_cursor(cursor)?,
            None => (UnixMillis::MAX, String::new()),
        };
        let mut items = Vec::new();
        for _ in 0..MAX_BATCHES {
            let batch = self.activity_before(before.clone(), &relations).await?;
            let is_last = batch.len() < usize::try_from(BATCH).unwrap_or(usize::MAX);
            for (place, item) in batch {
                before = place;
                if filter.matches(&item) {
                    items.push(item);
                }
                if items.len() >= limit {
                    return Ok(ActivityPage { items, next: Some(write_cursor(&before)) });
                }
            }
            if is_last {
                return Ok(ActivityPage { items, next: None });
            }
        }
        Ok(ActivityPage { items, next: Some(write_cursor(&before)) })
    }

    async fn relations_by_agent(&self) -> Result<BTreeMap<AgentId, DeviceRelation>, DeviceError> {
        let relations = self.relations().await?.into_iter();
        Ok(relations.map(|relation| (relation.agent_id, relation)).collect())
    }

    /// The next items before a place, each with its own place, newest first.
    async fn activity_before(
        &self,
        before: (UnixMillis, String),
        relations: &BTreeMap<AgentId, DeviceRelation>,
    ) -> Result<Vec<((UnixMillis, String), CallItem)>, DeviceError> {
        let mailbox = self.shared.mailbox.clone();
        let list = ListActivity { mailbox, before, limit: BATCH };
        let listed = self.shared.database.read(list).await?;
        let calls = listed.calls.iter().map(|stored| {
            let relation = relations.get(&stored.record.call.agent_id);
            CallItem::new(&self.shared, relation, stored)
        });
        let refused = listed.refused.iter().map(|refused| refused_item(refused, relations));
        let place = |item: &CallItem| (item.at, item.invocation_id.to_string());
        let mut items: Vec<_> = calls.chain(refused).map(|item| (place(&item), item)).collect();
        items.sort_by(|(one, _), (other, _)| other.cmp(one));
        items.truncate(usize::try_from(BATCH).unwrap_or(usize::MAX));
        Ok(items)
    }

    /// One call in full; `None` if there is no such call, or it was forgotten.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn call_story(&self, id: InvocationId) -> Result<Option<CallStory>, DeviceError> {
        let relations = self.relations_by_agent().await?;
        let find = FindActivity(self.shared.mailbox.clone(), id);
        let (stored, audit) = match self.shared.database.read(find).await? {
            None => return Ok(None),
            Some(FoundActivity::Refused(refused)) => {
                let call = refused_item(&refused, &relations);
                let (view, why, digests) = (None, None, ViewDigests::default());
                let (stages, audit) = (Vec::new(), None);
                return Ok(Some(CallStory { call, view, digests, why, stages, audit }));
            }
            Some(FoundActivity::Call(stored, audit)) => (stored, audit),
        };
        let relation = relations.get(&stored.record.call.agent_id);
        let call = CallItem::new(&self.shared, relation, &stored);
        let recorded = self.recorded(&stored).await?;
        let saw = stored.prompt.as_ref().map(|prompt| prompt.view_digest.clone());
        let is_silent = call.decided_by == Some(crate::DecidedBy::Silence);
        let digests = ViewDigests {
            answered: saw.clone().filter(|_| call.decision.is_some()),
            saw: saw.filter(|_| !is_silent),
            ran: recorded.ran,
        };
        let Recorded { stages, why, view, .. } = recorded;
        let audit = audit.map(|entry| *entry);
        Ok(Some(CallStory { call, view, digests, why, stages, audit }))
    }

    async fn recorded(&self, stored: &StoredCall) -> Result<Recorded, DeviceError> {
        let call = &stored.record.call;
        let entries = self.shared.runtime.journal().of_call(call.invocation).await;
        let entries = entries.map_err(|error: JournalError| {
            tracing::error!(%error, "the journal cannot be read");
            assent_mailbox::MailboxError::Damaged("journal")
        })?;
        let name = format!("{}/{}", call.agent_id, call.tool);
        let mut recorded = Recorded {
            stages: stages(entries.iter().map(|entry| &**entry)),
            ..Recorded::default()
        };
        for entry in &entries {
            match &entry.draft.fact {
                Fact::Planned(planned) => {
                    let input = &planned.model_input;
                    recorded.view = Some(View::of(&name, input.digest(), input));
                }
                Fact::Decided(decided) => {
                    recorded.why = decided.message.as_deref().map(str::to_owned);
                }
                Fact::Ended(ended) if ended.executed => {
                    let input = ended.inputs.call.as_ref();
                    let ran = input.map(|input| View::of(&name, input.digest(), input));
                    recorded.ran = ran.map(|view| view.digest.to_string());
                }
                _ => {}
            }
        }
        Ok(recorded)
    }
}

fn refused_item(
    refused: &RefusedRecord,
    relations: &BTreeMap<AgentId, DeviceRelation>,
) -> CallItem {
    let agent = refused.agent_id.map(|agent_id| match relations.get(&agent_id) {
        Some(relation) => PromptAgent::of(relation),
        None => PromptAgent::unknown(agent_id),
    });
    CallItem {
        invocation_id: refused.id,
        call_id: None,
        conversation_id: refused.conversation_id,
        agent,
        tool: None,
        scope: None,
        target: None,
        at: refused.at,
        status: CallStatus::Error,
        reason: Some(refused.reason.clone()),
        error_code: None,
        detail: None,
        decided_by: None,
        decision: None,
    }
}

fn write_cursor((at, id): &(UnixMillis, String)) -> String {
    format!("{at}-{id}")
}

fn read_cursor(cursor: &str) -> Result<(UnixMillis, String), DeviceError> {
    let wrong = || DeviceError::Input(format!("`{cursor}` is not where a page ended"));
    let (at, id) = cursor.split_once('-').ok_or_else(wrong)?;
    Ok((UnixMillis::new(at.parse().map_err(|_| wrong())?), id.to_owned()))
}
