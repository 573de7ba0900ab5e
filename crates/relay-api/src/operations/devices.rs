//! The devices of a person.

mod list_devices;
mod register_device;
mod remove_device;

pub use list_devices::ListDevices;
pub use register_device::{NewDevice, RegisterDevice};
pub use remove_device::RemoveDevice;
