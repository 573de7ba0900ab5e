//! Registration, login and sessions.

mod login;
mod logout;
mod me;
mod refresh;
mod register;

pub use login::{Credentials, Login};
pub use logout::Logout;
pub use me::Me;
pub use refresh::{Refresh, RefreshToken};
pub use register::{NewAccount, Register};
