//! `POST /conversations`

use std::sync::Arc;

use assent_ids::{ConversationId, UserId};
use assent_relay_api::{
    model::{Conversation, ConversationKind},
    operations::conversations::CreateConversation,
};
use assent_store::{Tx, Work};

use super::joining::Newcomers;
use crate::{
    conversations::{Founded, Summary, describe, found, unknown},
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for CreateConversation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let create = Create {
            founder: call.caller.user()?,
            conversation_id: relay.minter.mint(),
            newcomers: Newcomers::new(&call.body.member_ids, &call.body.agent_ids),
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(create).await?))
    }
}

struct Create {
    founder: UserId,
    conversation_id: ConversationId,
    newcomers: Newcomers,
    relay: Arc<Relay>,
}

impl Work for Create {
    type Output = (Conversation, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (conversation_id, founder, now) =
            (self.conversation_id, self.founder, self.relay.now());
        let kind = ConversationKind::Group;
        found(tx, Founded { conversation_id, kind, founder, now }).await?;
        let limit = self.relay.settings.limits.group_members;
        self.newcomers.join(tx, conversation_id, founder, limit, now).await?;
        let summary = Summary::of(tx, conversation_id).await?.ok_or_else(unknown)?;
        Ok((describe(tx, summary).await?, Outbox::default()))
    }
}
