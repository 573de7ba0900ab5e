//! The task that owns the connection of a stream.

use std::{convert::Infallible, time::Duration};

use assent_ids::EventSeq;
use assent_relay_api::socket::{PING_INTERVAL, ServerFrame};
use tokio::{
    pin,
    sync::{
        mpsc::{self, error::TrySendError},
        watch,
    },
    time::{Instant, interval_at, sleep, sleep_until, timeout},
};

use super::{
    Item, StreamEvent,
    backoff::Backoff,
    position::{Order, Position},
    unanswered::{Outcome, PendingMessage, Unanswered},
};
use crate::{Client, ConnectOptions, SocketRole, StreamError, connection::Connection};

/// How long a connection may take to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long the consumer may let an event wait before messages go by HTTP.
const CONSUMER_GRACE: Duration = Duration::from_millis(100);

pub(super) struct StreamTask {
    options: ConnectOptions,
    client: watch::Receiver<Client>,
    acknowledged: watch::Receiver<Option<EventSeq>>,
    messages: mpsc::Receiver<PendingMessage>,
    events: mpsc::Sender<Item>,
    position: Position,
    unanswered: Unanswered,
    backoff: Backoff,
}

/// The stream was dropped.
struct Dropped;

impl StreamTask {
    pub(super) fn new(
        options: ConnectOptions,
        client: watch::Receiver<Client>,
        acknowledged: watch::Receiver<Option<EventSeq>>,
        messages: mpsc::Receiver<PendingMessage>,
        events: mpsc::Sender<Item>,
    ) -> Self {
        Self {
            position: Position::new(options.resume_after),
            options,
            client,
            acknowledged,
            messages,
            events,
            unanswered: Unanswered::default(),
            backoff: Backoff::default(),
        }
    }

    /// Runs until the stream is dropped.
    pub(super) async fn run(mut self) {
        let events = self.events.clone();
        let mut connection = None;
        tokio::select! {
            () = events.closed() => {}
            Err(Dropped) = self.reconnect(&mut connection) => {}
        }
        if let Some(mut connection) = connection {
            let closing = async {
                if let Some(event_id) = *self.acknowledged.borrow() {
                    connection.acknowledge(event_id)?;
                }
                connection.close().await
            };
            // The connection is dropped anyway.
            let _is_closed = timeout(CLOSE_TIMEOUT, closing).await;
        }
    }

    async fn reconnect(
        &mut self,
        connection: &mut Option<Connection>,
    ) -> Result<Infallible, Dropped> {
        loop {
            let begun = Instant::now();
            let error = match self.connect().await {
                Ok(connected) => self.serve(connection.insert(connected)).await?,
                Err(error) => error,
            };
            *connection = None;
            if error.is_transient() {
                self.wait(error, begun.elapsed()).await?;
            } else {
                self.stop(error).await?;
            }
        }
    }

    async fn connect(&mut self) -> Result<Connection, StreamError> {
        let client = self.client.borrow_and_update().clone();
        let mut connection = Connection::open(&client, &self.options, self.position.last()).await?;
        for frame in self.unanswered.start_again() {
            connection.send(frame.clone());
        }
        if let Some(event_id) = *self.acknowledged.borrow_and_update() {
            connection.acknowledge(event_id)?;
        }
        Ok(connection)
    }

    /// Serves a connection until it ends.
    async fn serve(&mut self, connection: &mut Connection) -> Result<StreamError, Dropped> {
        let welcome = connection.welcome().clone();
        let skipped = self.position.resume(&welcome);
        self.deliver(Ok(StreamEvent::Connected(welcome)), Some(connection)).await?;
        if let Some(skipped) = skipped {
            let event = StreamEvent::Skipped { first: skipped.first, last: skipped.last };
            self.deliver(Ok(event), Some(connection)).await?;
        }
        loop {
            let is_done = tokio::select! {
                frame = connection.next() => match frame.and_then(|frame| self.receive(frame)) {
                    Ok(Some(event)) => {
                        self.deliver(Ok(event), Some(connection)).await?;
                        Ok(())
                    }
                    Ok(None) => Ok(()),
                    Err(error) => Err(error),
                },
                message = self.messages.recv(), if !self.unanswered.is_full() => {
                    self.send(message.ok_or(Dropped)?, Some(connection));
                    Ok(())
                }
                changed = self.acknowledged.changed() => {
                    changed.map_err(|_| Dropped)?;
                    self.acknowledge(connection)
                }
                changed = self.client.changed() => {
                    changed.map_err(|_| Dropped)?;
                    self.renew(connection)
                }
            };
            if let Err(error) = is_done {
                return Ok(error);
            }
        }
    }

