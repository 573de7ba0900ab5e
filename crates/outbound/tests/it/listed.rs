//! The list of tricks with addresses: `data/ssrf.json`.

use std::collections::BTreeSet;

use assent_outbound::{Origins, Reach, Target};
use serde_json::Value;

fn list() -> Value {
    serde_json::from_str(include_str!("../data/ssrf.json")).unwrap()
}

fn urls(list: &Value, part: &str) -> Vec<String> {
    let urls = list[part].as_array().unwrap().iter().map(|entry| entry["url"].as_str().unwrap());
    urls.map(str::to_owned).collect()
}

fn may_be_called(url: &str) -> bool {
    Target::parse(url, &Reach::Public(Origins::default())).is_ok()
}

#[test]
fn every_trick_is_refused_also_when_it_is_encrypted() {
    let urls = urls(&list(), "blocked");
    assert_eq!(urls.len(), 118);
    for url in urls {
        assert!(!may_be_called(&url), "{url}");
        // Most are written with `http`, which alone would be a reason.
        let encrypted = url.replacen("http:", "https:", 1);
        assert!(!may_be_called(&encrypted), "{encrypted}");
    }
}

#[test]
fn every_public_neighbour_may_be_called() {
    let urls = urls(&list(), "allowed");
    assert_eq!(urls.len(), 13);
    for url in urls {
        assert!(may_be_called(&url), "{url}");
    }
}

/// What servers and resolvers can do is tested in these modules, one test or more each.
#[test]
fn every_behaviour_of_the_list_has_its_test() {
    let tested = [
        // dialling.rs
        "aaaa-private-a-public",
        "cname-to-internal",
        "multi-a-one-private",
        "rebind-second-lookup",
        "ttl-0-10000-lookups",
        // calls.rs: no redirect is followed, whatever it says
        "redirect-302-to-metadata",
        "redirect-307-post-body-to-other-origin",
        "redirect-chain-20",
        "redirect-https-to-http",
        "redirect-to-approved-host-lookalike",
        // bounds.rs: nothing is unpacked, bytes are counted while they are read
        "chunked-infinite",
        "content-length-lies",
        "double-gzip",
        "gzip-1000x",
        "slow-drip-1-byte-per-s",
        "zstd-16KB-512MB",
    ];
    let list = list();
    let names = list["dynamic"].as_array().unwrap().iter().map(|case| &case["name"]);
    let names: BTreeSet<&str> = names.map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(tested));
}
