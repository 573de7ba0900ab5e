//! Which operation serves which request.

use std::sync::Arc;

use assent_protocol::a2h::ApiCode;
use axum::{
    Router,
    extract::{Request, State},
    routing::{MethodFilter, on},
};

use super::{Refusal, Serve, endpoint::Endpoint, respond};
use crate::{
    accounts, admin, agents, conversations,
    delivery::{self, socket},
    keys, manifests, observability, relations,
    state::Relay,
    webhooks,
};

/// Adds operations to a router.
pub(crate) struct Routes(Router<Arc<Relay>>);

impl Routes {
    fn new() -> Self {
        Self(Router::new())
    }

    /// The same, with operation `O`.
    #[must_use]
    pub(crate) fn serve<O: Serve>(self) -> Self {
        let Ok(method) = MethodFilter::try_from(O::METHOD) else { return self };
        self.add(method, O::PATH, Endpoint::of::<O>())
    }

    fn add(self, method: MethodFilter, path: &str, endpoint: Endpoint) -> Self {
        let handler =
            move |State(relay): State<Arc<Relay>>, request: Request| endpoint.serve(relay, request);
        Self(self.0.route(path, on(method, handler)))
    }

    /// Other paths are not found, and other methods are refused with those that there are in `Allow`.
    /// `HEAD` is `GET` without the body. `OPTIONS` is none of our methods: pages of other origins have
    /// no business here.
    fn finish(self, relay: Arc<Relay>) -> Router {
        let nowhere = || async { respond::refused(Refusal::not_found("path")) };
        let not_so = || async {
            let text = "this path does not take this method";
            respond::refused(Refusal::new(ApiCode::MethodNotAllowed, text))
        };
        self.0.fallback(nowhere).method_not_allowed_fallback(not_so).with_state(relay)
    }
}

/// Everything that is served on the network.
pub(crate) fn router(relay: Arc<Relay>) -> Router {
    let routes = operations(Routes::new());
    Routes(socket::routes(routes.0)).finish(relay)
}

/// Everything that is served on the admin socket.
pub(crate) fn admin_router(relay: Arc<Relay>) -> Router {
    admin::routes(Routes::new()).finish(relay)
}

/// Adds every operation of the public interface.
fn operations(routes: Routes) -> Routes {
    let routes = conversations::routes(routes);
    let routes = delivery::routes(routes);
    let routes = agents::routes(routes);
    let routes = manifests::routes(routes);
    let routes = relations::routes(routes);
    let routes = accounts::routes(routes);
    let routes = keys::routes(routes);
    let routes = webhooks::routes(routes);
    observability::routes(routes)
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use assent_ids::{SystemClock, SystemEntropy};
    use assent_relay_api::{Access, Operation, Tag, operations::observability::HealthStatus};
    use axum::{body::Body, extract::Request, response::Response};
    use http::Method;
    use http_body_util::BodyExt as _;
    use tower_service::Service as _;

    use super::Routes;
    use crate::{
        conversations::message_store::MessageStore,
        http::{Answer, Call, Refusal, Serve},
        settings::Settings,
        state::Relay,
    };

    struct Broken;
    struct Endless;

    macro_rules! operation {
        ($name:ident) => {
            impl Operation for $name {
                const ID: &'static str = stringify!($name);
                const METHOD: Method = Method::GET;
                const PATH: &'static str = "/";
                const ACCESS: Access = Access::PUBLIC;
                const TAG: Tag = Tag::Operations;
                const SUMMARY: &'static str = "";
                const IDEMPOTENT: bool = true;
                type Path = ();
                type Query = ();
                type Body = ();
                type Reply = HealthStatus;
            }
        };
    }
    operation!(Broken);
    operation!(Endless);

    impl Serve for Broken {
        async fn serve(_: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
            panic!("a secret that must not be told")
        }
    }

    impl Serve for Endless {
        async fn serve(_: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
            std::future::pending().await
        }
    }

    async fn relay(data: &tempfile::TempDir) -> Arc<Relay> {
        let mut settings = Settings::new(data.path());
        settings.limits.request = Duration::from_millis(50);
        let store = MessageStore::open(&settings.location()).await.unwrap();
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        Arc::new(Relay::new(settings, store, Arc::new(SystemClock), entropy))
    }

    async fn call<O: Serve>(relay: &Arc<Relay>) -> Response {
        let mut router = Routes::new().serve::<O>().finish(Arc::clone(relay));
        router.call(Request::new(Body::empty())).await.unwrap()
    }

    async fn told(response: Response) -> (u16, String) {
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn an_operation_that_panics_ends_its_request_only_and_is_counted() {
        let data = tempfile::tempdir().unwrap();
        let relay = relay(&data).await;
        let (status, body) = told(call::<Broken>(&relay).await).await;
        assert_eq!(status, 500);
        assert!(body.contains("INTERNAL_ERROR") && !body.contains("secret"), "{body}");
        assert_eq!(relay.metrics.panics.to_string(), "1");
    }

    #[tokio::test]
    async fn an_operation_that_never_ends_is_given_up() {
        let data = tempfile::tempdir().unwrap();
        let relay = relay(&data).await;
        let response = call::<Endless>(&relay).await;
        assert_eq!(response.headers()["retry-after"], "1");
        let (status, body) = told(response).await;
        assert_eq!(status, 503);
        assert!(body.contains("STORAGE_UNAVAILABLE"), "{body}");
    }
}
