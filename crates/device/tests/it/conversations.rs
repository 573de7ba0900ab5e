//! Conversations with agents.

use std::time::Duration;

use assent_device::DeviceError;
use serde_json::{Value, json};

use crate::scene::Scene;

async fn entries(scene: &Scene) -> Vec<Value> {
    let entries = scene.device().conversation_entries(scene.conversation, None).await.unwrap();
    entries.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect()
}

/// Waits until a conversation has this number of entries that were sent.
async fn wait_for(scene: &Scene, count: usize) -> Vec<Value> {
    let wait = async {
        loop {
            let entries = entries(scene).await;
            let is_sent = |entry: &Value| entry["is_sent"] != false;
            if entries.len() >= count && entries.iter().all(is_sent) {
                return entries;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), wait).await.expect("nothing arrives")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_holds_the_texts_of_both_sides_and_the_calls() {
    let mut scene = Scene::new().await;
    scene.device().send_message(scene.conversation, "marker-from-me").await.unwrap();
    wait_for(&scene, 1).await;
    scene.agent().send(scene.conversation, "marker-from-them").await.unwrap();
    wait_for(&scene, 2).await;
    let call = scene.call("erase_disk", json!({})).await;
    assert!(call.is_err());
    let found = wait_for(&scene, 3).await;
    let shown: Vec<_> = found
        .iter()
        .map(|entry| {
            let part = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap_or("");
            let name = part("/call/tool/name");
            format!("{} {} {}{name}", part("/kind"), part("/from"), part("/text"))
        })
        .collect();
    let expected =
        ["text person marker-from-me", "text agent marker-from-them", "call  erase_disk"];
    assert_eq!(shown, expected);
    let conversations = scene.device().conversations().await.unwrap();
    let last = conversations[0].last_text.as_deref();
    assert_eq!((conversations.len(), last), (1, Some("marker-from-them")));
    for marker in ["marker-from-me", "marker-from-them"] {
        assert!(!scene.contains("device", marker), "`{marker}` is in plain text");
    }
    scene.stop_device().await;
    scene.start_device().await;
    assert_eq!(entries(&scene).await, found);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_message_and_an_unknown_conversation_are_refused() {
    let scene = Scene::new().await;
    let empty = scene.device().send_message(scene.conversation, "  ").await;
    assert!(matches!(empty, Err(DeviceError::Input(_))), "{empty:?}");
    let long = "x".repeat(64 * 1024 + 1);
    let long = scene.device().send_message(scene.conversation, &long).await;
    assert!(matches!(long, Err(DeviceError::Input(_))));
    let other = "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
    let unknown = scene.device().send_message(other, "hello").await;
    assert!(matches!(unknown, Err(DeviceError::UnknownConversation(_))), "{unknown:?}");
    let unknown = scene.device().conversation_entries(other, None).await;
    assert!(matches!(unknown, Err(DeviceError::UnknownConversation(_))));
    assert_eq!(entries(&scene).await, [] as [Value; 0]);
    scene.end().await;
}
