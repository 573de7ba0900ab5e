//! Following a journal: existing entries, then new ones.

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use tokio::sync::watch;

use crate::{Answer, Entry, JournalError, Seq};

/// The number of entries that are read at once. A subscription never holds more.
const PAGE: usize = 256;

/// The source of a subscription.
pub trait Pages: Send + Sync + 'static {
    /// Returns up to `limit` entries from `from` on, oldest first, like [`crate::Journal::read`].
    fn page(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>>;
}

/// Every entry from a sequence number on, without gaps or repetitions.
///
/// It holds one page at a time, so a slow reader costs the journal nothing. If entries are no longer kept, it returns
/// [`JournalError::Lagged`] once and continues at the entry named there. Any other error ends it. It also ends when the
/// journal is closed.
pub struct Subscription {
    pages: Arc<dyn Pages>,
    next: Seq,
    ready: std::vec::IntoIter<Arc<Entry>>,
    state: State,
}

enum State {
    Idle(watch::Receiver<()>),
    Loading(Pin<Box<dyn Future<Output = Loaded> + Send>>),
    Ended,
}

/// A page, or `None` if the journal was closed; and the receiver, to wait for more.
struct Loaded {
    grown: watch::Receiver<()>,
    page: Option<Result<Vec<Arc<Entry>>, JournalError>>,
}

impl Subscription {
    /// Follows `pages` from `from` on. `grown` changes after every append and closes with the journal.
    #[must_use]
    pub fn new(pages: Arc<dyn Pages>, from: Seq, grown: watch::Receiver<()>) -> Self {
        let next = from.max(Seq::FIRST);
        Self { pages, next, ready: Vec::new().into_iter(), state: State::Idle(grown) }
    }

    /// Waits for the next entry. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Result<Arc<Entry>, JournalError>> {
        poll_fn(|context| self.poll(context)).await
    }

    /// The sequence number from which a new subscription would continue here.
    #[must_use]
    pub fn position(&self) -> Seq {
        self.next
    }

    fn poll(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Arc<Entry>, JournalError>>> {
        loop {
            if let Some(entry) = self.ready.next() {
                self.next = entry.seq.next();
                return Poll::Ready(Some(Ok(entry)));
            }
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Poll::Ready(None),
                State::Idle(grown) => {
                    let loading = load(Arc::clone(&self.pages), self.next, grown);
                    self.state = State::Loading(Box::pin(loading));
                }
                State::Loading(mut loading) => {
                    let polled = loading.as_mut().poll(context);
                    if polled.is_pending() {
                        self.state = State::Loading(loading);
                    }
                    if let Some(error) = self.take(ready!(polled)) {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
            }
        }
    }

    /// Stores a loaded page; returns an error for the reader.
    fn take(&mut self, loaded: Loaded) -> Option<JournalError> {
        match loaded.page? {
            Ok(page) => {
                self.ready = page.into_iter();
                self.state = State::Idle(loaded.grown);
                None
            }
            Err(JournalError::Lagged { next }) => {
                self.next = next;
                self.state = State::Idle(loaded.grown);
                Some(JournalError::Lagged { next })
            }
            Err(error) => Some(error),
        }
    }
}

/// Waits until there is a page from `from` on.
async fn load(pages: Arc<dyn Pages>, from: Seq, mut grown: watch::Receiver<()>) -> Loaded {
    loop {
        // Before reading, so that an append during the read is noticed as a change.
        grown.mark_unchanged();
        let page = pages.page(from, PAGE).await;
        let closed = grown.has_changed().is_err();
        match page {
            Ok(page) if page.is_empty() => {}
            Err(JournalError::Unavailable(_)) if closed => return Loaded { grown, page: None },
            page => return Loaded { grown, page: Some(page) },
        }
        if grown.changed().await.is_err() {
            return Loaded { grown, page: None };
        }
    }
}

impl Stream for Subscription {
    type Item = Result<Arc<Entry>, JournalError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(context)
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("next", &self.next).finish_non_exhaustive()
    }
}
