//! Logins: each is a family of refresh tokens, of which one is good at a time.

pub(crate) mod cookie;
pub(crate) mod rotation;

use std::net::IpAddr;

use assent_ids::{DeviceId, Minter, Principal, TokenFamilyId, UnixMillis, UserId};
use assent_protocol::{
    a2h::{ApiCode, InvalidationReason, RelayEventType, SessionInvalidated},
    wire::Object,
};
use assent_relay_api::{Operation, model::Session};
use assent_store::{StoreError, Tx};
use http::{HeaderMap, header::SET_COOKIE};
use zeroize::Zeroizing;

use crate::{
    accounts::{
        access_tokens::LIFETIME_SECONDS,
        secrets::{self, REFRESH_PREFIX},
    },
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    http::{Answer, Refusal},
    state::Relay,
    storage::times::millis,
};

const INSERT_FAMILY: &str =
    "INSERT INTO token_families (family_id, user_id, created_at, expires_at)
    VALUES ($1, $2, $3, $4)";
const INSERT_TOKEN: &str = "INSERT INTO refresh_tokens (token_hash, family_id, issued_at)
    VALUES ($1, $2, $3)";
const END: &str = "UPDATE token_families SET revoked_at = $2
    WHERE family_id = $1 AND revoked_at IS NULL";

/// How a client keeps its refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// The browser does.
    Cookie,
    /// The client does by itself.
    Body,
}

impl Keeping {
    /// What a client asks for with `cookie`.
    pub(crate) fn asked(cookie: Option<bool>) -> Self {
        if cookie == Some(false) { Self::Body } else { Self::Cookie }
    }
}

/// A login with the refresh token that is good for it now.
#[derive(Clone)]
pub(crate) struct Login {
    pub(crate) user_id: UserId,
    pub(crate) family_id: TokenFamilyId,
    pub(crate) refresh_token: Zeroizing<String>,
}

impl Login {
    /// A login that is about to begin.
    pub(crate) fn new(relay: &Relay, user_id: UserId) -> Self {
        let refresh_token = new_token(relay);
        Self { user_id, family_id: relay.minter.mint(), refresh_token }
    }

    /// Makes it known.
    pub(crate) async fn begin(&self, tx: &mut Tx, now: UnixMillis) -> Result<(), StoreError> {
        let (family, user) = (self.family_id.to_string(), self.user_id.to_string());
        let expires_at = millis(now.after(rotation::LIFETIME));
        let row = [(&family).into(), user.into(), millis(now).into(), expires_at.into()];
        tx.execute(INSERT_FAMILY, &row).await?;
        insert_token(tx, &secrets::hash(&self.refresh_token), &family, now).await
    }

    /// The answer that lets the person go on.
    pub(crate) fn answer<O: Operation<Reply = Session>>(
        self,
        relay: &Relay,
        keeping: Keeping,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Answer<O>, Refusal> {
        let access_token = relay.access_tokens.issue(self.user_id, self.family_id, relay.now());
        let unsigned = || Refusal::new(ApiCode::InternalError, "there is no key to sign with");
        let mut answer = Answer::<O>::new(Session {
            user_id: self.user_id,
            access_token: access_token.ok_or_else(unsigned)?.into(),
            expires_in_seconds: LIFETIME_SECONDS,
            refresh_token: None,
        });
        match keeping {
            Keeping::Cookie => {
                let secure = cookie::is_secure(&relay.settings, headers, peer);
                let cookie = cookie::holding(&self.refresh_token, secure)?;
                answer.headers.insert(SET_COOKIE, cookie);
            }
            Keeping::Body => {
                answer.reply.refresh_token = Some((*self.refresh_token).clone().into());
            }
        }
        Ok(answer)
    }
}

/// A refresh token.
pub(crate) fn new_token(relay: &Relay) -> Zeroizing<String> {
    secrets::generate(REFRESH_PREFIX, &*relay.entropy)
}

/// Makes the token with this hash the newest of its family.
pub(crate) async fn insert_token(
    tx: &mut Tx,
    token_hash: &str,
    family: &str,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let row = [token_hash.into(), family.into(), millis(now).into()];
    tx.execute(INSERT_TOKEN, &row).await
}

/// Ends a login: no token of it is good any more. False if it had ended before.
pub(crate) async fn end(
    tx: &mut Tx,
    user_id: UserId,
    family_id: TokenFamilyId,
    now: UnixMillis,
    outbox: &mut Outbox,
) -> Result<bool, StoreError> {
    let ended = tx.change(END, &[family_id.to_string().into(), millis(now).into()]).await? > 0;
    if ended {
        outbox.ended.push((Principal::User(user_id), family_id));
    }
    Ok(ended)
}

/// What has ended for a person.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ended {
    /// A login; its access tokens name it as `sid`.
    pub(crate) login: Option<TokenFamilyId>,
    pub(crate) device: Option<DeviceId>,
}

/// Tells all devices of a person what has ended, so that each knows whether it is the one.
pub(crate) async fn tell(
    tx: &mut Tx,
    minter: &Minter,
    user_id: UserId,
    reason: InvalidationReason,
    ended: Ended,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let mut extra = Object::new();
    if let Some(login) = ended.login {
        extra.insert("session_id".to_owned(), login.to_string().into());
    }
    if let Some(device) = ended.device {
        extra.insert("device_id".to_owned(), device.to_string().into());
    }
    let data = SessionInvalidated { reason: reason.into(), extra };
    let content = Content::notice(RelayEventType::SessionInvalidated, &data)?;
    events::append_one(tx, minter, Principal::User(user_id), &content, outbox).await.map(|_| ())
}
