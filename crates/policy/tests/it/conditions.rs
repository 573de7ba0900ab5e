//! The table of what holds when a condition is met, is not met, cannot be judged, or has no value.

use serde_json::{Value, json};

use crate::support::{matches, value_matches};

/// What a value is to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Good,
    Bad,
    Strange,
}

fn check(test: &str, pattern: Value, value: Value, is: Is) {
    let allow = value_matches("allow", test, pattern.clone(), value.clone());
    assert_eq!(allow, is == Is::Good, "allow {test} {pattern} {value}");
    for behavior in ["ask", "deny"] {
        let restrict = value_matches(behavior, test, pattern.clone(), value.clone());
        assert_eq!(restrict, is != Is::Bad, "{behavior} {test} {pattern} {value}");
    }
}

#[test]
fn equality_is_of_meaning_and_can_always_be_judged() {
    for (pattern, value, is) in [
        (json!(1), json!(1.0), Is::Good),
        (json!(1), json!("1"), Is::Bad),
        (json!(null), json!(null), Is::Good),
        (json!(null), json!(false), Is::Bad),
        (json!({"a": [1, {"b": 2}], "c": "x"}), json!({"c": "x", "a": [1, {"b": 2.0}]}), Is::Good),
        (json!({"a": 1}), json!({"a": 1, "b": 2}), Is::Bad),
        (json!([1, 2]), json!([2, 1]), Is::Bad),
    ] {
        check("equals", pattern.clone(), value.clone(), is);
        check("in", json!(["other", pattern]), value, is);
    }
    check("in", json!([]), json!(1), Is::Bad);
}

#[test]
fn texts_and_numbers_are_judged_only_if_they_are_ones() {
    check("matches", json!("^a+$"), json!("aaa"), Is::Good);
    check("matches", json!("^a+$"), json!("aab"), Is::Bad);
    check("matches", json!("^a$"), json!("a\n"), Is::Bad);
    check("matches", json!("b"), json!("abc"), Is::Good);
    check("matches", json!("b"), json!(["b"]), Is::Strange);
    check("above", json!(100), json!(100.5), Is::Good);
    check("above", json!(100), json!(100), Is::Bad);
    check("above", json!(100), json!("1000"), Is::Strange);
    check("below", json!(0.5), json!(-1), Is::Good);
    check("below", json!(0.5), json!(0.5), Is::Bad);
    check("below", json!(0.5), json!(null), Is::Strange);
}

#[test]
fn a_missing_value_meets_only_absent() {
    for behavior in ["allow", "ask", "deny"] {
        for (test, pattern) in [
            ("equals", json!(null)),
            ("in", json!([1])),
            ("matches", json!("")),
            ("under", json!("/")),
            ("host", json!("*")),
            ("url", json!("*://*")),
            ("command", json!("ls")),
            ("above", json!(0)),
            ("below", json!(0)),
            ("absent", json!(false)),
        ] {
            let arguments = json!([{"path": "/v", test: pattern}]);
            assert!(!matches(behavior, arguments, json!({"w": 1})), "{behavior} {test}");
        }
        let absent = json!([{"path": "/v", "absent": true}]);
        assert!(matches(behavior, absent.clone(), json!({})));
        assert!(!matches(behavior, absent, json!({"v": null})));
        assert!(matches(behavior, json!([{"path": "/v", "absent": false}]), json!({"v": null})));
    }
}

#[test]
fn all_tests_of_all_conditions_must_hold() {
    let range = json!([{"path": "/n", "above": 1, "below": 5}, {"path": "/s", "equals": "x"}]);
    assert!(matches("allow", range.clone(), json!({"n": 3, "s": "x"})));
    for input in [json!({"n": 6, "s": "x"}), json!({"n": 3, "s": "y"}), json!({"n": 3})] {
        assert!(!matches("deny", range.clone(), input));
    }
    // One that fails outweighs one that cannot be judged.
    assert!(!matches("deny", range.clone(), json!({"n": "?", "s": "y"})));
    assert!(matches("deny", range.clone(), json!({"n": "?", "s": "x"})));
    assert!(!matches("allow", range, json!({"n": "?", "s": "x"})));
}

/// Item 28: whatever argument names the resource.
#[test]
fn paths_lead_through_objects_and_lists() {
    let input = json!({"a/b": [{"~": 1}, 2], "": 3, "0": 4});
    for (path, value) in [("/a~1b/0/~0", 1), ("/a~1b/1", 2), ("/", 3), ("/0", 4)] {
        assert!(
            matches("allow", json!([{"path": path, "equals": value}]), input.clone()),
            "{path}"
        );
    }
    for path in ["/a~1b/2", "/a~1b/-", "/a~1b/01", "/a~1b/+1", "/0/0", "/a~1b/0/~0/x"] {
        assert!(matches("allow", json!([{"path": path, "absent": true}]), input.clone()), "{path}");
    }
    assert!(matches("allow", json!([{"path": "", "equals": input}]), input));
}

#[test]
fn digests_and_shapes_stand_for_values_that_are_not_written_down() {
    let read = |value: Value| assent_json::Json::from_value(&value).unwrap();
    let digest = read(json!("secret")).digest().to_string();
    check("digest", json!(digest), json!("secret"), Is::Good);
    check("digest", json!(digest), json!("other"), Is::Bad);
    let shape = assent_policy::shape(read(json!({"a": "x", "b": [1, 2], "c": {"d": null}})).root());
    let shape = json!(shape.to_string());
    check("shape", shape.clone(), json!({"c": {"d": null}, "b": [7], "a": "y"}), Is::Good);
    for other in [
        json!({"a": "x", "b": [1], "c": {"d": null}, "e": 1}),
        json!({"a": 1, "b": [1], "c": {"d": null}}),
        json!({"a": "x", "b": ["1"], "c": {"d": null}}),
        json!({"a": "x", "b": [], "c": {"d": null}}),
        json!({"a": "x", "b": [1], "c": {"d": 0}}),
        json!("x"),
    ] {
        check("shape", shape.clone(), other, Is::Bad);
    }
}
