//! `assent manifest canonicalize` and `hash`

use crate::manifest;

#[test]
fn canonicalize_prints_the_bytes_and_nothing_else() {
    let run = manifest(&["canonicalize", "-"], br#" {"b": [1.0, "\u20ac"], "a": null} "#);
    assert_eq!(run.code, 0);
    assert_eq!(run.stdout, "{\"a\":null,\"b\":[1,\"€\"]}".as_bytes());
    assert_eq!(run.stderr, "");
}

#[test]
fn hash_prints_the_digest_of_the_canonical_form() {
    let digest = assent_json::Digest::of(b"{\"a\":1}").to_string();
    let run = manifest(&["hash", "-"], b"{ \"a\" : 1.0 }");
    assert_eq!((run.code, run.text()), (0, format!("{digest}\n").as_str()));
    let run = manifest(&["hash", "-", "--json"], b"{ \"a\" : 1.0 }");
    assert_eq!(run.json(), serde_json::json!({"hash": digest, "size_bytes": 7}));
}

#[test]
fn what_has_no_canonical_form_is_exit_1_with_its_code() {
    let deep = "[".repeat(129) + &"]".repeat(129);
    for (text, code) in [
        (&b"{\"a\":1,\"a\":2}"[..], "DUPLICATE_KEY"),
        (b"[\"\\ud800\"]", "NOT_CANONICALIZABLE"),
        (b"1e999", "NOT_CANONICALIZABLE"),
        (b"9007199254740993", "NOT_CANONICALIZABLE"),
        (b"[\"\xff\"]", "NOT_JSON"),
        (b"{} {}", "NOT_JSON"),
        (b"\xef\xbb\xbf{}", "NOT_JSON"),
        (b"", "NOT_JSON"),
        (deep.as_bytes(), "NOT_CANONICALIZABLE"),
    ] {
        let run = manifest(&["canonicalize", "-"], text);
        assert_eq!((run.code, run.stdout.len()), (1, 0), "{code}");
        assert!(run.stderr.starts_with(&format!("error[{code}]")), "{}", run.stderr);
        let run = manifest(&["hash", "-", "--json"], text);
        assert_eq!(run.code, 1);
        assert_eq!(run.json()["error"]["code"], code);
    }
}
