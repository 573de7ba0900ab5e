//! Devices of people.

mod list_devices;
mod register_device;
mod remove_device;

use crate::http::Routes;

/// Adds the operations on devices.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::accounts::{ListDevices, RegisterDevice, RemoveDevice};
    routes.serve::<RegisterDevice>().serve::<ListDevices>().serve::<RemoveDevice>()
}
