//! `assent device`: the device and its commands, as a person at a terminal uses them.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    Run,
    agent::scene::{Home, NEW_OWNER, PASSWORD},
    assent,
    running::{Service, bare, run},
};

/// No wait of a test is longer.
const LIMIT: Duration = Duration::from_secs(30);

/// A relay, an agent that is not added yet, and a device without an account.
struct Terminal {
    home: Home,
    device: Service,
    agent_link: String,
}

impl Terminal {
    fn new() -> Self {
        let home = Home::new();
        let made = home.init(&NEW_OWNER);
        assert_eq!(made.code, 0, "{}{}", made.text(), made.stderr);
        let agent_link = made.json()["link"].as_str().unwrap().to_owned();
        let data = home.path("device");
        let relay = home.relay.url().to_owned();
        let arguments = ["device", "--headless", "--relay", &relay, "--data", &data];
        let device = Service::start(&arguments, &[]);
        Self { home, device, agent_link }
    }

    /// `assent device …` for the device that runs.
    fn device(&self, arguments: &[&str]) -> Run {
        let mut command = bare(&["device"]);
        command.args(arguments).arg("--data").arg(self.home.path("device"));
        run(command.env("ASSENT_ACCOUNT_PASSWORD", PASSWORD))
    }

    /// The data of a command that succeeds.
    fn json(&self, arguments: &[&str]) -> Value {
        let run = self.device(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.text(), run.stderr);
        run.json()
    }

    /// Calls `read_file`, while the person answers at the terminal.
    fn call_and_answer(&self, decision: &str) -> Run {
        std::thread::scope(|threads| {
            let arguments = r#"{"path":"notes.md"}"#;
            let call =
                threads.spawn(|| self.home.agent(&["call", "read_file", arguments, "--json"]));
            let prompt = self.prompt();
            let id = prompt["prompt_id"].as_str().unwrap();
            let digest = prompt["view"]["digest"].as_str().unwrap();
            // A yes that comes with the question is not accepted.
            std::thread::sleep(Duration::from_millis(600));
            self.json(&["answer", id, decision, "--view", digest, "--shown", "all"]);
            call.join().unwrap()
        })
    }

    fn prompt(&self) -> Value {
        let began = Instant::now();
        loop {
            let prompts = self.json(&["prompts"]);
            if let Some(prompt) = prompts.get(0) {
                return prompt.clone();
            }
            assert!(began.elapsed() < LIMIT, "no prompt was opened");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_person_registers_adds_an_agent_answers_and_takes_everything_back() {
    let mut terminal = Terminal::new();
    assert!(terminal.device.ready()["url"].as_str().unwrap().starts_with("unix:"));
    let account = terminal.json(&["register", "--email", "you@example.org", "--name", "You"]);
    assert_eq!(account["email"], "you@example.org");
    let folder = terminal.home.path("files");
    fs::create_dir(&folder).unwrap();
    fs::write(format!("{folder}/notes.md"), "marker-in-the-file").unwrap();
    assert_eq!(terminal.json(&["roots", "add", &folder])["roots"], json!([folder]));

    let link = terminal.agent_link.clone();
    let without = terminal.device(&["add-agent", &link]);
    assert_eq!(without.code, 2, "{}", without.stderr);
    assert!(without.stderr.contains("--yes"), "{}", without.stderr);
    let granting = ["add-agent", &link, "--yes", "--grant", "filesystem:read"];
    assert_eq!(terminal.json(&granting)["granted_scopes"], json!(["filesystem:read"]));
    assert_eq!(
        terminal.json(&["agents"])[0]["agent"]["verified"],
        true,
        "the link proves its keys"
    );

    let denied = terminal.call_and_answer("deny");
    assert_eq!((denied.code, denied.json()["reason"].clone()), (3, "user_refused".into()));
    let allowed = terminal.call_and_answer("allow-24h");
    assert_eq!(allowed.json()["result"]["content"], "marker-in-the-file");
    let quiet = terminal.home.agent(&["call", "read_file", r#"{"path":"notes.md"}"#, "--json"]);
    assert_eq!(quiet.code, 0, "{}", quiet.text());
    let grants = terminal.device(&["grants", "helper"]);
    assert!(grants.text().contains("quiet until"), "{}", grants.text());

    let audit = terminal.json(&["audit", "list"]);
    let decided: Vec<&str> = audit
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["decided_by"].as_str().unwrap())
        .collect();
    assert_eq!(decided, ["silence", "person:terminal", "person:terminal"]);
    assert_eq!(terminal.json(&["audit", "verify"])["ok"], true);
    let export = terminal.device(&["audit", "export"]);
    let file = terminal.home.path("audit.json");
    fs::write(&file, export.text()).unwrap();
    assert_eq!(terminal.json(&["audit", "verify", &file])["ok"], true);
    let changed = export.text().replacen("user_refused", "user_timeout", 1);
    fs::write(&file, changed).unwrap();
    let verified = terminal.device(&["audit", "verify", &file]);
    assert_eq!(verified.code, 1, "{}", verified.text());

    terminal.json(&["revoke", "helper"]);
    let revoked = terminal.home.agent(&["call", "read_file", r#"{"path":"notes.md"}"#, "--json"]);
    assert_ne!(revoked.code, 0, "{}", revoked.text());
    assert_eq!(terminal.device.end(), Some(0));
}

#[test]
fn commands_say_what_is_wrong_and_what_to_do() {
    let terminal = Terminal::new();
    let no_account = terminal.device(&["add-agent", &terminal.agent_link, "--yes", "--all"]);
    assert_eq!(no_account.code, 1, "{}", no_account.stderr);
    assert!(no_account.stderr.contains("register or log in"), "{}", no_account.stderr);
    let answer = ["answer", "prm_01JZ8Q5A1B2C3D4E5F6G7H8J9K", "deny", "--view", "00", "--json"];
    let gone = terminal.device(&answer);
    assert_eq!(gone.code, 1, "{}", gone.text());
    assert_eq!(gone.json()["error"]["code"], "ALREADY_RESOLVED");
    let open = terminal.device(&["open"]);
    assert_eq!(open.code, 1, "{}", open.stderr);
    assert!(open.stderr.contains("without a console"), "{}", open.stderr);
    let flag = terminal.device(&["prompts", "--listen", "127.0.0.1:0"]);
    assert_eq!(flag.code, 2, "{}", flag.stderr);
}

#[test]
fn a_command_without_a_device_says_how_to_start_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let run = assent(&["device", "prompts", "--data", data], b"");
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(run.stderr.contains("start one with `assent device`"), "{}", run.stderr);
}

#[test]
fn wrong_settings_are_all_reported_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let arguments = [
        "device",
        "--data",
        data,
        "--listen",
        "0.0.0.0:8710",
        "--prompt-timeout",
        "31s",
        "--key-store",
        "keyring",
    ];
    let run = assent(&arguments, b"");
    assert_eq!(run.code, 2, "{}", run.text());
    for part in ["loopback", "30s", "key"] {
        assert!(run.stderr.contains(part), "`{part}`: {}", run.stderr);
    }
}
