//! Ids that belong to a call: decisions, mutations, hook runs, results.

use assent_ids::{GeneratedId, InvocationId, Ulid, UnixMillis};

/// The `number`th id of a call. Two rounds of SplitMix64's mixing function over the random bits of the
/// call's own id give 80 bits; the mixing is a bijection, so ids of one call never repeat.
pub(crate) fn derived<Id: GeneratedId>(call: InvocationId, at: UnixMillis, number: u32) -> Id {
    let bits = call.ulid().bits();
    let low = u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default();
    let first = mix(low ^ mix(u64::from(number)));
    let second = mix(first ^ u64::try_from(bits >> 64).unwrap_or_default());
    let random = (u128::from(second & 0xFFFF) << 64) | u128::from(first);
    Id::from_ulid(Ulid::from_bits((u128::from(at.get()) << 80) | random))
}

fn mix(seed: u64) -> u64 {
    let state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
