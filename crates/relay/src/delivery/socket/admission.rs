//! The first frame: who connects, and from where to go on.

use std::sync::Arc;

use assent_ids::{DeviceId, EventSeq, Principal};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::socket::{
    AUTH_TIMEOUT, Auth, AuthError, AuthErrorReason, AuthOk, ClientFrame, CloseCode, ServerFrame,
};
use assent_websocket::{Frame, Message};
use tokio::time::timeout;

use super::{
    End, SocketRole,
    acks::{Position, ReadPosition},
    client::{Admitted, Client},
    reader::SocketReader,
    writer::SocketWriter,
};
use crate::{
    accounts::devices,
    delivery::hub::Way,
    http::{Caller, Refusal, identify},
    state::Relay,
};

/// Why a client is refused, and the answer to it.
struct Rejected(AuthErrorReason, String, CloseCode);

/// Waits for the first frame and authenticates the client, or answers why it is refused.
pub(super) async fn admit(
    relay: &Arc<Relay>,
    reader: &mut SocketReader,
    writer: &mut SocketWriter,
    role: SocketRole,
) -> Result<Client, End> {
    let admitted = match timeout(AUTH_TIMEOUT, first_frame(reader, writer)).await {
        Ok(Ok(auth)) => enter(relay, role, auth).await,
        Ok(Err(end)) => end,
        Err(_) => {
            let text = "the first frame has to be `auth`, within five seconds";
            Err(Rejected(AuthErrorReason::AuthTimeout, text.into(), CloseCode::AuthTimeout).into())
        }
    };
    match admitted {
        Ok((mut client, ok)) => {
            writer.send(&ServerFrame::AuthOk(ok)).await?;
            client.catch_up(relay, writer).await?;
            Ok(client)
        }
        Err(Refused::Rejected(Rejected(reason, message, code))) => {
            writer.send(&ServerFrame::AuthError(AuthError::new(reason, message))).await?;
            Err(End::Close(code))
        }
        Err(Refused::Ended(end)) => Err(end),
    }
}

enum Refused {
    Rejected(Rejected),
    Ended(End),
}

