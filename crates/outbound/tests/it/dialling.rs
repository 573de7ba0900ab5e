//! Names that lead elsewhere than they seem to.

use std::{net::IpAddr, sync::Arc};

use assent_outbound::{
    CallError, Client, ClientOptions, Resolve, Reuse, SystemResolver, TargetError, address,
};
use proptest::prelude::*;

use crate::{
    desk::{SHORT, Script, Silence, options, request},
    server::Server,
};

const OK: &str = "HTTP/1.1 204 No Content\r\n\r\n";

fn client(change: impl FnOnce(&mut ClientOptions)) -> Client {
    let mut options = options("");
    change(&mut options);
    Client::new(options).unwrap()
}

/// A client for strangers with this resolver.
fn asking(resolver: Arc<Script>) -> Client {
    client(|options| options.resolver = resolver)
}

/// What becomes of a name behind which there is a server of this machine.
async fn call_name(answers: &[&[&str]]) -> (CallError, Server, Arc<Script>) {
    let server = Server::saying(OK).await;
    let resolver = Script::new(answers);
    let url = format!("https://hooks.example.com:{}/", server.port);
    let error = asking(Arc::clone(&resolver)).send(request(&url)).await.unwrap_err();
    (error, server, resolver)
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused_and_nothing_is_dialled() {
    for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "10.0.0.5"] {
        let (error, server, resolver) = call_name(&[&[address]]).await;
        assert_eq!(error, CallError::NotPublic, "{address}");
        assert_eq!((server.connections(), resolver.count()), (0, 1));
        assert_eq!(error.class(), "address_refused");
        assert!(!error.to_string().contains(address), "a stranger learns nothing of our network");
    }
}

#[tokio::test]
async fn one_address_that_is_refused_spoils_the_others() {
    for answer in [
        &["93.184.216.34", "127.0.0.1"],
        &["127.0.0.1", "93.184.216.34"],
        &["93.184.216.34", "::1"],
        &["2606:4700:4700::1111", "10.0.0.5"],
    ] {
        let (error, server, _) = call_name(&[answer]).await;
        assert_eq!((error, server.connections()), (CallError::NotPublic, 0), "{answer:?}");
    }
}

/// Public when it is registered, ours when it is called.
#[tokio::test]
async fn a_name_that_changes_its_mind_is_judged_again() {
    let server = Server::saying(OK).await;
    let resolver = Script::new(&[&["93.184.216.34"], &["127.0.0.1"]]);
    let client = asking(Arc::clone(&resolver));
    let request = request(&format!("https://hooks.example.com:{}/", server.port));
    assert_eq!(client.vet(&request.target).await, Ok(()));
    assert_eq!(client.send(request).await, Err(CallError::NotPublic));
    assert_eq!((server.connections(), resolver.count()), (0, 2));
}

/// A second lookup for the same connection could answer differently: there is none.
#[tokio::test]
async fn a_name_is_looked_up_once_per_connection() {
    let server = Server::saying(OK).await;
    let resolver = Script::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let origin = format!("http://hooks.example.com:{}", server.port);
    let mut options = options(&origin);
    options.resolver = Arc::clone(&resolver) as Arc<dyn Resolve>;
    let client = Client::new(options).unwrap();
    assert_eq!(client.send(request(&origin)).await.unwrap().status, 204);
    assert_eq!((server.connections(), resolver.count()), (1, 1));
    // The name is what the server hears, not the address.
    let host = format!("\r\nhost: hooks.example.com:{}\r\n", server.port);
    assert!(server.requests.lock().unwrap()[0].contains(&host));
}

#[tokio::test]
async fn many_calls_mean_one_lookup_each_and_not_one_more() {
    let server = Server::patient("HTTP/1.1 204 No Content\r\n\r\n").await;
    let origin = format!("http://hooks.example.com:{}", server.port);
    for (reuse, lookups) in [(Reuse::Never, 20), (Reuse::PerHost(1), 1)] {
        let resolver = Script::new(&[&["127.0.0.1"]]);
        let mut options = options(&origin);
        options.resolver = Arc::clone(&resolver) as Arc<dyn Resolve>;
        options.reuse = reuse;
        let client = Client::new(options).unwrap();
        for _ in 0..20 {
            client.send(request(&origin)).await.unwrap();
        }
        assert_eq!(resolver.count(), lookups, "{reuse:?}");
    }
}

