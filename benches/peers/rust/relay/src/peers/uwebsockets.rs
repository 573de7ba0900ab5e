//! `peers/cpp/uwebsockets.cpp`

use assent_bench_harness::Request;

use super::{Talk, Topic, assent};
use crate::{
    pool::Opening,
    programs::program,
    server::{Server, on_its_core},
    speech::websocket,
};

fn start(request: &Request) -> Server {
    Server::start(&mut on_its_core(&program(request, "uwebsockets")))
}

fn opening(server: &Server, path: &str) -> Opening {
    let to = server.address;
    Opening { to, steps: vec![websocket::upgrade(to, path)], then: websocket::frame }
}

pub(crate) fn talk(request: &Request) -> Talk {
    let server = start(request);
    let opening = opening(&server, "/frame");
    let frame = websocket::text(&"x".repeat(websocket::FRAME_BYTES));
    let opening = move |_| opening.clone();
    Talk { server, opening: Box::new(opening), request: frame, _kept: None }
}

pub(crate) fn topic(request: &Request) -> Topic {
    let server = start(request);
    let publication = websocket::text(&"x".repeat(assent::EVENT_BYTES));
    Topic {
        subscriber: opening(&server, "/topic"),
        publisher: opening(&server, "/publish"),
        publication: Box::new(move |_| publication.clone()),
        server,
        _kept: None,
    }
}
