//! `POST /auth/login`

use std::{net::IpAddr, sync::Arc};

use assent_ids::UserId;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::operations::accounts::Login as LogIn;
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    accounts::{
        login_failures::{self, EmailHash},
        sessions::{Keeping, Login},
    },
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve, address_limits},
    state::Relay,
    storage::stored_id::stored,
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
        let account = relay.store.write(begin).await??;
        // The time this takes must not show whether there is an account.
        let (user_id, password_hash) = account.unzip();
        let password = Zeroizing::new(call.body.account_password.expose().to_owned());
        let right = relay.passwords.verify(password, password_hash).await?;
        let login = user_id.filter(|_| right).map(|user_id| Login::new(relay, user_id));
        let finish = Finish { email_hash, login, relay: Arc::clone(relay) };
        let Some(login) = relay.commit(finish).await?? else {
            let text = "the e-mail address or the password is wrong";
            return Err(Refusal::new(ApiCode::InvalidCredentials, text));
        };
        login.answer(relay, Keeping::asked(call.body.cookie), &call.headers, call.peer)
    }
}

/// Counts the attempt and finds the account.
struct Begin {
    email: String,
    email_hash: EmailHash,
    peer: IpAddr,
    relay: Arc<Relay>,
}

const FIND: &str = "SELECT user_id, password_hash FROM users WHERE email = $1";

impl Work for Begin {
    /// A refusal is an output: the attempt counts also if the login is locked.
    type Output = Result<Option<(UserId, String)>, Refusal>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let settings = &self.relay.settings;
        let now = self.relay.now();
        let uses = settings.limits.logins_per_address;
        if let Err(refusal) =
            address_limits::take(tx, settings, "logins", uses, self.peer, now).await?
        {
            return Ok(Err(refusal));
        }
        // Avoids hashing a password for nothing; `Finish` checks again under the lock.
        if let Err(refusal) = login_failures::read(tx, &self.email_hash).await?.check(now) {
            return Ok(Err(refusal));
        }
        let Some(row) = tx.optional(FIND, &[(&self.email).into()]).await? else {
            return Ok(Ok(None));
        };
        Ok(Ok(Some((stored(&row.get::<String>(0)?)?, row.get(1)?))))
    }
}

/// Begins the login, or counts a failure. Of many attempts at once, those that get here after the login was locked
/// are refused, even with the right password.
struct Finish {
    email_hash: EmailHash,
    login: Option<Login>,
    relay: Arc<Relay>,
}

impl Work for Finish {
    type Output = (Result<Option<Login>, Refusal>, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let now = self.relay.now();
        login_failures::lock(tx, &self.email_hash).await?;
        let failures = login_failures::read(tx, &self.email_hash).await?;
        if let Err(refusal) = failures.check(now) {
            return Ok((Err(refusal), Outbox::default()));
        }
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
        Ok((Ok(self.login.clone()), Outbox::default()))
    }
}
