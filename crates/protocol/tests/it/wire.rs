//! Times and numbers.

use assent_ids::UnixMillis;
use assent_protocol::wire::{Count, Millis, Percent, Timestamp};
use proptest::prelude::*;
use serde_json::json;

fn time(text: &str) -> Timestamp {
    serde_json::from_value(json!(text)).unwrap()
}

#[test]
fn rfc_3339_times_are_told_from_their_relatives() {
    for good in [
        "2026-05-08T00:00:00Z",
        "2026-05-08t00:00:00z",
        "2026-05-08T00:00:00.123456789+08:00",
        "1985-04-12T23:20:50.52Z",
        "1990-12-31T15:59:60-08:00",
    ] {
        assert!(time(good).instant().is_ok(), "{good}");
    }
    for bad in [
        "",
        "now",
        "2026-05-08",
        "2026-05-08T00:00:00",
        "2026-05-08 00:00:00Z",
        "2026-05-08T00:00Z",
        "2026-13-08T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-05-08T25:00:00Z",
        "2026-05-08T00:00:00.Z",
        "2026-05-08T00:00:00+08",
        "2026-05-08T00:00:00Z[UTC]",
        "+002026-05-08T00:00:00Z",
        "2026-05-08T00:00:00,5Z",
        "２０２６-05-08T00:00:00Z",
    ] {
        assert!(time(bad).instant().is_err(), "{bad}");
    }
    let error = time("now").instant().unwrap_err().to_string();
    assert_eq!(error, "`now` is not an RFC 3339 time such as `2026-05-08T00:00:00Z`");
}

#[test]
fn times_are_written_with_milliseconds() {
    assert_eq!(Timestamp::from(UnixMillis::new(0)).as_str(), "1970-01-01T00:00:00.000Z");
    let late = Timestamp::from(UnixMillis::MAX);
    assert!(late.instant().is_ok(), "{late}");
}

#[test]
fn percent_has_bounds() {
    assert_eq!(Percent::new(50.0).unwrap().get(), 50.0);
    assert_eq!(serde_json::to_string(&Percent::new(50.0).unwrap()).unwrap(), "50");
    for bad in [-1.0, 100.1, f64::NAN, f64::INFINITY] {
        assert_eq!(Percent::new(bad), None);
    }
}

proptest! {
    #[test]
    fn times_sort_as_texts_and_read_back(first in 0_u64..1 << 47, second in 0_u64..1 << 47) {
        let (a, b) = (Timestamp::from(UnixMillis::new(first)), Timestamp::from(UnixMillis::new(second)));
        prop_assert_eq!(a.cmp(&b), first.cmp(&second));
        let millis = a.instant().unwrap().as_millisecond();
        prop_assert_eq!(u64::try_from(millis).unwrap(), first);
    }

    #[test]
    fn any_text_is_kept_as_a_time(text: String) {
        let written = serde_json::to_value(time(&text)).unwrap();
        prop_assert_eq!(written, json!(text));
        let _ = time(&text).instant();
    }

    #[test]
    fn counts_read_back(count: u64) {
        let read: Count = serde_json::from_value(json!(count)).unwrap();
        prop_assert_eq!(read, Count(count));
        prop_assert_eq!(serde_json::to_value(Millis(count)).unwrap(), json!(count));
    }

    #[test]
    fn whole_floats_are_counts_and_others_are_not(count in 0_u64..1 << 53, part in 0.001_f64..0.999) {
        let whole = serde_json::from_value::<Count>(json!(count as f64));
        prop_assert_eq!(whole.unwrap(), Count(count));
        prop_assert!(serde_json::from_value::<Count>(json!(f64::from(u32::try_from(count % 1000).unwrap()) + part)).is_err());
    }
}
