//! Whose request it is.

use std::sync::Arc;

use assent_http::bearer;
use assent_ids::{TokenFamilyId, TokenId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::Credential;
use assent_store::{Row, StoreError, Tx, Work};
use http::HeaderMap;

use crate::{
    accounts::{
        access_tokens::Rejected,
        secrets::{AGENT_PREFIX, hash, same},
    },
    agents::tokens,
    http::{Caller, Refusal},
    state::Relay,
    storage::stored_id::stored,
};

/// The scope of a token that may change the manifest of its agent.
pub(crate) const MANIFEST_WRITE: &str = "manifest:write";

/// Who calls, if the credential is of a kind that the operation takes.
pub(super) async fn authenticate(
    relay: &Arc<Relay>,
    credential: Credential,
    headers: &HeaderMap,
) -> Result<Caller, Refusal> {
    let (users, agents) = match credential {
        Credential::User => (true, false),
        Credential::Agent => (false, true),
        Credential::UserOrAgent => (true, true),
        // Operations that take refresh tokens look for them themselves, and may do without a bearer.
        Credential::RefreshTokenOrUser if bearer(headers).is_some() => (true, false),
        Credential::AdminSocket => return Ok(Caller::Operator),
        Credential::None
        | Credential::RefreshToken
        | Credential::RefreshTokenOrUser
        | Credential::FirstFrame => return Ok(Caller::Anonymous),
    };
    let token = bearer(headers).ok_or_else(|| {
        Refusal::unauthenticated("send `Authorization: Bearer …` with an access token")
    })?;
    let caller = match identify(relay, token).await {
        // To end a login that has ended is no failure.
        Err(refusal)
            if credential == Credential::RefreshTokenOrUser
                && refusal.code() == ApiCode::SessionRevoked =>
        {
            return Ok(Caller::Anonymous);
        }
        caller => caller?,
    };
    match caller {
        Caller::User { .. } if !users => {
            Err(Refusal::forbidden("this is for agents, not for people"))
        }
        Caller::Agent { .. } if !agents => {
            Err(Refusal::forbidden("this is for people, not for agents"))
        }
        caller => Ok(caller),
    }
}

/// Whose token it is.
pub(crate) async fn identify(relay: &Arc<Relay>, token: &str) -> Result<Caller, Refusal> {
    if token.starts_with(AGENT_PREFIX) {
        let found = relay.store.read(FindAgent { token_hash: hash(token) }).await?;
        let found = found.ok_or_else(invalid_token)?;
        tokens::note_use(relay, found.token_id, found.last_used_at);
        return found.caller;
    }
    let mut verified = relay.access_tokens.verify(token, relay.now());
    if verified == Err(Rejected::UnknownKey) {
        relay.look_for_signing_keys().await;
        verified = relay.access_tokens.verify(token, relay.now());
    }
    let access = verified.map_err(|why| match why {
        Rejected::Invalid | Rejected::UnknownKey => invalid_token(),
        Rejected::Expired => Refusal::new(
            ApiCode::TokenExpired,
            "the access token has run out; get a new one from `/auth/refresh`",
        ),
    })?;
    check_alive(relay, access.family_id).await?;
    Ok(Caller::User { user_id: access.user_id, family_id: access.family_id })
}

/// Refuses a login that has been ended.
async fn check_alive(relay: &Relay, login: TokenFamilyId) -> Result<(), Refusal> {
    let Some(asked) = relay.alive_logins.ask(login) else { return Ok(()) };
    if !relay.store.read(IsAlive(login)).await? {
        let text = "this login has ended; log in again";
        return Err(Refusal::new(ApiCode::SessionRevoked, text));
    }
    relay.alive_logins.remember(login, asked);
    Ok(())
}

/// Whether a login has not been ended.
struct IsAlive(TokenFamilyId);

impl Work for IsAlive {
    type Output = bool;
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        false
    }

    async fn run(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        let alive = "SELECT count(*) FROM token_families
            WHERE family_id = $1 AND revoked_at IS NULL";
        Ok(tx.scalar::<i64>(alive, &[self.0.to_string().into()]).await? > 0)
    }
}

/// Checks the credential of an authenticated caller again: meanwhile the login may have ended, the token may have
/// been revoked, or the agent suspended or deleted.
pub(crate) async fn admit_again(relay: &Relay, caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::User { family_id, .. } => check_alive(relay, *family_id).await,
        Caller::Agent { token_id, .. } => {
            let found = relay.store.read(FindAgain { token_id: *token_id }).await?;
            found.ok_or_else(invalid_token)?.caller.map(|_| ())
        }
        Caller::Anonymous | Caller::Operator => Ok(()),
    }
}

fn invalid_token() -> Refusal {
    Refusal::unauthenticated("the token is not valid")
}

struct FindAgent {
    token_hash: String,
}

struct FindAgain {
    token_id: TokenId,
}

/// The token of an agent, with the columns that [`FoundAgent::read`] reads.
const BY_HASH: &str = "SELECT t.token_hash, t.token_id, t.agent_id, t.scopes, a.suspended_at,
        t.last_used_at
    FROM agent_tokens t JOIN agents a ON a.agent_id = t.agent_id
    WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND a.deleted_at IS NULL";
const BY_ID: &str = "SELECT t.token_hash, t.token_id, t.agent_id, t.scopes, a.suspended_at,
        t.last_used_at
    FROM agent_tokens t JOIN agents a ON a.agent_id = t.agent_id
    WHERE t.token_id = $1 AND t.revoked_at IS NULL AND a.deleted_at IS NULL";

/// A token that means something.
struct FoundAgent {
    token_id: TokenId,
    last_used_at: Option<i64>,
    /// The agent, unless it is suspended.
    caller: Result<Caller, Refusal>,
}

impl Work for FindAgent {
    type Output = Option<FoundAgent>;
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        false
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let Some(row) = tx.optional(BY_HASH, &[(&self.token_hash).into()]).await? else {
            return Ok(None);
        };
        if !same(&row.get::<String>(0)?, &self.token_hash) {
            return Ok(None);
        }
        FoundAgent::read(&row).map(Some)
    }
}

impl Work for FindAgain {
    type Output = Option<FoundAgent>;
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        false
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let row = tx.optional(BY_ID, &[self.token_id.to_string().into()]).await?;
        row.map(|row| FoundAgent::read(&row)).transpose()
    }
}

impl FoundAgent {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let token_id = stored(&row.get::<String>(1)?)?;
        let agent_id = stored(&row.get::<String>(2)?)?;
        let scopes: Vec<String> = serde_json::from_str(&row.get::<String>(3)?).unwrap_or_default();
        let may_write_manifest = scopes.iter().any(|scope| scope == MANIFEST_WRITE);
        let caller = match row.get::<Option<i64>>(4)? {
            None => Ok(Caller::Agent { agent_id, token_id, may_write_manifest }),
            Some(_) => {
                let text = "this agent was suspended by the operator of the relay";
                Err(Refusal::forbidden(text))
            }
        };
        Ok(Self { token_id, last_used_at: row.get(5)?, caller })
    }
}
