//! `POST /auth/logout`

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{TokenFamilyId, UserId};
use assent_protocol::a2h::InvalidationReason;
use assent_relay_api::{model::Empty, operations::accounts::Logout};
use assent_store::{StoreError, Tx, Work};
use http::header::{AUTHORIZATION, SET_COOKIE};

use crate::{
    accounts::{
        secrets,
        sessions::{self, Ended, cookie},
    },
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::stored_id::stored,
};

impl Serve for Logout {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let token_hash = match &call.body.refresh_token {
            Some(token) => Some(secrets::hash(token.expose())),
            None => cookie::read(&call.headers).map(|token| secrets::hash(&token)),
        };
        let by_access_token = match call.caller {
            Caller::User { user_id, family_id } => Some((family_id, user_id)),
            _ => None,
        };
        // An access token that was accepted without telling who calls belongs to a login that has ended.
        let ended_before = by_access_token.is_none() && call.headers.contains_key(AUTHORIZATION);
        let end = End { token_hash, by_access_token, relay: Arc::clone(relay) };
        let shown = relay.commit(end).await?;
        if shown == 0 && !ended_before {
            let text = "send the refresh token as a cookie or as `refresh_token`, or a bearer";
            return Err(Refusal::unauthenticated(text));
        }
        let mut answer = Answer::new(Empty {});
        let secure = cookie::is_secure(&relay.settings, &call.headers, call.peer);
        answer.headers.insert(SET_COOKIE, cookie::cleared(secure)?);
        Ok(answer)
    }
}

/// Ends every login that the caller has shown a token of.
struct End {
    token_hash: Option<String>,
    by_access_token: Option<(TokenFamilyId, UserId)>,
    relay: Arc<Relay>,
}

const FAMILY: &str = "SELECT f.family_id, f.user_id
    FROM refresh_tokens t JOIN token_families f ON f.family_id = t.family_id
    WHERE t.token_hash = $1";

impl Work for End {
    /// How many logins that were.
    type Output = (usize, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut logins = BTreeMap::from_iter(self.by_access_token);
        logins.extend(self.by_refresh_token(tx).await?);
        let now = self.relay.now();
        let mut outbox = Outbox::default();
        for (family_id, user_id) in &logins {
            tx.lock(&family_id.to_string()).await?;
            if sessions::end(tx, *user_id, *family_id, now, &mut outbox).await? {
                let ended = Ended { login: Some(*family_id), device: None };
                let reason = InvalidationReason::LoggedOut;
                let minter = &self.relay.minter;
                sessions::tell(tx, minter, *user_id, reason, ended, &mut outbox).await?;
            }
        }
        Ok((logins.len(), outbox))
    }
}

impl End {
    async fn by_refresh_token(
        &self,
        tx: &mut Tx,
    ) -> Result<Option<(TokenFamilyId, UserId)>, StoreError> {
        let Some(token_hash) = &self.token_hash else { return Ok(None) };
        let Some(row) = tx.optional(FAMILY, &[token_hash.into()]).await? else {
            return Ok(None);
        };
        Ok(Some((stored(&row.get::<String>(0)?)?, stored(&row.get::<String>(1)?)?)))
    }
}
