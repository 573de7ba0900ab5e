//! `assent device register`, `login`, `logout`, `open`

use serde_json::{Value, json};

use super::control::{Control, Failure, Outcome, nothing, text};
use crate::{cli::AccountArguments, password};

pub(super) fn register(control: &Control, account: &AccountArguments, name: &str) -> Outcome {
    let mut body = sign_in(account)?;
    set(&mut body, "display_name", name);
    let data = control.post("/account/register", &body)?;
    Ok(control.print(&data, |data| format!("{} has an account\n", text(data, "/email"))))
}

pub(super) fn log_in(control: &Control, account: &AccountArguments) -> Outcome {
    let data = control.post("/account/login", &sign_in(account)?)?;
    Ok(control.print(&data, |data| format!("logged in as {}\n", text(data, "/email"))))
}

pub(super) fn log_out(control: &Control) -> Outcome {
    let data = control.post("/account/logout", &nothing())?;
    Ok(control.print(&data, |_| "logged out; agents and grants stay\n".to_owned()))
}

pub(super) fn open(control: &Control) -> Outcome {
    let data = control.post("/links", &nothing())?;
    Ok(control.print(&data, |data| format!("{}\n", text(data, "/link"))))
}

fn sign_in(account: &AccountArguments) -> Result<Value, Failure> {
    let password = password::read(account.password_file.as_deref()).map_err(Failure::Misused)?;
    let mut body = json!({ "email": account.email, "account_password": password.expose() });
    if let Some(name) = &account.device_name {
        set(&mut body, "device_name", name);
    }
    Ok(body)
}

fn set(body: &mut Value, name: &str, value: &str) {
    if let Some(body) = body.as_object_mut() {
        body.insert(name.to_owned(), value.into());
    }
}
