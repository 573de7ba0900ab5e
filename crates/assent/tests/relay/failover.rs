//! The database server dies and another one takes over: nothing that was acknowledged is lost, nothing is handled
//! twice.

use std::{env, time::Duration};

use assent_test_relay::Relay;
use assent_test_servers::Postgres;
use tokio::time::{Instant, sleep};

use crate::{ASSENT, load::Load};

/// How often it dies; `ASSENT_TEST_FAILOVERS` asks for more.
fn failovers() -> u32 {
    env::var("ASSENT_TEST_FAILOVERS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// An address that names both servers.
fn both(one: &Postgres, other: &Postgres) -> String {
    format!("postgres://assent@127.0.0.1:{},127.0.0.1:{}/postgres", one.port(), other.port())
}

#[tokio::test(flavor = "multi_thread")]
async fn when_another_database_server_takes_over_nothing_is_lost_and_nothing_repeated() {
    let (mut primary, mut standby) = Postgres::start_pair();
    let url = both(&primary, &standby);
    let data = tempfile::tempdir().unwrap();
    let environment = [("ASSENT_DATABASE", url.as_str())];
    let relay = Relay::start(ASSENT, data.path(), &["--bus", "postgres"], &environment).await;
    let mut load = Load::prepare(relay.address).await;
    load.start(4);
    for _ in 0..failovers() {
        sleep(Duration::from_millis(700)).await;
        primary.kill();
        let dead = Instant::now();
        let before = load.seen().acknowledged.len();
        standby.promote();
        std::mem::swap(&mut primary, &mut standby);
        // Nothing is acknowledged before the standby has it.
        standby.follow(&primary);
        while load.seen().acknowledged.len() < before + 20 {
            assert!(dead.elapsed() < Duration::from_secs(30), "nobody is served any more");
            sleep(Duration::from_millis(10)).await;
        }
        println!("served again after {:?}", dead.elapsed());
    }
    let seen = load.finish(relay.address, Duration::from_secs(20)).await;
    assert!(seen.acknowledged.len() >= 20, "{} messages are no load", seen.acknowledged.len());
    relay.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_over_without_a_standby_acknowledges_nothing() {
    let (mut primary, mut standby) = Postgres::start_pair();
    let url = both(&primary, &standby);
    let data = tempfile::tempdir().unwrap();
    let environment = [("ASSENT_DATABASE", url.as_str())];
    let relay = Relay::start(ASSENT, data.path(), &[], &environment).await;
    let load = Load::prepare(relay.address).await;
    let (person, relation) = (&load.person, &load.relation);
    let send = async |id| relation.send(relay.address, &person.token, id, id).await.unwrap();
    assert_eq!(send("m1").await.status, 201);
    standby.query("ALTER SYSTEM SET synchronous_standby_names = ''");
    standby.query("SELECT pg_reload_conf()");
    primary.kill();
    standby.promote();
    assert_eq!(send("m2").await.status, 503);
    standby.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    standby.query("SELECT pg_reload_conf()");
    std::mem::swap(&mut primary, &mut standby);
    standby.follow(&primary);
    assert_eq!(send("m2").await.status, 201);
    relay.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_stand_in_for_one_another_without_waiting_for_one_another_are_refused() {
    let (primary, standby) = Postgres::start_pair();
    let url = both(&primary, &standby);
    let checked = |what: &str| {
        primary.query(&format!("ALTER SYSTEM SET {what}"));
        primary.query("SELECT pg_reload_conf()");
        // The server tells its processes of it when they begin.
        std::thread::sleep(Duration::from_millis(300));
        let data = tempfile::tempdir().unwrap();
        std::process::Command::new(ASSENT)
            .args(["serve", "--check-config", "--data"])
            .arg(data.path())
            .env("ASSENT_DATABASE", &url)
            .output()
            .unwrap()
    };
    assert!(checked("synchronous_commit = 'on'").status.success());
    for (setting, named) in [
        ("synchronous_commit = 'local'", "`synchronous_commit = 'local'`"),
        ("synchronous_commit = 'remote_write'", "`synchronous_commit = 'remote_write'`"),
        ("synchronous_standby_names = ''", "say there which of them"),
    ] {
        let refused = checked(setting);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success(), "{setting}");
        assert!(said.contains(named), "{setting}: {said}");
        primary.query("ALTER SYSTEM RESET synchronous_commit");
    }
}
