//! From a request to a socket.

use assent_outbound::{Stream, Upgrade};
use assent_relay_api::{
    operations::delivery::{AgentSocketQuery, ConnectAgent, ConnectHuman},
    write::write_target,
};
use http::{
    HeaderMap, HeaderValue,
    header::{SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        handshake::{client::generate_key, derive_accept_key},
        protocol::{Role, WebSocketConfig},
    },
};

use crate::{
    ClientError, SocketRole, StreamError,
    transport::{Received, Transport},
};

/// The longest frame of a relay: an event with the largest message, and room to spare.
const MAX_RECEIVED: usize = 4 * 1024 * 1024;

/// The most bytes of an answer that is no socket.
const MAX_REFUSAL: usize = 64 * 1024;

pub(super) async fn open(
    transport: &Transport,
    role: SocketRole,
) -> Result<WebSocketStream<Stream>, StreamError> {
    // Operators have no socket.
    let Transport::Web(web) = transport else { return Err(StreamError::NotASocket) };
    let target = match role {
        SocketRole::Human => write_target::<ConnectHuman>(&(), &()),
        SocketRole::Agent(agent_id) => {
            write_target::<ConnectAgent>(&(), &AgentSocketQuery { agent_id: Some(agent_id) })
        }
    };
    let key = generate_key();
    let mut headers = HeaderMap::new();
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    let shown = HeaderValue::from_str(&key).map_err(|_| StreamError::NotASocket)?;
    headers.insert(SEC_WEBSOCKET_KEY, shown);
    let protocol = HeaderValue::from_static("websocket");
    let target = target.map_err(ClientError::from)?;
    match web.upgrade(&target, headers, protocol).await? {
        Upgrade::Switched { headers, stream } => {
            let accepted = derive_accept_key(key.as_bytes());
            if headers.get(SEC_WEBSOCKET_ACCEPT).is_none_or(|accept| *accept != accepted) {
                return Err(StreamError::NotASocket);
            }
            let config = WebSocketConfig::default()
                .max_message_size(Some(MAX_RECEIVED))
                .max_frame_size(Some(MAX_RECEIVED));
            Ok(WebSocketStream::from_raw_socket(*stream, Role::Client, Some(config)).await)
        }
        Upgrade::Answered(answer) => {
            let (status, headers) = (answer.status(), answer.headers().clone());
            let body = answer.body(MAX_REFUSAL).await.map_err(ClientError::Unreachable)?;
            let received = Received { status, headers, body: body.bytes().to_vec() };
            match received.checked() {
                Ok(_) => Err(StreamError::NotASocket),
                Err(refused) => Err(refused.into()),
            }
        }
    }
}
