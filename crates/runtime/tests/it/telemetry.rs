//! What spans say, and what they never do.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use assent_json::Json;
use assent_runtime::{Body, telemetry};
use serde_json::json;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_core::span::Current;

use crate::{
    actors::{Gives, Person, output, yes},
    definitions::contract,
    desk::{Desk, request, writer},
};

/// Everything that was recorded, by field.
type Said = Arc<Mutex<BTreeMap<&'static str, String>>>;

/// Listens to the one span of a call.
struct Listener {
    said: Said,
    about: Mutex<Option<&'static Metadata<'static>>>,
    inside: AtomicBool,
}

struct Writing<'a>(&'a Said);

impl Visit for Writing<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.lock().unwrap().insert(field.name(), format!("{value:?}").replace('"', ""));
    }
}

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        *self.about.lock().unwrap() = Some(span.metadata());
        span.record(&mut Writing(&self.said));
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        values.record(&mut Writing(&self.said));
    }
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Writing(&self.said));
    }
    fn enter(&self, _: &span::Id) {
        self.inside.store(true, Ordering::SeqCst);
    }
    fn exit(&self, _: &span::Id) {
        self.inside.store(false, Ordering::SeqCst);
    }
    fn current_span(&self) -> Current {
        match *self.about.lock().unwrap() {
            Some(about) if self.inside.load(Ordering::SeqCst) => {
                Current::new(span::Id::from_u64(1), about)
            }
            _ => Current::none(),
        }
    }
}

/// Items 61, 168: a span has the ids, the trace, the decision, the duration and the size of a call, and
/// neither its arguments nor its result.
#[tokio::test(start_paused = true)]
async fn a_span_tells_about_a_call_and_shows_nothing_of_it() {
    let said = Said::default();
    let mut definition = writer("write");
    contract(&mut definition).sensitive_fields = Some(vec!["/path".to_owned()]);
    let body = Body::Structured(Json::read(r#"{"planted": "result"}"#).unwrap());
    let desk = Desk::new(vec![(definition, Arc::new(Gives(output(body))))], |builder| {
        builder.approver(Person::new(|_| yes()))
    });
    let mut call = request("write", json!({"path": "hunter2"}));
    call.native_call_id = Some("call_7".parse().unwrap());
    call.trace = Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".into());
    let listener = Listener {
        said: Arc::clone(&said),
        about: Mutex::default(),
        inside: AtomicBool::new(false),
    };
    let listening = tracing::subscriber::set_default(listener);
    let result = desk.runtime.call(call).await;
    drop(listening);
    let said = said.lock().unwrap();
    for (field, value) in [
        (telemetry::OPERATION, "execute_tool"),
        (telemetry::TOOL_NAME, "write"),
        (telemetry::CALL_ID, &result.invocation_id.to_string()),
        (telemetry::NATIVE_CALL_ID, "call_7"),
        (telemetry::TRACE, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        (telemetry::DECISION, "permission_prompt_tool"),
        (telemetry::STATUS, "succeeded"),
        (telemetry::SIZE, "21"),
        (telemetry::DURATION, "0"),
    ] {
        assert_eq!(said.get(field).map(String::as_str), Some(value), "{field}");
    }
    for value in said.values() {
        assert!(!value.contains("hunter2") && !value.contains("planted"), "{value}");
    }
}
