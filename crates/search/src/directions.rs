//! Where tools lie, and who lies in the same direction.

use std::num::NonZeroUsize;

/// Tools per page: a page is never moved, so that growing never makes anybody wait until all are copied.
const PAGE: u32 = 1024;

/// A direction: a vector of length one, in steps of its largest part.
///
/// A step is 1/127 of the largest part, which changes a likeness by less than a hundredth and takes a quarter
/// of the memory. Sums of whole numbers are the same in whatever order they are added up.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    parts: Box<[i8]>,
    step: f32,
}

impl Direction {
    /// The direction of a vector. One that is not a number anywhere, or nothing everywhere, has none.
    pub(crate) fn of(vector: &[f32]) -> Option<Self> {
        let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
        let largest = vector.iter().fold(0.0_f32, |largest, part| largest.max(part.abs()));
        if !(length.is_normal() && largest.is_normal()) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a part is at most 127 steps")]
        let in_steps = |part: &f32| (part / largest * 127.0).round() as i8;
        let parts = vector.iter().map(in_steps).collect();
        Some(Self { parts, step: largest / length / 127.0 })
    }
}

/// The directions of tools, by their slots.
#[derive(Debug, Default)]
pub(crate) struct Directions {
    /// How many parts each has; known with the first one.
    parts: Option<NonZeroUsize>,
    pages: Vec<Page>,
}

#[derive(Debug)]
struct Page {
    /// All parts, tool after tool.
    parts: Box<[i8]>,
    /// The step of each tool; zero for one that has no direction.
    steps: Box<[f32]>,
}

impl Directions {
    /// Where a tool lies from now on. A direction with another number of parts than the first one had says
    /// nothing, as if it were none.
    pub(crate) fn put(&mut self, slot: u32, direction: Option<&Direction>) {
        let Some(direction) = direction else { return self.forget(slot) };
        let Some(length) = NonZeroUsize::new(direction.parts.len()) else { return };
        let length = *self.parts.get_or_insert(length);
        let (page, place) = split(slot);
        while self.pages.len() <= page {
            self.pages.push(Page::empty(length.get()));
        }
        self.forget(slot);
        let Some(page) = self.pages.get_mut(page) else { return };
        if direction.parts.len() == length.get()
            && let Some(parts) = page.parts.chunks_exact_mut(length.get()).nth(place)
            && let Some(step) = page.steps.get_mut(place)
        {
            parts.copy_from_slice(&direction.parts);
            *step = direction.step;
        }
    }

    /// The tool lies nowhere.
    pub(crate) fn forget(&mut self, slot: u32) {
        let (page, place) = split(slot);
        let step = self.pages.get_mut(page).and_then(|page| page.steps.get_mut(place));
        if let Some(step) = step {
            *step = 0.0;
        }
    }

    /// How much the tool in a slot is about what `direction` is about: 1 for the same, 0 for something else.
    pub(crate) fn likeness(&self, slot: u32, direction: &Direction) -> f32 {
        let (page, place) = split(slot);
        let Some(page) = self.pages.get(page) else { return 0.0 };
        let Some(length) = self.length_of(direction) else { return 0.0 };
        let parts = page.parts.chunks_exact(length).nth(place).unwrap_or_default();
        likeness(parts, page.steps.get(place).copied().unwrap_or_default(), direction)
    }

    /// Every tool that has a direction, and how much it is about the same.
    pub(crate) fn each(&self, direction: &Direction) -> impl Iterator<Item = (u32, f32)> {
        let length = self.length_of(direction);
        let pages = self.pages.iter().zip(0_u32..).filter(move |_| length.is_some());
        pages.flat_map(move |(page, number)| {
            let rows = page.parts.chunks_exact(length.unwrap_or(1)).zip(&page.steps);
            let slots = (number * PAGE)..;
            slots
                .zip(rows)
                .filter(|(_, (_, step))| **step > 0.0)
                .map(|(slot, (parts, step))| (slot, likeness(parts, *step, direction)))
        })
    }

