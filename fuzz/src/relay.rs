//! What must hold for any bytes that reach the relay.

use std::fmt::Debug;

use assent_relay_api::{
    Operation,
    ledger::{SignedEntry, check_next},
    operations::{accounts, admin, agents, conversations, keys, manifests, relations},
    read::{read_body, read_query},
    socket::{ClientFrame, ServerFrame},
    value::PublicKey,
};
use serde::{Serialize, de::DeserializeOwned};

/// A body is refused with a code of status 400, 413 or 422, or it survives being written and read.
pub fn relay_request(data: &[u8]) {
    body::<accounts::Register>(data);
    body::<accounts::Login>(data);
    body::<accounts::Refresh>(data);
    body::<accounts::RegisterDevice>(data);
    body::<keys::PublishPrekeys>(data);
    body::<keys::ClaimPrekeys>(data);
    body::<keys::PutBackup>(data);
    body::<agents::CreateAgent>(data);
    body::<agents::UpdateAgent>(data);
    body::<agents::CreateToken>(data);
    body::<agents::RegisterAgentKeys>(data);
    body::<relations::CreateRelation>(data);
    body::<relations::UpdateRelation>(data);
    body::<relations::RevokeRelation>(data);
    body::<relations::SuspendRelation>(data);
    body::<conversations::CreateConversation>(data);
    body::<conversations::AddMembers>(data);
    body::<conversations::SendMessage>(data);
    body::<admin::BackUp>(data);
    let query = String::from_utf8_lossy(data);
    let _search = read_query::<agents::AgentSearch>(&query);
    let _diff = read_query::<manifests::DiffQuery>(&query);
    let _poll = read_query::<conversations::PollQuery>(&query);
    let _relations = read_query::<relations::RelationsQuery>(&query);
}

fn body<O: Operation>(data: &[u8])
where
    O::Body: PartialEq + Debug,
{
    survives::<O::Body>(data);
}

fn survives<T: Serialize + DeserializeOwned + PartialEq + Debug>(data: &[u8]) -> Option<T> {
    match read_body::<T>(data) {
        Ok(value) => {
            let text = serde_json::to_vec(&value).expect("what was read can be written");
            assert_eq!(read_body::<T>(&text).expect("and read again"), value);
            Some(value)
        }
        Err(error) => {
            let status = error.code.known().expect("a code of ours").http_status();
            assert!([400, 413, 422].contains(&status), "{error:?}");
            assert!(error.params.contains_key("pointer"), "{error:?}");
            None
        }
    }
}

/// A frame is refused, or it survives being written and read.
pub fn relay_frame(data: &[u8]) {
    if let Ok(frame) = ClientFrame::read(data)
        && !matches!(frame, ClientFrame::Unknown | ClientFrame::Unreadable(_))
    {
        let text = serde_json::to_vec(&frame).expect("what was read can be written");
        assert_eq!(ClientFrame::read(&text).expect("and read again"), frame);
    }
    if let Ok(frame) = ServerFrame::read(data) {
        let text = serde_json::to_vec(&frame).expect("what was read can be written");
        assert_eq!(ServerFrame::read(&text).expect("and read again"), frame);
    }
}

/// An entry of a ledger is read in one way only, and no entry follows itself.
pub fn ledger_entry(data: &[u8]) {
    let Some(signed) = survives::<SignedEntry>(data) else { return };
    let _verdict = signed.verify(&PublicKey::from([7; 32]));
    let Ok(canonical) = signed.entry.canonical_bytes() else { return };
    let again = read_body(&canonical).expect("a canonical entry is an entry");
    assert_eq!(signed.entry, again);
    assert!(check_next(Some(&signed.entry), &signed.entry).is_err());
}
