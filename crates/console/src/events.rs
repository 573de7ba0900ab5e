//! What happens on the device, as a stream of events for pages.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_device::{Attachment, Device};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::{broadcast::error::RecvError, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The most events that a reader may be behind. One that is further behind reads everything again.
const KEPT: usize = 1000;

/// How often a silent stream shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The events of a console. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    kept: Mutex<Kept>,
    /// The number of the last event.
    last: watch::Sender<u64>,
    stopping: CancellationToken,
}

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    events: VecDeque<Numbered>,
}

#[derive(Clone, Debug)]
struct Numbered {
    id: u64,
    name: &'static str,
    data: String,
}

/// Passes on what the device announces.
async fn follow(device: &Device, events: &Events) {
    let mut announced = device.events();
    loop {
        match announced.recv().await {
            Ok(event) => events.publish(event.name(), &event),
            Err(RecvError::Lagged(_)) => events.reset(),
            Err(RecvError::Closed) => return,
        }
    }
}

impl Events {
    /// Follows `device` until the console stops.
    pub(crate) fn start(device: Device, tasks: &TaskTracker, stopping: CancellationToken) -> Self {
        let events = Self::new(stopping);
        let publishing = events.clone();
        tasks.spawn(async move {
            let stopping = publishing.0.stopping.clone();
            tokio::select! {
                () = stopping.cancelled() => {}
                () = follow(&device, &publishing) => {}
            }
        });
        events
    }

    fn new(stopping: CancellationToken) -> Self {
        let last = watch::Sender::new(0);
        Self(Arc::new(Shared { kept: Mutex::default(), last, stopping }))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event for all readers.
    fn publish(&self, name: &'static str, data: &impl Serialize) {
        let data = match serde_json::to_string(data) {
            Ok(data) => data,
            Err(error) => {
                tracing::error!(%error, name, "an event cannot be written");
                return;
            }
        };
        let mut kept = self.kept();
        kept.last = kept.last.wrapping_add(1);
        let id = kept.last;
        if kept.events.len() >= KEPT {
            kept.events.pop_front();
        }
        kept.events.push_back(Numbered { id, name, data });
        drop(kept);
        self.0.last.send_replace(id);
    }

    /// Makes every reader read everything again, because events are missing.
    fn reset(&self) {
        let mut kept = self.kept();
        // A number that no reader has seen, and no event.
        kept.last = kept.last.wrapping_add(1);
        kept.events.clear();
        let last = kept.last;
        drop(kept);
        self.0.last.send_replace(last);
    }

    /// The stream for a reader whose last event is `last`; a new reader gets what happens from now on. It ends with the
    /// console. The reader counts as an interface of the device as long as it reads.
    pub(crate) fn stream(
        &self,
        last: Option<u64>,
        attachment: Attachment,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let reader = Reader {
            seen: last.unwrap_or_else(|| self.kept().last),
            changes: self.0.last.subscribe(),
            events: self.clone(),
            ready: VecDeque::new(),
            _attachment: attachment,
        };
        let stream = stream::unfold(reader, |mut reader| async move {
            let event = reader.next().await?;
            Some((Ok(event), reader))
        });
        Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
    }
}

/// One reader of the events.
struct Reader {
    events: Events,
    changes: watch::Receiver<u64>,
    seen: u64,
    ready: VecDeque<Event>,
    _attachment: Attachment,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            self.changes.mark_unchanged();
            self.read();
            if self.ready.is_empty() {
                tokio::select! {
                    () = self.events.0.stopping.cancelled() => return None,
                    changed = self.changes.changed() => changed.ok()?,
                }
            }
        }
    }

    /// Takes everything after the last event that was seen; `reset` if some of it is gone.
    fn read(&mut self) {
        let kept = self.events.kept();
        let first = kept.events.front().map_or(kept.last.saturating_add(1), |event| event.id);
        let is_gap = self.seen > kept.last || self.seen.saturating_add(1) < first;
        if is_gap {
            let reset = Event::default().event("reset").id(kept.last.to_string()).data("{}");
            self.ready.push_back(reset);
        } else {
            let new = kept.events.iter().filter(|event| event.id > self.seen);
            self.ready.extend(new.map(|event| {
                Event::default().event(event.name).id(event.id.to_string()).data(&event.data)
            }));
        }
        self.seen = kept.last;
    }
}
