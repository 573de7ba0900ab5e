//! The test vectors of `docs/envelope.md`: fixed keys and envelopes that open to known content, here and in
//! Python. `WRITE_VECTORS=1` writes new ones.

use assent_sealing::{Account, Layers, Peer, PublicKeys};
use serde_json::{Value, json};
use vodozemac::olm::{AccountPickle, SessionPickle};

use crate::{
    python::{Python, hex, unhex},
    sides::{Side, acquainted, agent, device, strangers},
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/envelope-vectors.json");

/// Pickles of the vectors are encrypted under this key.
const PICKLE_KEY: [u8; 32] = [7; 32];

fn vectors() -> Value {
    if std::env::var_os("WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&generate()).unwrap();
        std::fs::write(FILE, text + "\n").unwrap();
    }
    serde_json::from_slice(&std::fs::read(FILE).unwrap()).unwrap()
}

/// Makes a vector for each kind of block.
fn generate() -> Value {
    let (mut sender, mut recipient) = acquainted();
    let before_first = recipient.state();
    let first = sender.seal("first", "{\"type\":\"text\",\"text\":\"第一\"}".as_bytes());
    recipient.open(&first).unwrap();
    let answer = recipient.seal("answer", b"{}");
    sender.open(&answer).unwrap();
    let before_session = recipient.state();
    let session = sender.seal("session", b"{\"type\":\"text\",\"text\":\"second\"}");
    let first =
        case("first", &sender, &before_first, &first, "{\"type\":\"text\",\"text\":\"第一\"}");
    let session = case(
        "session",
        &sender,
        &before_session,
        &session,
        "{\"type\":\"text\",\"text\":\"second\"}",
    );
    json!({
        "pickle_key": hex(&PICKLE_KEY),
        "cases": [stateless(), session, first],
    })
}

fn stateless() -> Value {
    let (mut sender, recipient) = strangers();
    let kem_key = recipient.account.prekeys().kem_prekey.public_key;
    let keys = recipient.account.public_keys();
    sender.peer = Peer::new(agent(2), keys, Layers::Stateless { kem_key });
    let envelope = sender.seal("stateless", b"{\"type\":\"text\",\"text\":\"hook\"}");
    let content = "{\"type\":\"text\",\"text\":\"hook\"}";
    case("stateless", &sender, &recipient.state(), &envelope, content)
}

/// A vector: the recipient's state, who sent the envelope, and what it opens to.
fn case(
    kind: &str,
    sender: &Side,
    (account, peer): &(Vec<u8>, Vec<u8>),
    envelope: &[u8],
    content: &str,
) -> Value {
    let mut account: Value = serde_json::from_slice(account).unwrap();
    let mut peer: Value = serde_json::from_slice(peer).unwrap();
    let olm: AccountPickle = serde_json::from_value(account["olm"].take()).unwrap();
    let seed: Vec<u8> = serde_json::from_value(account["kem"]["seed"].take()).unwrap();
    let session = peer["sessions"].get_mut(0).map(|session| {
        let olm: SessionPickle = serde_json::from_value(session["olm"].take()).unwrap();
        let secret: Vec<u8> = serde_json::from_value(session["secret"].take()).unwrap();
        json!({"olm": olm.encrypt(&PICKLE_KEY), "secret": hex(&secret)})
    });
    let keys = sender.account.public_keys();
    json!({
        "kind": kind,
        "recipient": {
            "id": "0200000000000000000000000000000002",
            "olm": olm.encrypt(&PICKLE_KEY),
            "kem_seed": hex(&seed),
            "session": session,
        },
        "sender": {
            "id": "0100000000000000000000000000000001",
            "identity": hex(&keys.identity),
            "signing": hex(&keys.signing),
        },
        "envelope": hex(envelope),
        "content": content,
    })
}

/// The recipient of a vector, as this implementation stores it.
fn recipient(case: &Value) -> Side {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let stored = &case["recipient"];
    let olm = AccountPickle::from_encrypted(&text(&stored["olm"]), &PICKLE_KEY).unwrap();
    let account = json!({
        "olm": olm,
        "signed_prekey": {"public_key": vec![0; 32], "created_at": 0, "was_used": false},
        "kem": {"seed": unhex(&text(&stored["kem_seed"])), "created_at": 0},
        "previous_kem": null,
    });
    let keys = PublicKeys {
        identity: unhex(&text(&case["sender"]["identity"])).try_into().unwrap(),
        signing: unhex(&text(&case["sender"]["signing"])).try_into().unwrap(),
    };
    let layers = match case["kind"].as_str() {
        Some("stateless") => json!({"stateless": {"kem_key": [0]}}),
        _ => json!("full"),
    };
    let sessions = stored["session"].as_object().into_iter().map(|session| {
        let olm = SessionPickle::from_encrypted(&text(&session["olm"]), &PICKLE_KEY).unwrap();
        let secret = unhex(&text(&session["secret"]));
        json!({"olm": olm, "secret": secret, "wrap": null, "created_at": 0})
    });
    let peer = json!({
        "endpoint": device(1), "keys": keys, "layers": layers, "has_changed": false,
        "sessions": sessions.collect::<Vec<Value>>(), "reset_at": null,
    });
    let (mut side, _) = strangers();
    side.endpoint = agent(2);
    side.account = Account::from_json(account.to_string().as_bytes()).unwrap();
    side.peer = Peer::from_json(peer.to_string().as_bytes()).unwrap();
    side
}

#[test]
fn the_vectors_open_to_their_content() {
    let vectors = vectors();
    let cases = vectors["cases"].as_array().unwrap();
    for case in cases {
        let envelope = unhex(case["envelope"].as_str().unwrap());
        let content = case["content"].as_str().unwrap();
        let opened = recipient(case).open(&envelope);
        assert_eq!(opened, Ok(content.as_bytes().to_vec()), "{}", case["kind"]);
    }
    assert_eq!(cases.len(), 3);
}

#[test]
fn python_opens_the_vectors_as_well() {
    let vectors = vectors();
    for case in vectors["cases"].as_array().unwrap() {
        let mut python = Python::start();
        let stored = &case["recipient"];
        python.ask(&json!({"do": "restore", "state": {
            "olm": stored["olm"], "key": vectors["pickle_key"], "seed": stored["kem_seed"],
            "me": stored["id"], "session": stored["session"],
        }}));
        let keys = PublicKeys {
            identity: unhex(case["sender"]["identity"].as_str().unwrap()).try_into().unwrap(),
            signing: unhex(case["sender"]["signing"].as_str().unwrap()).try_into().unwrap(),
        };
        let envelope = unhex(case["envelope"].as_str().unwrap());
        assert_eq!(python.open(&envelope, &keys), case["content"].as_str().unwrap());
    }
}
