//! The capability manifest.

use assent_protocol::{
    a2h::{CapabilityManifest, PresetScope, Sensitivity},
    wire::Millis,
};
use serde_json::{Value, json};

use crate::support::id;

fn manifest() -> Value {
    json!({
        "schema_version": "1.0", "agent_version": "1.0.0",
        "tools": [{
            "name": "read_file", "description_i18n_key": "agent.cap.read_file.description",
            "input_schema": { "type": "object", "properties": { "path": { "type": "string" } } },
            "permission_scope": "filesystem:read", "required": false, "timeout_ms": 5000,
        }, {
            "name": "fetch_url", "description_i18n_key": "a.b", "input_schema": true,
            "permission_scope": "network:http", "x_note": [null],
        }],
        "permission_scopes": [
            { "id": "filesystem:read", "label_i18n_key": "l", "description_i18n_key": "d", "sensitivity": "medium" },
            { "id": "network:http", "label_i18n_key": "any text", "sensitivity": "high",
              "label_fallback": "Network", "description_fallback": "Fetches pages" },
        ],
        "capability_flags": { "supports_streaming": true, "supports_voice": false, "supports_smell": true },
        "x_vendor": { "a": 1 },
    })
}

#[test]
fn a_manifest_comes_back_unchanged() {
    let read: CapabilityManifest = serde_json::from_value(manifest()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), manifest());
    assert_eq!(read.tool("read_file").unwrap().timeout(), Millis(5000));
    assert_eq!(read.tool("fetch_url").unwrap().timeout(), Millis(10_000));
    assert_eq!(read.scope(&id("network:http")).unwrap().sensitivity, Sensitivity::High);
    assert_eq!(read.tool("write_file"), None);
}

#[test]
fn flags_may_be_absent_and_names_must_be_good() {
    let mut value = manifest();
    value.as_object_mut().unwrap().remove("capability_flags");
    assert!(serde_json::from_value::<CapabilityManifest>(value.clone()).is_ok());
    value["tools"][0]["name"] = "Read File".into();
    assert!(serde_json::from_value::<CapabilityManifest>(value).is_err());
}

#[test]
fn sensitivities_are_ordered() {
    assert!(Sensitivity::Low < Sensitivity::Medium && Sensitivity::Medium < Sensitivity::High);
}

#[test]
fn four_scopes_are_preset() {
    let preset: Vec<_> =
        PresetScope::ALL.iter().map(|scope| (scope.as_str(), scope.sensitivity())).collect();
    let expected = [
        ("notification:send", Sensitivity::Low),
        ("filesystem:read", Sensitivity::Medium),
        ("clipboard:read", Sensitivity::Medium),
        ("location:read", Sensitivity::High),
    ];
    assert_eq!(preset, expected);
    assert_eq!(PresetScope::of(&id("location:read")), Some(PresetScope::LocationRead));
    assert_eq!(PresetScope::of(&id("network:http")), None);
}
