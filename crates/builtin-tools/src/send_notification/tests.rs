//! Tests of `send_notification`.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_ids::{UnixMillis, deterministic::ManualClock};
use assent_json::Json;
use assent_protocol::agent_tool::ErrorClass;
use serde_json::{Value, json};

use super::{Channel, Notifier, SendNotification};

/// Remembers what it shows.
#[derive(Default)]
struct Screen {
    shown: Mutex<Vec<(String, String)>>,
    is_off: bool,
}

impl Notifier for Screen {
    fn notify(&self, title: &str, body: &str) -> Option<Channel> {
        self.shown.lock().unwrap().push((title.to_owned(), body.to_owned()));
        (!self.is_off).then_some(Channel::Console)
    }
}

fn tool(screen: &Arc<Screen>) -> (SendNotification, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
    (SendNotification::new("Ada\u{202e}", Arc::clone(screen) as _, Arc::clone(&clock) as _), clock)
}

fn send(tool: &SendNotification, input: &Value) -> Result<Value, ErrorClass> {
    let sent = tool.send(&Json::from_value(input).unwrap());
    sent.map(|result| result.to_value()).map_err(|failure| failure.class)
}

#[test]
fn a_notification_is_plain_text_and_begins_with_the_name_of_the_agent() {
    let screen = Arc::default();
    let (tool, _) = tool(&screen);
    let input = json!({"title": "<b>Hi\n\u{1b}[2J", "body": "one\r\ntwo\u{7}"});
    assert_eq!(send(&tool, &input), Ok(json!({"delivered": "console"})));
    assert_eq!(send(&tool, &json!({"title": "Hi"})), Ok(json!({"delivered": "console"})));
    let expected = [
        ("Ada\\u{202e}: <b>Hi\\n\\u{1b}[2J".to_owned(), "one\ntwo\\u{7}".to_owned()),
        ("Ada\\u{202e}: Hi".to_owned(), String::new()),
    ];
    assert_eq!(*screen.shown.lock().unwrap(), expected);
}

#[test]
fn lengths_are_limited() {
    let screen = Arc::default();
    let (tool, _) = tool(&screen);
    let sends = |title: usize, body: usize| {
        send(&tool, &json!({"title": "é".repeat(title), "body": "é".repeat(body)})).is_ok()
    };
    assert!(sends(1, 0) && sends(120, 1_000));
    assert!(!sends(0, 0) && !sends(121, 0) && !sends(1, 1_001));
    for input in [json!({"title": " \n"}), json!({}), json!({"title": "a", "icon": "b"}), json!(1)]
    {
        assert_eq!(send(&tool, &input), Err(ErrorClass::InvalidArguments));
    }
    assert_eq!(screen.shown.lock().unwrap().len(), 2, "what was refused was not shown");
}

#[test]
fn ten_notifications_are_shown_per_minute() {
    let screen = Arc::default();
    let (tool, clock) = tool(&screen);
    let input = json!({"title": "Hi"});
    for _ in 0..10 {
        assert!(send(&tool, &input).is_ok());
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(send(&tool, &input), Err(ErrorClass::RateLimited));
    clock.advance(Duration::from_millis(49_999));
    assert_eq!(send(&tool, &input), Err(ErrorClass::RateLimited));
    clock.advance(Duration::from_millis(1));
    assert!(send(&tool, &input).is_ok(), "the first one is a minute old");
    assert_eq!(send(&tool, &input), Err(ErrorClass::RateLimited));
    assert_eq!(screen.shown.lock().unwrap().len(), 11);
}

#[test]
fn without_a_console_or_terminal_nothing_can_be_shown() {
    let screen = Arc::new(Screen { is_off: true, ..Screen::default() });
    let (tool, _) = tool(&screen);
    assert_eq!(send(&tool, &json!({"title": "Hi"})), Err(ErrorClass::CapabilityGap));
}
