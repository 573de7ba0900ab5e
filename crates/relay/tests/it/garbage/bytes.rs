//! Bytes that look like requests, to different degrees.

use assent_relay_api::{Described, operations};

/// A sequence of choices that can be repeated: SplitMix64.
pub(super) struct Chance(u64);

const METHODS: [&str; 10] =
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "P\u{e4}T"];
const VERSIONS: [&str; 7] =
    ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""];
const HEADERS: [&str; 28] = [
    "Content-Length: -1",
    "Content-Length: 0",
    "Content-Length: 7",
    "Content-Length: 99999999999",
    "Content-Length: 99999999999999999999999999",
    "Content-Length: 1e3",
    "Content-Length: 3, 4",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding : chunked",
    "Expect: 100-continue",
    "Connection: upgrade",
    "Connection: close",
    "Upgrade: websocket",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Version: 8",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Key: short",
    "If-Match: \"x\", W/\"y\", *",
    "Cookie: refresh_token=x; refresh_token=\"y",
    "Authorization: Bearer x.y.z",
    "Authorization: Bearer hsk_x",
    "X-Forwarded-For: 1.2.3.4, ::1, x",
    "Content-Encoding: gzip",
    " folded: yes",
];
const BODIES: [&str; 9] = [
    "{}",
    "{\"email\":\"a@b.c\",\"account_password\":\"12345678\",\"display_name\":\"\u{0}\"}",
    "{\"kind\":\"group\",\"member_ids\":[],\"agent_ids\":[]}",
    "[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":1,\"a\":2}",
    "7\r\n{\"a\":1}\r\n0\r\n\r\n",
    "ffffffffffffffff\r\nx\r\n",
    "zz\r\n\r\n",
    "5;x=y\r\nabc",
];

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let index = self.below(all.len());
        &all[index]
    }

    /// What is sent over one connection: one to three requests, or what begins like HTTP/2.
    pub(super) fn request(&mut self, token: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.one_in(12) {
            bytes.extend_from_slice(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            self.frames(&mut bytes);
        } else {
            for _ in 0..=self.below(3) {
                self.one(token, &mut bytes);
            }
        }
        self.damage(&mut bytes);
        bytes
    }

    fn one(&mut self, token: &str, bytes: &mut Vec<u8>) {
        if self.one_in(40) {
            return self.noise(5000, bytes);
        }
        let operation = self.of(operations());
        // Mostly what the path takes, so that bodies are read at all.
        let method = if self.one_in(4) { *self.of(&METHODS) } else { operation.method.as_str() };
        let target = self.target(operation);
        bytes.extend_from_slice(format!("{method} {target} {}\r\n", self.of(&VERSIONS)).as_bytes());
        if !self.one_in(8) {
            bytes.extend_from_slice(b"Host: relay\r\n");
        }
        if !self.one_in(3) {
            bytes.extend_from_slice(format!("Authorization: Bearer {token}\r\n").as_bytes());
        }
        if !self.one_in(4) {
            bytes.extend_from_slice(b"Content-Type: application/json\r\n");
        }
        for _ in 0..self.below(5) {
            bytes.extend_from_slice(self.of(&HEADERS).as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
        self.large_header(bytes);
        let body = *self.of(&BODIES);
        if !self.one_in(3) {
            bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body.as_bytes());
    }

    fn target(&mut self, operation: &Described) -> String {
        let mut target = operation.path.to_owned();
        for name in operation.path_parameters() {
            let values =
                ["agt_01J00000000000000000000000", "x", "%00", "%ff%fe", "..", "", "\u{7f}"];
            let value: &&str = self.of(&values);
            target = target.replace(&format!("{{{name}}}"), value);
        }
        match self.below(12) {
            0 => target.push_str("?limit=0&limit=1"),
            1 => target.push_str("?cursor=%ff"),
            2 => target.push_str("?after=99999999999999999999&wait_s=0"),
            3 => target.push_str(&format!("?q={}", "x".repeat(20_000))),
            4 => target.insert_str(0, "http://elsewhere"),
            5 => target.push('#'),
            _ => target.push_str("?wait_s=0"),
        }
        target
    }

    fn large_header(&mut self, bytes: &mut Vec<u8>) {
        if self.one_in(30) {
            let length = *self.of(&[8_000, 40_000, 200_000]);
            bytes.extend_from_slice(format!("X-Large: {}\r\n", "y".repeat(length)).as_bytes());
        }
        if self.one_in(30) {
            for number in 0..300 {
                bytes.extend_from_slice(format!("X-{number}: z\r\n").as_bytes());
            }
        }
    }

    /// Frames of HTTP/2: their heads are right, what is in them is not.
    fn frames(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..self.below(8) {
            let length = self.byte() % 64;
            let (kind, flags, stream) = (self.byte() % 11, self.byte(), self.byte() % 5);
            bytes.extend_from_slice(&[0, 0, length, kind, flags, 0, 0, 0, stream]);
            for _ in 0..length {
                bytes.push(self.byte());
            }
        }
    }

    fn noise(&mut self, most: usize, bytes: &mut Vec<u8>) {
        for _ in 0..self.below(most) {
            bytes.push(self.byte());
        }
    }

    /// Some are cut, some have bytes that are others.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        if self.one_in(4) {
            let end = self.below(bytes.len());
            bytes.truncate(end);
        }
        if self.one_in(3) && !bytes.is_empty() {
            for _ in 0..=self.below(4) {
                let place = self.below(bytes.len());
                bytes[place] = self.byte();
            }
        }
    }
}