    fn receive(&mut self, frame: ServerFrame) -> Result<Option<StreamEvent>, StreamError> {
        let event = match frame {
            ServerFrame::Event(event) => match self.position.advance(event.event_id) {
                Order::Next => Some(StreamEvent::Event(event)),
                Order::Known => return Ok(None),
                // The relay says on the next connection whether the missing events are kept.
                Order::Gap => {
                    let message = format!("events before {} are missing", event.event_id);
                    return Err(StreamError::Broken(message));
                }
            },
            ServerFrame::MessageSent(sent) => {
                self.unanswered.sent(sent);
                None
            }
            ServerFrame::MessageRefused(refused) => {
                self.unanswered.refused(*refused);
                None
            }
            ServerFrame::AuthExpiring(expiring) => Some(StreamEvent::TokenExpiring(expiring)),
            ServerFrame::Draining(draining) => {
                self.backoff.advise(Duration::from_millis(draining.reconnect_after_ms));
                return Ok(None);
            }
            // Answers to `auth.renew` and `ping`.
            ServerFrame::AuthOk(_) | ServerFrame::AuthError(_) | ServerFrame::Pong(_) => None,
        };
        self.backoff.succeed();
        Ok(event)
    }

    fn send(&mut self, message: PendingMessage, connection: Option<&mut Connection>) {
        if !message.is_awaited() {
            return;
        }
        if let Some(connection) = connection {
            connection.send(message.frame.clone());
        }
        self.unanswered.push(message);
    }

    fn acknowledge(&mut self, connection: &mut Connection) -> Result<(), StreamError> {
        let acknowledged = *self.acknowledged.borrow_and_update();
        acknowledged.map_or(Ok(()), |event_id| connection.acknowledge(event_id))
    }

    /// The token of an agent does not expire, so that its connection goes on with the old one.
    fn renew(&mut self, connection: &mut Connection) -> Result<(), StreamError> {
        let client = self.client.borrow_and_update();
        match (self.options.role, client.credentials.token()) {
            (SocketRole::Human, Some(token)) => connection.renew(token.clone()),
            _ => Ok(()),
        }
    }

    /// Hands an item to the consumer. While it waits for room, nothing is read, and what waits is sent.
    async fn deliver(
        &mut self,
        item: Item,
        mut connection: Option<&mut Connection>,
    ) -> Result<(), Dropped> {
        let item = match self.events.try_send(item) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Full(item)) => item,
            Err(TrySendError::Closed(_)) => return Err(Dropped),
        };
        let events = self.events.clone();
        let grace = sleep(CONSUMER_GRACE);
        pin!(grace);
        let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        let mut is_behind = false;
        loop {
            let has_unsent = connection.as_ref().is_some_and(|connection| !connection.is_flushed());
            tokio::select! {
                permit = events.reserve() => {
                    permit.map_err(|_| Dropped)?.send(item);
                    return Ok(());
                }
                () = &mut grace, if !is_behind => {
                    is_behind = true;
                    self.unanswered.hand_over();
                }
                message = self.messages.recv(), if is_behind || !self.unanswered.is_full() => {
                    let mut message = message.ok_or(Dropped)?;
                    if is_behind {
                        message.reply(Outcome::ConsumerBehind);
                    } else {
                        self.send(message, connection.as_deref_mut());
                    }
                }
                changed = self.acknowledged.changed() => {
                    changed.map_err(|_| Dropped)?;
                    // A frame that cannot be written is an error that the next read reports.
                    let _is_written =
                        connection.as_deref_mut().map(|connection| self.acknowledge(connection));
                }
                _ = pings.tick() => {
                    let _is_written = connection.as_deref_mut().map(Connection::ping);
                }
                () = flush(connection.as_deref_mut()), if has_unsent => {}
            }
        }
    }

    /// Waits before the next connection.
    async fn wait(&mut self, error: StreamError, lasted: Duration) -> Result<(), Dropped> {
        let retry_in = self.backoff.fail(lasted);
        let retry_at = Instant::now() + retry_in;
        self.deliver(Ok(StreamEvent::Disconnected { error, retry_in }), None).await?;
        tokio::select! {
            () = sleep_until(retry_at) => Ok(()),
            changed = self.client.changed() => changed.map_err(|_| Dropped),
        }
    }

    /// Waits for another token.
    async fn stop(&mut self, error: StreamError) -> Result<(), Dropped> {
        self.deliver(Err(error), None).await?;
        self.unanswered.disconnect();
        loop {
            tokio::select! {
                changed = self.client.changed() => return changed.map_err(|_| Dropped),
                message = self.messages.recv() => {
                    message.ok_or(Dropped)?.reply(Outcome::Disconnected);
                }
            }
        }
    }
}

async fn flush(connection: Option<&mut Connection>) {
    if let Some(connection) = connection {
        connection.flush().await;
    }
}
