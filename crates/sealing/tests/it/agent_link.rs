//! Links with which a person adds an agent.

use assent_sealing::{AgentLink, AgentLinkError, KeyFingerprint, PublicKeys};

const AGENT: &str = "agt_00000000000000000000000002";

#[test]
fn a_link_is_read_as_it_was_written() {
    let keys = PublicKeys { identity: [1; 32], signing: [2; 32] };
    let link = AgentLink {
        agent: AGENT.parse().unwrap(),
        relay: Some("http://127.0.0.1:8700".parse().unwrap()),
        fingerprint: Some(KeyFingerprint::of(&keys)),
    };
    let text = link.to_string();
    let fingerprint = KeyFingerprint::of(&keys).to_string();
    let relay = "http%3A%2F%2F127.0.0.1%3A8700";
    assert_eq!(text, format!("assent:add/{AGENT}?relay={relay}#k={fingerprint}"));
    assert_eq!(text.parse(), Ok(link.clone()));
    let unescaped = format!("assent:add/{AGENT}?relay=http://127.0.0.1:8700#k={fingerprint}");
    assert_eq!(unescaped.parse(), Ok(link));
}

#[test]
fn relay_and_fingerprint_may_be_missing() {
    let link: AgentLink = format!("assent:add/{AGENT}").parse().unwrap();
    assert_eq!(link, AgentLink { agent: AGENT.parse().unwrap(), relay: None, fingerprint: None });
    assert_eq!(link.to_string(), format!("assent:add/{AGENT}"));
}

#[test]
fn what_is_wrong_with_a_link_is_named() {
    let read = |text: &str| text.parse::<AgentLink>().unwrap_err();
    assert_eq!(read("https://example.org/"), AgentLinkError::NotALink);
    assert_eq!(read("assent:remove/agt_1"), AgentLinkError::NotALink);
    assert_eq!(read(""), AgentLinkError::NotALink);
    assert_eq!(read("assent:add/agt_1"), AgentLinkError::Agent);
    assert_eq!(read(&format!("assent:add/{AGENT}?relay=no")), AgentLinkError::Relay);
    for key in ["", "k=", "k=12", &format!("k={}", "A".repeat(64)), &"a".repeat(64)] {
        let text = format!("assent:add/{AGENT}#{key}");
        assert_eq!(read(&text), AgentLinkError::Fingerprint, "{text}");
    }
}
