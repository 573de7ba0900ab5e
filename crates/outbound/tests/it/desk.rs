//! Clients and resolvers for tests.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use assent_outbound::{
    Addresses, Client, ClientOptions, Limits, Origins, Reach, Request, Resolve, Roots, Target,
};
use http::HeaderMap;

/// Longer than anything takes here, and shorter than a person waits.
pub const LONG: Duration = Duration::from_secs(20);
/// What a test is ready to wait for a limit to strike.
pub const SHORT: Duration = Duration::from_millis(300);

/// A resolver that answers one lookup after the other like this, and goes on with the last answer.
pub struct Script {
    answers: Vec<Vec<IpAddr>>,
    pub lookups: AtomicUsize,
}

impl Script {
    pub fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answer = |texts: &&[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        Self::of(answers.iter().map(answer).collect())
    }

    pub fn of(answers: Vec<Vec<IpAddr>>) -> Arc<Self> {
        Arc::new(Self { answers, lookups: AtomicUsize::new(0) })
    }

    pub fn count(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }
}

impl Resolve for Script {
    fn resolve<'a>(&'a self, _: &'a str) -> Addresses<'a> {
        let index = self.lookups.fetch_add(1, Ordering::SeqCst);
        let answer = self.answers.get(index).or(self.answers.last()).cloned();
        Box::pin(async move { answer.ok_or_else(|| io::Error::other("no such name")) })
    }
}

/// A resolver that does not answer.
pub struct Silence;

impl Resolve for Silence {
    fn resolve<'a>(&'a self, _: &'a str) -> Addresses<'a> {
        Box::pin(std::future::pending())
    }
}

/// Options for untrusted addresses, except for these origins, where no certificate is trusted and
/// no name is known.
pub fn options(excepted: &str) -> ClientOptions {
    ClientOptions {
        roots: Roots::Only(Vec::new()),
        resolver: Script::of(Vec::new()),
        limits: Limits { connect: LONG, call: Some(LONG), ..Limits::default() },
        ..ClientOptions::for_strangers(excepted.parse::<Origins>().unwrap())
    }
}

/// A request to this URL, which passes for one that may be called.
pub fn request(url: &str) -> Request {
    let target = Target::parse(url, &Reach::Anywhere).unwrap();
    Request::post(target, HeaderMap::new(), "{}")
}

/// A client that may call this port of this machine, and a request to it.
pub fn to(port: u16, change: impl FnOnce(&mut ClientOptions)) -> (Client, Request) {
    let origin = format!("http://127.0.0.1:{port}");
    let mut options = options(&origin);
    change(&mut options);
    (Client::new(options).unwrap(), request(&format!("{origin}/hook?key=planted")))
}
