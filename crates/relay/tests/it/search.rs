//! Finding agents.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::manifest,
    person::Person,
    world::{Client, World, on_both},
};

async fn make(owner: &Person, name: &str, description: &str, tools: &[(&str, &str)]) -> String {
    let agent = json!({
        "name": name,
        "description": description,
        "capability_manifest": manifest(tools),
    });
    let made = owner.call(Method::POST, "/agents", Some(agent)).await;
    made.data()["agent_id"].as_str().unwrap().to_owned()
}

async fn names(client: &Client, token: &str, query: &str) -> Vec<String> {
    let answer = client.call(Method::GET, &format!("/agents{query}"), Some(token), None).await;
    let agents = answer.data().as_array().unwrap().iter();
    agents.map(|agent| agent["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_are_found_by_names_descriptions_tools_and_scopes_in_two_languages() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        make(&alice, "Weather", "Tells whether it rains.", &[("forecast", "weather:read")]).await;
        make(&alice, "Post", "Sends letters.", &[("send_mail", "mail:send")]).await;
        make(&alice, "邮件助手", "给联系人发送电子邮件", &[("post", "mail:send")]).await;
        let find = async |query: &str| names(&bob.client, &bob.token, query).await;
        assert_eq!(find("?q=weather").await, ["Weather"]);
        assert_eq!(find("?q=raining").await, ["Weather"]);
        assert_eq!(find("?q=forecast").await, ["Weather"]);
        assert_eq!(find("?q=letter").await, ["Post"]);
        assert_eq!(find("?q=%E5%8F%91%E9%80%81%E9%82%AE%E4%BB%B6").await, ["邮件助手"]);
        let mail: BTreeSet<String> = find("?q=mail").await.into_iter().collect();
        assert!(mail.contains("Post") && mail.contains("邮件助手"), "{mail:?}");
        assert_eq!(find("?q=mail&scope=weather:read").await, Vec::<String>::new());
        assert_eq!(find("?scope=mail:send").await, ["邮件助手", "Post"]);
        assert_eq!(find("?q=nothing+like+this+exists+zzz").await, Vec::<String>::new());
        assert_eq!(find("?owned=true").await, Vec::<String>::new());
        assert_eq!(names(&alice.client, &alice.token, "?owned=true").await.len(), 3);
        assert_eq!(find("").await, ["邮件助手", "Post", "Weather"]);
        let answer = bob.call(Method::GET, "/agents?q=weather", None).await;
        let found = &answer.data()[0];
        assert_eq!(found["tools"], json!(["forecast"]));
        assert_eq!(found["scopes"], json!(["weather:read"]));
        assert_eq!((&found["owner_name"], &found["state"]), (&json!("alice"), &json!("active")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_is_found_as_it_is_now() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = make(&alice, "Weather", "", &[("forecast", "weather:read")]).await;
        let find = async |query: &str| names(&alice.client, &alice.token, query).await;
        assert_eq!(find("?q=weather").await, ["Weather"]);
        let path = format!("/agents/{agent}");
        let change = json!({
            "name": "Tides",
            "capability_manifest": manifest(&[("high_tide", "tides:read")]),
        });
        alice.call(Method::PATCH, &path, Some(change)).await.data();
        assert_eq!(find("?q=forecast").await, Vec::<String>::new());
        assert_eq!(find("?scope=weather:read").await, Vec::<String>::new());
        assert_eq!(find("?q=tide").await, ["Tides"]);
        alice.call(Method::DELETE, &path, None).await.data();
        assert_eq!(find("?q=tide").await, Vec::<String>::new());
        assert_eq!(find("").await, Vec::<String>::new());
    })
    .await;
}

/// Every agent on every page, in order.
async fn walk(person: &Person, query: &str) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    for _ in 0..100 {
        let path = format!("/agents?limit=3{query}{cursor}");
        let page = person.call(Method::GET, &path, None).await;
        let agents = page.data().as_array().unwrap().clone();
        assert!(agents.len() <= 3);
        found.extend(agents.iter().map(|agent| agent["agent_id"].as_str().unwrap().to_owned()));
        match page.body["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
    panic!("the pages have no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_repeat_nothing_and_leave_nothing_out() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let mut made = Vec::new();
        for number in 0..10 {
            let name = format!("Mail {}", if number % 3 == 0 { "mail" } else { "post" });
            made.insert(0, make(&alice, &name, "", &[("send", "mail:send")]).await);
        }
        assert_eq!(walk(&alice, "").await, made);
        let ranked = walk(&alice, "&q=mail").await;
        let all: BTreeSet<&String> = ranked.iter().collect();
        assert_eq!((ranked.len(), all.len()), (10, 10));
        for query in ["?cursor=nonsense", "?q=mail&cursor=agt_01J00000000000000000000000"] {
            let refused = alice.call(Method::GET, &format!("/agents{query}"), None).await;
            assert_eq!(refused.refusal(), (422, "VALIDATION_FAILED"), "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_has_answered_another_one_finds() {
    let world = World::start(true, |_| {}).await;
    let second = world.second_node().await;
    let there = Client::of(second.address());
    let alice = world.person("alice").await;
    for number in 0..5 {
        let name = format!("Agent{number}");
        make(&alice, &name, "", &[("send", "mail:send")]).await;
        assert_eq!(names(&there, &alice.token, &format!("?q={name}")).await, [name]);
    }
    second.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_whatever_makes_a_search_fail() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        make(&alice, "Weather", "", &[("forecast", "weather:read")]).await;
        for query in ["%27%22%3B--", "%00", "%F0%9F%8C%A7", "%E2%80%AE", "a".repeat(201).as_str()] {
            let path = format!("/agents?q={query}");
            let answer: Value = alice.call(Method::GET, &path, None).await.body;
            let code = answer["error"]["code"].as_str();
            assert!(matches!(code, None | Some("VALIDATION_FAILED")), "{answer}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_owner_finds_a_suspended_agent_until_it_is_restored() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = make(&alice, "Weather", "", &[("forecast", "weather:read")]).await;
        let seen = async || {
            let mut seen = Vec::new();
            for query in ["", "?q=weather", "?scope=weather:read"] {
                seen.extend(names(&bob.client, &bob.token, query).await);
            }
            seen.len()
        };
        assert_eq!(seen().await, 3);
        let operate = async |what: &str| {
            let path = format!("/admin/agents/{agent}/{what}");
            world.operate(Method::POST, &path, None).await.data().clone()
        };
        operate("suspend").await;
        assert_eq!(seen().await, 0);
        assert_eq!(names(&alice.client, &alice.token, "?owned=true").await, ["Weather"]);
        operate("restore").await;
        assert_eq!(seen().await, 3);
    })
    .await;
}
