//! The file that lists hooks: read whole, or refused with everything that is wrong.

use std::{sync::Arc, time::Duration};

use assent_hooks::{HookEnvironment, MAX_FILE_BYTES, Roots, load};
use assent_ids::SystemClock;
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{HOOK_TIMEOUT, OnFailure, Registration};

pub fn loaded(text: &str) -> Result<Vec<Registration>, Vec<String>> {
    let around = HookEnvironment { clock: Arc::new(SystemClock), roots: Roots::Only(Vec::new()) };
    let problems =
        |problems: assent_hooks::Problems| problems.iter().map(ToString::to_string).collect();
    load(text.as_bytes(), &around).map_err(problems)
}

#[test]
fn a_hook_is_registered_as_the_file_says() {
    let registrations = loaded(
        r#"{"version": 1, "hooks": [
            {"id": "a", "event": "permission_request", "tools": "files/*", "timeout_ms": 1500,
             "on_failure": "open", "authoritative": true, "sees_sensitive": true,
             "max_answer_bytes": 10, "max_parallel": 1, "command": {"argv": ["/bin/true"]}},
            {"id": "b", "event": "post_tool_use", "http": {"url": "https://hooks.example/"}}
        ]}"#,
    )
    .unwrap();
    let [a, b] = registrations.as_slice() else { panic!("there are two") };
    assert_eq!((a.id.as_str(), a.event), ("a", HookEvent::PermissionRequest));
    assert_eq!(a.tools.as_str(), "files/*");
    assert_eq!((a.timeout, a.on_failure), (Duration::from_millis(1500), OnFailure::Open));
    assert!(a.authoritative);
    assert_eq!((b.id.as_str(), b.event), ("b", HookEvent::PostToolUse));
    assert_eq!(b.tools.as_str(), "*");
    assert_eq!(
        (b.timeout, b.on_failure, b.authoritative),
        (HOOK_TIMEOUT, OnFailure::Closed, false)
    );
}

#[test]
fn every_mistake_is_reported_at_once_with_its_line() {
    let problems = loaded(
        r#"{
  "version": 2,
  "hooks": [
    {"id": "a b", "event": "before", "tools": "", "command": {"argv": []}},
    {"id": "x", "event": "post_tool_use", "authoritative": true, "timeout_ms": 0,
     "command": {"argv": ["true"], "cwd": "here", "env": {"A": 1, "B": {"env": 7}, "C": {}, "D": {"env": "E", "file": "/f"}, "": "x"}},
     "http": {"url": "http://localhost/", "allow_loopback_http": true}},
    {"id": "x", "event": "pre_tool_use", "on_failure": "maybe", "comand": {}},
    {"id": "y", "event": "pre_tool_use", "http": {"bearer": "planted", "signing_secret": {"file": "rel"}}},
    7
  ],
  "hook": []
}"#,
    )
    .map(drop)
    .unwrap_err();
    assert_eq!(
        problems,
        [
            "/version (2:14): expected a whole number from 1 to 1",
            "/hooks/0/id (4:12): `a b` is not a valid hook id: the character at byte 1 may not stand there",
            "/hooks/0/event (4:28): expected one of `pre_tool_use`, `post_tool_use`, `post_tool_use_failure`, `permission_request`, `permission_decision`, `result_persistence`",
            "/hooks/0/tools (4:47): a pattern must not be empty: leave it out to match everything",
            "/hooks/0/command/argv (4:71): `argv` must at least name a program",
            "/hooks/1 (5:5): a hook is a `command` or an `http` service, not both",
            "/hooks/1/authoritative (5:60): only hooks of `pre_tool_use` and `permission_request` decide anything",
            "/hooks/1/timeout_ms (5:80): expected a whole number from 1 to 600000",
            "/hooks/1/command/argv (6:26): `argv` must begin with the absolute path of a program: nothing is searched",
            "/hooks/1/command/cwd (6:43): the path must be absolute",
            "/hooks/1/command/env/A (6:64): expected text, found a number; put it into quotes",
            "/hooks/1/command/env/B/env (6:80): expected text, found a number; put it into quotes",
            "/hooks/1/command/env/C (6:89): say where the value is: in an `env` variable or in a `file`",
            "/hooks/1/command/env/D (6:98): the value is in an `env` variable or in a `file`, not in both",
            "/hooks/1/command/env/ (6:130): this cannot be the name of an environment variable",
            "/hooks/1/http/url (7:22): `http://` is only for this machine: write `127.0.0.1` or `[::1]`, because a name can lead elsewhere",
            "/hooks/2 (8:5): a `command` or an `http` service must be here",
            "/hooks/2/id (8:12): another hook has the id `x`",
            "/hooks/2/on_failure (8:56): expected one of `closed`, `open`",
            "/hooks/2/comand (8:65): the key `comand` is not known here; did you mean `command`?",
            "/hooks/3/http (9:50): `url` is missing",
            "/hooks/3/http/bearer (9:61): expected an object, found text",
            "/hooks/3/http/signing_secret/file (9:99): the path must be absolute",
            "/hooks/4 (10:5): expected an object, found a number",
            "/hook (12:3): the key `hook` is not known here; did you mean `hooks`?",
        ]
    );
}

#[test]
fn what_is_not_a_file_of_hooks_is_refused() {
    for (text, expected) in [
        ("", "the text ends in the middle of a value"),
        ("[]", "expected an object, found a list"),
        ("{}", "`hooks` is missing"),
        (r#"{"hooks": {}}"#, "expected a list, found an object"),
        (r#"{"hooks": [], "hooks": []}"#, "occurs twice"),
    ] {
        let problems = loaded(text).map(drop).unwrap_err();
        assert!(problems[0].contains(expected), "{text} {problems:?}");
    }
    assert!(loaded(r#"{"hooks": []}"#).unwrap().is_empty());
}

#[test]
fn a_file_may_be_as_long_as_the_limit_and_no_longer() {
    let empty = r#"{"hooks": []}"#;
    let padded = |bytes: usize| format!("{empty}{}", " ".repeat(bytes - empty.len()));
    assert!(loaded(&padded(MAX_FILE_BYTES)).is_ok());
    assert_eq!(
        loaded(&padded(MAX_FILE_BYTES + 1)).map(drop).unwrap_err(),
        [format!("(1:1): the file is longer than {MAX_FILE_BYTES} bytes")]
    );
}
