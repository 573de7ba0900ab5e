//! Agents in groups: each is there through the person who brought it in, and as long as these two are in touch.

use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, Relation, manifest},
    person::Person,
    world::{Response, World, on_both},
};

/// Ada, Bob, and the agent that Bob brought into their group; Ada owns it.
struct Group {
    ada: Person,
    bob: Person,
    agent: Agent,
    relation: Relation,
    group: String,
}

impl Group {
    async fn meet(world: &World) -> Self {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let agent = world.agent(&ada, manifest(&[("read_file", "filesystem:read")])).await;
        let relation = world.relation(&bob, &agent).await;
        let body = json!({
            "kind": "group", "member_ids": [ada.user_id], "agent_ids": [agent.agent_id],
        });
        let made = bob.call(Method::POST, "/conversations", Some(body)).await;
        let group = made.data()["conversation_id"].as_str().unwrap().to_owned();
        Self { ada, bob, agent, relation, group }
    }

    fn path(&self, rest: &str) -> String {
        format!("/conversations/{}{rest}", self.group)
    }

    fn message(id: &str) -> Option<Value> {
        Some(json!({
            "client_message_id": id, "msg_subtype": "text", "content_type": "text",
            "envelope": "aGk=",
        }))
    }

    /// Ada says something, and the number that it gets.
    async fn says(&self, id: &str) -> u64 {
        let path = self.path("/messages");
        let sent = self.ada.call(Method::POST, &path, Self::message(id)).await;
        sent.data()["conversation_seq"].as_u64().unwrap()
    }

    async fn agent_says(&self, id: &str) -> Response {
        self.agent.call(Method::POST, &self.path("/messages"), Self::message(id)).await
    }

    async fn agent_reads(&self) -> Response {
        self.agent.call(Method::GET, &self.path("/messages"), None).await
    }

    /// The numbers of the messages of the group that the agent received.
    async fn agent_heard(&self) -> Vec<u64> {
        let events = self.agent.call(Method::GET, "/h2a/events?after=0", None).await;
        let events = events.data().as_array().unwrap().clone();
        let messages = events.iter().filter(|event| event["type"] == "message.new");
        let ours = messages.filter(|event| event["data"]["conversation_id"] == self.group);
        ours.map(|event| event["data"]["conversation_seq"].as_u64().unwrap()).collect()
    }

    async fn members(&self) -> Vec<String> {
        let found = self.ada.call(Method::GET, &self.path(""), None).await;
        let members = found.data()["members"].as_array().unwrap().clone();
        members.iter().map(|one| one["member_id"].as_str().unwrap().to_owned()).collect()
    }

    async fn owner_does(&self, what: &str) {
        let path = self.relation.path(what);
        self.ada.call(Method::POST, &path, Some(json!({}))).await.data();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_leaves_the_groups_of_a_person_who_parts_with_it() {
    on_both(async |world| {
        let group = Group::meet(world).await;
        assert_eq!(group.says("m1").await, 1);
        assert_eq!(group.agent_says("a1").await.status, 201);
        assert!(group.relation.revoke().await.status.is_success());
        assert_eq!(group.says("m2").await, 3);
        assert_eq!(group.agent_says("a2").await.refusal(), (404, "NOT_FOUND"));
        assert_eq!(group.agent_reads().await.refusal(), (404, "NOT_FOUND"));
        assert_eq!(group.agent_heard().await, [1]);
        let mut people = vec![group.ada.user_id.clone(), group.bob.user_id.clone()];
        people.sort_unstable();
        let mut members = group.members().await;
        members.sort_unstable();
        assert_eq!(members, people);
        // What the two said to one another stays theirs.
        let private = format!("/conversations/{}", group.relation.conversation_id);
        let kept = group.bob.call(Method::GET, &private, None).await;
        assert_eq!(kept.data()["members"].as_array().unwrap().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_in_no_group_after_it_was_deleted() {
    on_both(async |world| {
        let group = Group::meet(world).await;
        let deleted = group.ada.call(Method::DELETE, &group.agent.path(""), None).await;
        assert!(deleted.status.is_success(), "{deleted:?}");
        assert_eq!(group.says("m1").await, 1);
        assert!(!group.members().await.contains(&group.agent.agent_id));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_relation_is_suspended_an_agent_neither_speaks_nor_hears_in_a_group() {
    on_both(async |world| {
        let group = Group::meet(world).await;
        assert_eq!(group.says("m1").await, 1);
        group.owner_does("/suspend").await;
        assert_eq!(group.says("m2").await, 2);
        assert_eq!(group.agent_says("a1").await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(group.agent_reads().await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(group.agent_heard().await, [1]);
        assert!(group.members().await.contains(&group.agent.agent_id));
        group.owner_does("/restore").await;
        assert_eq!(group.says("m3").await, 3);
        assert_eq!(group.agent_heard().await, [1, 3]);
        assert_eq!(group.agent_says("a2").await.data()["conversation_seq"], 4);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_stays_in_groups_to_which_another_person_added_it() {
    on_both(async |world| {
        let group = Group::meet(world).await;
        let other = world.relation(&group.ada, &group.agent).await;
        assert!(other.revoke().await.status.is_success());
        assert_eq!(group.says("m1").await, 1);
        assert_eq!(group.agent_heard().await, [1]);
        assert_eq!(group.agent_says("a1").await.data()["conversation_seq"], 2);
    })
    .await;
}