    fn length_of(&self, direction: &Direction) -> Option<usize> {
        self.parts.map(NonZeroUsize::get).filter(|length| *length == direction.parts.len())
    }
}

impl Page {
    fn empty(length: usize) -> Self {
        Self {
            parts: vec![0; PAGE as usize * length].into(),
            steps: vec![0.0; PAGE as usize].into(),
        }
    }
}

const fn split(slot: u32) -> (usize, usize) {
    ((slot / PAGE) as usize, (slot % PAGE) as usize)
}

fn likeness(parts: &[i8], step: f32, direction: &Direction) -> f32 {
    // Sixteen at a time: so many a processor multiplies and adds up in a few steps.
    let (ours, our_rest) = parts.as_chunks::<16>();
    let (theirs, their_rest) = direction.parts.as_chunks::<16>();
    let product = |(one, other): (&i8, &i8)| i32::from(*one) * i32::from(*other);
    let add = |one: &[i8], other: &[i8]| one.iter().zip(other).map(product).sum::<i32>();
    let mut sum = add(our_rest, their_rest);
    for (one, other) in ours.iter().zip(theirs) {
        sum += add(one, other);
    }
    #[expect(clippy::cast_precision_loss, reason = "the sum has far fewer digits than matter")]
    let steps = sum as f32;
    // Steps are rounded, so that the same direction may come out as a little more than the same.
    (steps * step * direction.step).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Direction, Directions};

    fn cosine(one: &[f32], other: &[f32]) -> f32 {
        let dot = |one: &[f32], other: &[f32]| {
            one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>()
        };
        dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
    }

    fn vector() -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(-1000.0_f32..1000.0, 64)
    }

    proptest! {
        #[test]
        fn likeness_is_the_cosine_to_about_a_hundredth(one in vector(), other in vector()) {
            let (first, second) = (Direction::of(&one).unwrap(), Direction::of(&other).unwrap());
            let mut all = Directions::default();
            all.put(7, Some(&first));
            prop_assert!((all.likeness(7, &second) - cosine(&one, &other)).abs() < 0.015);
            prop_assert!((all.likeness(7, &first) - 1.0).abs() < 0.015);
            prop_assert_eq!(all.each(&second).collect::<Vec<_>>(), [(7, all.likeness(7, &second))]);
        }
    }

    #[test]
    fn how_far_a_text_lies_does_not_matter() {
        let near = Direction::of(&[1.0, -2.0, 3.0]).unwrap();
        let far = Direction::of(&[1e6, -2e6, 3e6]).unwrap();
        assert_eq!(near.parts, far.parts);
    }

    #[test]
    fn what_points_nowhere_has_no_direction() {
        for vector in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0]] {
            assert!(Direction::of(vector).is_none());
        }
    }

    #[test]
    fn a_tool_that_was_forgotten_or_never_there_is_like_nothing() {
        let direction = Direction::of(&[1.0, 2.0]).unwrap();
        let mut all = Directions::default();
        assert_eq!(all.likeness(5000, &direction), 0.0);
        all.put(5000, Some(&direction));
        assert!(all.likeness(5000, &direction) > 0.98);
        all.put(5000, None);
        assert_eq!(all.likeness(5000, &direction), 0.0);
        assert_eq!(all.each(&direction).count(), 0);
    }

    #[test]
    fn a_direction_in_another_space_is_like_nothing() {
        let (flat, deep) = (Direction::of(&[1.0, 2.0]).unwrap(), Direction::of(&[1.0; 3]).unwrap());
        let mut all = Directions::default();
        all.put(0, Some(&flat));
        all.put(1, Some(&deep));
        assert_eq!(all.likeness(0, &deep), 0.0);
        assert_eq!(all.each(&deep).count(), 0);
        assert_eq!(all.each(&flat).map(|(slot, _)| slot).collect::<Vec<_>>(), [0]);
    }
}
