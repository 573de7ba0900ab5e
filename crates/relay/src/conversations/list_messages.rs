//! `GET /conversations/{conversation_id}/messages`

use std::sync::Arc;

use assent_ids::{ConversationId, Principal};
use assent_protocol::a2h::{Message, Page};
use assent_relay_api::operations::conversations::ListMessages;
use assent_store::{Tx, Work};

use crate::{
    conversations::{joined_after, messages, refuse_silenced},
    delivery::events::count,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::pages::{self, PAGE_BYTES},
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
        let (messages, has_more) = relay.store.read(list).await?;
        let last = messages.last().map(|message| message.conversation_seq.to_string());
        Ok(Answer::new(Page { data: messages, next_cursor: last.filter(|_| has_more) }))
    }
}

struct List {
    reader: Principal,
    conversation: ConversationId,
    after: i64,
    limit: i64,
}

impl Work for List {
    /// And whether there may be more.
    type Output = (Vec<Message>, bool);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        // Who joins reads what comes after.
        let joined = joined_after(tx, self.conversation, self.reader).await?;
        refuse_silenced(tx, self.conversation, self.reader).await?;
        let after = self.after.max(joined);
        let conversation = self.conversation.to_string();
        let first = |count: i64| [(&conversation).into(), after.into(), count.into()];
        let sizes = tx.column(messages::SIZES_AFTER, &first(self.limit)).await?;
        let fitting = pages::fitting(&sizes, PAGE_BYTES);
        let has_more = pages::has_more(sizes.len(), self.limit, fitting);
        let rows = tx.all(messages::LIST_AFTER, &first(fitting)).await?;
        let messages = rows.into_iter().map(|row| messages::stored(&row, 0));
        Ok((messages.collect::<Result<_, _>>()?, has_more))
    }
}
