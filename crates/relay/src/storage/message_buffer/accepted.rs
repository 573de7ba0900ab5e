//! An accepted message, in memory and as it is stored.

use std::{fmt::Write as _, sync::Arc};

use assent_ids::{Principal, UnixMillis};
use assent_protocol::a2h::{Message, MsgSubtype};
use assent_store::StoreError;
use serde::Deserialize;

use super::EVENT_BYTES;
use crate::{
    agents::traffic::Counted, conversations::messages::acknowledged, delivery::events::Content,
    storage::stored_id::stored,
};

/// A message that was accepted.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) message: Message,
    pub(crate) sender: Principal,
    pub(crate) at: UnixMillis,
    /// The event for the other members: the message.
    pub(crate) new: Content,
    /// The event for the sender: the number of the message.
    pub(crate) ack: Content,
    /// All members of the conversation.
    pub(crate) delivered: Vec<Delivered>,
}

/// A recipient of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub(crate) party: Principal,
    /// The number of the event.
    pub(crate) event: i64,
}

/// The same, as it is read. Texts of older versions of the program must stay readable: a crash before an update
/// leaves them behind, and so does a copy.
#[derive(Deserialize)]
struct Written {
    at: u64,
    told: Vec<(String, i64)>,
    message: Message,
}

impl Accepted {
    /// Its size in the buffer.
    pub(super) fn weight(&self) -> usize {
        self.message.envelope.len().saturating_add(self.delivered.len().saturating_mul(EVENT_BYTES))
    }

    /// The event for `party`.
    pub(super) fn content(&self, party: Principal) -> &Content {
        if party == self.sender { &self.ack } else { &self.new }
    }

    /// What it adds to the counts of `party`.
    pub(super) fn counted(&self, party: Principal) -> Counted {
        let subtype = self.message.msg_subtype.known().unwrap_or(MsgSubtype::Text);
        Counted::message(party, self.sender, subtype)
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(out, r#"{{"at":{},"told":["#, self.at.get())?;
        for (place, Delivered { party, event }) in self.delivered.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Ids have nothing that needs escaping.
            write!(out, r#"{comma}["{party}",{event}]"#)?;
        }
        write!(out, r#"],"message":{}}}"#, self.new.data())
    }
}

/// The text of what was accepted, if anything was.
pub(super) fn written(accepted: &[Arc<Accepted>]) -> Option<String> {
    if accepted.is_empty() {
        return None;
    }
    let length = accepted.iter().map(|accepted| accepted.new.data().len() + 128).sum();
    let mut text = String::with_capacity(length);
    for (place, accepted) in accepted.iter().enumerate() {
        text.push(if place == 0 { '[' } else { ',' });
        // Writing to a string does not fail.
        let _ = accepted.write(&mut text);
    }
    text.push(']');
    Some(text)
}

/// What was accepted, from its text.
pub(super) fn read(text: &str) -> Result<Vec<Arc<Accepted>>, StoreError> {
    // Errors name the place, and repeat nothing of a message.
    let malformed = |error: serde_json::Error| {
        let (line, column) = (error.line(), error.column());
        StoreError::Refused(format!("it cannot be read from line {line}, column {column} on"))
    };
    let written: Vec<Written> = serde_json::from_str(text).map_err(malformed)?;
    written.into_iter().map(|written| written.accepted().map(Arc::new)).collect()
}

impl Written {
    fn accepted(self) -> Result<Accepted, StoreError> {
        let Self { at, told, message } = self;
        let no_sender = || StoreError::Refused("a stored message has no sender".to_owned());
        let sender = message.sender_id.ok_or_else(no_sender)?;
        let delivered =
            told.into_iter().map(|(party, event)| Ok(Delivered { party: stored(&party)?, event }));
        Ok(Accepted {
            sender,
            at: UnixMillis::new(at),
            new: Content::message(&message)?,
            ack: acknowledged(&message)?,
            delivered: delivered.collect::<Result<_, StoreError>>()?,
            message,
        })
    }
}
