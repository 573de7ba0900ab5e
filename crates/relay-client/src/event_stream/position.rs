//! Where a stream is in the sequence of events.

use assent_ids::EventSeq;
use assent_relay_api::socket::AuthOk;

/// The events that a stream has yielded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// The last event that was yielded or skipped; `None` before the first connection of a stream that resumes after
    /// what was acknowledged.
    last: Option<EventSeq>,
}

/// Events that were deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) first: EventSeq,
    pub(super) last: EventSeq,
}

/// How an event relates to those that were yielded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Order {
    Next,
    /// It was yielded before.
    Known,
    /// Events before it are missing.
    Gap,
}

impl Position {
    pub(super) const fn new(resume_after: Option<EventSeq>) -> Self {
        Self { last: resume_after }
    }

    pub(super) const fn last(&self) -> Option<EventSeq> {
        self.last
    }

    /// Goes to where a connection resumes. Gives the events in between that do not come.
    pub(super) fn resume(&mut self, welcome: &AuthOk) -> Option<Skipped> {
        let last = self.last.unwrap_or(welcome.resume_after).min(welcome.resume_after);
        let before_first = EventSeq(welcome.first_event_id.0.saturating_sub(1));
        let resumed = welcome.resume_after.max(before_first);
        self.last = Some(resumed);
        let first = EventSeq(last.0.saturating_add(1));
        (resumed > last).then_some(Skipped { first, last: resumed })
    }

    /// Goes to an event if it is the next one.
    pub(super) fn advance(&mut self, event: EventSeq) -> Order {
        let last = self.last.unwrap_or_default();
        if event <= last {
            Order::Known
        } else if event.0 == last.0.saturating_add(1) {
            self.last = Some(event);
            Order::Next
        } else {
            Order::Gap
        }
    }
}

#[cfg(test)]
mod tests {
    use assent_ids::{EventSeq, Principal};
    use assent_relay_api::socket::AuthOk;

    use super::{Order, Position, Skipped};

    #[test]
    fn only_the_next_event_is_yielded() {
        assert_eq!(Position::new(None).advance(EventSeq(1)), Order::Next);
        let mut position = Position::new(Some(EventSeq(7)));
        for (event, order) in [
            (6, Order::Known),
            (7, Order::Known),
            (9, Order::Gap),
            (8, Order::Next),
            (8, Order::Known),
            (9, Order::Next),
        ] {
            assert_eq!(position.advance(EventSeq(event)), order, "{event}");
        }
        let mut end = Position::new(Some(EventSeq(u64::MAX)));
        assert_eq!(end.advance(EventSeq(u64::MAX)), Order::Known);
    }

    #[test]
    fn deleted_events_are_skipped_and_no_others() {
        let skipped = |first, last| Some(Skipped { first: EventSeq(first), last: EventSeq(last) });
        for (last, resume_after, first_event_id, expected) in [
            // A new client that starts with the first event.
            (None, 0, 1, (0, None)),
            // A new client that starts with the first event that is kept.
            (None, 8, 9, (8, None)),
            // What a device has not acknowledged was deleted.
            (None, 4, 9, (8, skipped(5, 8))),
            (Some(4), 4, 1, (4, None)),
            (Some(4), 4, 5, (4, None)),
            (Some(4), 4, 6, (5, skipped(5, 5))),
            // The relay has already gone on.
            (Some(4), 8, 9, (8, skipped(5, 8))),
            // The relay was restored from a backup.
            (Some(4), 2, 1, (2, None)),
        ] {
            let welcome = AuthOk {
                id: Principal::Agent("agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap()),
                resume_after: EventSeq(resume_after),
                first_event_id: EventSeq(first_event_id),
                latest_event_id: EventSeq(9),
                expires_in_seconds: None,
            };
            let mut position = Position::new(last.map(EventSeq));
            let skipped = position.resume(&welcome);
            assert_eq!((position.last().unwrap().0, skipped), expected, "{last:?} {welcome:?}");
        }
    }
}
