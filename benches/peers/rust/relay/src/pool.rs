//! Many connections on one thread.
//!
//! A connection first says its opening, step by step. Then it is open, and whatever comes is handed, reply
//! by reply, to whoever drives the pool.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::SocketAddr,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use mio::{Events, Interest, Poll, Token, net::TcpStream};

/// What stands at the beginning of what was received.
pub(crate) enum Framed {
    /// Not all of a reply yet.
    Part,
    /// So many bytes that are not for us, such as a ping of the protocol.
    Skip(usize),
    /// A reply of so many bytes.
    Whole(usize),
}

/// Finds the end of a reply.
pub(crate) type Framing = fn(&[u8]) -> Framed;

/// Something that a client says, and the reply that it waits for before it goes on.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) say: Vec<u8>,
    pub(crate) hear: Framing,
}

/// How a connection begins, and how replies look from then on.
#[derive(Clone)]
pub(crate) struct Opening {
    pub(crate) to: SocketAddr,
    pub(crate) steps: Vec<Step>,
    pub(crate) then: Framing,
}

/// What happened on a connection.
pub(crate) enum Heard<'a> {
    /// Its opening is over; this was the last reply of it.
    Open(&'a [u8]),
    /// A reply.
    Reply(&'a [u8]),
    /// It broke.
    Lost,
}

/// Many connections.
pub(crate) struct Pool {
    poll: Poll,
    events: Events,
    lines: Vec<Line>,
    scratch: Box<[u8]>,
}

/// One connection.
struct Line {
    stream: TcpStream,
    opening: Opening,
    /// How many steps were said.
    said: usize,
    connected: bool,
    open: bool,
    /// What came of a reply that is not complete.
    input: Vec<u8>,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Self {
            poll: Poll::new().expect("the system lets us wait"),
            events: Events::with_capacity(1024),
            lines: Vec::new(),
            scratch: vec![0; 64 * 1024].into_boxed_slice(),
        }
    }

    /// How many connections there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds connections, so many at a time, and waits until all are open.
    pub(crate) fn connect(&mut self, openings: impl IntoIterator<Item = Opening>, at_once: usize) {
        let mut openings = openings.into_iter().peekable();
        let end = Instant::now() + Duration::from_secs(120);
        let mut waiting = 0_usize;
        loop {
            while waiting < at_once
                && let Some(opening) = openings.next()
            {
                self.begin(opening);
                waiting += 1;
            }
            if waiting == 0 {
                return;
            }
            let _ = self.turn(end, &mut |index, heard, _: &mut Vec<u8>| match heard {
                Heard::Open(_) => {
                    waiting -= 1;
                    ControlFlow::Continue(())
                }
                Heard::Reply(_) => ControlFlow::Continue(()),
                Heard::Lost => panic!("connection {index} broke before it was open"),
            });
            assert!(Instant::now() < end, "{waiting} connections do not become open");
        }
    }

    /// Begins a connection, and says which one it is.
    pub(crate) fn begin(&mut self, opening: Opening) -> usize {
        let index = self.lines.len();
        let line = self.line(index, opening);
        self.lines.push(line);
        index
    }

    /// Drops a connection and begins it anew.
    pub(crate) fn again(&mut self, index: usize, opening: Opening) {
        let line = self.line(index, opening);
        self.lines[index] = line;
    }

    fn line(&self, index: usize, opening: Opening) -> Line {
        let stream = TcpStream::connect(opening.to);
        let mut stream = stream.unwrap_or_else(|error| panic!("connection {index}: {error}"));
        let both = Interest::READABLE | Interest::WRITABLE;
        let registry = self.poll.registry();
        registry.register(&mut stream, Token(index), both).expect("a connection can be watched");
        Line { stream, opening, said: 0, connected: false, open: false, input: Vec::new() }
    }

    /// Says something on a connection.
    pub(crate) fn say(&mut self, index: usize, text: &[u8]) {
        self.lines[index].say(text);
    }

    /// Hands on what happens, until the time is over or until `react` has heard enough; says which of
    /// the two it was. What `react` puts into its last argument is said on the same connection.
    pub(crate) fn drive(
        &mut self,
        end: Instant,
        mut react: impl FnMut(usize, Heard<'_>, &mut Vec<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while Instant::now() < end {
            self.turn(end, &mut react)?;
        }
        ControlFlow::Continue(())
    }

    fn turn(
        &mut self,
        end: Instant,
        react: &mut impl FnMut(usize, Heard<'_>, &mut Vec<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rest = end.saturating_duration_since(Instant::now());
        match self.poll.poll(&mut self.events, Some(rest)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                return ControlFlow::Continue(());
            }
            waited => waited.expect("waiting works"),
        }
        let mut answer = Vec::new();
        for event in &self.events {
            let index = event.token().0;
            let line = &mut self.lines[index];
            if !line.connected && event.is_writable() && line.has_connected() {
                // From here on only what comes is of interest.
                let registry = self.poll.registry();
                let _ = registry.reregister(&mut line.stream, Token(index), Interest::READABLE);
                line.begin(&mut |heard, answer: &mut Vec<u8>| react(index, heard, answer))?;
            }
            if event.is_readable() || event.is_error() {
                let mut react =
                    |heard: Heard<'_>, answer: &mut Vec<u8>| react(index, heard, answer);
                line.read(&mut self.scratch, &mut answer, &mut react)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Line {
    fn has_connected(&mut self) -> bool {
        self.connected = self.stream.peer_addr().is_ok();
        if self.connected {
            let _ = self.stream.set_nodelay(true);
        }
        self.connected
    }

    /// The first step; without any, the connection is open at once.
    fn begin(
        &mut self,
        react: &mut impl FnMut(Heard<'_>, &mut Vec<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.next_step() {
            return ControlFlow::Continue(());
        }
        let mut answer = Vec::new();
        let flow = react(Heard::Open(&[]), &mut answer);
        self.say(&answer);
        flow
    }

    /// Says the next step of the opening, if there is one.
    fn next_step(&mut self) -> bool {
        let Some(step) = self.opening.steps.get(self.said) else {
            self.open = true;
            return false;
        };
        let text = step.say.clone();
        self.said += 1;
        self.say(&text);
        true
    }

    fn say(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        // One request at a time never fills a socket; if the other side is gone, reading tells.
        if let Ok(said) = self.stream.write(text) {
            assert_eq!(said, text.len(), "the other side does not read");
        }
    }

    fn read(
        &mut self,
        scratch: &mut [u8],
        answer: &mut Vec<u8>,
        react: &mut impl FnMut(Heard<'_>, &mut Vec<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            let count = match self.stream.read(scratch) {
                Ok(count) if count > 0 => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return ControlFlow::Continue(());
                }
                _ => return react(Heard::Lost, answer),
            };
            self.take(&scratch[..count], answer, react)?;
            // Fewer bytes than there is room for: there are no more.
            if count < scratch.len() {
                return ControlFlow::Continue(());
            }
        }
    }

    fn take(
        &mut self,
        new: &[u8],
        answer: &mut Vec<u8>,
        react: &mut impl FnMut(Heard<'_>, &mut Vec<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut input = std::mem::take(&mut self.input);
        let all = if input.is_empty() {
            new
        } else {
            input.extend_from_slice(new);
            input.as_slice()
        };
        let mut rest = all;
        loop {
            let framing = match self.opening.steps.get(self.said.wrapping_sub(1)) {
                Some(step) if !self.open => step.hear,
                _ => self.opening.then,
            };
            let length = match framing(rest) {
                Framed::Part => break,
                Framed::Skip(length) => {
                    rest = &rest[length..];
                    continue;
                }
                Framed::Whole(length) => length,
            };
            let (reply, behind) = rest.split_at(length);
            rest = behind;
            let heard = if self.open {
                Heard::Reply(reply)
            } else if self.next_step() {
                continue;
            } else {
                Heard::Open(reply)
            };
            let flow = react(heard, answer);
            self.say(answer);
            answer.clear();
            flow?;
        }
        self.input = rest.to_vec();
        ControlFlow::Continue(())
    }
}
