//! The list of operations is whole, and each is described so that it can be served.

use std::{collections::BTreeSet, path::Path};

use assent_relay_api::{Credential, Described, Needs, admin_operations, operations};
use http::Method;
use schemars::SchemaGenerator;

fn all() -> impl Iterator<Item = &'static Described> {
    operations().iter().chain(admin_operations())
}

/// The ids in all files below `src/operations`.
fn ids_in(folder: &Path, ids: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            ids_in(&path, ids);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let found = text
                .lines()
                .filter_map(|line| line.trim().strip_prefix("const ID: &'static str = \""));
            ids.extend(found.map(|rest| rest.split('"').next().unwrap().to_owned()));
            let implementations = text.matches("impl Operation for").count();
            assert!(implementations <= 1, "{} has {implementations}", path.display());
        }
    }
}

#[test]
fn every_operation_stands_in_a_list_exactly_once() {
    let mut written = Vec::new();
    ids_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/operations"), &mut written);
    let mut listed: Vec<String> = all().map(|operation| operation.id.to_owned()).collect();
    written.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, written);
    assert_eq!(listed.len(), listed.iter().collect::<BTreeSet<_>>().len());
}

/// Method, path and status of the contract, row by row.
const CONTRACT: &str = "
POST /auth/register 201
POST /auth/login 200
POST /auth/refresh 200
POST /auth/logout 200
GET /auth/me 200
POST /devices 201
GET /devices 200
DELETE /devices/{device_id} 200
POST /keys/prekeys 200
GET /keys/users/{user_id}/devices 200
GET /keys/agents/{agent_id} 200
POST /keys/claim 200
PUT /keys/backup 200
GET /keys/backup 200
POST /agents 201
GET /agents/{agent_id} 200
GET /agents 200
PATCH /agents/{agent_id} 200
DELETE /agents/{agent_id} 200
GET /agents/{agent_id}/telemetry 200
POST /agents/{agent_id}/tokens 201
GET /agents/{agent_id}/tokens 200
DELETE /agents/{agent_id}/tokens/{token_id} 200
POST /agents/{agent_id}/keys/register 200
GET /agents/{agent_id}/manifests 200
GET /agents/{agent_id}/manifests/{version} 200
GET /agents/{agent_id}/manifests/diff 200
POST /h2a/relations 201
GET /h2a/relations 200
GET /h2a/relations/{relation_id} 200
PATCH /h2a/relations/{relation_id} 200
POST /h2a/relations/{relation_id}/revoke 200
DELETE /h2a/relations/{relation_id} 200
POST /h2a/relations/{relation_id}/suspend 200
POST /h2a/relations/{relation_id}/restore 200
GET /h2a/relations/{relation_id}/ledger 200
GET /conversations 200
POST /conversations 201
GET /conversations/{conversation_id} 200
POST /conversations/{conversation_id}/members 200
DELETE /conversations/{conversation_id}/members/{member_id} 200
POST /conversations/{conversation_id}/messages 201
GET /conversations/{conversation_id}/messages 200
GET /agents/{agent_id}/messages/poll 200
POST /agents/{agent_id}/webhook-secret/rotate 200
GET /agents/{agent_id}/webhooks/deliveries 200
POST /agents/{agent_id}/webhooks/deliveries/{delivery_id}/redeliver 200
GET /h2a/events 200
GET /ws/human 101
GET /ws/agent 101
GET /health 200
GET /ready 200
GET /metrics 200
GET /openapi.json 200
";

#[test]
fn the_public_interface_is_the_one_that_was_promised() {
    let routes: Vec<String> = operations()
        .iter()
        .map(|operation| format!("{} {} {}", operation.method, operation.path, operation.success))
        .collect();
    assert_eq!(routes, CONTRACT.trim().lines().collect::<Vec<_>>());
}

#[test]
fn no_two_operations_have_one_route() {
    for list in [operations(), admin_operations()] {
        let routes: BTreeSet<(String, &str)> =
            list.iter().map(|operation| (operation.method.to_string(), operation.path)).collect();
        assert_eq!(routes.len(), list.len());
    }
}

#[test]
fn every_name_in_a_path_is_a_field_of_its_parameters_and_the_other_way_round() {
    let mut generator = SchemaGenerator::default();
    for operation in all() {
        let in_path: BTreeSet<String> = operation.path_parameters().map(str::to_owned).collect();
        let schema = operation.path_schema(&mut generator);
        let fields = schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
        let fields: BTreeSet<String> =
            fields.into_iter().flat_map(|all| all.keys().cloned()).collect();
        assert_eq!(in_path, fields, "{}", operation.id);
    }
}

#[test]
fn what_access_is_about_stands_in_the_path() {
    for operation in all() {
        let name = match operation.access.needs {
            Needs::Nothing => continue,
            Needs::OwnDevice => "device_id",
            Needs::OwnerOfAgent
            | Needs::AgentItself
            | Needs::OwnerOrAgent
            | Needs::ConcernedByAgent
            | Needs::OwnerOrAgentWithManifestWrite => "agent_id",
            Needs::PartyOfRelation | Needs::PersonOfRelation | Needs::OwnerOfRelationsAgent => {
                "relation_id"
            }
            Needs::MemberOfConversation | Needs::PersonInConversation => "conversation_id",
            Needs::FounderOrLeavingMember => "member_id",
        };
        assert!(operation.path_parameters().any(|found| found == name), "{}", operation.id);
    }
}

#[test]
fn operators_have_a_socket_of_their_own() {
    for operation in operations() {
        assert_ne!(operation.access.credential, Credential::AdminSocket, "{}", operation.id);
        assert!(!operation.path.starts_with("/admin"), "{}", operation.id);
    }
    for operation in admin_operations() {
        assert_eq!(operation.access.credential, Credential::AdminSocket, "{}", operation.id);
        assert!(operation.path.starts_with("/admin/"), "{}", operation.id);
    }
}

#[test]
fn reading_has_no_body_and_no_effect() {
    for operation in all().filter(|operation| operation.method == Method::GET) {
        assert!(!operation.takes_body(), "{}", operation.id);
        assert!(operation.idempotent || operation.success == 101, "{}", operation.id);
    }
}

#[test]
fn names_and_texts_have_one_form() {
    for operation in all() {
        let snake = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(operation.id.chars().all(snake), "{}", operation.id);
        for text in [operation.summary, operation.description] {
            assert_eq!(text, text.trim(), "{}", operation.id);
            assert!(!text.contains("  "), "{}", operation.id);
        }
        assert!(!operation.summary.ends_with('.'), "{}", operation.id);
        let described = operation.description;
        assert!(described.is_empty() || described.ends_with('.'), "{}", operation.id);
    }
}
