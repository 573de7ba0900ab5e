//! Settings of the person.

use std::fs;

use assent_device::{Decision, DeviceError, Interface, SettingsChange};
use assent_protocol::a2h::Sensitivity;
use serde_json::{Value, json};

use crate::scene::{Scene, summary};

fn change(change: Value) -> SettingsChange {
    serde_json::from_value(change).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_count_at_once_and_after_a_restart() {
    let mut scene = Scene::new().await;
    let location = json!({ "latitude": 1.5, "longitude": 2.5, "accuracy_m": 10.0 });
    let changed = scene.device().change_settings(change(json!({
        "lang": "zh",
        "location": location,
        "fetch.allow_origins": ["http://127.0.0.1:3000"],
    })));
    let expected = json!({
        "lang": "zh",
        "location": location,
        "sensitivity": {},
        "fetch.allow_origins": ["http://127.0.0.1:3000"],
    });
    assert_eq!(json!(changed.await.unwrap()), expected);
    let locate = async |scene: &Scene| {
        let call = scene.call_and_decide("get_location", json!({}), Decision::AllowOnce).await;
        call.unwrap()["latitude"].clone()
    };
    assert_eq!(locate(&scene).await, 1.5);
    scene.stop_device().await;
    scene.start_device().await;
    assert_eq!(json!(scene.device().settings()), expected);
    assert_eq!(locate(&scene).await, 1.5);
    scene.device().change_settings(change(json!({ "location": null }))).await.unwrap();
    let call = scene.call("get_location", json!({})).await;
    assert_eq!(summary(&call), "error TOOL_UNAVAILABLE setup_required");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_can_be_made_more_sensitive_and_never_less() {
    let scene = Scene::new().await;
    let _console = scene.device().attach(Interface::Console);
    let notify = || ("send_notification", json!({ "title": "Tea is ready" }));
    assert_eq!(summary(&scene.call(notify().0, notify().1).await), "ok");
    let raised = json!({
        "sensitivity": { "notification:send": "medium", "location:read": "low" },
    });
    scene.device().change_settings(change(raised)).await.unwrap();
    let (call, prompt) =
        tokio::join!(scene.call(notify().0, notify().1), scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&call), "ok");
    assert_eq!(prompt.scope.sensitivity, Sensitivity::Medium);
    let (_, prompt) =
        tokio::join!(scene.call("get_location", json!({})), scene.answer(Decision::Deny));
    assert_eq!(prompt.scope.sensitivity, Sensitivity::High);
    let cleared = json!({ "sensitivity": { "notification:send": null } });
    scene.device().change_settings(change(cleared)).await.unwrap();
    assert_eq!(summary(&scene.call(notify().0, notify().1).await), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_can_be_changed_and_a_missing_one_does_no_harm() {
    let mut scene = Scene::new().await;
    let other = scene.root.parent().unwrap().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("notes.md"), "from the other folder").unwrap();
    let set = scene.device().set_roots(vec![other.clone()]).await.unwrap();
    assert_eq!(set, std::slice::from_ref(&other));
    let notes = || json!({ "path": "notes.md" });
    let call = scene.call_and_decide("read_file", notes(), Decision::AllowOnce).await;
    assert_eq!(call.unwrap()["content"], "from the other folder");
    for wrong in ["relative", "/no/such/folder"] {
        let refused = scene.device().set_roots(vec![wrong.into()]).await;
        assert!(matches!(refused, Err(DeviceError::Input(_))), "{refused:?}");
    }
    assert_eq!(scene.device().roots(), std::slice::from_ref(&other));
    scene.stop_device().await;
    fs::remove_dir_all(&other).unwrap();
    scene.start_device().await;
    let call = scene.call("read_file", notes()).await;
    assert_eq!(summary(&call), "error TOOL_UNAVAILABLE setup_required");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_used_are_refused() {
    let scene = Scene::new().await;
    let before = scene.device().settings();
    let wrong = change(json!({ "fetch.allow_origins": ["not an origin"] }));
    let refused = scene.device().change_settings(wrong).await;
    assert!(matches!(refused, Err(DeviceError::Input(_))), "{refused:?}");
    assert_eq!(scene.device().settings(), before);
    for wrong in [
        json!({ "location": { "latitude": 91, "longitude": 0, "accuracy_m": 1 } }),
        json!({ "lang": "fr" }),
        json!({ "volume": 11 }),
    ] {
        assert!(serde_json::from_value::<SettingsChange>(wrong.clone()).is_err(), "{wrong}");
    }
    scene.end().await;
}
