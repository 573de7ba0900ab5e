//! Tests of the order in which results come out.

use proptest::prelude::*;

use super::*;

proptest! {
    /// Item 123.
    #[test]
    fn a_result_may_come_out_when_all_before_it_have(
        calls in 1..8_usize,
        deliveries in prop::collection::vec(any::<prop::sample::Index>(), 0..24),
    ) {
        let mut delivery = Delivery::new(true, calls);
        let mut delivered = vec![false; calls];
        for position in deliveries {
            let first = |delivered: &[bool]| delivered.iter().position(|done| !done);
            let (position, before) = (position.index(calls), first(&delivered));
            delivered[position] = true;
            let now = first(&delivered);
            prop_assert_eq!(delivery.deliver(position), now.filter(|_| now != before));
            for position in 0..calls {
                let all_before = delivered[..position].iter().all(|done| *done);
                prop_assert_eq!(delivery.may_deliver(position), all_before);
            }
        }
    }
}

/// Item 123.
#[test]
fn without_an_order_every_call_may_deliver_at_any_time() {
    let delivery = Delivery::new(false, 3);
    assert!((0..3).all(|position| delivery.may_deliver(position)));
}
