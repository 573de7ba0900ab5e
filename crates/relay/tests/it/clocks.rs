//! The clock of the machine is set back, and forward.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use crate::{
    messages::Pair,
    world::{World, on_both},
};

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(flavor = "multi_thread")]
async fn what_has_expired_stays_expired_when_the_clock_is_set_back() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        assert!(ada.call(Method::GET, "/auth/me", None).await.status.is_success());
        world.advance(Duration::from_secs(301));
        assert_eq!(ada.call(Method::GET, "/auth/me", None).await.status, 401);
        world.set_back(HOUR);
        assert_eq!(ada.call(Method::GET, "/auth/me", None).await.status, 401);
        let again = ada.logged_in_again().await;
        assert!(again.call(Method::GET, "/auth/me", None).await.status.is_success());
        let told = world.call(Method::GET, "/metrics", None, None).await.text;
        let lead = told.lines().find_map(|line| line.strip_prefix("assent_clock_lead_seconds "));
        // Some milliseconds passed between the two looks at the clock.
        assert!((3590..=3600).contains(&lead.unwrap().parse::<u64>().unwrap()), "{lead:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_a_clock_that_was_ahead_is_refused_after_a_restart() {
    let world = World::start(false, |_| {}).await;
    world.advance(HOUR * 24);
    let ada = world.person("ada").await;
    let (token, user) = (ada.token.clone(), ada.user_id.clone());
    world.set_back(HOUR * 24);
    let world = world.restarted().await;
    assert_eq!(world.call(Method::GET, "/auth/me", Some(&token), None).await.status, 401);
    world.advance(HOUR * 24);
    let me = world.call(Method::GET, "/auth/me", Some(&token), None).await;
    assert_eq!(me.data()["user_id"], user, "it is ours");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_keep_their_order_whatever_the_clock_does() {
    on_both(async |world| {
        let mut pair = Pair::meet(world, "ada").await;
        for number in 0..12 {
            match number % 4 {
                1 => world.set_back(HOUR),
                2 => world.advance(Duration::from_secs(200)),
                _ => {}
            }
            pair.person.log_in(pair.relay).await.unwrap();
            let sent = pair.say(&format!("m{number}"), "hello").await;
            assert_eq!(sent.data()["conversation_seq"], number + 1);
        }
        let path = format!("/conversations/{}/messages", pair.relation.conversation_id);
        let token = Some(pair.person.token.as_str());
        let page = pair.relay.call(Method::GET, &path, token, None).await.unwrap();
        let messages = page.data().as_array().unwrap();
        let field = |name: &str| messages.iter().map(|m| m[name].clone()).collect::<Vec<Value>>();
        let expected: Vec<Value> = (0..12).map(|number| json!(format!("m{number}"))).collect();
        assert_eq!(field("client_message_id"), expected);
        let times = field("created_at");
        assert!(times.is_sorted_by_key(|time| time.as_str().map(str::to_owned)), "{times:?}");
    })
    .await;
}
