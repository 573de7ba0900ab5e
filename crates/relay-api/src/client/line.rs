//! A socket that lasts: it connects again whenever the connection breaks, and goes on where it was.

use std::{collections::VecDeque, time::Duration};

use assent_ids::{Entropy as _, EventSeq, SystemEntropy};
use assent_protocol::a2h::RelayEvent;
use tokio::time::{Instant, sleep_until};

use super::{Client, Connecting, Credentials, Door, Socket, SocketError, socket::check_length};
use crate::{
    socket::{AuthExpiring, AuthOk, MessageRefused, MessageSend, MessageSent, ServerFrame},
    value::Secret,
};

/// Messages that may wait for their answers.
const MAX_UNANSWERED: usize = 1024;

/// The first wait before connecting again, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A socket that lasts.
///
/// Every event is handed out once and in its order, whatever happens to connections. A message that was given to
/// [`Self::send`] is sent until it has its answer, under the same name, so that it is stored once. Nothing happens by
/// itself: everything is done while [`Self::next`] is waited for.
#[derive(Debug)]
pub struct Line {
    client: Client,
    connecting: Connecting,
    socket: Option<Socket>,
    acknowledged: Option<EventSeq>,
    unanswered: VecDeque<MessageSend>,
    /// How often connecting has failed since it last worked.
    failures: u32,
    /// When to connect again.
    again_at: Option<Instant>,
    /// Deleted events that the caller has not heard of yet.
    skipped: Option<Skipped>,
}

/// Events that the relay deleted before they were handed out. `first` and `last` are among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The first of them.
    pub first: EventSeq,
    /// The last of them.
    pub last: EventSeq,
}

/// What happened on a line.
#[derive(Debug)]
#[non_exhaustive]
pub enum Happened {
    /// The line is connected, for the first time or again. If it goes on before the last event that was handed out,
    /// the relay has lost what came behind it: it was restored from a copy, and gives the numbers again.
    Connected(AuthOk),
    /// The line is not connected; it tries again by itself.
    Lost {
        /// Why.
        why: SocketError,
        /// When it tries again.
        again_in: Duration,
    },
    /// Something happened.
    Event(Box<RelayEvent>),
    /// Events do not come because they were deleted. The line goes on with the first event that is kept.
    Skipped(Skipped),
    /// A message is stored.
    Sent(MessageSent),
    /// A message is not stored, and is not sent again by itself.
    Refused(Box<MessageRefused>),
    /// The access token runs out: get another one, and give it to [`Line::renew`].
    Expiring(AuthExpiring),
}

impl Client {
    /// A socket that lasts. It connects when [`Line::next`] is waited for.
    #[must_use]
    pub const fn line(self, connecting: Connecting) -> Line {
        Line {
            client: self,
            connecting,
            socket: None,
            acknowledged: None,
            unanswered: VecDeque::new(),
            failures: 0,
            again_at: None,
            skipped: None,
        }
    }
}

impl Line {
    /// What happens next. Giving up waiting loses nothing; while the line connects, it begins that anew.
    ///
    /// # Errors
    /// If connecting again would not help: the token is not good any more, or the client is not let in. After
    /// [`Self::renew`] the line goes on.
    pub async fn next(&mut self) -> Result<Happened, SocketError> {
        loop {
            if let Some(skipped) = self.skipped.take() {
                self.connecting.resume_after = Some(skipped.last);
                return Ok(Happened::Skipped(skipped));
            }
            let Some(socket) = &mut self.socket else { return self.connect().await };
            let frame = match socket.next().await {
                Ok(frame) => frame,
                Err(why) => return self.lost(why),
            };
            if let Some(happened) = self.heard(frame)? {
                return Ok(happened);
            }
        }
    }

    /// Sends a message, and again after each connection that broke before there was an answer.
    ///
    /// # Errors
    /// If it does not fit into a frame, or if too many messages wait for their answers.
    pub fn send(&mut self, message: MessageSend) -> Result<(), SocketError> {
        if self.unanswered.len() >= MAX_UNANSWERED {
            return Err(SocketError::TooMany);
        }
        match &mut self.socket {
            Some(socket) => socket.send(message.clone())?,
            None => check_length(&message)?,
        }
        self.unanswered.push_back(message);
        Ok(())
    }

