//! The relay is killed at any moment: nothing that was acknowledged is lost, nothing is handled twice.

use std::{env, time::Duration};

use assent_ids::{Entropy as _, SystemEntropy};
use assent_test_relay::Relay;
use tokio::time::sleep;

use crate::{ASSENT, load::Load};

/// How often it is killed; `ASSENT_TEST_KILLS` asks for more.
fn kills() -> u32 {
    env::var("ASSENT_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// A random time below `limit`.
fn moment(limit: Duration) -> Duration {
    let mut bytes = [0; 4];
    SystemEntropy::new().unwrap().fill(&mut bytes);
    limit.mul_f64(f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX))
}

async fn kill_again_and_again(
    arguments: &[&str],
    environment: &[(&str, &str)],
    data: &std::path::Path,
) {
    let mut relay = Relay::start(ASSENT, data, arguments, environment).await;
    let mut load = Load::prepare(relay.address).await;
    load.start(4);
    for _ in 0..kills() {
        sleep(moment(Duration::from_millis(150))).await;
        load.moved(None);
        relay.kill().await;
        relay = Relay::start(ASSENT, data, arguments, environment).await;
        load.moved(Some(relay.address));
    }
    let address = relay.address;
    let seen = load.finish(address, Duration::from_secs(20)).await;
    assert!(seen.acknowledged.len() > 200, "{} messages are no load", seen.acknowledged.len());
    relay.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_two_hundred_kills_lose_nothing_and_repeat_nothing() {
    let data = tempfile::tempdir().unwrap();
    kill_again_and_again(&[], &[], data.path()).await;
    let file = rusqlite::Connection::open(data.path().join("relay.db")).unwrap();
    let verdict: String = file.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_two_hundred_kills_lose_nothing_and_repeat_nothing() {
    let data = tempfile::tempdir().unwrap();
    let database = assent_test_servers::database();
    let environment = [("ASSENT_DATABASE", database.url())];
    kill_again_and_again(&[], &environment, data.path()).await;
}
