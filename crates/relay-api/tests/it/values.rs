//! Rules of values, at the limit and one beyond; and what the schemas say about them.

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    read::{MAX_INTEGER, read_body, read_query},
    value::{
        Cursor, Description, Email, FilePath, KemPublicKey, Limit, List, Locale,
        MAX_ENVELOPE_BYTES, Name, NewPassword, Password, PrekeyId, PublicKey, Reason, Salt, Sealed,
        SealedEnvelope, SearchText, Signature, WaitSeconds, WebAddress,
    },
};
use base64::{Engine, engine::general_purpose::STANDARD};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;

/// The code with which a text is refused as a value of this type.
fn refusal<T: DeserializeOwned>(text: &str) -> Option<ApiCode> {
    let body = json!({ "value": text }).to_string();
    #[derive(Deserialize)]
    struct Body<T> {
        #[serde(rename = "value")]
        _value: T,
    }
    let error = read_body::<Body<T>>(body.as_bytes()).err()?;
    assert_eq!(error.params["pointer"], "/value");
    assert!(text.len() < 4 || !error.message.contains(text), "{}", error.message);
    Some(error.code.known().unwrap())
}

/// Whatever is good is good by the schema too; the schema may admit a little more.
fn check<T: DeserializeOwned + JsonSchema>(good: &[&str], bad: &[&str]) {
    let schema = jsonschema::validator_for(schemars::schema_for!(T).as_value()).unwrap();
    for text in good {
        assert_eq!(refusal::<T>(text), None, "{text}");
        assert!(schema.is_valid(&json!(text)), "{text}");
    }
    for text in bad {
        assert_eq!(refusal::<T>(text), Some(ApiCode::ValidationFailed), "{text}");
    }
}

#[test]
fn passwords_have_8_characters_to_1024_bytes() {
    let (long, too_long) = ("a".repeat(1024), "a".repeat(1025));
    check::<NewPassword>(
        &["12345678", "密码密码密码密码", &long],
        &["", "1234567", "密码密码密码密", &too_long],
    );
    check::<Password>(&["", "1", &long], &[&too_long]);
}

#[test]
fn e_mail_addresses_are_checked_for_mistakes() {
    let local = "a".repeat(64);
    let domain = format!("{}.example", "b".repeat(181));
    let longest = format!("{local}@{domain}");
    assert_eq!(longest.len(), 254);
    check::<Email>(
        &["ana@example.com", "a.b+c@x", " ana@example.com ", "用户@例子.公司", &longest],
        &[
            "",
            "ana",
            "@x",
            "ana@",
            "a b@x",
            "a@b@c",
            "ana@.x",
            "ana@-x",
            "ana@x..y",
            "a\n@x",
            &format!("{longest}x"),
            &format!("a{local}@x"),
        ],
    );
    let email: Email = " Ana@Example.COM".parse().unwrap();
    assert_eq!((email.as_str(), email.key().as_str()), ("Ana@Example.COM", "ana@example.com"));
}

#[test]
fn names_are_one_visible_line() {
    let (long, too_long) = ("字".repeat(100), "字".repeat(101));
    check::<Name>(
        &["Ana", "علی‌رضا", "Ana 👩‍💻❤️", &long],
        &["", "  ", "\u{200B}", "a\nb", "a\u{202E}b", "a\u{0}", "\u{E0041}a", &too_long],
    );
    check::<Description>(
        &["", "a\n\nb", &"字".repeat(2000)],
        &[&"字".repeat(2001), "a\u{202E}b", "\u{1B}[31m"],
    );
}

#[test]
fn small_texts_have_their_forms() {
    let longest = "a-".repeat(17) + "a";
    check::<Locale>(
        &["en", "zh-Hans-CN", &longest],
        &["", "en_US", "-", "toolongpart1", &format!("{longest}a")],
    );
    check::<Cursor>(&["a", "A_z.9:=-", &"a".repeat(512)], &["", "a b", "a/b", &"a".repeat(513)]);
}

#[test]
fn what_is_searched_called_copied_and_explained_has_a_longest_form() {
    let address = |bytes: usize| format!("https://x/{}", "a".repeat(bytes - "https://x/".len()));
    check::<WebAddress>(&["x", &address(2048)], &["", "https://x/ y", &address(2049)]);
    let path = |bytes: usize| format!("/{}", "a".repeat(bytes - 1));
    check::<FilePath>(&["/a", &path(4096)], &["", "/", "a/b", &path(4097)]);
    check::<Reason>(&["x", &"字".repeat(500)], &["", "a\nb", &"字".repeat(501)]);
    check::<SearchText>(&["x", &"字".repeat(200)], &["", " ", &"字".repeat(201)]);
}

#[test]
fn keys_and_signatures_have_their_exact_lengths() {
    let of = |bytes: usize| STANDARD.encode(vec![7; bytes]);
    for (bytes, key, signature) in [
        (31, false, false),
        (32, true, false),
        (33, false, false),
        (63, false, false),
        (64, false, true),
        (65, false, false),
    ] {
        assert_eq!(refusal::<PublicKey>(&of(bytes)), (!key).then_some(ApiCode::InvalidKey));
        assert_eq!(
            refusal::<Signature>(&of(bytes)),
            (!signature).then_some(ApiCode::ValidationFailed)
        );
    }
    assert_eq!(refusal::<PublicKey>(of(32).trim_end_matches('=')), None, "padding may be left out");
    for text in [
        "",
        "not base64!",
        &of(32).replace('B', "-"),
        &format!("{}\n", of(32)),
        &"A".repeat(100_000),
    ] {
        assert_eq!(refusal::<PublicKey>(text), Some(ApiCode::InvalidKey), "{text}");
    }
    for bytes in [32, 1215, 1217] {
        assert_eq!(refusal::<KemPublicKey>(&of(bytes)), Some(ApiCode::InvalidKey));
    }
    assert_eq!(refusal::<KemPublicKey>(&of(1216)), None);
    check::<Salt>(&[&of(16), &of(64)], &[&of(15), &of(65), "?"]);
    check::<Sealed>(&[&of(1), &of(4096)], &["", &of(4097), "?"]);
}

