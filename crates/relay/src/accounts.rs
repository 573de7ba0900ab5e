//! Accounts of people: registration, logins and devices, and the tokens that prove them.

pub(crate) mod access_tokens;
pub(crate) mod alive_logins;
pub(crate) mod devices;
mod list_devices;
mod login;
pub(crate) mod login_failures;
mod logout;
mod me;
pub(crate) mod passwords;
mod refresh;
mod register;
mod register_device;
mod remove_device;
pub(crate) mod secrets;
pub(crate) mod sessions;
pub(crate) mod signing_keys;

use assent_relay_api::operations::accounts::{
    ListDevices, Login, Logout, Me, Refresh, Register, RegisterDevice, RemoveDevice,
};

use crate::http::Routes;

/// Adds the operations on accounts.
pub(crate) fn routes(routes: Routes) -> Routes {
    let routes = routes.serve::<Register>().serve::<Login>().serve::<Refresh>();
    let routes = routes.serve::<Logout>().serve::<Me>();
    routes.serve::<RegisterDevice>().serve::<ListDevices>().serve::<RemoveDevice>()
}
