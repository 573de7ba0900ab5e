//! Requests to the device that runs on this machine.

use std::{io, path::PathBuf, time::Duration};

use assent_outbound::{UnixSocketError, send_over_unix_socket};
use http::{Method, Request, header::CONTENT_TYPE};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::{exit::Exit, output, remote};

/// Some requests wait for the relay.
const TIMEOUT: Duration = Duration::from_secs(90);

const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The control socket of a device.
pub(super) struct Control {
    socket: PathBuf,
    pub(super) as_json: bool,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// No device answers.
    #[error("no device answers at `{socket}`: {reason}; start one with `assent device`")]
    NoDevice { socket: String, reason: String },
    /// The device refuses.
    #[error("{message}")]
    Refused { code: String, message: String },
    /// The arguments cannot be used.
    #[error("{0}")]
    Misused(String),
}

pub(super) type Outcome = Result<Exit, Failure>;

impl Control {
    pub(super) const fn new(socket: PathBuf, as_json: bool) -> Self {
        Self { socket, as_json }
    }

    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        self.send(Method::GET, path, None)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.send(Method::POST, path, Some(body))
    }

    /// Sends a request and returns the `data` of the reply.
    pub(super) fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        let bytes = body.map(ToString::to_string).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(CONTENT_TYPE, "application/json")
            .body(Full::from(bytes))
            .map_err(|error| Failure::Misused(error.to_string()))?;
        let sending = send_over_unix_socket(&self.socket, request, MAX_BYTES);
        let waiting = async { tokio::time::timeout(TIMEOUT, sending).await };
        let response = match remote::wait(waiting) {
            Ok(Ok(Ok(response))) => response,
            Ok(Ok(Err(error))) => return Err(self.no_device(&reason(error))),
            Ok(Err(_)) => return Err(self.no_device("it took too long")),
            Err(error) => return Err(Failure::Misused(error.to_string())),
        };
        let mut reply: Value = serde_json::from_slice(response.body())
            .map_err(|_| self.no_device("what answers is not a device"))?;
        if response.status().is_success() {
            return Ok(reply.get_mut("data").map(Value::take).unwrap_or_default());
        }
        let text = |name: &str| reply.pointer(name).and_then(Value::as_str).unwrap_or_default();
        let (code, message) = (text("/error/code").to_owned(), text("/error/message").to_owned());
        Err(Failure::Refused { code, message })
    }

    fn no_device(&self, reason: &str) -> Failure {
        Failure::NoDevice { socket: self.socket.display().to_string(), reason: reason.to_owned() }
    }

    /// Prints a reply: as JSON, or with `print`.
    pub(super) fn print(&self, data: &Value, print: impl FnOnce(&Value) -> String) -> Exit {
        if self.as_json {
            return output::json(Exit::AsAsked, data);
        }
        output::raw(print(data).as_bytes())
    }

    /// Reports why a command failed.
    pub(super) fn failed(&self, failure: &Failure) -> Exit {
        let message = failure.to_string();
        match failure {
            Failure::NoDevice { .. } => {
                output::failed(Exit::WrongUse, "NO_DEVICE", &message, self.as_json)
            }
            Failure::Refused { code, .. } => {
                output::failed(Exit::Bad, code, &message, self.as_json)
            }
            Failure::Misused(_) => output::misused(&message, self.as_json),
        }
    }
}

fn reason(error: UnixSocketError) -> String {
    match error {
        UnixSocketError::Closed(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
                "nothing runs there".to_owned()
            }
            io::ErrorKind::PermissionDenied => "it belongs to another user".to_owned(),
            _ => error.to_string(),
        },
        error => error.to_string(),
    }
}

/// The text at a pointer, with everything visible that a terminal would act on; empty if there is none.
pub(super) fn text(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer) {
        Some(Value::String(text)) => output::visible(text),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

/// The items of a list, or of the `items` of an object.
pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    let list = value.as_array().or_else(|| value.get("items")?.as_array());
    list.into_iter().flatten()
}

/// An empty body.
pub(super) fn nothing() -> Value {
    json!({})
}
