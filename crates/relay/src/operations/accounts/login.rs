//! `POST /auth/login`

use std::{net::IpAddr, sync::Arc};

use assent_ids::UserId;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::operations::accounts::Login as LogIn;
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    addresses,
    login_failures::{self, EmailHash},
    operations::{Answer, Call, Serve},
    outbox::Outbox,
    party::stored,
    refusal::Refusal,
    relay::Relay,
    sessions::{Keeping, Login},
};

impl Serve for LogIn {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let email_hash = EmailHash::of(&call.body.email);
        let begin = Begin {
            email: call.body.email.key(),
            email_hash: email_hash.clone(),
            peer: call.peer,
            relay: Arc::clone(relay),
        };
        let account = relay.store.write(begin).await?;
        // Whether there is an account must not show in how long this takes.
        let (user_id, password_hash) = account.unzip();
        let password = Zeroizing::new(call.body.account_password.expose().to_owned());
        let right = relay.passwords.verify(password, password_hash).await?;
        let login = user_id.filter(|_| right).map(|user_id| Login::new(relay, user_id));
        let finish = Finish { email_hash, login, relay: Arc::clone(relay) };
        let Some(login) = relay.commit(finish).await? else {
            let text = "the e-mail address or the password is wrong";
            return Err(Refusal::new(ApiCode::InvalidCredentials, text));
        };
        login.answer(relay, Keeping::asked(call.body.cookie), &call.headers, call.peer)
    }
}

/// Finds the account, unless there were too many attempts.
struct Begin {
    email: String,
    email_hash: EmailHash,
    peer: IpAddr,
    relay: Arc<Relay>,
}

const FIND: &str = "SELECT user_id, password_hash FROM users WHERE email = $1";

impl Work for Begin {
    type Output = Option<(UserId, String)>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let limits = &self.relay.settings.limits;
        let now = self.relay.now();
        addresses::take(tx, limits, "logins", limits.logins_per_address, self.peer, now).await?;
        // Spares the hashing; what counts is the check afterwards.
        login_failures::read(tx, &self.email_hash).await?.check(now)?;
        let Some(mut row) = tx.optional(FIND, &[(&self.email).into()]).await? else {
            return Ok(None);
        };
        Ok(Some((stored(&row.get::<String>(0)?)?, row.get(1)?)))
    }
}

/// Begins the login, or counts a failure. Many may have been at it at once: whoever comes here after the
/// lock learns nothing, not even that the password was right.
struct Finish {
    email_hash: EmailHash,
    login: Option<Login>,
    relay: Arc<Relay>,
}

impl Work for Finish {
    type Output = (Option<Login>, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let now = self.relay.now();
        login_failures::lock(tx, &self.email_hash).await?;
        let failures = login_failures::read(tx, &self.email_hash).await?;
        failures.check(now)?;
        match &self.login {
            Some(login) => {
                login_failures::forget(tx, &self.email_hash).await?;
                login.begin(tx, now).await?;
            }
            None => {
                let limits = &self.relay.settings.limits;
                login_failures::add(tx, &self.email_hash, failures, limits, now).await?;
            }
        }
        Ok((self.login.clone(), Outbox::default()))
    }
}
