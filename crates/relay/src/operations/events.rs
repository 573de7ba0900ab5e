//! Events by HTTP, for whoever has no socket.

mod list_events;

use assent_relay_api::operations::delivery::ListEvents;

use crate::http::Routes;

/// Adds the operations on events. The sockets have routes of their own.
pub(super) fn routes(routes: Routes) -> Routes {
    routes.serve::<ListEvents>()
}
