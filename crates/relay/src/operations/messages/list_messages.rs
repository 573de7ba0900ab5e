//! `GET /conversations/{conversation_id}/messages`

use std::sync::Arc;

use assent_ids::ConversationId;
use assent_protocol::a2h::{Message, Page};
use assent_relay_api::operations::messages::ListMessages;
use assent_store::{Tx, Work};

use crate::{
    conversations::joined_after,
    events::count,
    messages,
    operations::{Answer, Call, Serve},
    party::Party,
    refusal::Refusal,
    relay::Relay,
};

impl Serve for ListMessages {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let limit = call.query.limit.unwrap_or_default().get();
        let list = List {
            reader: call.caller.party()?,
            conversation: call.path.conversation_id,
            after: count(call.query.after_seq.unwrap_or_default().0),
            limit: count(limit),
        };
        let messages = relay.store.read(list).await?;
        let is_full = messages.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
        let last = messages.last().map(|message| message.conversation_seq.to_string());
        let next_cursor = last.filter(|_| is_full);
        Ok(Answer::new(Page { data: messages, next_cursor }))
    }
}

struct List {
    reader: Party,
    conversation: ConversationId,
    after: i64,
    limit: i64,
}

impl Work for List {
    type Output = Vec<Message>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Message>, Refusal> {
        // Who joins reads what comes after.
        let joined = joined_after(tx, self.conversation, self.reader).await?;
        let list = messages::LIST_AFTER;
        let after = self.after.max(joined);
        let values = [self.conversation.to_string().into(), after.into(), self.limit.into()];
        let rows = tx.all(list, &values).await?;
        Ok(rows
            .into_iter()
            .map(|mut row| messages::stored(&mut row, 0))
            .collect::<Result<_, _>>()?)
    }
}
