//! Patterns for whole URLs.

use serde_json::json;

use crate::support::{load, value_matches};

fn means(pattern: &str, url: &str) -> (bool, bool) {
    let ask = |behavior| value_matches(behavior, "url", json!(pattern), json!(url));
    (ask("allow"), ask("deny"))
}

const YES: (bool, bool) = (true, true);
const NO: (bool, bool) = (false, false);
const DOUBTFUL: (bool, bool) = (false, true);

/// Item 28.
#[test]
fn scheme_host_port_and_path_must_fit() {
    for (pattern, url, expected) in [
        ("https://example.com", "https://example.com/any/path?q", YES),
        ("https://example.com/*", "https://example.com/a//b", YES),
        ("https://example.com/", "https://example.com", YES),
        ("https://example.com/", "https://example.com/a", NO),
        ("https://example.com/api/*", "https://EXAMPLE.com/api/v1?x=/admin", YES),
        ("https://example.com/api/*", "https://example.com/apix", NO),
        ("https://example.com/api/*", "https://example.com/api/../admin", NO),
        ("https://example.com/api/*", "https://example.com/api/%2e%2e/admin", NO),
        ("https://example.com/api/*", "http://example.com/api/x", NO),
        ("http*://*.example.com/api/?", "http://a.example.com/api/%61", YES),
        ("*://example.com/*", "ftp://example.com/", YES),
        ("https://example.com:8443/*", "https://example.com:8443/", YES),
        ("https://example.com:8443/*", "https://example.com/", NO),
        ("https://example.com:443/*", "https://example.com/", YES),
        ("https://example.com:*/*", "https://example.com:1/", YES),
        ("https://[::1]:80/*", "https://[::1]:80/x", YES),
        ("https://example.com/admin*", "https://example.com/%61dmin", YES),
    ] {
        assert_eq!(means(pattern, url), expected, "{pattern} {url}");
    }
}

#[test]
fn without_a_port_an_allow_rule_means_the_usual_one_and_others_mean_any() {
    assert_eq!(means("https://example.com/*", "https://example.com:8443/"), DOUBTFUL);
    assert_eq!(means("https://example.com/*", "https://example.com:443/"), YES);
}

#[test]
fn a_path_that_servers_read_differently_is_in_doubt() {
    for path in [
        "/api/%2f",
        "/api/a%5cb",
        "/api/%252e",
        "/api/..;/x",
        "/api//x",
        "/api/%00",
        "/api/%ff",
        "/api/%zz",
    ] {
        let url = format!("https://example.com{path}");
        assert_eq!(means("https://example.com/api/*", &url), DOUBTFUL, "{path}");
        assert_eq!(means("https://other.org/api/*", &url), NO, "{path}");
    }
    for url in ["example.com/api/", "https:example.com/api/", "https://example.com\\api"] {
        assert_eq!(means("https://example.com/api/*", url), DOUBTFUL, "{url}");
    }
}

#[test]
fn what_is_no_pattern_is_refused() {
    for wrong in
        ["", "example.com", "https://", "://x", "https://a:b/", "https://a b/", "https:///x"]
    {
        let rule =
            json!([{"id": "r", "behavior": "deny", "arguments": [{"path": "/v", "url": wrong}]}]);
        assert!(load(rule).is_err(), "{wrong}");
    }
}
