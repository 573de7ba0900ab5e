//! What is written is read again as it was.

use assent_ids::Principal;
use assent_relay_api::{
    Operation,
    operations::{
        agents::{AgentSearch, SearchAgents},
        conversations::{ListMessages, MemberPath, MessagesQuery, RemoveMember},
        manifests::{DiffManifests, DiffQuery, GetManifest, ManifestPath},
    },
    path::{AgentPath, ConversationPath},
    read::{MAX_INTEGER, read_path, read_query},
    write::{write_body, write_target},
};
use proptest::prelude::*;

/// Takes a target apart by the template of its operation, as a router does.
fn route<O: Operation>(target: &str) -> (O::Path, O::Query) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs: Vec<(String, String)> = O::PATH
        .split('/')
        .zip(path.split('/'))
        .filter_map(|(template, part)| {
            let name = template.strip_prefix('{')?.strip_suffix('}')?;
            let value = percent_encoding::percent_decode_str(part).decode_utf8().unwrap();
            Some((name.to_owned(), value.into_owned()))
        })
        .collect();
    let pairs: Vec<(&str, &str)> =
        pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    (read_path(pairs).unwrap(), read_query(query).unwrap())
}

#[test]
fn paths_hold_their_parameters() {
    let agent_id = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
    let manifest = ManifestPath { agent_id, version: 3 };
    let target = write_target::<GetManifest>(&manifest, &()).unwrap();
    assert_eq!(target, "/agents/agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K/manifests/3");
    assert_eq!(route::<GetManifest>(&target).0, manifest);
    let diff = DiffQuery { from: Some(1), to: Some(2) };
    let target = write_target::<DiffManifests>(&AgentPath { agent_id }, &diff).unwrap();
    assert_eq!(target, "/agents/agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K/manifests/diff?from=1&to=2");
    let member = MemberPath {
        conversation_id: "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap(),
        member_id: Principal::Agent(agent_id),
    };
    let target = write_target::<RemoveMember>(&member, &()).unwrap();
    assert_eq!(route::<RemoveMember>(&target).0, member);
    assert_eq!(write_body::<RemoveMember>(&()).unwrap(), None);
}

proptest! {
    #[test]
    fn any_search_survives_being_written_and_read(q in "\\PC{1,60}", owned in any::<Option<bool>>(), limit in 1_u64..=200) {
        let Ok(q) = q.parse() else { return Ok(()) };
        let search = AgentSearch { q: Some(q), owned, limit: Some(limit.try_into().unwrap()), ..AgentSearch::default() };
        let target = write_target::<SearchAgents>(&(), &search).unwrap();
        prop_assert!(target.bytes().all(|byte| byte.is_ascii_graphic()));
        prop_assert_eq!(route::<SearchAgents>(&target).1, search);
    }

    #[test]
    fn any_place_in_a_conversation_survives_being_written_and_read(after in 0..=MAX_INTEGER) {
        let path = ConversationPath { conversation_id: "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap() };
        let query = MessagesQuery { after_seq: Some(assent_ids::ConversationSeq(after)), limit: None };
        let target = write_target::<ListMessages>(&path, &query).unwrap();
        prop_assert_eq!(route::<ListMessages>(&target), (path, query));
    }
}
