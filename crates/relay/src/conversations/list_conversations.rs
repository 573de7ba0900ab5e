//! `GET /conversations`

use assent_ids::Principal;
use std::sync::Arc;

use assent_protocol::a2h::Page;
use assent_relay_api::{
    model::{Conversation, ConversationKind},
    operations::conversations::ListConversations,
};
use assent_store::{Tx, Work};

use crate::{
    conversations::{Summary, describe},
    delivery::events::count,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::cursor,
};

impl Serve for ListConversations {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let list = List {
            reader: call.caller.party()?,
            kind: call.query.kind,
            after: cursor::read(call.query.cursor.as_ref())?,
            limit: count(call.query.limit.unwrap_or_default().get()),
        };
        Ok(Answer::new(relay.store.read(list).await?))
    }
}

struct List {
    reader: Principal,
    kind: Option<ConversationKind>,
    after: Option<(i64, String)>,
    limit: i64,
}

/// One more than asked for tells whether there is more.
const LIST: &str = "SELECT c.conversation_id, c.kind, c.founder_id, c.last_seq, c.created_at,
        c.active_at
    FROM conversation_members m JOIN conversations c ON c.conversation_id = m.conversation_id
    WHERE m.party_id = $1 AND m.left_at IS NULL AND c.kind LIKE $2
        AND (c.active_at < $3 OR c.active_at = $3 AND c.conversation_id < $4)
    ORDER BY c.active_at DESC, c.conversation_id DESC LIMIT $5 + 1";

impl Work for List {
    type Output = Page<Conversation>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let kind = self.kind.map_or("%", ConversationKind::as_str);
        let (before, id) = self.after.clone().unwrap_or((i64::MAX, String::new()));
        let values = [
            self.reader.to_string().into(),
            kind.into(),
            before.into(),
            (&id).into(),
            self.limit.into(),
        ];
        let rows = tx.all(LIST, &values).await?;
        let found = rows.into_iter().map(|row| Summary::stored(&row));
        let mut found = found.collect::<Result<Vec<_>, _>>()?;
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let is_more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| is_more);
        let next_cursor =
            last.map(|last| cursor::after(last.active_at, &last.conversation_id.to_string()));
        let mut data = Vec::with_capacity(found.len());
        for summary in found {
            data.push(describe(tx, summary).await?);
        }
        Ok(Page { data, next_cursor })
    }
}
