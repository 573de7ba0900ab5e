//! `DELETE /conversations/{conversation_id}/members/{member_id}`

use std::sync::Arc;

use assent_ids::{ConversationId, Principal};
use assent_relay_api::{model::Empty, operations::conversations::RemoveMember};
use assent_store::{Tx, Work};

use super::add_members::check_group;
use crate::{
    conversations::{Summary, leave, members_with, unknown},
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for RemoveMember {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let remove = Remove {
            caller: call.caller.party()?,
            conversation: call.path.conversation_id,
            member: call.path.member_id,
            relay: Arc::clone(relay),
        };
        relay.commit(remove).await?;
        Ok(Answer::new(Empty::default()))
    }
}

struct Remove {
    caller: Principal,
    conversation: ConversationId,
    member: Principal,
    relay: Arc<Relay>,
}

const INHERIT: &str = "UPDATE conversations SET founder_id = coalesce((
        SELECT party_id FROM conversation_members
        WHERE conversation_id = $1 AND left_at IS NULL AND party_id LIKE 'usr%'
        ORDER BY joined_at, party_id LIMIT 1), founder_id)
    WHERE conversation_id = $1";

impl Work for Remove {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let conversation_id = self.conversation.to_string();
        tx.lock(&conversation_id).await?;
        members_with(tx, self.conversation, self.caller).await?;
        let summary = Summary::of(tx, self.conversation).await?.ok_or_else(unknown)?;
        let is_founder = summary.founder == self.caller.to_string();
        if !is_founder && self.caller != self.member {
            return Err(Refusal::forbidden("only the founder of a group removes others"));
        }
        check_group(&summary)?;
        leave(tx, self.conversation, self.member, self.relay.now()).await?;
        if summary.founder == self.member.to_string() {
            tx.execute(INHERIT, &[(&conversation_id).into()]).await?;
        }
        Ok(((), Outbox::default()))
    }
}
