//! What handlers get, and when.

use assent_agent::{Agent, AgentError, SyncStatus};
use tokio::sync::mpsc;

use crate::scene::{LIMIT, Scene};

/// Collects the texts of messages, and whether they were redelivered.
fn texts(agent: &Agent) -> mpsc::UnboundedReceiver<(Option<String>, bool)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    agent.add_message_handler(move |message| {
        let sent = sender.send((message.text().map(str::to_owned), message.redelivered));
        async move { Ok(sent?) }
    });
    receiver
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_wait_for_the_first_handler_also_over_a_restart() {
    let scene = Scene::new().await;
    scene.device.send_message(scene.conversation, "one").await.unwrap();
    scene.device.send_message(scene.conversation, "two").await.unwrap();
    // This process receives the messages and has no handler for them.
    let without = scene.connect().await;
    let mut statuses = without.status();
    statuses.wait_for(|status| *status == SyncStatus::Connected).await.unwrap();
    without.send(scene.conversation, "hello").await.unwrap().stored().await.unwrap();
    without.close().await;

    let agent = scene.connect().await;
    let mut received = texts(&agent);
    for expected in ["one", "two"] {
        let next = tokio::time::timeout(LIMIT, received.recv()).await.unwrap().unwrap();
        assert_eq!(next.0.as_deref(), Some(expected));
    }
    agent.close().await;
    // Handled messages do not come again.
    let agent = scene.connect().await;
    let mut received = texts(&agent);
    scene.device.send_message(scene.conversation, "three").await.unwrap();
    let next = tokio::time::timeout(LIMIT, received.recv()).await.unwrap().unwrap();
    assert_eq!(next, (Some("three".to_owned()), false));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_fails_does_not_keep_others_from_running() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    agent.add_message_handler(|_| async { Err("this handler fails".into()) });
    let mut received = texts(&agent);
    scene.device.send_message(scene.conversation, "one").await.unwrap();
    let next = tokio::time::timeout(LIMIT, received.recv()).await.unwrap().unwrap();
    assert_eq!(next.0.as_deref(), Some("one"));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn status_handlers_see_the_connection() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let (sender, mut statuses) = mpsc::unbounded_channel();
    let id = agent.add_status_handler(move |status| {
        let sent = sender.send(status);
        async move { Ok(sent?) }
    });
    let mut status = agent.status();
    status.wait_for(|status| *status == SyncStatus::Connected).await.unwrap();
    scene.device.send_message(scene.conversation, "one").await.unwrap();
    let first = tokio::time::timeout(LIMIT, statuses.recv()).await.unwrap().unwrap();
    assert!(matches!(first, SyncStatus::Connecting | SyncStatus::Connected), "{first:?}");
    assert!(agent.remove_status_handler(id));
    assert!(!agent.remove_status_handler(id));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_uses_a_directory_at_a_time() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let second = Agent::connect(scene.directory.options().unwrap()).await;
    assert!(matches!(second, Err(AgentError::InUse)), "{second:?}");
    agent.close().await;
    scene.connect().await;
    scene.end().await;
}
