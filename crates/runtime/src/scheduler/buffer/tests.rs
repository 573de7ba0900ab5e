//! Tests of the memory of waiting results.

use super::*;

#[test]
fn results_are_held_up_to_the_cap_and_not_one_byte_beyond() {
    let buffer = DeliveryBuffer::new(10);
    let first = buffer.hold(4).unwrap();
    let second = buffer.hold(6).unwrap();
    assert_eq!(buffer.used(), 10);
    assert!(buffer.hold(1).is_none());
    assert!(buffer.hold(0).is_some());
    drop(second);
    assert!(buffer.hold(7).is_none());
    let clone = buffer.clone();
    drop(clone.hold(6).unwrap());
    assert_eq!((clone.used(), buffer.used()), (4, 4), "a clone counts with the same counter");
    drop(first);
    assert_eq!(buffer.used(), 0);
}

#[test]
fn a_size_beyond_all_numbers_does_not_fit() {
    let buffer = DeliveryBuffer::new(usize::MAX);
    let _held = buffer.hold(1).unwrap();
    assert!(buffer.hold(usize::MAX).is_none());
}
