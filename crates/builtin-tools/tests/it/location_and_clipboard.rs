//! `get_location` and `read_clipboard`.

use std::sync::Arc;

use assent_builtin_tools::{GetLocation, Location, LocationError, ReadClipboard};
use serde_json::json;

use crate::pipeline::{call, call_asking};

#[tokio::test]
async fn the_location_comes_from_the_settings_and_is_coarse_unless_asked_otherwise() {
    let location = Location::new(52.516_27, -13.377_72, 25.0).unwrap();
    let tool = Arc::new(GetLocation::new(Some(location)));
    let coarse =
        json!({"latitude": 52.52, "longitude": -13.38, "accuracy_m": 2000, "source": "settings"});
    let precise = json!({"latitude": 52.51627, "longitude": -13.37772, "accuracy_m": 25, "source": "settings"});
    for (input, expected) in [
        (json!({}), &coarse),
        (json!({"accuracy": "coarse"}), &coarse),
        (json!({"accuracy": "precise"}), &precise),
    ] {
        let result = call(Arc::clone(&tool) as _, input).await;
        assert_eq!(result.as_ref(), Ok(expected));
    }
    let finer = call(Arc::clone(&tool) as _, json!({"accuracy": "exact"})).await;
    assert_eq!(finer, Err("invalid_arguments".to_owned()));

    tool.set_location(None);
    let asked = || panic!("no person is asked");
    assert_eq!(call_asking(tool, json!({}), asked).await, Err("setup_required".to_owned()));
}

#[test]
fn numbers_that_are_no_location_are_refused() {
    for (latitude, longitude, accuracy) in [(90.0, 180.0, 0.0), (-90.0, -180.0, 1e9)] {
        assert!(Location::new(latitude, longitude, accuracy).is_ok());
    }
    for (latitude, longitude, accuracy) in [
        (90.1, 0.0, 0.0),
        (0.0, -180.1, 0.0),
        (0.0, 0.0, -1.0),
        (f64::NAN, 0.0, 0.0),
        (0.0, f64::INFINITY, 0.0),
        (0.0, 0.0, f64::INFINITY),
        (0.0, 0.0, f64::NAN),
    ] {
        assert_eq!(Location::new(latitude, longitude, accuracy), Err(LocationError));
    }
}

#[tokio::test]
async fn no_person_is_asked_for_a_clipboard_that_is_not_there() {
    let asked = || panic!("no person is asked");
    let outcome = call_asking(Arc::new(ReadClipboard), json!({}), asked).await;
    assert_eq!(outcome, Err("capability_gap".to_owned()));
}
