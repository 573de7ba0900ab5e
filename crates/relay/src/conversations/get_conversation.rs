//! `GET /conversations/{conversation_id}`

use std::sync::Arc;

use assent_ids::{ConversationId, Principal};
use assent_relay_api::{model::Conversation, operations::conversations::GetConversation};
use assent_store::{Tx, Work};

use crate::{
    conversations::{Summary, describe, joined_after, unknown},
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for GetConversation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let get = Get { reader: call.caller.party()?, conversation: call.path.conversation_id };
        Ok(Answer::new(relay.store.read(get).await?))
    }
}

struct Get {
    reader: Principal,
    conversation: ConversationId,
}

impl Work for Get {
    type Output = Conversation;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Conversation, Refusal> {
        joined_after(tx, self.conversation, self.reader).await?;
        let summary = Summary::of(tx, self.conversation).await?.ok_or_else(unknown)?;
        Ok(describe(tx, summary).await?)
    }
}
