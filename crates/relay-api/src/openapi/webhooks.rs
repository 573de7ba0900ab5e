//! Deliveries, which the relay sends.

use assent_protocol::a2h::RelayEventType;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::{Tag, webhook::WebhookPayload};

/// Events that concern an agent, and are delivered to those that are called.
const DELIVERED: [RelayEventType; 9] = [
    RelayEventType::MessageNew,
    RelayEventType::RelationEstablished,
    RelayEventType::RelationUpdated,
    RelayEventType::RelationRevoked,
    RelayEventType::RelationSuspended,
    RelayEventType::RelationRestored,
    RelayEventType::ReauthRequired,
    RelayEventType::CapabilityChanged,
    RelayEventType::Telemetry,
];

pub(super) fn webhooks(generator: &mut SchemaGenerator) -> Map<String, Value> {
    DELIVERED.iter().map(|event| (event.to_string(), delivery(*event, generator))).collect()
}

fn delivery(event: RelayEventType, generator: &mut SchemaGenerator) -> Value {
    json!({
        "post": {
            "operationId": format!("deliver_{}", event.as_str().replace('.', "_")),
            "tags": [Tag::Webhooks.name()],
            "summary": event.meaning(),
            "description": "Signed in the form of Standard Webhooks: base64 of HMAC-SHA-256 over \
                `webhook-id`, a dot, `webhook-timestamp`, a dot and the body. Tried for three days; \
                the same `webhook-id` can come more than once.",
            "parameters": [
                header("webhook-id", "Which delivery, the same through all its attempts."),
                header("webhook-timestamp", "When it was sent, in seconds since 1970."),
                header("webhook-signature", "Signatures such as `v1,…`, separated by spaces."),
            ],
            "requestBody": {
                "required": true,
                "content": {
                    "application/json": { "schema": generator.subschema_for::<WebhookPayload>() },
                },
            },
            "responses": {
                "2XX": { "description": "It was handled. The body is not looked at." },
                "default": { "description": "It was not handled, and is tried again later. Redirects are not followed." },
            },
        },
    })
}

fn header(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "in": "header",
        "required": true,
        "description": description,
        "schema": { "type": "string" },
    })
}
