//! Several nodes on one database: any of them, and the bus, may go away at any time.

use std::time::Duration;

use assent_test_relay::{Relay, Socket};
use assent_test_servers::Nats;
use tokio::time::sleep;

use crate::{ASSENT, load::Load};

#[tokio::test(flavor = "multi_thread")]
async fn events_cross_nodes_with_and_without_a_bus() {
    let database = assent_test_servers::database();
    let nats = Nats::start();
    for bus in ["none", "postgres", &nats.url()] {
        let (first_data, second_data) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let environment = [("ASSENT_DATABASE", database.url())];
        let arguments = ["--bus", bus];
        let first = Relay::start(ASSENT, first_data.path(), &arguments, &environment).await;
        let second = Relay::start(ASSENT, second_data.path(), &arguments, &environment).await;
        let person =
            assent_test_relay::Person::register(first.address, &format!("p{}", bus.len())).await;
        let agent = person.create_agent(first.address, "reader", serde_json::json!({})).await;
        let relation = person.relate(first.address, &agent).await;
        let mut socket =
            Socket::connect(second.address, "agent", &agent.token, Some(0)).await.unwrap();
        let sent = relation.send(first.address, &person.token, "m1", "hello").await.unwrap();
        assert_eq!(sent.status, 201);
        loop {
            let event = socket.next_within(Duration::from_secs(3)).await.expect("in time");
            if event.kind == "message.new" {
                break;
            }
        }
        first.kill().await;
        second.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_nodes_and_the_bus_under_load_loses_nothing_and_repeats_nothing() {
    let database = assent_test_servers::database();
    let mut nats = Nats::start();
    let url = nats.url();
    let environment = [("ASSENT_DATABASE", database.url())];
    let arguments = ["--bus", url.as_str()];
    let (first_data, second_data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut first = Relay::start(ASSENT, first_data.path(), &arguments, &environment).await;
    let mut second = Relay::start(ASSENT, second_data.path(), &arguments, &environment).await;
    let mut load = Load::prepare(first.address).await;
    load.start(4);
    for round in 0..12 {
        sleep(Duration::from_millis(300)).await;
        match round % 4 {
            // The clients go over to the other node before theirs dies, in the middle of everything.
            0 => {
                load.moved(Some(second.address));
                first.kill().await;
                first = Relay::start(ASSENT, first_data.path(), &arguments, &environment).await;
            }
            1 => nats.kill(),
            2 => {
                load.moved(Some(first.address));
                second.kill().await;
                second = Relay::start(ASSENT, second_data.path(), &arguments, &environment).await;
            }
            _ => nats.restart(),
        }
    }
    let seen = load.finish(first.address, Duration::from_secs(10)).await;
    assert!(seen.acknowledged.len() > 100, "{} messages are no load", seen.acknowledged.len());
    first.kill().await;
    second.kill().await;
}
