//! Groups: who comes in sees what comes after, who leaves sees nothing more.

use assent_test_relay::{Address, Person};
use http::Method;
use serde_json::{Value, json};

use crate::{
    messages::Pair,
    world::{on_both, on_both_with},
};

async fn post(relay: Address, token: &str, path: &str, body: Value) -> assent_test_relay::Answer {
    relay.call(Method::POST, path, Some(token), Some(&body)).await.unwrap()
}

async fn send(relay: Address, token: &str, group: &str, id: &str) -> assent_test_relay::Answer {
    let body = json!({
        "client_message_id": id, "msg_subtype": "text", "content_type": "text",
        "envelope": "aGk=",
    });
    post(relay, token, &format!("/conversations/{group}/messages"), body).await
}

async fn seqs(relay: Address, token: &str, group: &str) -> Option<Vec<u64>> {
    let path = format!("/conversations/{group}/messages");
    let page = relay.call(Method::GET, &path, Some(token), None).await.unwrap();
    let messages = page.body["data"].as_array()?;
    Some(messages.iter().map(|message| message["conversation_seq"].as_u64().unwrap()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn members_of_a_group_come_and_go() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let (relay, ada) = (pair.relay, &pair.person);
        let bob = Person::register(relay, "bob").await;
        let body = json!({ "kind": "group", "member_ids": [], "agent_ids": [pair.agent.agent_id] });
        let made = post(relay, &ada.token, "/conversations", body).await;
        assert_eq!(made.status, 201);
        let group = made.data()["conversation_id"].as_str().unwrap().to_owned();
        assert_eq!(made.data()["members"].as_array().unwrap().len(), 2);
        assert_eq!(send(relay, &ada.token, &group, "m1").await.status, 201);
        assert_eq!(send(relay, &bob.token, &group, "m1").await.status, 404);

        let members = format!("/conversations/{group}/members");
        let joined =
            post(relay, &ada.token, &members, json!({ "member_ids": [bob.user_id] })).await;
        assert_eq!(joined.data()["members"].as_array().unwrap().len(), 3);
        assert_eq!(send(relay, &pair.agent.token, &group, "m2").await.status, 201);
        assert_eq!(seqs(relay, &bob.token, &group).await, Some(vec![2]));
        assert_eq!(seqs(relay, &ada.token, &group).await, Some(vec![1, 2]));

        // The founder leaves with the agent, and Bob takes over.
        let leave = format!("{members}/{}", ada.user_id);
        let gone = relay.call(Method::DELETE, &leave, Some(&ada.token), None).await.unwrap();
        assert!(gone.status.is_success(), "{gone:?}");
        assert_eq!(send(relay, &ada.token, &group, "m3").await.status, 404);
        assert_eq!(send(relay, &pair.agent.token, &group, "m3").await.status, 404);
        let path = format!("/conversations/{group}");
        let left = relay.call(Method::GET, &path, Some(&bob.token), None).await.unwrap();
        let members = left.data()["members"].as_array().unwrap().clone();
        assert_eq!(members.len(), 1);
        assert_eq!(members[0]["role"], "founder");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_founder_removes_others_and_only_people_who_use_an_agent_bring_it_in() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let (relay, ada) = (pair.relay, &pair.person);
        let bob = Person::register(relay, "bob").await;
        let body = json!({ "kind": "group", "member_ids": [bob.user_id], "agent_ids": [] });
        let made = post(relay, &ada.token, "/conversations", body).await;
        let group = made.data()["conversation_id"].as_str().unwrap().to_owned();
        let members = format!("/conversations/{group}/members");
        let remove = format!("{members}/{}", ada.user_id);
        let refused = relay.call(Method::DELETE, &remove, Some(&bob.token), None).await.unwrap();
        assert_eq!((refused.status.as_u16(), refused.code()), (403, "FORBIDDEN"));
        let foreign = json!({ "agent_ids": [pair.agent.agent_id] });
        let brought = post(relay, &bob.token, &members, foreign).await;
        assert_eq!(brought.status, 404);
        let nobody = json!({ "member_ids": ["usr_01J00000000000000000000000"] });
        assert_eq!(post(relay, &ada.token, &members, nobody).await.status, 404);
        let private = format!("/conversations/{}/members", pair.relation.conversation_id);
        let joined =
            post(relay, &ada.token, &private, json!({ "member_ids": [bob.user_id] })).await;
        assert_eq!((joined.status.as_u16(), joined.code()), (409, "CONFLICT"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_names_no_one_to_add_is_refused() {
    on_both(async |world| {
        let relay = Address(world.address());
        let ada = Person::register(relay, "ada").await;
        let bob = Person::register(relay, "bob").await;
        let made = post(relay, &ada.token, "/conversations", json!({ "kind": "group" })).await;
        let group = made.data()["conversation_id"].as_str().unwrap();
        let members = format!("/conversations/{group}/members");
        for body in [json!({ "member_id": bob.user_id }), json!({}), json!({ "member_ids": [] })] {
            let refused = post(relay, &ada.token, &members, body).await;
            assert_eq!((refused.status.as_u16(), refused.code()), (422, "VALIDATION_FAILED"));
            assert_eq!(refused.body["error"]["params"]["pointer"], "/member_ids");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_has_so_many_members_and_not_one_more() {
    on_both_with(
        |settings| settings.limits.group_members = 2,
        async |world| {
            let relay = Address(world.address());
            let ada = Person::register(relay, "ada").await;
            let bob = Person::register(relay, "bob").await;
            let eve = Person::register(relay, "eve").await;
            let two = json!({ "kind": "group", "member_ids": [bob.user_id] });
            assert_eq!(post(relay, &ada.token, "/conversations", two).await.status, 201);
            let three = json!({ "kind": "group", "member_ids": [bob.user_id, eve.user_id] });
            let refused = post(relay, &ada.token, "/conversations", three).await;
            assert_eq!((refused.status.as_u16(), refused.code()), (422, "VALIDATION_FAILED"));
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_listed_by_their_last_message_page_by_page() {
    on_both(async |world| {
        let relay = Address(world.address());
        let ada = Person::register(relay, "ada").await;
        let mut groups = Vec::new();
        for _ in 0..5 {
            let made = post(relay, &ada.token, "/conversations", json!({ "kind": "group" })).await;
            groups.push(made.data()["conversation_id"].as_str().unwrap().to_owned());
            tokio::time::sleep(std::time::Duration::from_millis(3)).await;
        }
        send(relay, &ada.token, &groups[1], "m1").await;
        let (mut cursor, mut seen) = (String::new(), Vec::new());
        loop {
            let path = format!("/conversations?limit=2{cursor}");
            let page = relay.call(Method::GET, &path, Some(&ada.token), None).await.unwrap();
            let found = page.data().as_array().unwrap();
            seen.extend(
                found.iter().map(|one| one["conversation_id"].as_str().unwrap().to_owned()),
            );
            match page.body["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let order: Vec<String> = [1, 4, 3, 2, 0].iter().map(|at| groups[*at].clone()).collect();
        assert_eq!(seen, order);
        let wrong =
            relay.call(Method::GET, "/conversations?cursor=zzz", Some(&ada.token), None).await;
        assert_eq!(wrong.unwrap().status, 422);
    })
    .await;
}
