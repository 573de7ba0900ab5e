//! The socket of the relay: what clients and the server send each other, a JSON text per frame.
//!
//! ```text
//! client                                        server
//!   {"type":"auth","token":…,"resume_after":41} ──►     within 5 seconds
//!   ◄── {"type":"auth.ok","first_event_id":1,"latest_event_id":43,…}
//!   ◄── {"type":"message.new","event_id":42,"data":{…}}
//!   ◄── {"type":"message.ack","event_id":43,"data":{…}}
//!   {"type":"ack","event_id":43} ──►                    what was handled, for good
//!   {"type":"message.send","client_message_id":…} ──►   the same as by HTTP, for less
//!   ◄── {"type":"message.sent","client_message_id":…}   or `message.refused`, when it is known which
//!   ◄── {"type":"auth.expiring","expires_in_seconds":30}
//!   {"type":"auth.renew","access_token":…} ──►
//!   ◄── {"type":"auth.ok",…}
//! ```
//!
//! Events that were not acknowledged come again on the next connection. The server sends a ping of the
//! WebSocket protocol every 30 seconds and gives a connection up that has been silent for 90.

mod client_frame;
mod close_code;
mod message;
mod server_frame;

use std::time::Duration;

use schemars::{Schema, json_schema};
use serde::Deserialize;

pub use client_frame::{
    Ack, Auth, AuthRenew, ClientFrame, MAX_FIRST_FRAME_BYTES, MAX_FRAME_BYTES, Ping,
};
pub use close_code::CloseCode;
pub use message::{MessageRefused, MessageSend, MessageSent};
pub use server_frame::{
    AuthError, AuthErrorReason, AuthExpiring, AuthOk, Draining, Pong, ServerFrame,
};

/// How long a client may take to authenticate.
pub const AUTH_TIMEOUT: Duration = Duration::from_secs(5);
/// How often the server sends a ping.
pub const PING_INTERVAL: Duration = Duration::from_secs(30);
/// After how much silence a connection counts as dead.
pub const DEAD_AFTER: Duration = Duration::from_secs(90);

/// What every frame has.
#[derive(Deserialize)]
struct Head {
    r#type: String,
}

/// The schema of a frame of this type.
fn tagged(name: &str, fields: &Schema) -> Schema {
    json_schema!({
        "allOf": [
            { "type": "object", "properties": { "type": { "const": name } }, "required": ["type"] },
            fields,
        ],
    })
}
