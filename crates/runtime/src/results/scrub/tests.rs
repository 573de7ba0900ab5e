//! Nothing sensitive is left, however it is written.

use assent_json::Json;
use base64::{Engine, engine::general_purpose::STANDARD};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Path, REDACTED, Scrubber, Touched};
use crate::executor::{Failure, Progress};
use assent_protocol::agent_tool::{ArtifactRef, ErrorClass, ResourceRef};

fn scrubber(values: &[&str]) -> Scrubber {
    Scrubber::new(values.iter().map(|value| (*value).to_owned()))
}

#[test]
fn a_scrubber_that_knows_nothing_changes_nothing() {
    for idle in [Scrubber::default(), scrubber(&["", "  \n"])] {
        assert!(idle.is_idle());
        let json = Json::read(r#"{"a": "b"}"#).unwrap();
        assert!(idle.json(&json).is_same(&json));
        assert_eq!(idle.text("a"), "a");
    }
}

#[test]
fn a_value_is_taken_out_wherever_it_stands() {
    let scrubber = scrubber(&["hunter2"]);
    assert_eq!(scrubber.text("hunter2"), REDACTED);
    assert_eq!(scrubber.text("user:hunter2@host"), "user:[redacted]@host");
    assert_eq!(scrubber.text("hunter2hunter2 x hunter2"), "[redacted] x [redacted]");
    assert_eq!(scrubber.text("Hunter2"), "Hunter2", "another value");
}

#[test]
fn values_that_overlap_are_both_taken_out_entirely() {
    assert_eq!(scrubber(&["abcdef", "defghi"]).text("xabcdefghix"), "x[redacted]x");
    assert_eq!(scrubber(&["abcd", "abcdefgh", "efgh"]).text("xabcdefghx"), "x[redacted]x");
}

#[test]
fn short_values_are_taken_out_where_they_are_a_word_of_their_own() {
    for (value, text, expected) in [
        ("123", "PIN 123 is wrong", "PIN [redacted] is wrong"),
        ("123", "/v/123?pin=123&x=1", "/v/[redacted]?pin=[redacted]&x=1"),
        ("123", "pin_123", "pin_[redacted]"),
        ("123", "密码123错误", "密码[redacted]错误"),
        ("123", "1234 0123 a123 123b", "1234 0123 a123 123b"),
        (
            "123",
            r#"{"log": "one\n123\tx\u0020123 %20123"}"#,
            r#"{"log": "one\n[redacted]\tx\u0020[redacted] %20[redacted]"}"#,
        ),
        ("123", "\u{1b}[1;31m123\u{1b}[0m", "\u{1b}[1;31m[redacted]\u{1b}[0m"),
        ("no", "no, nothing, no", "[redacted], nothing, [redacted]"),
        ("Bob", "Bob's Bobby; BOB", "[redacted]'s Bobby; BOB"),
        ("-5", "x-5 and -50", "x[redacted] and -50"),
        (
            "äö",
            "äö xäö äöx ?q=%C3%A4%C3%B6&r \"\\u00e4\\u00f6\"",
            "[redacted] xäö äöx ?q=[redacted]&r \"[redacted]\"",
        ),
    ] {
        assert_eq!(scrubber(&[value]).text(text), expected, "{value}");
    }
}

#[test]
fn short_values_of_scripts_without_spaces_are_taken_out_wherever_they_stand() {
    for (value, text, expected) in [
        ("李雷", "已为李雷开户", "已为[redacted]开户"),
        ("李雷", "name=%E6%9D%8E%E9%9B%B7abc", "name=[redacted]abc"),
        ("李雷", r#""\u674e\u96f7abc""#, r#""[redacted]abc""#),
        ("김철수", "김철수는 왔다", "[redacted]는 왔다"),
        ("さくら", "田中さくらさん", "田中[redacted]さん"),
        ("李1", "李1是 李12", "[redacted]是 李12"),
    ] {
        assert_eq!(scrubber(&[value]).text(text), expected, "{value}");
    }
}

/// A single character of ASCII stands in every other sentence; one beyond it rarely stands alone.
#[test]
fn a_single_character_is_taken_out_as_a_whole_or_where_it_stands_alone() {
    assert_eq!(scrubber(&["7"]).text("7 of 9"), "7 of 9");
    assert_eq!(scrubber(&["7"]).text(" 7\n"), REDACTED);
    assert_eq!(scrubber(&["李"]).text("姓名：李，行李"), "姓名：[redacted]，行李");
}

#[test]
fn short_values_are_not_looked_for_in_what_is_no_text() {
    assert_eq!(scrubber(&["123", "!!"]).overwritten(b"\xff 123 \xff!!"), None);
    let name = "\u{674e}\u{96f7}".as_bytes();
    let data = [b"\xff", name].concat();
    assert_eq!(scrubber(&["李雷"]).overwritten(&data), Some(b"\xff******".to_vec()));
}

#[test]
fn short_values_are_taken_out_of_data_as_a_whole() {
    let scrubber = scrubber(&["no", "7", "23", "1234"]);
    assert_eq!(scrubber.text(" no\n"), REDACTED);
    assert_eq!(scrubber.text("nothing"), "nothing");
    let json =
        json!({"a": 7, "b": 7.0, "c": 77, "d": "7", "e": "17", "f": 91234, "g": true, "h": 1.23});
    let clean = scrubber.json(&Json::from_value(&json).unwrap()).to_value();
    let expected = json!({"a": REDACTED, "b": REDACTED, "c": 77, "d": REDACTED, "e": "17",
        "f": REDACTED, "g": true, "h": 1.23});
    assert_eq!(clean, expected);
}

#[test]
fn the_length_that_counts_is_in_characters() {
    assert_eq!(scrubber(&["äöüß"]).text("xäöüßx"), "x[redacted]x");
    assert_eq!(scrubber(&["äöü"]).text("xäöüx"), "xäöüx");
}

#[test]
fn white_space_around_a_value_does_not_hide_it() {
    assert_eq!(scrubber(&["  token-1\n"]).text("got token-1."), "got [redacted].");
}

#[test]
fn a_value_is_found_in_every_usual_encoding() {
    let secret = "p\"ä/ss & w<ö>rd\\\u{1F980}";
    let scrubber = scrubber(&[secret]);
    let quoted = serde_json::to_string(secret).unwrap();
    let twice = serde_json::to_string(&quoted).unwrap();
    let hex: String = secret.bytes().map(|byte| format!("{byte:02X}")).collect();
    for written in [
        quoted.clone(),
        quoted.replace('/', "\\/"),
        twice,
        r#""p\"\u00e4/ss & w<\u00f6>rd\\\ud83e\udd80""#.to_owned(),
        r#""p\"ä/ss \u0026 w\u003cö\u003erd\\🦀""#.to_owned(),
        "p%22%C3%A4%2Fss%20%26%20w%3C%C3%B6%3Erd%5C%F0%9F%A6%80".to_owned(),
        "p%22%c3%a4%2fss%20%26%20w%3c%c3%b6%3erd%5c%f0%9f%a6%80".to_owned(),
        "p%22%C3%A4%2Fss+%26+w%3C%C3%B6%3Erd%5C%F0%9F%A6%80".to_owned(),
        "p%22%C3%A4/ss%20&%20w%3C%C3%B6%3Erd%5C%F0%9F%A6%80".to_owned(),
        hex.to_lowercase(),
        hex,
    ] {
        let clean = scrubber.text(&format!("<{written}>"));
        assert!(clean.contains(REDACTED) && clean.len() < 30, "{written} became {clean}");
    }
}

#[test]
fn a_value_is_found_inside_the_base64_of_more_than_itself() {
    let scrubber = scrubber(&["correct horse"]);
    for before in ["", "a", "ab", "abc", "user:"] {
        let text = STANDARD.encode(format!("{before}correct horse battery"));
        let clean = scrubber.text(&text);
        assert!(clean.contains(REDACTED), "{text} became {clean}");
        let url_safe = text.replace('+', "-").replace('/', "_");
        assert!(scrubber.text(&url_safe).contains(REDACTED));
    }
}

#[test]
fn the_lines_of_a_key_are_taken_out_one_by_one() {
    let key = "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7\nshort\nq4cqkW3tqWmYh0V2x\n-----END KEY-----";
    let clean =
        scrubber(&[key]).text("  | MIIEpAIBAAKCAQEA7\r\n  | q4cqkW3tqWmYh0V2x\r\n  | short");
    assert_eq!(clean, "  | [redacted]\r\n  | [redacted]\r\n  | short");
}

#[test]
fn a_very_long_value_is_taken_out_whole_and_in_part() {
    let secret: String = (0..200_000).map(|number| format!("{number},")).collect();
    let scrubber = scrubber(&[&secret]);
    assert_eq!(scrubber.text(&format!("<{secret}>")), "<[redacted]>");
    let part = secret.get(..5_000).unwrap();
    assert_eq!(scrubber.text(&format!("<{part}>")), "<[redacted]>", "its beginning");
    assert_eq!(scrubber.text(&format!("<{}>", STANDARD.encode(&secret))), "<[redacted]>");
    let quoted = serde_json::to_string(&secret).unwrap();
    assert_eq!(scrubber.text(&quoted), "\"[redacted]\"");
}

#[test]
fn the_time_is_linear_even_for_texts_that_repeat_themselves() {
    // Quadratic, this would take hours.
    let text = "a".repeat(2_000_000);
    let scrubber = scrubber(&["aaaa", &"a".repeat(1_000_000), &"a".repeat(500_000)]);
    assert_eq!(scrubber.text(&text), REDACTED);
}

#[test]
fn more_than_can_be_looked_for_hides_everything() {
    let many = Scrubber::new((0..300_000).map(|number| format!("secret-{number}")));
    assert_eq!(many.text("nothing sensitive at all"), REDACTED);
    assert_eq!(many.text(""), "");
}

#[test]
fn keys_are_cleaned_and_no_member_is_lost() {
    let scrubber = scrubber(&["alice@example.org", "bob@example.org"]);
    let json = json!({"alice@example.org": 1, "bob@example.org": 2, "[redacted] (2)": 3});
    let mut touched = Touched::default();
    let clean =
        scrubber.json_at(&Json::from_value(&json).unwrap(), &Path::root(), &mut touched).to_value();
    let expected = json!({REDACTED: 1, "[redacted] (2)": 3, "[redacted] (3)": 2});
    assert_eq!(clean, expected);
    assert_eq!(touched.into_fields(), ["/[redacted]", "/[redacted]"]);
}

#[test]
fn locations_are_listed_up_to_a_limit_and_then_in_general() {
    let scrubber = scrubber(&["hunter2"]);
    let json = json!({"a": vec!["hunter2"; 150], "b": ["x", {"c/d": "hunter2"}]});
    let mut touched = Touched::default();
    let _ = scrubber.json_at(&Json::from_value(&json).unwrap(), &Path::root(), &mut touched);
    let fields = touched.into_fields();
    assert_eq!(fields.len(), 102);
    assert_eq!(fields.first().unwrap(), "/a/0");
    assert_eq!(&fields[100..], ["/a", "/b"]);
}

#[test]
fn failures_progress_and_references_are_cleaned() {
    let scrubber = scrubber(&["hunter2"]);
    let mut failure = Failure::new(ErrorClass::ExecutionFailed, "bad password hunter2");
    failure.native = Some(Box::new(json!({"url": "https://h/?p=hunter2"})));
    let failure = scrubber.failure(failure);
    assert_eq!(failure.message, "bad password [redacted]");
    assert_eq!(failure.native, Some(Box::new(json!({"url": "https://h/?p=[redacted]"}))));
    let progress = Progress {
        message: Some("trying hunter2".into()),
        current_step: Some("hunter2".into()),
        extra: [("argv".to_owned(), json!(["-p", "hunter2"]))].into_iter().collect(),
        ..Progress::default()
    };
    assert!(!format!("{:?}", scrubber.progress(progress)).contains("hunter2"));
    let resource = scrubber.record(ResourceRef::new("file:///hunter2")).unwrap();
    assert_eq!(resource.uri, "file:///[redacted]");
    let mut artifact: ArtifactRef =
        serde_json::from_value(json!({"artifact_id": "a", "uri": "u:hunter2"})).unwrap();
    artifact = scrubber.record(artifact).unwrap();
    assert_eq!(artifact.uri.as_deref(), Some("u:[redacted]"));
}

#[test]
fn a_debug_print_shows_no_value() {
    assert!(!format!("{:?}", scrubber(&["hunter2"])).contains("hunter2"));
}

#[test]
fn bytes_keep_their_places() {
    let scrubber = scrubber(&["hunter2"]);
    assert_eq!(scrubber.overwritten(b"\xff\0hunter2\0"), Some(b"\xff\0*******\0".to_vec()));
    assert_eq!(scrubber.overwritten(b"\xff\0"), None);
}

/// No brackets and no letters of the mark: it must not look like an occurrence itself.
fn secret() -> impl Strategy<Value = String> {
    "[b/%\"\\\\ zé🦀0-9]{4,12}"
        .prop_filter("white space is no secret", |secret| secret.trim().chars().count() >= 4)
}

/// Two or three characters, of a script with spaces or of one without.
fn short_secret() -> impl Strategy<Value = String> {
    prop_oneof!["[a-cé0-3]{2,3}", "[李雷王さ김]{2,3}"]
}

/// A word, and what parts it from the next one.
fn words() -> impl Strategy<Value = Vec<(String, String)>> {
    let parted =
        prop::sample::select(vec![" ", ", ", "\n", "=", "/", "\\n", "%3F", "\"", "_", "码"]);
    prop::collection::vec(("[a-cé0-3]{1,5}", parted.prop_map(str::to_owned)), 0..12)
}

fn write(secret: &str, way: u8) -> String {
    match way % 4 {
        0 => secret.to_owned(),
        1 => serde_json::to_string(secret).unwrap(),
        2 => secret.bytes().map(|byte| format!("%{byte:02X}")).collect(),
        _ => format!("\n{secret}{secret}"),
    }
}

proptest! {
    #[test]
    fn no_occurrence_is_left(
        secrets in prop::collection::vec(secret(), 1..4),
        parts in prop::collection::vec(("[ -Zb-z0-9é🦀]{0,6}", 0..4_usize, any::<u8>()), 0..12),
    ) {
        let scrubber = Scrubber::new(secrets.clone());
        let text: String = parts
            .iter()
            .map(|(around, which, way)| {
                format!("{around}{}", secrets.get(*which).map(|secret| write(secret, *way)).unwrap_or_default())
            })
            .collect();
        let clean = scrubber.text(&text);
        for secret in &secrets {
            prop_assert!(!clean.contains(secret.trim()), "{secret:?} in {clean:?} of {text:?}");
            let quoted = serde_json::to_string(secret.trim()).unwrap();
            prop_assert!(!clean.contains(quoted.trim_matches('"')));
        }
        prop_assert_eq!(scrubber.text(&clean), clean, "once is enough");
    }

    /// Each word that is a secret is gone, and each that only holds one is left as it was.
    #[test]
    fn short_values_are_gone_as_words_and_no_longer_word_is_torn(
        secrets in prop::collection::btree_set("[a-cé0-3]{2,3}", 1..4),
        words in words(),
    ) {
        let joined = |word: &dyn Fn(&str) -> String| -> String {
            words.iter().map(|(text, parted)| format!("{}{parted}", word(text))).collect()
        };
        let text = format!("码{}", joined(&|word| word.to_owned()));
        let expected = joined(&|word| match secrets.contains(word) {
            true => REDACTED.to_owned(),
            false => word.to_owned(),
        });
        let clean = Scrubber::new(secrets.clone()).text(&text);
        prop_assert_eq!(&clean, &format!("码{expected}"), "{:?} in {:?}", secrets, text);
        prop_assert_eq!(Scrubber::new(secrets).text(&clean), clean, "once is enough");
    }

    #[test]
    fn short_names_of_scripts_without_spaces_are_gone_wherever_they_stand(
        name in "[李雷王さ김]{2,3}",
        before in "[a-z0-9李雷王是 ]{0,6}",
        after in "[a-z0-9李雷王是 ]{0,6}",
    ) {
        let clean = scrubber(&[&name]).text(&format!("{before}{name}{after}"));
        prop_assert!(!clean.contains(&name), "{name:?} in {clean:?}");
    }

    #[test]
    fn short_values_are_gone_from_the_encodings_of_urls_and_json(
        secret in short_secret(),
        way in 0..3_u8,
    ) {
        let written = match way {
            0 => secret.clone(),
            1 => secret.bytes().map(|byte| match byte.is_ascii() {
                true => char::from(byte).to_string(),
                false => format!("%{byte:02X}"),
            }).collect(),
            _ => secret.chars().map(|character| match character.is_ascii() {
                true => character.to_string(),
                false => format!("\\u{:04x}", u32::from(character)),
            }).collect::<String>(),
        };
        let clean = scrubber(&[&secret]).text(&format!("{{\"q\": \"{written}\"}}"));
        prop_assert_eq!(clean, format!("{{\"q\": \"{REDACTED}\"}}"));
    }

    #[test]
    fn a_text_without_values_is_left_alone(text in "[ -~é]{0,60}") {
        prop_assert_eq!(scrubber(&["никогда"]).text(&text), text);
    }

    #[test]
    fn no_occurrence_is_left_in_data(
        secrets in prop::collection::vec(secret(), 1..3),
        leaves in prop::collection::btree_map("[a-z]{1,3}", 0..3_usize, 0..5),
    ) {
        let members: serde_json::Map<String, Value> = leaves
            .iter()
            .map(|(key, which)| {
                let secret = secrets.get(*which).cloned().unwrap_or_default();
                (format!("{key}{secret}"), json!([secret, {"in": format!("<{secret}>")}]))
            })
            .collect();
        let count = members.len();
        let json = Json::from_value(&Value::Object(members)).unwrap();
        let clean = Scrubber::new(secrets.clone()).json(&json).to_value();
        prop_assert_eq!(clean.as_object().unwrap().len(), count);
        let mut texts = Vec::new();
        collect(&clean, &mut texts);
        for secret in &secrets {
            prop_assert!(texts.iter().all(|text| !text.contains(secret.trim())));
        }
    }
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            texts.push(key.clone());
            collect(member, texts);
        }),
        _ => {}
    }
}
