//! Secrets that were planted are nowhere in plain form: not in files, not in the database, not in logs.

use std::{
    fmt::{self, Write as _},
    fs,
    path::Path,
    process::Command,
    sync::{Mutex, PoisonError},
};

use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use http::Method;
use serde_json::json;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::{person::PASSWORD, world::World};

/// Every log line, at any level.
static LINES: Mutex<String> = Mutex::new(String::new());

/// Records every line from now on.
pub(crate) fn record_lines() {
    let _ = tracing::subscriber::set_global_default(Recorder);
}

/// Every line so far.
pub(crate) fn recorded_lines() -> String {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

struct Recorder;

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

fn keep(line: &Line) {
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.push_str(&line.0);
    lines.push('\n');
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = Line(span.metadata().name().to_owned());
        span.record(&mut line);
        keep(&line);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line("more".to_owned());
        values.record(&mut line);
        keep(&line);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().target().to_owned());
        event.record(&mut line);
        keep(&line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A secret in the forms that one would find it in.
fn forms(secret: &str) -> [String; 3] {
    let hex = secret.bytes().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    [secret.to_owned(), hex, BASE64.encode(secret).trim_end_matches('=').to_owned()]
}

pub(crate) fn contains(haystack: &[u8], needle: &str) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle.as_bytes())
}

pub(crate) fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect()
}

pub(crate) fn dump(url: &str) -> Vec<u8> {
    let output = Command::new("pg_dump").args(["--inserts", "--dbname", url]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_and_tokens_are_in_no_file_no_table_and_no_line_of_the_log() {
    record_lines();
    for postgres in [false, true] {
        let graceful = |settings: &mut assent_relay::Settings| {
            settings.limits.refresh_grace = std::time::Duration::from_secs(30);
        };
        let world = World::start(postgres, graceful).await;
        let ada = world.person("ada").await;
        let wrong = "planted wrong password";
        let mut secrets = vec![PASSWORD.to_owned(), wrong.to_owned()];
        secrets.extend([ada.token.clone(), ada.refresh_token.clone()]);
        let body = json!({ "email": ada.email, "account_password": wrong });
        world.call(Method::POST, "/auth/login", None, Some(body)).await;
        let malformed = json!({ "email": 7, "account_password": wrong, "display_name": wrong });
        world.call(Method::POST, "/auth/register", None, Some(malformed)).await;
        // One refresh whose answer is repeated: its token is kept sealed, and not in plain form.
        for _ in 0..2 {
            let body = json!({ "refresh_token": ada.refresh_token });
            let answer = world.call(Method::POST, "/auth/refresh", None, Some(body)).await;
            secrets.push(answer.data()["refresh_token"].as_str().unwrap().to_owned());
            secrets.push(answer.data()["access_token"].as_str().unwrap().to_owned());
        }
        let device = ada.device().await;
        assert!(ada.call(Method::GET, "/devices", None).await.status.is_success());

        let mut places = files(world.data());
        places.extend(world.database_url().map(|url| ("the database".to_owned(), dump(url))));
        places.push(("the log".to_owned(), recorded_lines().into_bytes()));
        let (before, after) = (places.len(), if postgres { 2 } else { 3 });
        assert!(before >= after, "{before}");
        let found = places.iter().any(|(_, bytes)| contains(bytes, &device.device_id));
        assert!(found, "what is no secret is found, so secrets would be");
        for secret in &secrets {
            for form in forms(secret) {
                for (place, bytes) in &places {
                    assert!(!contains(bytes, &form), "a secret is in {place}");
                }
            }
        }
        world.stop().await;
    }
}
