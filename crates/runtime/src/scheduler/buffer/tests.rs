//! Tests of the memory of waiting results.

use super::*;

fn used(buffer: &DeliveryBuffer) -> usize {
    buffer.used.load(Ordering::Relaxed)
}

#[test]
fn results_are_held_up_to_the_cap_and_not_one_byte_beyond() {
    let buffer = DeliveryBuffer::new(10);
    let first = buffer.reserve(4).unwrap();
    let second = buffer.reserve(6).unwrap();
    assert_eq!(used(&buffer), 10);
    assert!(buffer.reserve(1).is_none());
    assert!(buffer.reserve(0).is_some());
    drop(second);
    assert!(buffer.reserve(7).is_none());
    let clone = buffer.clone();
    drop(clone.reserve(6).unwrap());
    assert_eq!((used(&clone), used(&buffer)), (4, 4), "a clone counts with the same counter");
    drop(first);
    assert_eq!(used(&buffer), 0);
}

#[test]
fn a_size_beyond_all_numbers_does_not_fit() {
    let buffer = DeliveryBuffer::new(usize::MAX);
    let _held = buffer.reserve(1).unwrap();
    assert!(buffer.reserve(usize::MAX).is_none());
}
