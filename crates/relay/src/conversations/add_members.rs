//! `POST /conversations/{conversation_id}/members`

use std::sync::Arc;

use assent_ids::{ConversationId, Principal, UserId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    model::{Conversation, ConversationKind},
    operations::conversations::AddMembers,
};
use assent_store::{Tx, Work};

use super::joining::Newcomers;
use crate::{
    conversations::{Summary, describe, members_with, unknown},
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for AddMembers {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        if call.body.member_ids.is_empty() && call.body.agent_ids.is_empty() {
            let text = "name at least one person in `member_ids`, or one agent in `agent_ids`";
            return Err(Refusal::invalid("/member_ids", text));
        }
        let add = Add {
            host: call.caller.user()?,
            conversation: call.path.conversation_id,
            newcomers: Newcomers::new(&call.body.member_ids, &call.body.agent_ids),
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(add).await?))
    }
}

struct Add {
    host: UserId,
    conversation: ConversationId,
    newcomers: Newcomers,
    relay: Arc<Relay>,
}

impl Work for Add {
    type Output = (Conversation, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        // New members see exactly the messages sent after they joined.
        tx.lock(&self.conversation.to_string()).await?;
        members_with(tx, self.conversation, Principal::User(self.host)).await?;
        let summary = Summary::of(tx, self.conversation).await?.ok_or_else(unknown)?;
        check_group(&summary)?;
        let limit = self.relay.settings.limits.group_members;
        let now = self.relay.now();
        self.newcomers.join(tx, self.conversation, self.host, limit, now).await?;
        Ok((describe(tx, summary).await?, Outbox::default()))
    }
}

/// Refuses private conversations, whose two members never change.
pub(super) fn check_group(summary: &Summary) -> Result<(), Refusal> {
    if summary.kind == ConversationKind::Group.as_str() {
        return Ok(());
    }
    let text = "a private conversation keeps its two members; create a group instead";
    Err(Refusal::new(ApiCode::Conflict, text))
}
