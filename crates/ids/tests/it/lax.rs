//! Ids of other producers' records.

use assent_ids::{GeneratedId, InvocationId, Lax, Ulid};
use proptest::prelude::*;

#[test]
fn a_checked_id_becomes_lax_and_comes_back() {
    let id = InvocationId::from_ulid(Ulid::from_bits(5));
    let lax = Lax::from(id);
    assert_eq!(lax.as_str(), id.to_string());
    assert_eq!(lax.strict().unwrap(), id);
    let other = Lax::from(InvocationId::from_ulid(Ulid::from_bits(6)));
    assert_eq!((lax == Lax::from(&id), lax == other, lax < other), (true, false, true));
}

proptest! {
    #[test]
    fn any_string_is_read_and_written_unchanged(text: String) {
        let json = serde_json::to_string(&text).unwrap();
        let lax: Lax<InvocationId> = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(lax.as_str(), &text);
        prop_assert_eq!(serde_json::to_string(&lax).unwrap(), json);
        prop_assert_eq!(lax.is_empty(), text.is_empty());
    }
}
