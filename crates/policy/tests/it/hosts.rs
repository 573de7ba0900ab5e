//! The host that the policy sees is the host that a client talks to.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{load, value_matches};

fn means(pattern: &str, url: &str) -> (bool, bool) {
    let ask = |behavior| value_matches(behavior, "host", json!(pattern), json!(url));
    (ask("allow"), ask("deny"))
}

const YES: (bool, bool) = (true, true);
const NO: (bool, bool) = (false, false);
const DOUBTFUL: (bool, bool) = (false, true);

#[test]
fn every_spelling_of_a_name_is_that_name() {
    for url in [
        "https://example.com/",
        "HTTPS://EXAMPLE.COM",
        "https://example.com./a",
        "https://example.com:8443/a?b#c",
        "https://user:secret@example.com/",
        "https://ex\u{ad}ample.com/",
        "https://ｅｘａｍｐｌｅ.com/",
        "https://example。com/",
        "ssh://EXAMPLE.com/repository",
        "wss://example.com/socket",
        "https://other.org@example.com/",
        "https://example.com#@other.org/",
        "https://example.com?@other.org/",
        "example.com",
        "Example.com:443",
    ] {
        assert_eq!(means("example.com", url), YES, "{url}");
        assert_eq!(means("EXAMPLE.com.", url), YES, "{url}");
        assert_eq!(means("other.org", url), NO, "{url}");
    }
}

#[test]
fn another_name_is_another_host() {
    for url in [
        "https://example.com.evil.org/",
        "https://evilexample.com/",
        "https://evil.org/example.com",
        "https://evil.org/?example.com",
        "https://example.com@evil.org/",
        "https://example.com:443@evil.org/",
        "https://еxample.com/",
        "https://sub.example.com/",
    ] {
        assert_eq!(means("example.com", url), NO, "{url}");
    }
    assert_eq!(means("münchen.de", "https://xn--mnchen-3ya.de/"), YES);
    assert_eq!(means("xn--mnchen-3ya.de", "https://MÜNCHEN.de/"), YES);
    assert_eq!(means("*.münchen.de", "https://a.xn--mnchen-3ya.de/"), YES);
}

#[test]
fn what_clients_read_differently_is_in_doubt() {
    for url in [
        "",
        "/path",
        "//example.com/",
        "https:example.com",
        "https:/example.com",
        "https://",
        "https:////example.com/",
        "https://example.com\\@evil.org/",
        "https://a@b@example.com/",
        "https://%65xample.com/",
        "https://exam\tple.com/",
        " https://example.com/",
        "https://example.com/ ",
        "https://example.com/\u{a0}",
        "https://exa mple.com/",
        "javascript:alert(1)",
        "data:,x",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "https://example..com/",
        "https://example.com../",
        "https://[::1/",
        "https://1.2.3.4.5/",
        "https://example.com:99999/",
        "git@example.com:a/b",
        "example.com/path",
        "a:b",
        "::1",
        "https://exa<mple.com/",
    ] {
        assert_eq!(means("example.com", url), DOUBTFUL, "{url:?}");
        assert_eq!(means("other.org", url), DOUBTFUL, "{url:?}");
    }
    assert!(value_matches("deny", "host", json!("a.b"), json!(7)));
    let long = format!("https://example.com/{}", "a".repeat(64 << 10));
    assert_eq!(means("example.com", &long), DOUBTFUL);
}

#[test]
fn every_spelling_of_an_address_is_that_address() {
    for url in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://127.0.0.1./",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://①②⑦.0.0.1/",
        "127.0.0.1:80",
        "http://127。0。0。1/",
        "ssh://0x7f.1/",
    ] {
        for pattern in ["127.0.0.1", "127.*", "127.0.0.?", "0x7f.1", "::ffff:127.0.0.1", "*"] {
            assert_eq!(means(pattern, url), YES, "{pattern} {url}");
        }
        assert_eq!(means("*.0.0.2", url), NO, "{url}");
    }
    for url in ["http://[::1]/", "http://[0:0:0:0:0:0:0:1]:8080/", "[::1]:80"] {
        assert_eq!(means("::1", url), YES, "{url}");
        assert_eq!(means("[::1]", url), YES, "{url}");
    }
    // A pattern of digits is about addresses, and a name is none.
    assert_eq!(means("10.*", "http://10.evil.org/"), NO);
    assert_eq!(means("*.org", "http://10.0.0.1/"), NO);
}

#[test]
fn a_wildcard_stands_for_whole_labels_of_the_owner_in_an_allow_rule() {
    assert_eq!(means("*.example.com", "https://a.b.example.com/"), YES);
    assert_eq!(means("*.example.com", "https://example.com/"), NO);
    assert_eq!(means("api-?.example.com", "https://api-1.example.com/"), YES);
    assert_eq!(means("*", "https://anything.at.all/"), YES);
    let rule = |behavior: &str, host: &str| json!([{"id": "r", "behavior": behavior, "arguments": [{"path": "/v", "host": host}]}]);
    for loose in ["*example.com", "example.*", "*.*", "**", "a*"] {
        assert!(load(rule("allow", loose)).is_err(), "{loose}");
    }
    for loose in ["*example.com", "example.*", "*.*", "a*"] {
        assert!(load(rule("deny", loose)).is_ok(), "{loose}");
    }
    for wrong in ["", "a b", "a/b", "http://a", "a@b", "a:80", "*:80", "..", "a..*", "%61", "ü*.de"]
    {
        assert!(load(rule("deny", wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn the_published_cases_of_the_url_standard_are_seen_as_the_standard_says_or_not_at_all() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/url/hosts.json")).unwrap();
    let mut judged = 0;
    for case in &cases {
        let input = case["input"].as_str().unwrap();
        let expected = case["hostname"].as_str().unwrap_or_default();
        let (allow, deny) = means("*", input);
        assert!(deny, "{input:?}");
        if allow {
            judged += 1;
            assert!(case["failure"].is_null() && !expected.is_empty(), "{input:?}");
            if !expected.contains(['*', '%']) {
                assert_eq!(means(expected, input), YES, "{input:?} is {expected}");
            }
            assert_eq!(means("other.invalid", input), NO, "{input:?}");
        }
    }
    assert!(judged > 100, "{judged}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whatever stands around it, a URL is let through only if its host ends as the pattern says.
    #[test]
    fn nothing_around_a_host_makes_it_another_one(
        before in "[a-z0-9.@:%\\\\/?# -]{0,12}",
        after in "[a-z0-9.@:%\\\\/?# -]{0,12}",
    ) {
        let url = format!("https://{before}good.example{after}");
        if means("*.good.example", &url).0 || means("good.example", &url).0 {
            let parsed = url::Url::parse(&url).unwrap();
            let host = parsed.host_str().unwrap().trim_end_matches('.').to_owned();
            prop_assert!(host == "good.example" || host.ends_with(".good.example"), "{}", url);
        }
    }
}
