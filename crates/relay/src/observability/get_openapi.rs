//! `GET /openapi.json`

use std::sync::{Arc, OnceLock};

use assent_protocol::wire::Object;
use assent_relay_api::{
    openapi,
    operations::observability::{GetOpenApi, OpenApiDocument},
};
use serde_json::Value;

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

/// Made at the first request.
static DOCUMENT: OnceLock<Object> = OnceLock::new();

impl Serve for GetOpenApi {
    async fn serve(_: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        Ok(Answer::new(OpenApiDocument(DOCUMENT.get_or_init(document).clone())))
    }
}

fn document() -> Object {
    // Wherever the document was read from, there is the server.
    match openapi("/") {
        Value::Object(document) => document.into_iter().collect(),
        _ => Object::new(),
    }
}