#[tokio::test]
async fn an_address_in_the_url_is_judged_like_any_other() {
    let server = Server::saying(OK).await;
    let client = asking(Script::new(&[&["93.184.216.34"]]));
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
    ] {
        // The target was accepted under other rules; the connection still refuses it.
        let error = client.send(request(&format!("https://{host}:{}/", server.port))).await;
        let error = error.unwrap_err();
        assert!(matches!(error, CallError::Refused(TargetError::NotPublic(_))), "{host}: {error}");
        assert_eq!(error.class(), "address_refused");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn the_connection_knows_the_other_rules_as_well() {
    let client = asking(Script::new(&[&["93.184.216.34"]]));
    for (url, expected) in [
        ("http://hooks.example.com/", TargetError::NotEncrypted),
        ("https://hooks.example.com:25/", TargetError::Port(25)),
        ("https://localhost/", TargetError::PrivateName("localhost".to_owned())),
    ] {
        let request = request(url);
        assert_eq!(client.vet(&request.target).await, Err(CallError::Refused(expected.clone())));
        assert_eq!(client.send(request).await, Err(CallError::Refused(expected)));
    }
}

#[tokio::test]
async fn a_name_without_an_address_is_a_failure() {
    for resolver in [Script::of(Vec::new()), Script::new(&[&[]])] {
        let error = asking(resolver).send(request("https://hooks.example.com/")).await.unwrap_err();
        assert_eq!(error.class(), "name_not_found");
    }
}

#[tokio::test]
async fn a_lookup_that_does_not_end_is_given_up() {
    let client = client(|options| {
        options.resolver = Arc::new(Silence);
        options.limits.connect = SHORT;
    });
    let request = request("https://hooks.example.com/");
    assert_eq!(client.vet(&request.target).await, Err(CallError::ConnectTimeout(SHORT)));
    assert_eq!(client.send(request).await, Err(CallError::ConnectTimeout(SHORT)));
}

#[tokio::test]
async fn an_address_that_does_not_answer_does_not_keep_from_the_next() {
    let server = Server::saying(OK).await;
    // Only the last one accepts connections.
    let resolver = Script::new(&[&["127.0.0.9", "::1", "127.0.0.1"]]);
    let origin = format!("http://hooks.example.com:{}", server.port);
    let mut options = options(&origin);
    options.resolver = resolver;
    let response = Client::new(options).unwrap().send(request(&origin)).await.unwrap();
    assert_eq!((response.status.as_u16(), server.connections()), (204, 1));
}

#[tokio::test]
async fn the_system_knows_its_own_name() {
    let found = SystemResolver::default().resolve("localhost").await.unwrap();
    assert!(found.iter().any(IpAddr::is_loopback), "{found:?}");
    assert!(found.iter().all(|address| address::vet(*address).is_err()));
}

proptest! {
    #[test]
    fn a_name_may_be_called_exactly_if_all_its_addresses_are_public(
        found in prop::collection::vec(
            prop_oneof![
                any::<u32>().prop_map(|bits| IpAddr::from(std::net::Ipv4Addr::from_bits(bits))),
                any::<u128>().prop_map(|bits| IpAddr::from(std::net::Ipv6Addr::from_bits(bits))),
                any::<u128>().prop_map(|bits| IpAddr::from(std::net::Ipv6Addr::from_bits(bits >> 3 | 1 << 125))),
            ],
            1..6,
        ),
    ) {
        let all_are_public = found.iter().all(|address| address::vet(*address).is_ok());
        let client = asking(Script::of(vec![found]));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let verdict = runtime.block_on(client.vet(&request("https://hooks.example.com/").target));
        prop_assert_eq!(verdict, if all_are_public { Ok(()) } else { Err(CallError::NotPublic) });
    }
}
