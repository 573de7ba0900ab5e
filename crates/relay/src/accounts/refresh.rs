//! `POST /auth/refresh`

use std::{sync::Arc, time::Duration};

use assent_ids::{TokenFamilyId, UserId};
use assent_protocol::a2h::{ApiCode, InvalidationReason};
use assent_relay_api::operations::accounts::Refresh;
use assent_store::{StoreError, Tx, Work};
use http::HeaderMap;
use zeroize::Zeroizing;

use crate::{
    accounts::{
        secrets,
        sessions::{
            self, Ended, Keeping, Login, cookie,
            rotation::{LIFETIME, Presented, Verdict, lifetime_millis},
        },
    },
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::{
        stored_id::stored,
        times::{millis, time},
    },
};

impl Serve for Refresh {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (presented, keeping) = match call.body.refresh_token {
            Some(token) => (Zeroizing::new(token.expose().to_owned()), Keeping::Body),
            None => (from_cookie(&call.headers)?, Keeping::Cookie),
        };
        let exchange = Exchange {
            token_hash: secrets::hash(&presented),
            presented,
            fresh: sessions::new_token(relay),
            relay: Arc::clone(relay),
        };
        let login = relay.commit(exchange).await??;
        login.answer(relay, keeping, &call.headers, call.peer)
    }
}

fn from_cookie(headers: &HeaderMap) -> Result<Zeroizing<String>, Refusal> {
    cookie::read(headers).ok_or_else(|| {
        Refusal::unauthenticated("send the refresh token as a cookie or as `refresh_token`")
    })
}

struct Exchange {
    token_hash: String,
    presented: Zeroizing<String>,
    /// What it is exchanged for.
    fresh: Zeroizing<String>,
    relay: Arc<Relay>,
}

/// The token and its login, as they are known.
struct Known {
    user_id: UserId,
    family_id: TokenFamilyId,
    presented: Presented,
    sealed_successor: Option<Vec<u8>>,
}

const FAMILY: &str = "SELECT family_id FROM refresh_tokens WHERE token_hash = $1";
const KNOWN: &str = "SELECT f.user_id, f.revoked_at, t.issued_at, t.used_at, t.sealed_successor
    FROM refresh_tokens t JOIN token_families f ON f.family_id = t.family_id
    WHERE t.token_hash = $1";
/// From now on the token before this one cannot be exchanged again.
const CLOSE_EARLIER: &str = "UPDATE refresh_tokens SET sealed_successor = NULL
    WHERE family_id = $1 AND sealed_successor IS NOT NULL";
const USE: &str = "UPDATE refresh_tokens SET used_at = $2, sealed_successor = $3
    WHERE token_hash = $1";
const FORGET_OLD: &str = "DELETE FROM refresh_tokens WHERE family_id = $1 AND issued_at < $2";
const PROLONG: &str = "UPDATE token_families SET expires_at = $2 WHERE family_id = $1";

impl Work for Exchange {
    /// A refusal is an output here: what is known of a stolen token must be kept.
    type Output = (Result<Login, Refusal>, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let known = self.known(tx).await?;
        let mut outbox = Outbox::default();
        let outcome = match known.presented.judge(self.relay.now(), self.grace()) {
            Verdict::Exchange => Ok(self.exchange(tx, &known).await?),
            Verdict::Repeat => Ok(self.repeat(&known)?),
            Verdict::Reused => {
                self.end(tx, &known, &mut outbox).await?;
                Err(revoked("this refresh token was used before, so the login was ended"))
            }
            Verdict::Ended => Err(revoked("this login has ended")),
            Verdict::Expired => {
                let text = "the refresh token has run out; log in again";
                Err(Refusal::new(ApiCode::TokenExpired, text))
            }
        };
        Ok((outcome, outbox))
    }
}

fn revoked(why: &str) -> Refusal {
    Refusal::new(ApiCode::SessionRevoked, format!("{why}; log in again"))
}

impl Exchange {
    /// How long an exchange may be repeated.
    fn grace(&self) -> Duration {
        self.relay.settings.limits.refresh_grace
    }

    /// What is stored of the token. Locks its login until the transaction ends.
    async fn known(&self, tx: &mut Tx) -> Result<Known, Refusal> {
        let unknown = || Refusal::unauthenticated("the refresh token is not valid");
        let key = [(&self.token_hash).into()];
        let family: String = tx.optional(FAMILY, &key).await?.ok_or_else(unknown)?.get(0)?;
        tx.lock(&family).await?;
        let row = tx.optional(KNOWN, &key).await?.ok_or_else(unknown)?;
        let sealed_successor: Option<Vec<u8>> = row.get(4)?;
        Ok(Known {
            user_id: stored(&row.get::<String>(0)?)?,
            family_id: stored(&family)?,
            presented: Presented {
                ended: row.get::<Option<i64>>(1)?.is_some(),
                issued_at: time(row.get(2)?),
                used_at: row.get::<Option<i64>>(3)?.map(time),
                successor_is_unused: sealed_successor.is_some(),
            },
            sealed_successor,
        })
    }

    async fn exchange(&self, tx: &mut Tx, known: &Known) -> Result<Login, StoreError> {
        let now = self.relay.now();
        let family = known.family_id.to_string();
        tx.execute(CLOSE_EARLIER, &[(&family).into()]).await?;
        // Without a time of grace, the successor need not be stored.
        let is_kept = !self.grace().is_zero();
        let sealed = is_kept.then(|| secrets::mask(self.fresh.as_bytes(), &self.presented));
        let row = [
            (&self.token_hash).into(),
            millis(now).into(),
            sealed.as_ref().map(|sealed| sealed.as_slice()).into(),
        ];
        tx.execute(USE, &row).await?;
        let long_ago = millis(now).saturating_sub(lifetime_millis());
        tx.execute(FORGET_OLD, &[(&family).into(), long_ago.into()]).await?;
        sessions::insert_token(tx, &secrets::hash(&self.fresh), &family, now).await?;
        tx.execute(PROLONG, &[family.into(), millis(now.after(LIFETIME)).into()]).await?;
        Ok(known.login(self.fresh.clone()))
    }

    /// The same answer again.
    fn repeat(&self, known: &Known) -> Result<Login, StoreError> {
        let sealed = known.sealed_successor.as_deref().unwrap_or_default();
        let successor = secrets::mask(sealed, &self.presented);
        let malformed = |_| StoreError::Refused("a sealed successor is no text".to_owned());
        let successor = std::str::from_utf8(&successor).map_err(malformed)?.to_owned();
        Ok(known.login(Zeroizing::new(successor)))
    }

    async fn end(&self, tx: &mut Tx, known: &Known, outbox: &mut Outbox) -> Result<(), StoreError> {
        sessions::end(tx, known.user_id, known.family_id, self.relay.now(), outbox).await?;
        let ended = Ended { login: Some(known.family_id), device: None };
        let reason = InvalidationReason::TokenReused;
        sessions::tell(tx, &self.relay.minter, known.user_id, reason, ended, outbox).await
    }
}

impl Known {
    const fn login(&self, refresh_token: Zeroizing<String>) -> Login {
        Login { user_id: self.user_id, family_id: self.family_id, refresh_token }
    }
}
