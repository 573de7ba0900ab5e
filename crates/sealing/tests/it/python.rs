//! A second implementation, in Python, reads what this one writes and the other way round.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use assent_sealing::{
    KemPrekey, Layers, OneTimePrekey, Peer, PrekeyBundle, PublicKeys, SignedPrekey,
};
use assent_test_servers::python_with;
use serde_json::{Value, json};

use crate::sides::{NOW, Side, agent, entropy, strangers};

/// The Python implementation, as a process.
pub(crate) struct Python {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Python {
    pub(crate) fn start() -> Self {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let python = python_with(target, &["vodozemac==0.10.0", "cryptography==50.0.2"]);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/serve.py");
        let mut process = Command::new(python)
            .args(["-B", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = process.stdin.take().unwrap();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        Self { process, stdin, stdout }
    }

    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.stdin, "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let mut answer: Value = serde_json::from_str(&line).unwrap();
        answer["result"].take()
    }

    fn ask_text(&mut self, request: &Value) -> String {
        self.ask(request).as_str().unwrap().to_owned()
    }

    pub(crate) fn open(&mut self, envelope: &[u8], sender: &PublicKeys) -> String {
        self.ask_text(&json!({
            "do": "open", "envelope": hex(envelope),
            "identity": hex(&sender.identity), "signing": hex(&sender.signing),
        }))
    }

    fn bundle(&mut self) -> PrekeyBundle {
        let bundle = self.ask(&json!({"do": "bundle"}));
        let bytes = |field: &str| unhex(bundle[field].as_str().unwrap());
        let array = |field: &str| bytes(field).try_into().unwrap();
        let signature = |field: &str| bytes(field).try_into().unwrap();
        PrekeyBundle {
            keys: PublicKeys { identity: array("identity"), signing: array("signing") },
            signed_prekey: SignedPrekey {
                key_id: "spk".to_owned(),
                public_key: array("signed_prekey"),
                signature: signature("signed_prekey_signature"),
            },
            kem_prekey: KemPrekey {
                key_id: "kk".to_owned(),
                public_key: bytes("kem_prekey"),
                signature: signature("kem_prekey_signature"),
            },
            one_time_prekey: Some(OneTimePrekey {
                key_id: "otk".to_owned(),
                public_key: array("one_time_prekey"),
            }),
        }
    }

    fn seal(&mut self, name: &str, content: &str, stateless_to: Option<&[u8]>) -> Vec<u8> {
        let header = json!({
            "conversation": "00000000000000000000000000000003", "name": name,
            "subtype": 1, "content_type": 1, "sent_at": NOW.get(),
        });
        let mut request = json!({"do": "seal", "to": DEVICE, "header": header, "content": content});
        if let Some(kem) = stateless_to {
            request["kem"] = hex(kem).into();
        }
        unhex(&self.ask_text(&request))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The id bytes of device 1 and agent 2.
const DEVICE: &str = "0100000000000000000000000000000001";
const AGENT: &str = "0200000000000000000000000000000002";

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}

/// A device of ours and an agent in Python, whose keys the device has pinned.
fn sides() -> (Side, Python, PrekeyBundle) {
    let (mut device, _) = strangers();
    let mut python = Python::start();
    python.ask(&json!({"do": "new", "me": AGENT}));
    let bundle = python.bundle();
    device.peer = Peer::new(agent(2), bundle.keys, Layers::Full);
    (device, python, bundle)
}

fn exchange(device: &mut Side, python: &mut Python, rounds: usize) {
    let keys = device.account.public_keys();
    for round in 0..rounds {
        let sent = device.seal(&format!("d{round}"), "from Rust ✓".as_bytes());
        assert_eq!(python.open(&sent, &keys), "from Rust ✓");
        let sent = python.seal(&format!("p{round}"), "from Python ✓", None);
        assert_eq!(device.open(&sent), Ok("from Python ✓".as_bytes().to_vec()));
    }
}

#[test]
fn a_session_that_rust_sets_up_works_in_both_directions() {
    let (mut device, mut python, bundle) = sides();
    let (account, endpoint) = (&device.account, device.endpoint);
    device.peer.start_session(account, endpoint, &bundle, NOW, &entropy()).unwrap();
    exchange(&mut device, &mut python, 4);
}

#[test]
fn a_session_that_python_sets_up_works_in_both_directions() {
    let (mut device, mut python, _) = sides();
    let ours = device.bundle(Some(0));
    let bundle = json!({
        "identity": hex(&ours.keys.identity),
        "signing": hex(&ours.keys.signing),
        "signed_prekey": hex(&ours.signed_prekey.public_key),
        "signed_prekey_signature": hex(&ours.signed_prekey.signature),
        "kem_prekey": hex(&ours.kem_prekey.public_key),
        "kem_prekey_signature": hex(&ours.kem_prekey.signature),
        "one_time_prekey": hex(&ours.one_time_prekey.unwrap().public_key),
    });
    python.ask(&json!({"do": "start_session", "peer": DEVICE, "bundle": bundle}));
    for name in ["first", "second"] {
        let sent = python.seal(name, "hello", None);
        assert_eq!(device.open(&sent), Ok(b"hello".to_vec()));
    }
    exchange(&mut device, &mut python, 4);
}

#[test]
fn stateless_messages_work_in_both_directions() {
    let (mut device, mut python, bundle) = sides();
    let layers = Layers::Stateless { kem_key: bundle.kem_prekey.public_key };
    device.peer = Peer::new(agent(2), bundle.keys, layers);
    let sent = device.seal("d", b"from Rust");
    assert_eq!(python.open(&sent, &device.account.public_keys()), "from Rust");
    let kem_key = device.account.prekeys().kem_prekey.public_key;
    let sent = python.seal("p", "from Python", Some(&kem_key));
    assert_eq!(device.open(&sent), Ok(b"from Python".to_vec()));
}
