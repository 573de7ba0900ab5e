//! `DELETE /devices/{device_id}`

use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::Empty, path::DevicePath};

/// Removes a device of the caller.
#[derive(Clone, Copy, Debug)]
pub struct RemoveDevice;

impl Operation for RemoveDevice {
    const ID: &'static str = "remove_device";
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/devices/{device_id}";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnDevice);
    const TAG: Tag = Tag::Devices;
    const SUMMARY: &'static str = "Remove a device";
    const DESCRIPTION: &'static str = "\
        Its sockets are closed with `session.invalidated`, its prekeys are gone. What it signed \
        stays in the ledger.";
    const IDEMPOTENT: bool = true;

    type Path = DevicePath;
    type Query = ();
    type Body = ();
    type Reply = Empty;
}
