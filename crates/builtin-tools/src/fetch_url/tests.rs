//! Tests of what `fetch_url` refuses by its text.

use assent_json::Json;
use assent_outbound::Roots;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::Executor;
use serde_json::{Value, json};

use super::{FetchOptions, FetchUrl};
use crate::{BuiltinTool, Target, TargetKind};

fn tool(allow_origins: &str) -> FetchUrl {
    let allow_origins = allow_origins.parse().unwrap();
    let roots = Roots::Only(Vec::new());
    FetchUrl::new(FetchOptions { allow_origins, roots, ..FetchOptions::default() }).unwrap()
}

fn input(value: &Value) -> Json {
    Json::from_value(value).unwrap()
}

fn refusal(tool: &FetchUrl, arguments: &Value) -> Option<ErrorClass> {
    tool.preflight(&input(arguments)).err().map(|refusal| refusal.class)
}

#[test]
fn every_refusal_has_its_class() {
    use ErrorClass::{InvalidArguments, SandboxViolation};
    let tool = tool("http://127.0.0.1:8080");
    let url = "https://example.com/";
    let long = format!("{url}{}", "x".repeat(2048));
    for (arguments, expected) in [
        (json!({"url": url}), None),
        (json!({"url": "https://example.com/a#part"}), None),
        (json!({"url": "http://127.0.0.1:8080/a"}), None),
        (json!({"url": url, "method": "GET", "headers": {"accept": "text/html"}}), None),
        (json!({"url": url, "method": "POST", "body": "a", "headers": {}}), None),
        (json!({"url": url, "method": "POST", "body": "x".repeat(65_536)}), None),
        (json!({"url": url, "method": "POST", "body": "x".repeat(65_537)}), Some(InvalidArguments)),
        (json!({"url": "http://example.com/"}), Some(SandboxViolation)),
        (json!({"url": "http://127.0.0.1:8081/"}), Some(SandboxViolation)),
        (json!({"url": "http://localhost:8080/"}), Some(SandboxViolation)),
        (json!({"url": "file:///etc/passwd"}), Some(SandboxViolation)),
        (json!({"url": "https://10.0.0.1/"}), Some(SandboxViolation)),
        (json!({"url": "https://router.local/"}), Some(SandboxViolation)),
        (json!({"url": "https://example.com:25/"}), Some(SandboxViolation)),
        (json!({"url": "https://user:password@example.com/"}), Some(InvalidArguments)),
        (json!({"url": "example.com"}), Some(InvalidArguments)),
        (json!({"url": ""}), Some(InvalidArguments)),
        (json!({"url": long}), Some(InvalidArguments)),
        (json!({"url": url, "method": "PUT"}), Some(InvalidArguments)),
        (json!({"url": url, "method": "get"}), Some(InvalidArguments)),
        (json!({"url": url, "body": "a"}), Some(InvalidArguments)),
        (json!({"url": url, "headers": {"cookie": "a"}}), Some(InvalidArguments)),
        (json!({"url": url, "headers": {"accept": "a\r\nhost: b"}}), Some(InvalidArguments)),
        (json!({"url": url, "headers": {"accept": "é"}}), Some(InvalidArguments)),
        (json!({"url": url, "proxy": "a"}), Some(InvalidArguments)),
        (json!({}), Some(InvalidArguments)),
        (json!("https://example.com/"), Some(InvalidArguments)),
    ] {
        assert_eq!(refusal(&tool, &arguments), expected, "{arguments}");
    }
}

/// The list is shared with `assent-outbound`.
#[test]
fn every_trick_with_addresses_is_refused_and_no_public_neighbor() {
    let list = include_str!("../../../outbound/tests/data/ssrf.json");
    let list: Value = serde_json::from_str(list).unwrap();
    let tool = tool("");
    let refused = |url: &str| refusal(&tool, &json!({"url": url})).is_some();
    let urls = |part: &str| {
        let urls = list[part].as_array().unwrap().iter();
        urls.map(|entry| entry["url"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((urls("blocked").len(), urls("allowed").len()), (118, 13));
    for url in urls("blocked") {
        assert!(refused(&url), "{url}");
        assert!(refused(&url.replacen("http:", "https:", 1)), "{url}");
    }
    for url in urls("allowed") {
        assert!(!refused(&url), "{url}");
    }
}

#[test]
fn a_redirect_leads_only_to_where_a_call_could_and_to_no_origin_for_development() {
    let tool = tool("http://127.0.0.1:8080 https://dev.example.com:8443 http://127.0.0.1:9090");
    let public = "https://example.com/a/b";
    for (from, location, expected) in [
        (public, "c", Some("https://example.com/a/c")),
        (public, "/c?d#e", Some("https://example.com/c?d")),
        (public, "//other.example/", Some("https://other.example/")),
        (public, "https://other.example:8443/", Some("https://other.example:8443/")),
        (public, "http://example.com/", None),
        (public, "https://169.254.169.254/", None),
        (public, "https://[::ffff:10.0.0.1]/", None),
        (public, "https://localhost/", None),
        (public, "https://user@example.com/", None),
        (public, "javascript:alert(1)", None),
        (public, "https://", None),
        (public, "http://127.0.0.1:8080/", None),
        (public, "https://dev.example.com:8443/", None),
        ("https://dev.example.com:8443/", "http://127.0.0.1:8080/", None),
        ("http://127.0.0.1:8080/", "/a", Some("http://127.0.0.1:8080/a")),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:9090/a", Some("http://127.0.0.1:9090/a")),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:7070/a", None),
        ("http://127.0.0.1:8080/", public, Some(public)),
    ] {
        let from = tool.address(from).unwrap();
        let to = tool.redirected(&from, location);
        let class = to.as_ref().err().map(|refusal| &refusal.class);
        assert_eq!(to.as_ref().ok().map(|to| to.as_str()), expected, "{location}");
        assert_eq!(class, expected.is_none().then_some(&ErrorClass::SandboxViolation));
    }
}

#[test]
fn a_person_sees_the_url_in_ascii_and_allows_a_method_of_an_origin() {
    let tool = tool("");
    for (arguments, text, place) in [
        (json!({"url": "HTTPS://EXAMPLE.com/a b"}), None, None),
        (
            json!({"url": "HTTPS://EXAMPLE.com/a/../b?c"}),
            Some("https://example.com/b?c"),
            Some("GET https://example.com:443"),
        ),
        (
            json!({"url": "https://exämple.com:8443", "method": "POST"}),
            Some("https://xn--exmple-cua.com:8443/"),
            Some("POST https://xn--exmple-cua.com:8443"),
        ),
    ] {
        let input = input(&arguments);
        let target = text.map(|text| Target { kind: TargetKind::Url, text: text.to_owned() });
        assert_eq!(tool.target(&input), target);
        assert_eq!(tool.place(&input).as_deref(), place);
        let origin = place.and_then(|place| place.split(' ').nth(1));
        let environment = tool.environment(&input).map(|environment| environment.to_value());
        assert_eq!(environment, origin.map(|origin| json!({"origin": origin})));
    }
}
