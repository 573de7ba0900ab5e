//! A caller that may call every operation, and sends any body.

use assent_relay_api::{Credential, Described};
use bytes::Bytes;
use http::{Request, header};
use http_body_util::Full;

use crate::{
    agent::manifest,
    world::{Response, World},
};

/// A person, an agent and an operator of one relay.
pub(crate) struct Asker {
    world: World,
    person: String,
    agent: String,
}

/// A path in which something stands at every place.
fn path(operation: &Described) -> String {
    let mut path = operation.path.to_owned();
    for name in operation.path_parameters() {
        let prefix = match name {
            "agent_id" => "agt",
            "relation_id" => "rel",
            "conversation_id" => "cnv",
            other => panic!("what is a {other}?"),
        };
        let id = format!("{prefix}_01JZ8Q5A1B2C3D4E5F6G7H8J9K");
        path = path.replace(&format!("{{{name}}}"), &id);
    }
    path
}

impl Asker {
    pub(crate) async fn start() -> Self {
        let world = World::start(false, |_| {}).await;
        let ada = world.person("ada").await;
        let agent = world.agent(&ada, manifest(&[("look", "files:read")])).await;
        Self { world, person: ada.token, agent: agent.token }
    }

    pub(crate) async fn stop(self) {
        self.world.stop().await;
    }

    /// Asks for an operation with a body, with a credential that may.
    pub(crate) async fn ask(&self, operation: &Described, body: String) -> Response {
        let request = Request::builder().method(operation.method.clone()).uri(path(operation));
        let request = request.header(header::HOST, "localhost");
        let mut request = request.header(header::CONTENT_TYPE, "application/json");
        let token = match operation.access.credential {
            Credential::Agent => Some(&self.agent),
            Credential::User | Credential::UserOrAgent => Some(&self.person),
            _ => None,
        };
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        match operation.access.credential {
            Credential::AdminSocket => self.world.send_as_operator(request).await,
            _ => self.world.send(request).await,
        }
    }
}
