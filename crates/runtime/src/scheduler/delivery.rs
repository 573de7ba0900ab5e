//! Which result of a batch is released next.

/// The results of a batch that were released, by position in the model's order.
#[derive(Debug)]
pub(super) struct Delivery {
    ordered: bool,
    delivered: Vec<bool>,
    /// The first that was not released.
    next: usize,
}

impl Delivery {
    pub(super) fn new(ordered: bool, calls: usize) -> Self {
        Self { ordered, delivered: vec![false; calls], next: 0 }
    }

    /// Returns `true` if the result may be released now.
    pub(super) fn may_deliver(&self, position: usize) -> bool {
        !self.ordered || position <= self.next
    }

    /// Notes that the result was released, or never will be. Returns the position that is next, if that has
    /// changed.
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
