//! Which members or items of one value some rule has looked at.

/// A set of positions. The first few take no memory of their own.
#[derive(Debug, Default)]
pub(super) struct Marks {
    all: bool,
    first: u64,
    further: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl Marks {
    pub(super) fn has(&self, position: usize) -> bool {
        let word = match (position / BITS).checked_sub(1) {
            None => self.first,
            Some(at) => self.further.get(at).copied().unwrap_or_default(),
        };
        self.all || word & (1 << (position % BITS)) != 0
    }

    pub(super) fn set(&mut self, position: usize) {
        let bit = 1 << (position % BITS);
        let Some(at) = (position / BITS).checked_sub(1) else {
            self.first |= bit;
            return;
        };
        if self.further.len() <= at {
            self.further.resize(at + 1, 0);
        }
        if let Some(word) = self.further.get_mut(at) {
            *word |= bit;
        }
    }

    pub(super) fn set_all(&mut self) {
        self.all = true;
    }

    /// Adds what `other` has.
    pub(super) fn add(&mut self, other: &Self) {
        self.all |= other.all;
        self.first |= other.first;
        if self.further.len() < other.further.len() {
            self.further.resize(other.further.len(), 0);
        }
        for (word, more) in self.further.iter_mut().zip(&other.further) {
            *word |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn positions_are_kept_on_both_sides_of_a_word() {
        let mut marks = Marks::default();
        for position in [0, 63, 64, 200] {
            assert!(!marks.has(position));
            marks.set(position);
        }
        let mut sum = Marks::default();
        sum.set(65);
        sum.add(&marks);
        let found: Vec<_> = (0..300).filter(|position| sum.has(*position)).collect();
        assert_eq!(found, [0, 63, 64, 65, 200]);
        sum.set_all();
        assert!((0..300).all(|position| sum.has(position)));
    }
}