impl From<Rejected> for Refused {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

type Entered = Result<(Client, AuthOk), Refused>;

/// The first frame, or why there is none.
async fn first_frame(
    reader: &mut SocketReader,
    writer: &mut SocketWriter,
) -> Result<Auth, Entered> {
    let text = loop {
        match reader.next().await {
            Ok(Message::Text(text)) => break text,
            Ok(Message::Ping(payload)) => {
                writer.send_all(&[Frame::pong(&payload)]).await.map_err(ended)?;
            }
            Ok(Message::Pong(_)) => {}
            Ok(Message::Binary(_)) => return Err(Err(auth_required())),
            Ok(Message::Close(code)) => return Err(ended(End::Answer(code))),
            Err(lost) => return Err(ended(lost.into())),
        }
    };
    match ClientFrame::read(text.as_bytes()) {
        Ok(ClientFrame::Auth(auth)) => Ok(auth),
        Ok(_) => Err(Err(auth_required())),
        Err(_) => Err(ended(End::Close(CloseCode::BadFrame))),
    }
}

const fn ended(end: End) -> Entered {
    Err(Refused::Ended(end))
}

fn auth_required() -> Refused {
    let text = "the first frame has to be `auth`";
    Rejected(AuthErrorReason::AuthRequired, text.into(), CloseCode::Unauthenticated).into()
}

async fn enter(relay: &Arc<Relay>, role: SocketRole, auth: Auth) -> Entered {
    let (party, admitted) = identified(relay, role, &auth).await?;
    let room = relay.settings.limits.sockets_per_party;
    // Registered before the store is read: events that are stored from here on arrive in the mailbox.
    let Some(connected) = relay.hub.connect(party, Way::Socket, room) else {
        let text = "there are too many connections; close one, or wait";
        let reason = AuthErrorReason::TooManyConnections;
        return Err(Rejected(reason, text.into(), CloseCode::TooMany).into());
    };
    let position = ReadPosition { party, device: auth.device_id };
    check_device(relay, party, auth.device_id).await?;
    let Position { first, latest, acknowledged } = relay
        .store
        .read(position)
        .await
        .map_err(|_| Refused::Ended(End::Close(CloseCode::GoingAway)))?;
    // What was deleted does not come: a device that never acknowledged anything begins with what is kept.
    let before_first = EventSeq(first.0.saturating_sub(1));
    let resume_after = auth.resume_after.or(acknowledged).unwrap_or(before_first).min(latest);
    let cursor = resume_after.max(before_first);
    let ok = AuthOk {
        id: party,
        resume_after,
        first_event_id: first,
        latest_event_id: latest,
        expires_in_seconds: admitted.expires_at.map(|end| end.since(relay.now()).as_secs()),
    };
    Ok((Client::new(party, auth.device_id, admitted, connected, cursor), ok))
}

/// Refuses a device that was removed, whatever token it has.
async fn check_device(
    relay: &Relay,
    party: Principal,
    device: Option<DeviceId>,
) -> Result<(), Refused> {
    let (Principal::User(user_id), Some(device_id)) = (party, device) else { return Ok(()) };
    let connected = devices::Connected { user_id, device_id, now: relay.now() };
    let gone = |_| Refused::Ended(End::Close(CloseCode::GoingAway));
    if relay.store.write(connected).await.map_err(gone)? {
        return Ok(());
    }
    let text = "there is no such device; it may have been removed".to_owned();
    Err(Rejected(AuthErrorReason::SessionRevoked, text, CloseCode::SessionEnded).into())
}

/// The holder of the token, if the path serves such clients.
async fn identified(
    relay: &Arc<Relay>,
    role: SocketRole,
    auth: &Auth,
) -> Result<(Principal, Admitted), Refused> {
    let token = auth.token.expose();
    let caller = identify(relay, token).await.map_err(|refusal| rejected(&refusal))?;
    match (role, &caller) {
        (SocketRole::Human, Caller::User { user_id, .. }) => {
            let access = relay.access_tokens.verify(token, relay.now());
            let expires_at = access.map_err(|_| invalid_token())?.expires_at;
            let party = Principal::User(*user_id);
            Ok((party, Admitted { caller, expires_at: Some(expires_at) }))
        }
        (SocketRole::Agent(named), Caller::Agent { agent_id, .. })
            if named.or(auth.agent_id).is_none_or(|named| named == *agent_id)
                && auth.agent_id.is_none_or(|named| named == *agent_id) =>
        {
            Ok((Principal::Agent(*agent_id), Admitted { caller, expires_at: None }))
        }
        _ => Err(invalid_token()),
    }
}

fn invalid_token() -> Refused {
    let text = "the token belongs to another account, or is of another kind";
    Rejected(AuthErrorReason::InvalidToken, text.into(), CloseCode::Unauthenticated).into()
}

fn rejected(refusal: &Refusal) -> Refused {
    let (reason, code) = match refusal.code() {
        ApiCode::SessionRevoked => (AuthErrorReason::SessionRevoked, CloseCode::SessionEnded),
        ApiCode::Forbidden => (AuthErrorReason::Suspended, CloseCode::Forbidden),
        ApiCode::StorageUnavailable => return Refused::Ended(End::Close(CloseCode::GoingAway)),
        _ => (AuthErrorReason::InvalidToken, CloseCode::Unauthenticated),
    };
    Rejected(reason, refusal.error().message.clone(), code).into()
}

/// Replaces the access token of a connection by a newer one of the same person.
pub(super) async fn renew(
    relay: &Arc<Relay>,
    writer: &mut SocketWriter,
    client: &mut Client,
    token: &str,
) -> Result<(), End> {
    let renewed =
        match (identify(relay, token).await, relay.access_tokens.verify(token, relay.now())) {
            (Ok(caller @ Caller::User { user_id, .. }), Ok(access))
                if client.party == Principal::User(user_id) =>
            {
                Ok((caller, access.expires_at))
            }
            (Err(refusal), _) => Err(refusal.error().message.clone()),
            _ => Err("the token belongs to another account, or is of another kind".to_owned()),
        };
    match renewed {
        Ok((caller, expires_at)) => {
            client.renew(Admitted { caller, expires_at: Some(expires_at) });
            let position = relay.store.read(client.position()).await;
            let Position { first, latest, .. } =
                position.map_err(|_| End::Close(CloseCode::GoingAway))?;
            let ok = AuthOk {
                id: client.party,
                resume_after: client.cursor(),
                first_event_id: first,
                latest_event_id: latest,
                expires_in_seconds: Some(expires_at.since(relay.now()).as_secs()),
            };
            writer.send(&ServerFrame::AuthOk(ok)).await
        }
        Err(message) => {
            let error = AuthError::new(AuthErrorReason::InvalidToken, message);
            writer.send(&ServerFrame::AuthError(error)).await?;
            Err(End::Close(CloseCode::Unauthenticated))
        }
    }
}
