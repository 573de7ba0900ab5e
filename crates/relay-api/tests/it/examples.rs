//! Every operation with a body has an example that is read, that is written again as it was, and that its
//! schema accepts.

use assent_relay_api::{
    Operation, admin_operations, openapi, operations, operations::*, read::read_body,
};
use serde_json::Value;

/// Reads the example of an operation and writes it again.
fn check<O: Operation>() -> &'static str {
    let body: O::Body =
        read_body(O::EXAMPLE.as_bytes()).unwrap_or_else(|error| panic!("{}: {error:?}", O::ID));
    let again = serde_json::to_value(&body).unwrap();
    let text: Value = serde_json::from_str(O::EXAMPLE).unwrap();
    assert_eq!(again, text, "{}", O::ID);
    O::ID
}

#[test]
fn every_example_is_read_and_written_as_it_was() {
    let mut checked = [
        check::<accounts::Register>(),
        check::<accounts::Login>(),
        check::<accounts::Refresh>(),
        check::<accounts::Logout>(),
        check::<accounts::RegisterDevice>(),
        check::<keys::PublishPrekeys>(),
        check::<keys::ClaimPrekeys>(),
        check::<keys::PutBackup>(),
        check::<agents::CreateAgent>(),
        check::<agents::UpdateAgent>(),
        check::<agents::CreateToken>(),
        check::<agents::RegisterAgentKeys>(),
        check::<relations::CreateRelation>(),
        check::<relations::UpdateRelation>(),
        check::<relations::RevokeRelation>(),
        check::<relations::DeleteRelation>(),
        check::<relations::SuspendRelation>(),
        check::<conversations::CreateConversation>(),
        check::<conversations::AddMembers>(),
        check::<conversations::SendMessage>(),
        check::<admin::SuspendAgent>(),
        check::<admin::SuspendAnyRelation>(),
        check::<admin::BackUp>(),
    ];
    checked.sort_unstable();
    let all = operations().iter().chain(admin_operations());
    let mut with_body: Vec<&str> =
        all.filter(|operation| operation.takes_body()).map(|operation| operation.id).collect();
    with_body.sort_unstable();
    assert_eq!(checked.to_vec(), with_body);
}

/// The validator of the schema at this place of the document.
pub fn validator(document: &Value, pointer: &str) -> jsonschema::Validator {
    let mut root = document.pointer(pointer).unwrap().clone();
    root["components"] = document["components"].clone();
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&root).unwrap()
}

#[test]
fn every_schema_accepts_the_example_that_stands_beside_it() {
    let document = openapi("http://127.0.0.1:8700");
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(content) = operation.pointer("/requestBody/content/application~1json") else {
                continue;
            };
            let escaped = path.replace('/', "~1");
            let pointer =
                format!("/paths/{escaped}/{method}/requestBody/content/application~1json/schema");
            let validator = validator(&document, &pointer);
            let example = &content["example"];
            assert!(example.is_object(), "{path} has no example");
            let faults: Vec<String> =
                validator.iter_errors(example).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{path}: {faults:?}");
            checked += 1;
        }
    }
    assert_eq!(checked, operations().iter().filter(|operation| operation.takes_body()).count());
}

#[test]
fn no_debug_print_shows_a_secret() {
    fn printed<O: Operation>() -> String
    where
        O::Body: std::fmt::Debug,
    {
        format!("{:?}", read_body::<O::Body>(O::EXAMPLE.as_bytes()).unwrap())
    }
    let backup: Value = serde_json::from_str(keys::PutBackup::EXAMPLE).unwrap();
    let printed = [
        printed::<accounts::Register>(),
        printed::<accounts::Login>(),
        printed::<accounts::Refresh>(),
        printed::<keys::PutBackup>(),
        printed::<conversations::SendMessage>(),
    ];
    let secrets = [
        "correct horse battery",
        "rft_example",
        backup["backup_a"].as_str().unwrap(),
        "eyJzZWFsZWQi",
    ];
    for (text, secret) in printed.iter().flat_map(|text| secrets.map(|secret| (text, secret))) {
        assert!(!text.contains(secret), "{text}");
    }
}
