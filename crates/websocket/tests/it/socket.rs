//! Both sides of a connection, the other one played by another implementation.

use std::{io, time::Duration};

use assent_websocket::{CloseCode, Error, Frame, Message, Socket, Violation};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{self, protocol::Role},
};

use crate::client::{frame, text};

const LIMIT: usize = 1 << 20;

/// A server, and a client that does not trust it.
async fn pair(room: usize) -> (Socket<DuplexStream>, WebSocketStream<DuplexStream>) {
    let (ours, theirs) = duplex(room);
    let client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    (Socket::new(ours, &[], LIMIT), client)
}

#[tokio::test]
async fn another_implementation_understands_every_frame_and_is_understood() {
    let (mut socket, mut client) = pair(64).await;
    let sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];
    let server = async {
        for _ in sizes {
            let Ok(Some(Message::Text(text))) = socket.next().await else { panic!("no text") };
            socket.send(&Frame::text(&text)).await.unwrap();
        }
        let Ok(Some(Message::Ping(payload))) = socket.next().await else { panic!("no ping") };
        socket.send(&Frame::pong(&payload)).await.unwrap();
        assert_eq!(socket.next().await.unwrap(), Some(Message::Binary(vec![1, 2])));
        socket.send_all(&[Frame::binary(&[3]), Frame::ping()]).await.unwrap();
        assert_eq!(socket.next().await.unwrap(), Some(Message::Pong(vec![])));
        let close = socket.next().await.unwrap();
        assert_eq!(close, Some(Message::Close(Some(CloseCode::NORMAL))));
        socket.close(Some(CloseCode::NORMAL), "goodbye").await.unwrap();
        assert_eq!(socket.next().await.unwrap(), None);
    };
    let other = async {
        for size in sizes {
            let text = "ä".repeat(size / 2) + &"x".repeat(size % 2);
            client.send(tungstenite::Message::text(text.clone())).await.unwrap();
            assert_eq!(client.next().await.unwrap().unwrap().into_text().unwrap().as_str(), text);
        }
        client.send(tungstenite::Message::Ping("there?".into())).await.unwrap();
        let pong = client.next().await.unwrap().unwrap();
        assert_eq!(pong, tungstenite::Message::Pong("there?".into()));
        client.send(tungstenite::Message::binary(vec![1, 2])).await.unwrap();
        let answer = client.next().await.unwrap().unwrap();
        assert_eq!(answer, tungstenite::Message::binary(vec![3]));
        assert_eq!(client.next().await.unwrap().unwrap(), tungstenite::Message::Ping("".into()));
        client.flush().await.unwrap();
        let normal = tungstenite::protocol::frame::coding::CloseCode::Normal;
        let close = tungstenite::protocol::CloseFrame { code: normal, reason: "".into() };
        client.close(Some(close)).await.unwrap();
        let Some(Ok(tungstenite::Message::Close(Some(goodbye)))) = client.next().await else {
            panic!("no goodbye")
        };
        assert_eq!((goodbye.code, goodbye.reason.as_str()), (normal, "goodbye"));
        drop(client);
    };
    tokio::join!(server, other);
}

#[tokio::test]
async fn what_was_read_with_the_handshake_is_not_lost() {
    let (ours, mut theirs) = duplex(64);
    let hello = text("hello");
    let (early, late) = hello.split_at(4);
    let mut socket = Socket::new(ours, &[text("first"), early.to_vec()].concat(), LIMIT);
    assert_eq!(socket.next().await.unwrap(), Some(Message::Text("first".into())));
    theirs.write_all(late).await.unwrap();
    assert_eq!(socket.next().await.unwrap(), Some(Message::Text("hello".into())));
}

#[tokio::test]
async fn giving_up_waiting_loses_nothing() {
    let (ours, mut theirs) = duplex(64);
    let mut socket = Socket::new(ours, &[], LIMIT);
    for byte in text("patience") {
        assert!(timeout(Duration::from_millis(1), socket.next()).await.is_err());
        theirs.write_all(&[byte]).await.unwrap();
    }
    assert_eq!(socket.next().await.unwrap(), Some(Message::Text("patience".into())));
}

#[tokio::test]
async fn many_frames_leave_whole_and_in_order_through_a_narrow_stream() {
    let (ours, mut theirs) = duplex(7);
    let mut socket = Socket::new(ours, &[], LIMIT);
    let frames: Vec<Frame> = (0..200).map(|number| Frame::text(&"x".repeat(number))).collect();
    let expected: Vec<u8> = frames.iter().flat_map(|frame| frame.as_bytes().to_vec()).collect();
    let sending = async {
        socket.send_all(&frames).await.unwrap();
        socket.send_all(&[]).await.unwrap();
        drop(socket);
    };
    let mut received = Vec::new();
    let (_, read) = tokio::join!(sending, theirs.read_to_end(&mut received));
    read.unwrap();
    assert_eq!(received, expected);
}

#[tokio::test]
async fn a_broken_connection_and_a_broken_protocol_are_distinguished() {
    let (ours, mut theirs) = duplex(64);
    let mut socket = Socket::new(ours, &[], LIMIT);
    theirs.write_all(&frame(0xf1, [0; 4], b"")).await.unwrap();
    let error = socket.next().await.unwrap_err();
    assert!(matches!(error, Error::Violation(Violation::ReservedBit)), "{error}");
    drop(theirs);
    let error = socket.send(&Frame::ping()).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn a_reason_that_is_too_long_is_cut_between_characters() {
    let frame = Frame::close(Some(CloseCode::NORMAL), &"签".repeat(60));
    let payload = &frame.as_bytes()[2..];
    assert!(payload.len() <= 125);
    assert_eq!(std::str::from_utf8(&payload[2..]).unwrap(), "签".repeat(41));
    assert_eq!(&Frame::close(None, "unsaid").as_bytes()[..], [0x88, 0]);
}
