//! The calls that a journal in memory has forgotten.

use std::collections::VecDeque;

use assent_ids::InvocationId;

/// The number of ids that are remembered individually; they take a mebibyte.
const MAX_REMEMBERED: usize = 1 << 16;

/// The ids of forgotten calls, so that none of them is mistaken for a new one.
///
/// The largest ids are remembered individually. Every id up to the largest of the others counts as forgotten, whether
/// there was such a call or not. Ids increase with time, so only very late senders are refused without need.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    /// Sorted.
    ids: VecDeque<InvocationId>,
    /// The largest id that is no longer remembered.
    horizon: Option<InvocationId>,
}

impl Forgotten {
    /// Remembers the id of a call that is forgotten.
    pub(super) fn add(&mut self, call: InvocationId) {
        match self.ids.back() {
            Some(last) if *last >= call => {
                if let Err(at) = self.ids.binary_search(&call) {
                    self.ids.insert(at, call);
                }
            }
            _ => self.ids.push_back(call),
        }
        if self.ids.len() > MAX_REMEMBERED {
            self.horizon = self.horizon.max(self.ids.pop_front());
        }
    }

    /// Returns `true` if the call is known to be forgotten.
    pub(super) fn has(&self, call: InvocationId) -> bool {
        self.ids.back().is_some_and(|last| *last >= call) && self.ids.binary_search(&call).is_ok()
    }

    /// Returns `true` if the call may have been forgotten.
    pub(super) fn may_have(&self, call: InvocationId) -> bool {
        self.horizon >= Some(call) || self.has(call)
    }
}

#[cfg(test)]
mod tests {
    use assent_ids::{GeneratedId, InvocationId, Ulid};

    use super::{Forgotten, MAX_REMEMBERED};

    fn call(number: u128) -> InvocationId {
        InvocationId::from_ulid(Ulid::from_bits(number))
    }

    #[test]
    fn nothing_is_forgotten_at_first() {
        assert!(!Forgotten::default().may_have(call(0)));
    }

    #[test]
    fn exactly_the_forgotten_calls_are_known_in_any_order() {
        let mut forgotten = Forgotten::default();
        for number in [5, 9, 1, 7, 3, 5] {
            forgotten.add(call(number));
        }
        let forgotten_ids: Vec<u128> =
            (0..12).filter(|number| forgotten.may_have(call(*number))).collect();
        assert_eq!(forgotten_ids, [1, 3, 5, 7, 9]);
    }

    #[test]
    fn beyond_what_is_remembered_every_older_id_counts_as_forgotten() {
        let mut forgotten = Forgotten::default();
        for number in 1..=MAX_REMEMBERED as u128 {
            forgotten.add(call(2 * number));
        }
        assert!(!forgotten.may_have(call(1)));
        forgotten.add(call(2 * MAX_REMEMBERED as u128 + 2));
        assert!(forgotten.may_have(call(0)));
        assert!(forgotten.may_have(call(1)));
        assert!(forgotten.may_have(call(2)));
        assert!(!forgotten.may_have(call(3)));
        assert!(!forgotten.has(call(2)));
    }

    #[test]
    fn an_id_from_the_future_does_not_make_every_other_one_count_as_forgotten() {
        let mut forgotten = Forgotten::default();
        forgotten.add(call(u128::MAX));
        for number in 1..=2 * MAX_REMEMBERED as u128 {
            forgotten.add(call(number));
        }
        assert!(forgotten.may_have(call(u128::MAX)));
        assert!(!forgotten.may_have(call(2 * MAX_REMEMBERED as u128 + 1)));
    }
}
