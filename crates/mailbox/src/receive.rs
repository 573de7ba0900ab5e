//! Receiving: an event of the relay becomes an entry of the inbox.

use std::time::Duration;

use assent_ids::{ClientMessageId, ConversationId, Ulid, UnixMillis};
use assent_protocol::a2h::{ContentType, EventBody, Message, MsgSubtype, RelayEvent};
use assent_sealing::{Endpoint, Envelope, OpenContext, Peer, Refusal, Routing, open};
use assent_store::Tx;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use zeroize::Zeroizing;

use crate::{
    InboxEntry, Mailbox, MailboxError, Opened, OutgoingMessage, Received, Refused,
    identity::{self, Identity},
    inbox, outbox, peers,
};

/// For this long the ids of opened messages are kept.
const REPLAY_PERIOD: Duration = Duration::from_hours(30 * 24);

const WAS_OPENED: &str = "SELECT opened_at FROM mailbox_opened
    WHERE sender = $1 AND client_message_id = $2";
const REMEMBER: &str = "INSERT INTO mailbox_opened (sender, client_message_id, opened_at)
    VALUES ($1, $2, $3)
    ON CONFLICT (sender, client_message_id) DO UPDATE SET opened_at = excluded.opened_at";
const FORGET: &str = "DELETE FROM mailbox_opened WHERE opened_at < $1";

pub(crate) async fn run(
    mailbox: &Mailbox,
    tx: &mut Tx,
    event: &RelayEvent,
) -> Result<bool, MailboxError> {
    let mut me = identity::load(tx, &mailbox.cipher).await?;
    if event.event_id <= me.last_event_id {
        return Ok(false);
    }
    let received = match &event.body {
        EventBody::MessageNew(message) => receive_message(mailbox, tx, &mut me, message).await?,
        _ => Received::Event(Box::new(event.clone())),
    };
    let entry = InboxEntry { event_id: event.event_id, received };
    inbox::insert(tx, &mailbox.cipher, &entry).await?;
    identity::save_event(tx, event.event_id).await?;
    Ok(true)
}

async fn receive_message(
    mailbox: &Mailbox,
    tx: &mut Tx,
    me: &mut Identity,
    message: &Message,
) -> Result<Received, MailboxError> {
    Ok(match open_message(mailbox, tx, me, message).await? {
        Ok(opened) => Received::Message(opened),
        Err(refusal) => Received::Refused(Refused {
            message_id: message.message_id,
            conversation: message.conversation_id,
            sender: message.sender_id,
            reason: refusal.code().to_owned(),
        }),
    })
}

async fn open_message(
    mailbox: &Mailbox,
    tx: &mut Tx,
    me: &mut Identity,
    message: &Message,
) -> Result<Result<Opened, Refusal>, MailboxError> {
    let bytes = STANDARD.decode(&message.envelope).map_err(|_| Refusal::Malformed);
    let envelope = bytes.and_then(|bytes| Envelope::parse(bytes).map_err(Refusal::from));
    let envelope = match envelope {
        Ok(envelope) => envelope,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(routing) = routing(tx, message).await? else {
        return Ok(Err(Refusal::RoutingMismatch));
    };
    let header = envelope.header();
    let now = mailbox.now();
    let is_replay = was_opened(tx, header.sender, &header.client_message_id, now).await?;
    let mut peer = peers::find(tx, &mailbox.cipher, header.sender).await?;
    let context = OpenContext { me: me.registered()?, routing: &routing, is_replay, now };
    match open(&envelope, &mut me.account, peer.as_mut(), context) {
        Ok(content) => {
            identity::save_account(tx, &mailbox.cipher, &me.account).await?;
            if let Some(peer) = &peer {
                peers::save(tx, &mailbox.cipher, peer).await?;
            }
            remember(tx, header.sender, &header.client_message_id, now).await?;
            Ok(Ok(Opened {
                message_id: message.message_id,
                conversation: header.conversation,
                sender: header.sender,
                client_message_id: header.client_message_id.clone(),
                subtype: header.subtype,
                sent_at: header.sent_at,
                content,
            }))
        }
        Err(refusal) => {
            if let Some(peer) = peer.filter(|_| refusal.needs_new_session()) {
                request_new_session(mailbox, tx, peer, message.conversation_id).await?;
            }
            Ok(Err(refusal))
        }
    }
}

/// What the relay announced; `None` if it announced words that no envelope can hold.
async fn routing(tx: &mut Tx, message: &Message) -> Result<Option<Routing>, MailboxError> {
    let senders = match message.sender_id {
        Some(sender) => peers::endpoints_of(tx, sender).await?,
        None => Vec::new(),
    };
    let (subtype, content_type) = (message.msg_subtype.known(), message.content_type.known());
    Ok(subtype.zip(content_type).map(|(subtype, content_type)| Routing {
        conversation: message.conversation_id,
        client_message_id: message.client_message_id.clone(),
        subtype,
        content_type,
        senders,
    }))
}

/// Asks for a new session by a message that is sealed in one. The peer then repeats what has no answer.
pub(crate) async fn request_new_session(
    mailbox: &Mailbox,
    tx: &mut Tx,
    mut peer: Peer,
    conversation: ConversationId,
) -> Result<(), MailboxError> {
    let now = mailbox.now();
    if !peer.may_reset(now) {
        return Ok(());
    }
    peers::save(tx, &mailbox.cipher, &peer).await?;
    let content = json!({ "type": "system", "event": { "kind": "session.reset" } });
    let reset = OutgoingMessage {
        conversation,
        client_message_id: reset_id(mailbox)?,
        subtype: MsgSubtype::System,
        content_type: ContentType::System,
        recipients: vec![peer.endpoint()],
        content: Zeroizing::new(content.to_string().into_bytes()),
    };
    outbox::insert(tx, &mailbox.cipher, &reset, true).await
}

fn reset_id(mailbox: &Mailbox) -> Result<ClientMessageId, MailboxError> {
    let ulid = Ulid::generate(&*mailbox.clock, mailbox.entropy());
    format!("rst_{ulid}").parse().map_err(|_| MailboxError::Damaged("id"))
}

async fn was_opened(
    tx: &mut Tx,
    sender: Endpoint,
    name: &ClientMessageId,
    now: UnixMillis,
) -> Result<bool, MailboxError> {
    let values = [sender.to_string().into(), name.as_str().into()];
    let Some(row) = tx.optional(WAS_OPENED, &values).await? else { return Ok(false) };
    Ok(now.since(UnixMillis::new(row.get(0)?)) < REPLAY_PERIOD)
}

async fn remember(
    tx: &mut Tx,
    sender: Endpoint,
    name: &ClientMessageId,
    now: UnixMillis,
) -> Result<(), MailboxError> {
    let millis = |time: UnixMillis| i64::try_from(time.get()).unwrap_or(i64::MAX);
    let period = i64::try_from(REPLAY_PERIOD.as_millis()).unwrap_or(i64::MAX);
    tx.execute(FORGET, &[millis(now).saturating_sub(period).into()]).await?;
    let values = [sender.to_string().into(), name.as_str().into(), millis(now).into()];
    Ok(tx.execute(REMEMBER, &values).await?)
}
