//! What is refused before routing.

use std::sync::atomic::{AtomicUsize, Ordering};

use assent_http::Limits;
use axum::routing::get;

use crate::service::{POLICY, Service};

static HANDLED: AtomicUsize = AtomicUsize::new(0);

async fn handler() -> &'static str {
    HANDLED.fetch_add(1, Ordering::SeqCst);
    "handled"
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_for_other_hosts_and_from_other_origins_reach_no_handler() {
    let service = Service::start(Limits::default(), |router, _| {
        router.route("/", get(handler)).route("/api", get(handler))
    })
    .await;
    let own = service.host();
    let origin = format!("origin: http://{}", service.address);
    for (line, headers, status) in [
        ("GET /", vec!["host: a.example"], 403),
        ("GET /nowhere", vec!["host: a.example"], 403),
        ("OPTIONS /api", vec!["host: localhost"], 403),
        ("GET /", vec![&own, "origin: http://a.example"], 403),
        ("GET /", vec![&own, "origin: null"], 403),
        ("GET /", vec![&own, "sec-fetch-site: cross-site"], 403),
        ("GET /api", vec![&own, "sec-fetch-site: none"], 403),
        ("GET /", vec![], 400),
        ("GET /", vec![&own, &own], 400),
    ] {
        let answer = service.raw(line, &headers).await;
        assert_eq!(answer.status, status, "{headers:?}");
        assert!(status == 400 || answer.body.is_empty(), "{answer:?}");
        assert_eq!(answer.header("content-security-policy"), Some(POLICY));
        assert!(answer.header("x-request-id").unwrap().starts_with("req_"));
    }
    assert_eq!(HANDLED.load(Ordering::SeqCst), 0);
    for (line, headers) in [
        ("GET /", vec![own.as_str()]),
        ("GET /", vec![&own, "sec-fetch-site: none"]),
        ("GET /api", vec![&own, &origin, "sec-fetch-site: same-origin"]),
    ] {
        let answer = service.raw(line, &headers).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "handled"), "{headers:?}");
        assert_eq!(answer.header("content-security-policy"), Some(POLICY));
    }
    assert_eq!(HANDLED.load(Ordering::SeqCst), 3);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_may_be_as_long_as_the_limits_say_and_no_longer() {
    let mut limits = Limits::default();
    (limits.uri, limits.headers) = (20, 200);
    let service = Service::start(limits, |router, _| router.route("/", get(handler))).await;
    let path = |length: usize| format!("GET /?{}", "x".repeat(length - 2));
    assert_eq!(service.call(&path(20), &[]).await.status, 200);
    let long = service.call(&path(21), &[]).await;
    assert!(long.status == 414 && long.body.contains("URI_TOO_LONG"), "{long:?}");
    // Names and values count, and nothing between them.
    let used = service.host().len() - ": ".len() + "connectionclose".len() + "x".len();
    let header = |length: usize| format!("x: {}", "y".repeat(length));
    assert_eq!(service.call("GET /", &[&header(200 - used)]).await.status, 200);
    let large = service.call("GET /", &[&header(201 - used)]).await;
    assert!(large.status == 431 && large.body.contains("HEADERS_TOO_LARGE"), "{large:?}");
    service.stop().await;
}
