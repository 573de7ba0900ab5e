//! `GET /devices`

use assent_protocol::a2h::Page;
use http::Method;

use crate::{Access, Operation, Tag, model::Device};

/// Lists the devices of the caller.
#[derive(Clone, Copy, Debug)]
pub struct ListDevices;

impl Operation for ListDevices {
    const ID: &'static str = "list_devices";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/devices";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Devices;
    const SUMMARY: &'static str = "List the own devices";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = Page<Device>;
}
