//! The disk of the PostgreSQL server fails: no false acknowledgement, a clear refusal, and no restart of the relay
//! when it is well again.

use std::time::Duration;

use assent_test_relay::{Address, Relay};
use assent_test_servers::Postgres;
use http::Method;
use tokio::time::{Instant, sleep};

use crate::{
    ASSENT,
    faults::{until_unavailable, until_well},
    faulty_disk::{Fault, FaultyDisk},
    load::Load,
};

struct Scene {
    disk: FaultyDisk,
    postgres: Postgres,
    relay: Relay,
    load: Load,
    _data: tempfile::TempDir,
}

impl Scene {
    /// A relay under load, on a server whose files in `files` can be made to fail.
    async fn begin(files: &'static str) -> Self {
        let disk = FaultyDisk::new(files);
        let environment = disk.environment();
        let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
        let postgres = Postgres::start_with(&environment);
        let url = format!("{}/postgres", postgres.base());
        let data = tempfile::tempdir().unwrap();
        let variables = [("ASSENT_DATABASE", url.as_str())];
        let relay = Relay::start(ASSENT, data.path(), &[], &variables).await;
        let mut load = Load::prepare(relay.address).await;
        load.start(4);
        until_well(&load).await;
        Self { disk, postgres, relay, load, _data: data }
    }

    async fn end(self) {
        let seen = self.load.finish(self.relay.address, Duration::from_secs(30)).await;
        assert!(seen.unavailable > 0);
        self.relay.kill().await;
    }
}

/// What the relay says when it is asked whether it is ready, once the proof of a moment ago has grown old.
async fn becomes_ready(relay: Address, ready: bool) {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let answer = relay.call(Method::GET, "/ready", None, None).await.unwrap();
        if (answer.status == 200) == ready {
            assert!(ready || answer.code() == "STORAGE_UNAVAILABLE", "{answer:?}");
            return;
        }
        assert!(Instant::now() < end, "{answer:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_database_server_loses_no_acknowledged_message() {
    let scene = Scene::begin("/base/").await;
    for _ in 0..3 {
        scene.load.seen().unavailable = 0;
        scene.disk.fail(Fault::Full);
        // Until the room in the files that there are is used up.
        until_unavailable(&scene.load).await;
        let health = scene.relay.address.call(Method::GET, "/health", None, None).await.unwrap();
        assert!(health.status.is_success(), "the process is well");
        // Who only reads is served.
        let path = format!("/conversations/{}/messages", scene.load.relation.conversation_id);
        let token = Some(scene.load.person.token.as_str());
        let read = scene.relay.address.call(Method::GET, &path, token, None).await.unwrap();
        assert_eq!(read.status, 200, "{read:?}");
        scene.disk.heal();
        until_well(&scene.load).await;
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_server_whose_disk_does_not_sync_is_never_answered_for() {
    let mut scene = Scene::begin("/pg_wal/").await;
    for _ in 0..2 {
        scene.load.seen().unavailable = 0;
        scene.disk.fail(Fault::DoesNotSync);
        until_unavailable(&scene.load).await;
        let before = scene.load.seen().acknowledged.len();
        becomes_ready(scene.relay.address, false).await;
        // What was on its way when the disk began to fail may have been answered for.
        let acknowledged = scene.load.seen().acknowledged.len();
        assert!(acknowledged <= before + 4, "answered without a sync");
        scene.disk.heal();
        // The server ends itself rather than to guess what it has, and does not come back while it cannot sync.
        scene.postgres.restart();
        becomes_ready(scene.relay.address, true).await;
        until_well(&scene.load).await;
    }
    scene.end().await;
}