    /// Says that everything up to this event was handled, for good; on the next connection again.
    pub fn acknowledge(&mut self, event_id: EventSeq) {
        self.acknowledged = self.acknowledged.max(Some(event_id));
        if let Some(socket) = &mut self.socket {
            socket.acknowledge(event_id);
        }
    }

    /// Goes on with another token: a person's on this connection and on those that follow, an agent's on the next one.
    ///
    /// # Errors
    /// If it does not fit into a frame.
    pub fn renew(&mut self, token: Secret) -> Result<(), SocketError> {
        self.client = self.client.with_credentials(Credentials::Bearer(token.clone()));
        self.again_at = None;
        match (&mut self.socket, self.connecting.door) {
            (Some(socket), Door::Human) => socket.renew(token),
            // The token of an agent does not run out, so that no connection has to go on with another one.
            (Some(_), Door::Agent(_)) | (None, _) => Ok(()),
        }
    }

    /// The last event that was handed out or skipped.
    #[must_use]
    pub const fn cursor(&self) -> Option<EventSeq> {
        self.connecting.resume_after
    }

    /// Messages that have no answer yet, in the order in which they were sent.
    pub fn unanswered(&self) -> impl Iterator<Item = &MessageSend> {
        self.unanswered.iter()
    }

    async fn connect(&mut self) -> Result<Happened, SocketError> {
        if let Some(again_at) = self.again_at {
            sleep_until(again_at).await;
        }
        let mut socket = match self.client.connect(&self.connecting).await {
            Ok(socket) => socket,
            Err(why) => return self.lost(why),
        };
        for message in &self.unanswered {
            socket.send(message.clone())?;
        }
        if let Some(event_id) = self.acknowledged {
            socket.acknowledge(event_id);
        }
        let welcome = socket.welcome().clone();
        let (cursor, skipped) = resume(self.cursor(), &welcome);
        (self.connecting.resume_after, self.skipped) = (Some(cursor), skipped);
        (self.failures, self.again_at) = (0, None);
        self.socket = Some(socket);
        Ok(Happened::Connected(welcome))
    }

    /// The connection is gone. Whether it comes back by itself depends on why.
    fn lost(&mut self, why: SocketError) -> Result<Happened, SocketError> {
        self.socket = None;
        if !why.is_passing() {
            return Err(why);
        }
        let again_in = match self.again_at {
            // The relay said when to come back.
            Some(again_at) => again_at.saturating_duration_since(Instant::now()),
            None => wait(self.failures, jitter()),
        };
        self.failures = self.failures.saturating_add(1);
        self.again_at = Some(Instant::now() + again_in);
        Ok(Happened::Lost { why, again_in })
    }

    fn heard(&mut self, frame: ServerFrame) -> Result<Option<Happened>, SocketError> {
        Ok(match frame {
            ServerFrame::Event(event) => match follows(self.cursor(), event.event_id) {
                Follows::Next => {
                    self.connecting.resume_after = Some(event.event_id);
                    Some(Happened::Event(event))
                }
                Follows::Known => None,
                Follows::Gap => {
                    let why = SocketError::Broken(format!("event {} is too far", event.event_id));
                    Some(self.lost(why)?)
                }
            },
            ServerFrame::MessageSent(sent) => {
                self.unanswered.retain(|message| {
                    message.conversation_id != sent.conversation_id
                        || message.message.client_message_id != sent.client_message_id
                });
                Some(Happened::Sent(sent))
            }
            ServerFrame::MessageRefused(refused) => {
                self.unanswered.retain(|message| {
                    refused.conversation_id != Some(message.conversation_id)
                        || refused.client_message_id.as_ref()
                            != Some(&message.message.client_message_id)
                });
                Some(Happened::Refused(refused))
            }
            ServerFrame::AuthExpiring(expiring) => Some(Happened::Expiring(expiring)),
            ServerFrame::Draining(draining) => {
                let wait = Duration::from_millis(draining.reconnect_after_ms).min(LONGEST_WAIT);
                self.again_at = Some(Instant::now() + wait);
                None
            }
            // The answers to `renew`, and to what nobody asked.
            ServerFrame::AuthOk(_) | ServerFrame::AuthError(_) | ServerFrame::Pong(_) => None,
        })
    }
}

