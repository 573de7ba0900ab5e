//! Whose result is next.

/// Which results of a batch have come out, by position in the model's order.
#[derive(Debug)]
pub(super) struct Delivery {
    ordered: bool,
    delivered: Vec<bool>,
    /// The first that has not come out.
    next: usize,
}

impl Delivery {
    pub(super) fn new(ordered: bool, calls: usize) -> Self {
        Self { ordered, delivered: vec![false; calls], next: 0 }
    }

    /// Whether the result may come out now.
    pub(super) fn may_deliver(&self, position: usize) -> bool {
        !self.ordered || position <= self.next
    }

    /// The result has come out, or never will. Says whose turn it is now, if that has changed.
    pub(super) fn deliver(&mut self, position: usize) -> Option<usize> {
        *self.delivered.get_mut(position)? = true;
        let before = self.next;
        while self.delivered.get(self.next) == Some(&true) {
            self.next += 1;
        }
        (self.next > before && self.next < self.delivered.len()).then_some(self.next)
    }
}

#[cfg(test)]
mod tests;
