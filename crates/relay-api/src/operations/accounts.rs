//! Accounts of people: registration, login, sessions and devices.

mod list_devices;
mod login;
mod logout;
mod me;
mod refresh;
mod register;
mod register_device;
mod remove_device;

pub use list_devices::ListDevices;
pub use login::{Credentials, Login};
pub use logout::Logout;
pub use me::Me;
pub use refresh::{Refresh, RefreshToken};
pub use register::{NewAccount, Register};
pub use register_device::{NewDevice, RegisterDevice};
pub use remove_device::RemoveDevice;