/// The event after which a connection goes on, and the events after it that were deleted.
fn resume(cursor: Option<EventSeq>, welcome: &AuthOk) -> (EventSeq, Option<Skipped>) {
    let cursor = cursor.unwrap_or(welcome.resume_after).min(welcome.resume_after);
    let before_first = EventSeq(welcome.first_event_id.0.saturating_sub(1));
    let last = welcome.resume_after.max(before_first);
    let first = EventSeq(cursor.0.saturating_add(1));
    (cursor, (last > cursor).then_some(Skipped { first, last }))
}

/// How an event stands to the one that was handed out last.
#[derive(Debug, PartialEq, Eq)]
enum Follows {
    Next,
    /// It was handed out already.
    Known,
    /// Something is missing in between: it is asked for again.
    Gap,
}

fn follows(last: Option<EventSeq>, event: EventSeq) -> Follows {
    let last = last.unwrap_or_default();
    if event <= last {
        Follows::Known
    } else if event.0 == last.0.saturating_add(1) {
        Follows::Next
    } else {
        Follows::Gap
    }
}

/// How long to wait after so many failures: twice as long each time, and by chance up to half of it less, so that not
/// everybody comes at once.
fn wait(failures: u32, jitter: u8) -> Duration {
    let whole = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_WAIT);
    whole - whole.mul_f64(f64::from(jitter) / 512.0)
}

fn jitter() -> u8 {
    let mut byte = [0];
    if let Ok(entropy) = SystemEntropy::new() {
        entropy.fill(&mut byte);
    }
    let [byte] = byte;
    byte
}

#[cfg(test)]
mod tests {
    use assent_ids::EventSeq;

    use super::{FIRST_WAIT, Follows, LONGEST_WAIT, Skipped, follows, resume, wait};
    use crate::{model::MemberId, socket::AuthOk};

    #[test]
    fn only_the_next_event_is_handed_out() {
        assert_eq!(follows(None, EventSeq(1)), Follows::Next);
        for (event, expected) in [(6, Follows::Known), (7, Follows::Known), (8, Follows::Next)] {
            assert_eq!(follows(Some(EventSeq(7)), EventSeq(event)), expected);
        }
        assert_eq!(follows(Some(EventSeq(7)), EventSeq(9)), Follows::Gap);
        assert_eq!(follows(Some(EventSeq(u64::MAX)), EventSeq(u64::MAX)), Follows::Known);
    }

    #[test]
    fn deleted_events_are_skipped_and_nothing_else_is() {
        let skipped = |first, last| Some(Skipped { first: EventSeq(first), last: EventSeq(last) });
        for (cursor, resume_after, first_event_id, expected) in [
            // A new client that starts with the first event.
            (None, 0, 1, (0, None)),
            // A new client that starts with the first event that is kept.
            (None, 8, 9, (8, None)),
            // What a device has not acknowledged was deleted.
            (None, 4, 9, (4, skipped(5, 8))),
            (Some(4), 4, 1, (4, None)),
            (Some(4), 4, 5, (4, None)),
            (Some(4), 4, 6, (4, skipped(5, 5))),
            // The relay has already gone on.
            (Some(4), 8, 9, (4, skipped(5, 8))),
            // The relay was restored from a copy.
            (Some(4), 2, 1, (2, None)),
        ] {
            let welcome = AuthOk {
                id: MemberId::Agent("agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap()),
                resume_after: EventSeq(resume_after),
                first_event_id: EventSeq(first_event_id),
                latest_event_id: EventSeq(9),
                expires_in_seconds: None,
            };
            let (after, skipped) = resume(cursor.map(EventSeq), &welcome);
            assert_eq!((after.0, skipped), expected, "{cursor:?} {welcome:?}");
        }
    }

    #[test]
    fn waits_grow_to_half_a_minute_and_differ() {
        assert_eq!(wait(0, 0), FIRST_WAIT);
        assert_eq!(wait(3, 0), FIRST_WAIT * 8);
        assert_eq!(wait(u32::MAX, 0), LONGEST_WAIT);
        for failures in 0..40 {
            let (longest, shortest) = (wait(failures, 0), wait(failures, u8::MAX));
            assert!(shortest < longest && shortest >= longest / 2, "{failures}");
        }
    }
}
