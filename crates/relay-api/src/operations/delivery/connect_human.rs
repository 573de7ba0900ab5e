//! `GET /ws/human`

use http::Method;

use super::Upgrade;
use crate::{Access, Credential, Needs, Operation, Tag};

/// Opens the socket of a person.
#[derive(Clone, Copy, Debug)]
pub struct ConnectHuman;

impl Operation for ConnectHuman {
    const ID: &'static str = "connect_human";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/ws/human";
    const ACCESS: Access = Access::new(Credential::FirstFrame, Needs::Nothing);
    const TAG: Tag = Tag::Events;
    const SUMMARY: &'static str = "Open a person's socket";
    const DESCRIPTION: &'static str = "\
        The first frame has to be `auth`, within five seconds; see the schemas `ClientFrame` and \
        `ServerFrame`. Events come, and messages of up to 64 KiB can be sent, with `message.send`.";
    const SUCCESS: u16 = 101;
    const IDEMPOTENT: bool = false;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = Upgrade;
}
