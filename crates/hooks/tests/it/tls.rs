//! HTTPS, with certificates of our own making.

use std::{sync::Arc, time::Duration};

use assent_hooks::{HookUrl, Roots};
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::Hook;
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::{
    moments::moment,
    service::{Reply, hook_trusting, reply, serve},
};

/// A service that only speaks TLS, and the certificate that it shows.
async fn service() -> (u16, Vec<u8>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let der = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![der.clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer: Reply = Arc::new(|_| reply(200, r#"{"stop": "over TLS"}"#));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, answer) = (acceptor.clone(), Arc::clone(&answer));
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream, Arc::default(), answer).await;
                }
            });
        }
    });
    (port, der.to_vec())
}

async fn ask(url: &str, roots: &Roots) -> Result<Option<String>, String> {
    let hook = hook_trusting(HookUrl::parse(url, false).unwrap(), roots, |_, _| {});
    let moment = moment(HookEvent::PreToolUse);
    let answer = tokio::time::timeout(Duration::from_secs(30), hook.run(&moment)).await.unwrap();
    answer.map(|effects| effects.stop.map(|stop| stop.reason)).map_err(|error| error.0)
}

#[tokio::test]
async fn a_service_is_reached_over_tls_if_its_certificate_is_trusted() {
    let (port, certificate) = service().await;
    let url = format!("https://localhost:{port}/");
    let trusted = Roots::Only(vec![certificate]);
    assert_eq!(ask(&url, &trusted).await.unwrap().as_deref(), Some("over TLS"));

    let nobody = Roots::Only(Vec::new());
    let error = ask(&url, &nobody).await.unwrap_err();
    assert!(error.contains("UnknownIssuer"), "{error}");
    let other_name = format!("https://127.0.0.1:{port}/");
    let error = ask(&other_name, &trusted).await.unwrap_err();
    assert!(error.contains("not valid for name"), "{error}");
}

#[tokio::test]
async fn a_service_that_speaks_no_tls_is_a_failure() {
    let plain = crate::service::Service::saying(200, "{}").await;
    let url = format!("https://127.0.0.1:{}/", plain.port);
    let error = ask(&url, &Roots::Only(Vec::new())).await.unwrap_err();
    assert!(error.starts_with("the request failed: "), "{error}");
}
