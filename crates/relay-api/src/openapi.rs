//! The OpenAPI 3.1 document, made from the same descriptions as the routes.

mod components;
mod numbers;
mod operation;
mod parameters;
mod responses;
mod security;
mod webhooks;

use serde_json::{Map, Value, json};

use self::components::Components;
use crate::{
    Described, Tag, admin_operations,
    ledger::SignedEntry,
    operations,
    socket::{ClientFrame, CloseCode, ServerFrame},
};

/// The document of the public interface, for a server at this address.
#[must_use]
pub fn openapi(server_url: &str) -> Value {
    let mut components = Components::new();
    let paths = paths(operations(), &mut components);
    let webhooks = webhooks::webhooks(&mut components.schemas);
    // The socket and the ledger are described beside the operations.
    components.schemas.subschema_for::<ClientFrame>();
    components.schemas.subschema_for::<ServerFrame>();
    components.schemas.subschema_for::<SignedEntry>();
    json!({
        "openapi": "3.1.0",
        "info": info("Assent relay", &description()),
        "servers": [{ "url": server_url }],
        "tags": tags(operations()),
        "paths": paths,
        "webhooks": webhooks,
        "components": components.into_value(),
    })
}

/// The document of the local admin socket.
#[must_use]
pub fn admin_openapi() -> Value {
    let mut components = Components::new();
    let paths = paths(admin_operations(), &mut components);
    let about = "What operators do, by HTTP over the local admin socket. Who may open the socket is an operator; \
                 there are no tokens.";
    json!({
        "openapi": "3.1.0",
        "info": info("Assent relay, admin socket", about),
        "servers": [{ "url": "http://localhost", "description": "Over the local admin socket." }],
        "tags": tags(admin_operations()),
        "paths": paths,
        "components": components.into_value(),
    })
}

fn info(title: &str, description: &str) -> Value {
    json!({
        "title": title,
        "version": env!("CARGO_PKG_VERSION"),
        "description": description,
        "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
    })
}

/// What holds for all operations.
fn description() -> String {
    let mut text = "\
The permission layer between AI agents and people. The relay delivers sealed messages that it cannot read, \
keeps what agents declare and what people grant, and tells both sides what happens.

Bodies are JSON with names in snake_case. An answer is `{\"data\":…}`, a list \
`{\"data\":[…],\"next_cursor\":…}`, a failure `{\"error\":{\"code\",\"message\",\"i18n_key\",\"params\"}}`. \
Fields that the relay does not know are ignored; a wrong type is `BAD_REQUEST` and a broken rule \
`VALIDATION_FAILED`, both with a JSON Pointer in `params.pointer`. What the caller may not know of is `NOT_FOUND`. \
A method that a path does not have is `METHOD_NOT_ALLOWED` (405), with those that it has in `Allow`. \
`RATE_LIMITED`, `ACCOUNT_LOCKED` and answers with status 503 may say in `Retry-After` when to try again.

The sockets close with these codes:
"
    .to_owned();
    for code in CloseCode::ALL {
        text.push_str(&format!("\n- {}: {}", code.code(), code.reason()));
    }
    text
}

fn tags(operations: &[Described]) -> Vec<Value> {
    let used = |tag: &Tag| operations.iter().any(|operation| operation.tag == *tag);
    Tag::ALL
        .iter()
        .filter(|tag| used(tag))
        .map(|tag| json!({ "name": tag.name(), "description": tag.description() }))
        .collect()
}

fn paths(operations: &[Described], components: &mut Components) -> Map<String, Value> {
    let mut paths = Map::new();
    for described in operations {
        let item = paths.entry(described.path).or_insert_with(|| json!({}));
        if let Value::Object(item) = item {
            let method = described.method.as_str().to_ascii_lowercase();
            item.insert(method, operation::operation(described, components));
        }
    }
    paths
}
