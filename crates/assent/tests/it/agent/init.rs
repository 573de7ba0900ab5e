//! `assent agent init` and `whoami`

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::scene::{Home, NEW_OWNER, PASSWORD, Scene, manifest};

#[test]
fn init_makes_an_agent_and_keeps_its_secrets_private() {
    let home = Home::new();
    let made = home.init(&NEW_OWNER);
    assert_eq!(made.code, 0, "{}{}", made.text(), made.stderr);
    let report = made.json();
    let id = report["agent_id"].as_str().unwrap();
    let link = report["link"].as_str().unwrap();
    assert!(link.starts_with(&format!("assent:add/{id}?relay=http")), "{link}");
    let (_, fingerprint) = link.split_once("#k=").unwrap();
    assert!(fingerprint.len() == 64 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()));

    let directory = home.folder.path().join("agent");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    for name in ["agent.json", "token", "manifest-token", "storage.key"] {
        assert_eq!(mode(&directory.join(name)), 0o600, "{name}");
    }
    for name in ["token", "manifest-token"] {
        let token = fs::read_to_string(directory.join(name)).unwrap();
        assert!(token.starts_with("hsk_"), "{name}");
        assert!(!made.text().contains(&token) && !made.stderr.contains(&token), "{name}");
    }

    // The manifest that was given is the one that is published.
    let token = fs::read_to_string(directory.join("token")).unwrap();
    let agent = home.relay.call("GET", &format!("/agents/{id}"), &token, &serde_json::json!({}));
    assert_eq!(agent["capability_manifest"], manifest());

    let again = home.init(&["--email", "owner@example.org"]);
    assert_eq!((again.code, &again.json()["error"]["code"]), (1, &"AGENT_EXISTS".into()));
}

#[test]
fn an_interrupted_init_goes_on_with_the_same_agent() {
    let home = Home::new();
    let first = home.init(&NEW_OWNER).json();
    fs::remove_file(home.folder.path().join("agent/manifest-token")).unwrap();
    let second = home.init(&["--email", "owner@example.org"]);
    assert_eq!(second.code, 0, "{}{}", second.text(), second.stderr);
    assert_eq!(second.json(), first);
}

#[test]
fn init_says_what_is_missing_and_makes_nothing() {
    let home = Home::new();
    let wrong_password = home.path("password");
    fs::write(&wrong_password, "not the password\n").unwrap();
    let cases: [(&[&str], i32, &str); 4] = [
        (&[], 2, "WRONG_USE"),
        (&["--email", "nobody"], 2, "WRONG_USE"),
        (
            &["--email", "ada@example.org", "--password-file", &wrong_password],
            1,
            "INVALID_CREDENTIALS",
        ),
        (&["--email", "ada@example.org", "--password-file", "/does/not/exist"], 2, "WRONG_USE"),
    ];
    for (arguments, code, error) in cases {
        let run = home.init(arguments);
        assert_eq!(
            (run.code, &run.json()["error"]["code"]),
            (code, &error.into()),
            "{arguments:?}"
        );
        assert!(!run.stderr.contains(PASSWORD) && !run.stderr.contains("not the password"));
    }
    for (relay, code, error) in
        [("http://127.0.0.1:9", 1, "RELAY_UNREACHABLE"), ("relay.example", 2, "WRONG_USE")]
    {
        let init = ["init", "--relay", relay, "--name", "helper", "--json"];
        let run = home.agent(&[&init[..], &NEW_OWNER[..]].concat());
        assert_eq!((run.code, &run.json()["error"]["code"]), (code, &error.into()), "{relay}");
    }
    fs::write(home.path("manifest.json"), r#"{"schema_version": 1}"#).unwrap();
    let run = home.init(&NEW_OWNER);
    assert_eq!((run.code, &run.json()["valid"]), (1, &false.into()));
    assert!(!home.folder.path().join("agent").exists());
}

#[test]
fn whoami_lists_the_people_who_have_added_the_agent() {
    let scene = Scene::new();
    let whoami = scene.home.agent(&["whoami", "--json"]).json();
    let relations = whoami["relations"].as_array().unwrap();
    assert_eq!(relations.len(), 1);
    assert_eq!(relations[0]["conversation_id"], scene.conversation);
    assert_eq!(relations[0]["active"], true);
    let text = scene.home.agent(&["whoami"]);
    assert!(text.text().contains(&scene.conversation), "{}", text.text());
    assert!(text.text().contains(whoami["link"].as_str().unwrap()), "{}", text.text());
}

#[test]
fn the_number_that_the_agent_shows_is_that_of_the_person() {
    let scene = Scene::new();
    let whoami = scene.home.agent(&["whoami", "--json"]).json();
    let person = whoami["relations"][0]["user_id"].as_str().unwrap();
    let keys = scene.home.agent(&["keys", person, "--json"]);
    assert_eq!(keys.code, 0, "{}", keys.stderr);
    let device = &keys.json()["devices"][0];
    let number = device["safety_number"].as_str().unwrap();
    assert_eq!(number.split(' ').map(str::len).collect::<Vec<_>>(), [5; 12]);
    assert_eq!(device["keys_changed"], false);
    let stranger = scene.home.agent(&["keys", "usr_01J00000000000000000000000", "--json"]);
    assert_eq!((stranger.code, &stranger.json()["error"]["code"]), (1, &"UNKNOWN_PERSON".into()));
    assert_eq!(scene.home.agent(&["keys", "ada", "--json"]).code, 2);
}
