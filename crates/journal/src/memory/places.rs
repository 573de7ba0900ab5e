//! Where the batches of a call are.

/// So many batches most calls are content with: they need no memory of their own.
const FEW: usize = 4;

/// Where a batch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The place of its first entry.
    pub(super) first: u64,
    /// How many batches came before it, as long as no gap was closed: a guess that is mostly right.
    pub(super) number: u64,
}

/// The batches that speak of a call, in order.
#[derive(Debug, Default)]
pub(super) struct Places {
    few: [Place; FEW],
    count: usize,
    more: Vec<Place>,
}

impl Places {
    pub(super) fn push(&mut self, place: Place) {
        match self.few.get_mut(self.count) {
            Some(free) => {
                *free = place;
                self.count += 1;
            }
            None => self.more.push(place),
        }
    }

    pub(super) fn each(&self) -> impl Iterator<Item = Place> {
        self.few.iter().take(self.count).chain(&self.more).copied()
    }

    pub(super) fn are_none(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Place, Places};

    #[test]
    fn all_places_are_kept_in_order_however_many_there_are() {
        let mut places = Places::default();
        assert!(places.are_none());
        let all: Vec<Place> =
            (0..3 * FEW as u64).map(|number| Place { first: 2 * number, number }).collect();
        all.iter().for_each(|place| places.push(*place));
        assert_eq!(places.each().collect::<Vec<_>>(), all);
        assert!(!places.are_none());
    }
}
