//! No caller reads or changes what is not theirs: every operation × every kind of caller, from the table of
//! routes. A new route has no rule and no way to be asked for, and fails here until it has both.

mod asking;
mod cast;
mod knowledge;
mod rows;
mod scene;

use std::{collections::BTreeSet, fmt};

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    Access, Caller, Credential, Described, Needs, admin_operations, operations,
};
use axum::{Router, http::StatusCode, routing::post};
use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::Full;

use self::{
    asking::{Ask, WAYS},
    cast::Cast,
    rows::{Rows, difference},
    scene::{HOOK, Scene},
};
use crate::world::{Response, World, on_both_with};

/// Ids of things that do not exist, of the right kinds.
const ABSENT: [(&str, &str); 8] = [
    ("agent_id", "agt_01J00000000000000000000000"),
    ("token_id", "tok_01J00000000000000000000000"),
    ("relation_id", "rel_01J00000000000000000000000"),
    ("conversation_id", "cnv_01J00000000000000000000000"),
    ("member_id", "agt_01J00000000000000000000000"),
    ("user_id", "usr_01J00000000000000000000000"),
    ("device_id", "dev_01J00000000000000000000000"),
    ("delivery_id", "dlv_01J00000000000000000000000"),
];

/// One operation, asked for by one kind of caller.
struct Cell<'a> {
    operation: &'static Described,
    caller: Caller,
    scene: &'a Scene<'a>,
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` by {:?}", self.operation.id, self.caller)
    }
}

#[test]
fn every_operation_can_be_asked_for_and_nothing_else() {
    let asked: BTreeSet<&str> = WAYS.iter().map(|(id, _)| *id).collect();
    let there: BTreeSet<&str> = all().map(|operation| operation.id).collect();
    assert_eq!(asked, there, "`asking.rs` says how every operation is asked for, and no other");
    assert_eq!(asked.len(), WAYS.len(), "an operation stands in `asking.rs` twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_caller_may_do_what_the_rules_say_and_nothing_else() {
    let origin = receiver().await;
    on_both_with(
        |settings| {
            settings.webhook_allow = origin.parse().unwrap();
            // The callers here do more in a minute than people do.
            settings.limits.devices = 1000;
            settings.limits.agents = 1000;
            settings.limits.messages_per_second = 1000;
            settings.limits.key_requests_per_minute = 10_000;
        },
        async |world| {
            let cast = Cast::assemble(world).await;
            let stage = Stage { world, cast, rows: Rows::of(world).await, origin: origin.clone() };
            let mut wrong = Vec::new();
            for operation in all() {
                wrong.extend(stage.play(operation).await);
            }
            assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
        },
    )
    .await;
}

fn all() -> impl Iterator<Item = &'static Described> {
    operations().iter().chain(admin_operations())
}

/// Starts a receiver that takes every delivery, and returns its origin.
async fn receiver() -> String {
    let router = Router::new().route(HOOK, post(|| async { StatusCode::NO_CONTENT }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    origin
}

/// What the whole matrix is played on.
struct Stage<'a> {
    world: &'a World,
    cast: Cast,
    rows: Rows,
    origin: String,
}

impl Stage<'_> {
    async fn scene(&self, operation: &Described) -> Scene<'_> {
        Scene::set(self.world, &self.cast, &self.origin, operation).await
    }

    /// All callers call `operation`: first those that are refused, which changes nothing, then those that are served.
    async fn play(&self, operation: &'static Described) -> Vec<String> {
        let mut scene = self.scene(operation).await;
        // Some ways to ask prepare something first, which others then hear of.
        Cell { operation, caller: Caller::Anonymous, scene: &scene }.ask().await;
        self.rows.settled().await;
        let mut wrong = Vec::new();
        for caller in Caller::ALL {
            if let Err(code) = operation.access.outcome(caller) {
                let cell = Cell { operation, caller, scene: &scene };
                wrong.extend(cell.check_refused(&self.rows, code).await.err());
            }
        }
        // Who is served may use up the thing that the path names.
        let uses_up = operation.method != Method::GET && operation.path_parameters().count() > 0;
        let served = Caller::ALL.into_iter().filter(|one| operation.access.outcome(*one).is_ok());
        for (number, caller) in served.enumerate() {
            if number > 0 && uses_up {
                scene = self.scene(operation).await;
            }
            let cell = Cell { operation, caller, scene: &scene };
            wrong.extend(cell.check_served().await.err());
        }
        wrong
    }
}

impl Cell<'_> {
    async fn check_refused(&self, rows: &Rows, code: ApiCode) -> Result<(), String> {
        for token in self.scene.tokens(self.caller) {
            let ask = self.ask().await;
            let token = ask.token.clone().or(token);
            let before = rows.now().await;
            let answer = self.send(&ask, token.as_deref(), &self.path(&ask)).await;
            let is_refused = answer.refusal() == (code.http_status(), code.as_str());
            ensure(is_refused, || format!("{self} is not {code}: {answer:?}"))?;
            self.scene
                .check_reveals_nothing(self.caller, &answer)
                .map_err(|told| self.says(&told))?;
            if self.may_not_know() {
                let absent = self.send(&ask, token.as_deref(), &self.absent_path(&ask)).await;
                let is_same = (answer.status, &answer.text) == (absent.status, &absent.text);
                ensure(is_same, || format!("{self} shows what exists: {answer:?} {absent:?}"))?;
            }
            let after = rows.now().await;
            let changed = || format!("{self} changed\n{}", difference(&before, &after));
            ensure(before == after, changed)?;
        }
        Ok(())
    }

    async fn check_served(&self) -> Result<(), String> {
        for token in self.scene.tokens(self.caller) {
            let ask = self.ask().await;
            let token = ask.token.clone().or(token);
            let answer = self.send(&ask, token.as_deref(), &self.path(&ask)).await;
            ensure(self.is_as_documented(&answer), || format!("{self} is refused: {answer:?}"))?;
            self.scene
                .check_reveals_nothing(self.caller, &answer)
                .map_err(|told| self.says(&told))?;
        }
        Ok(())
    }

    fn says(&self, told: &str) -> String {
        format!("{self} {told}")
    }

    async fn ask(&self) -> Ask {
        let way = WAYS.iter().find(|(id, _)| *id == self.operation.id);
        let (_, way) = way.unwrap_or_else(|| panic!("`asking.rs` has no {}", self.operation.id));
        way(self.scene, self.caller).await
    }

    fn is_as_documented(&self, answer: &Response) -> bool {
        let status = answer.status.as_u16();
        // A PostgreSQL has its own tools for this, and says so.
        let is_left_to_others =
            self.operation.id == "back_up" && self.scene.world.database_url().is_some();
        match status {
            409 => is_left_to_others,
            _ => {
                let extra = self.operation.extra_success.iter().any(|(code, _)| *code == status);
                !is_left_to_others && (status == self.operation.success || extra)
            }
        }
    }

    /// Whether this caller may not know that the thing exists: a caller without access, or one that gets
    /// `NOT_FOUND`.
    fn may_not_know(&self) -> bool {
        let access = Access::new(self.operation.access.credential, Needs::Nothing);
        let is_let_in = access.outcome(self.caller).is_ok();
        !is_let_in || self.operation.access.outcome(self.caller) == Err(ApiCode::NotFound)
    }

    fn path(&self, ask: &Ask) -> String {
        self.filled(ask, |name| match &ask.parameter {
            Some((given, value)) if *given == name => value.clone(),
            _ => self.scene.parameter(name),
        })
    }

    /// The same path, to things that do not exist.
    fn absent_path(&self, ask: &Ask) -> String {
        self.filled(ask, |name| {
            let absent = ABSENT.iter().find(|(absent, _)| *absent == name);
            absent.map_or_else(|| self.scene.parameter(name), |(_, id)| (*id).to_owned())
        })
    }

    fn filled(&self, ask: &Ask, value: impl Fn(&str) -> String) -> String {
        let mut path = self.operation.path.to_owned();
        for name in self.operation.path_parameters() {
            path = path.replace(&format!("{{{name}}}"), &value(name));
        }
        path + &ask.query
    }

    async fn send(&self, ask: &Ask, token: Option<&str>, path: &str) -> Response {
        let (world, method) = (self.scene.world, self.operation.method.clone());
        if self.caller == Caller::Operator {
            return world.operate(method, path, ask.body.clone()).await;
        }
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, world.address().to_string());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if ask.body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if ask.upgrade {
            request = request
                .header(header::CONNECTION, "upgrade")
                .header(header::UPGRADE, "websocket")
                .header(header::SEC_WEBSOCKET_VERSION, "13")
                .header(header::SEC_WEBSOCKET_KEY, "dGhlIHNhbXBsZSBub25jZQ==");
        }
        let body = ask.body.as_ref().map(ToString::to_string).unwrap_or_default();
        world.send(request.body(Full::new(Bytes::from(body))).unwrap()).await
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

#[test]
fn the_callers_of_the_sockets_show_who_they_are_in_the_first_frame() {
    let first = |operation: &&Described| operation.access.credential == Credential::FirstFrame;
    let found: Vec<&str> = operations().iter().filter(first).map(|one| one.id).collect();
    // Their answers are tested in `sockets.rs`; another socket needs such tests too.
    assert_eq!(found, ["connect_human", "connect_agent"]);
}