#[test]
fn an_envelope_has_at_most_one_mebibyte() {
    let of = |bytes: usize| STANDARD.encode(vec![7; bytes]);
    assert_eq!(refusal::<SealedEnvelope>(&of(1)), None);
    assert_eq!(refusal::<SealedEnvelope>(&of(MAX_ENVELOPE_BYTES)), None);
    for bytes in [
        MAX_ENVELOPE_BYTES + 1,
        MAX_ENVELOPE_BYTES + 2,
        MAX_ENVELOPE_BYTES + 3,
        2 * MAX_ENVELOPE_BYTES,
    ] {
        assert_eq!(
            refusal::<SealedEnvelope>(&of(bytes)),
            Some(ApiCode::EnvelopeTooLarge),
            "{bytes}"
        );
    }
    check::<SealedEnvelope>(&[], &["", "====", "a b c d"]);
}

#[test]
fn lists_are_neither_too_long_nor_hold_a_thing_twice() {
    type Few = List<String, 1, 3>;
    let read =
        |text: &str| read_body::<Few>(text.as_bytes()).map_err(|error| error.code.known().unwrap());
    assert_eq!(read(r#"["b","a"]"#).unwrap().into_vec(), ["b", "a"]);
    assert!(read(r#"["a","b","c"]"#).is_ok());
    for text in ["[]", r#"["a","b","c","d"]"#, r#"["a","a"]"#] {
        assert_eq!(read(text), Err(ApiCode::ValidationFailed), "{text}");
    }
    for text in [r#""a""#, "[1]", "{}", "null"] {
        assert_eq!(read(text), Err(ApiCode::BadRequest), "{text}");
    }
}

#[test]
fn names_of_prekeys_come_back_as_they_were_given() {
    for text in ["0", "9007199254740991", r#""a/b+c=""#] {
        let id: PrekeyId = read_body(text.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), text);
    }
    check::<PrekeyId>(&["a", &"a".repeat(64)], &["", "a b", "é", &"a".repeat(65)]);
    for text in ["-1", "1.5", "true", "null", "[]"] {
        assert_eq!(read_body::<PrekeyId>(text.as_bytes()).unwrap_err().code, ApiCode::BadRequest);
    }
}

#[test]
fn large_pages_and_long_waits_are_cut_and_empty_pages_refused() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Query {
        limit: Option<Limit>,
        wait_s: Option<WaitSeconds>,
    }
    let read = |query: &str| read_query::<Query>(query);
    for (limit, counts) in [(1, 1), (50, 50), (200, 200), (201, 200), (MAX_INTEGER, 200)] {
        assert_eq!(read(&format!("limit={limit}")).unwrap().limit.unwrap().get(), counts);
    }
    for (wait, counts) in [(0, 0), (30, 30), (31, 30)] {
        assert_eq!(read(&format!("wait_s={wait}")).unwrap().wait_s.unwrap().get(), counts);
    }
    assert_eq!(read("").unwrap(), Query::default());
    assert_eq!(read("limit=&wait_s=").unwrap(), Query::default());
    let error = read("limit=0").unwrap_err();
    assert_eq!(
        (error.code.known(), &error.params["pointer"]),
        (Some(ApiCode::ValidationFailed), &json!("/limit"))
    );
    assert_eq!(read("limit=many").unwrap_err().code, ApiCode::BadRequest);
}

/// The texts of ids and names that their types accept, their schemas accept as well.
#[test]
fn ids_and_names_are_good_by_their_schemas() {
    fn check<T: JsonSchema + std::str::FromStr>(texts: &[&str], wrong: &str) {
        let schema = jsonschema::validator_for(schemars::schema_for!(T).as_value()).unwrap();
        for text in texts {
            assert!(text.parse::<T>().is_ok() && schema.is_valid(&json!(text)), "{text}");
        }
        assert!(wrong.parse::<T>().is_err() && !schema.is_valid(&json!(wrong)), "{wrong}");
    }
    check::<assent_ids::UserId>(
        &[
            "usr_00000000000000000000000000",
            "usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G",
        ],
        "usr_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    );
    check::<assent_ids::ClientMessageId>(&["a", "é/…", &"x".repeat(256)], "a b");
    check::<assent_ids::ToolName>(&["ab", "a_9", &"a".repeat(32)], "A");
    check::<assent_ids::ScopeId>(&["a:b", "file_system2:read_all"], "a");
    check::<assent_ids::I18nKey>(&["a", "a.B-c.d_1"], "a..b");
    check::<assent_ids::Namespace>(&["a", "A.b-c/d:e_1"], "a b");
    check::<assent_ids::ManifestHash>(&[&"0a".repeat(32)], &"0A".repeat(32));
}
