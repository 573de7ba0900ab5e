//! Accounts and sessions of people.

mod login;
mod logout;
mod me;
mod refresh;
mod register;

use crate::http::Routes;

/// Adds the operations on accounts.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::accounts::{Login, Logout, Me, Refresh, Register};
    routes.serve::<Register>().serve::<Login>().serve::<Refresh>().serve::<Logout>().serve::<Me>()
}
