//! Arrows point one way.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

use crate::root;

/// What each crate may depend on, of our own crates. A crate that is not listed fails the test.
const LAYERS: [(&str, &[&str]); 30] = [
    ("assent-ids", &[]),
    ("assent-json", &[]),
    ("assent-process", &[]),
    ("assent-protocol", &["assent-ids"]),
    ("assent-document", &["assent-json", "assent-protocol"]),
    ("assent-http", &["assent-ids", "assent-protocol"]),
    ("assent-outbound", &["assent-ids", "assent-json"]),
    ("assent-relay-api", &["assent-ids", "assent-json", "assent-protocol"]),
    (
        "assent-relay-client",
        &["assent-ids", "assent-json", "assent-outbound", "assent-protocol", "assent-relay-api"],
    ),
    ("assent-search", &[]),
    // It knows no tools and does no I/O.
    ("assent-sealing", &["assent-ids", "assent-protocol"]),
    ("assent-journal", &["assent-ids", "assent-json", "assent-protocol"]),
    ("assent-blobs", &["assent-ids", "assent-json"]),
    ("assent-policy", &["assent-document", "assent-ids", "assent-json", "assent-protocol"]),
    ("assent-cedar", &["assent-ids", "assent-json", "assent-policy", "assent-protocol"]),
    ("assent-schema", &["assent-json"]),
    ("assent-store", &[]),
    ("assent-websocket", &[]),
    (
        "assent-mailbox",
        &[
            "assent-ids",
            "assent-protocol",
            "assent-relay-api",
            "assent-relay-client",
            "assent-sealing",
            "assent-store",
        ],
    ),
    ("assent-manifest", &["assent-ids", "assent-json", "assent-protocol", "assent-schema"]),
    // It carries what it cannot read: no `sealing`, no `policy`, no `runtime`.
    (
        "assent-relay",
        &[
            "assent-http",
            "assent-ids",
            "assent-json",
            "assent-manifest",
            "assent-outbound",
            "assent-protocol",
            "assent-relay-api",
            "assent-search",
            "assent-store",
            "assent-websocket",
        ],
    ),
    (
        "assent-runtime",
        &[
            "assent-blobs",
            "assent-ids",
            "assent-journal",
            "assent-json",
            "assent-policy",
            "assent-protocol",
            "assent-schema",
            "assent-search",
        ],
    ),
    (
        "assent-hooks",
        &[
            "assent-document",
            "assent-ids",
            "assent-json",
            "assent-outbound",
            "assent-policy",
            "assent-process",
            "assent-protocol",
            "assent-runtime",
        ],
    ),
    (
        "assent-rehearsal",
        &[
            "assent-blobs",
            "assent-cedar",
            "assent-document",
            "assent-ids",
            "assent-journal",
            "assent-json",
            "assent-policy",
            "assent-protocol",
            "assent-runtime",
            "assent-schema",
        ],
    ),
    ("assent-service", &["assent-document"]),
    (
        "assent-builtin-tools",
        &[
            "assent-ids",
            "assent-json",
            "assent-outbound",
            "assent-protocol",
            "assent-runtime",
            "assent-schema",
        ],
    ),
    (
        "assent-agent",
        &[
            "assent-ids",
            "assent-mailbox",
            "assent-protocol",
            "assent-relay-api",
            "assent-relay-client",
            "assent-sealing",
            "assent-store",
        ],
    ),
    (
        "assent-device",
        &[
            "assent-builtin-tools",
            "assent-ids",
            "assent-journal",
            "assent-json",
            "assent-mailbox",
            "assent-manifest",
            "assent-policy",
            "assent-protocol",
            "assent-relay-api",
            "assent-relay-client",
            "assent-runtime",
            "assent-sealing",
            "assent-store",
        ],
    ),
    (
        "assent-console",
        &[
            "assent-device",
            "assent-http",
            "assent-ids",
            "assent-protocol",
            "assent-relay-api",
            "assent-relay-client",
            "assent-sealing",
        ],
    ),
    (
        "assent",
        &[
            "assent-agent",
            "assent-builtin-tools",
            "assent-console",
            "assent-device",
            "assent-document",
            "assent-http",
            "assent-ids",
            "assent-journal",
            "assent-json",
            "assent-manifest",
            "assent-outbound",
            "assent-policy",
            "assent-protocol",
            "assent-rehearsal",
            "assent-relay",
            "assent-relay-api",
            "assent-relay-client",
            "assent-runtime",
            "assent-schema",
            "assent-service",
        ],
    ),
];

/// These decide and transform. Time, randomness and bytes come in as arguments.
const PURE: [&str; 11] = [
    "assent-cedar",
    "assent-document",
    "assent-ids",
    "assent-sealing",
    "assent-json",
    "assent-protocol",
    "assent-policy",
    "assent-relay-api",
    "assent-schema",
    "assent-search",
    "assent-manifest",
];

/// Libraries with which code waits, opens files or opens sockets.
const IMPURE_LIBRARIES: [&str; 12] = [
    "tokio",
    "async-std",
    "futures",
    "futures-util",
    "hyper",
    "reqwest",
    "ureq",
    "axum",
    "rusqlite",
    "tokio-postgres",
    "async-nats",
    "socket2",
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        // Libraries for other systems were not fetched.
        .args(["--filter-platform", &host()])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// For each package, the packages that it depends on outside of tests and build scripts.
fn dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap()))
        .collect();
    let is_normal = |dependency: &Value| {
        dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null())
    };
    metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| {
            let name = names[node["id"].as_str().unwrap()].to_owned();
            let of = node["deps"].as_array().unwrap().iter().filter(|of| is_normal(of));
            (name, of.map(|of| names[of["pkg"].as_str().unwrap()].to_owned()).collect())
        })
        .collect()
}

fn members_under_crates(metadata: &Value) -> BTreeSet<String> {
    let folder = root().join("crates");
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| {
            package["manifest_path"].as_str().unwrap().starts_with(folder.to_str().unwrap())
        })
        .map(|package| package["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_crate_depends_only_on_the_layers_below_it() {
    let metadata = metadata();
    let dependencies = dependencies(&metadata);
    let layers: BTreeMap<&str, &[&str]> = LAYERS.into_iter().collect();
    let ours = members_under_crates(&metadata);
    assert_eq!(
        ours,
        layers.keys().map(|name| (*name).to_owned()).collect(),
        "all crates are listed"
    );
    for (name, allowed) in layers {
        let used: BTreeSet<&str> = dependencies[name]
            .iter()
            .map(String::as_str)
            .filter(|dependency| ours.contains(*dependency))
            .collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert!(used.is_subset(&allowed), "{name} may use {allowed:?}, but uses {used:?}");
    }
}

#[test]
fn pure_crates_reach_no_library_that_waits_or_opens_anything() {
    let dependencies = dependencies(&metadata());
    for name in PURE {
        let mut open = vec![name.to_owned()];
        let mut reached = BTreeSet::new();
        while let Some(next) = open.pop() {
            if reached.insert(next.clone()) {
                open.extend(dependencies[&next].iter().cloned());
            }
        }
        for library in IMPURE_LIBRARIES {
            assert!(!reached.contains(library), "{name} reaches {library}");
        }
    }
}
