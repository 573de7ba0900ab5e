//! `POST /auth/register`

use std::{net::IpAddr, sync::Arc};

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::operations::accounts::{NewAccount, Register};
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    accounts::{
        login_failures::EmailHash,
        sessions::{Keeping, Login},
    },
    delivery::outbox::Outbox,
    http::{
        Answer, Call, Refusal, Serve, address_limits,
        rate_limits::{self, Limit},
    },
    state::Relay,
    storage::times::millis,
};

impl Serve for Register {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let account = call.body;
        let begin = Begin {
            email: account.email.key(),
            email_hash: EmailHash::of(&account.email),
            peer: call.peer,
            relay: Arc::clone(relay),
        };
        if relay.store.write(begin).await?? == Email::Taken {
            return Err(taken());
        }
        let password = Zeroizing::new(account.account_password.expose().to_owned());
        let password_hash = relay.passwords.hash(password).await?;
        let keeping = Keeping::asked(account.cookie);
        let login = Login::new(relay, relay.minter.mint());
        let insert = Insert { account, password_hash, login, relay: Arc::clone(relay) };
        let login = relay.commit(insert).await?;
        login.answer(relay, keeping, &call.headers, call.peer)
    }
}

fn taken() -> Refusal {
    let text = "there is an account with this e-mail address already; log in instead";
    ApiError::new(ApiCode::EmailTaken, text).at("/email").into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Email {
    Free,
    Taken,
}

/// Counts the attempt before the password is hashed.
struct Begin {
    email: String,
    email_hash: EmailHash,
    peer: IpAddr,
    relay: Arc<Relay>,
}

const COUNT: &str = "SELECT count(*) FROM users WHERE email = $1";
const INSERT: &str = "INSERT INTO users
    (user_id, email, display_name, locale, password_hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING";

impl Work for Begin {
    /// A refusal is an output: the attempt counts for the network address also if the e-mail address has reached its
    /// limit.
    type Output = Result<Email, Refusal>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let settings = &self.relay.settings;
        let now = self.relay.now();
        let uses = settings.limits.registrations_per_address;
        let taken =
            address_limits::take(tx, settings, "registrations", uses, self.peer, now).await?;
        if let Err(refusal) = taken {
            return Ok(Err(refusal));
        }
        let name = format!("registrations:email:{}", self.email_hash.as_str());
        let per_email =
            Limit { uses: settings.limits.registrations_per_email, window: address_limits::WINDOW };
        if let Err(refusal) = rate_limits::try_take(tx, &name, per_email, now).await? {
            return Ok(Err(refusal));
        }
        let accounts: i64 = tx.scalar(COUNT, &[(&self.email).into()]).await?;
        Ok(Ok(if accounts == 0 { Email::Free } else { Email::Taken }))
    }
}

struct Insert {
    account: NewAccount,
    password_hash: String,
    login: Login,
    relay: Arc<Relay>,
}

impl Work for Insert {
    type Output = (Login, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let now = self.relay.now();
        let row = [
            self.login.user_id.to_string().into(),
            self.account.email.key().into(),
            self.account.display_name.as_str().into(),
            self.account.device_locale.as_ref().map(|locale| locale.as_str()).into(),
            (&self.password_hash).into(),
            millis(now).into(),
        ];
        if tx.change(INSERT, &row).await? == 0 {
            return Err(taken());
        }
        self.login.begin(tx, now).await?;
        Ok((self.login.clone(), Outbox::default()))
    }
}
