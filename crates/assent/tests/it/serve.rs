//! `assent serve`, as an operator runs it.

use std::{
    io::{Read as _, Write as _},
    os::unix::fs::PermissionsExt as _,
    time::Duration,
};

use assent_test_servers::Nats;
use rustix::process::Signal;
use serde_json::Value;

use crate::running::{Relay, bare, run, write};

#[test]
fn the_ready_line_is_all_that_a_relay_says_on_standard_output() {
    let relay = Relay::start(&[]);
    assert_eq!(relay.ready["ready"], true);
    assert_eq!(relay.ready["kind"], "relay");
    assert_eq!(relay.ready["pid"], relay.pid());
    assert!(relay.url().starts_with("http://127.0.0.1:"), "{}", relay.ready);
    assert!(relay.get("/health").contains(r#"{"data":{"status":"ok""#));
    assert!(relay.get("/ready").starts_with("HTTP/1.1 200 "));
    let mode = std::fs::metadata(relay.data()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let end = relay.stop(Signal::TERM);
    assert_eq!((end.code, end.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_relay_that_is_asked_to_stop_ends_at_once_if_nothing_runs() {
    for signal in [Signal::TERM, Signal::INT] {
        let relay = Relay::start(&[]);
        // A connection on which nothing is asked does not hold it up.
        let _idle = relay.connect();
        let socket = relay.data().join("admin.sock");
        let end = relay.stop(signal);
        assert_eq!(end.code, Some(0), "{}", end.stderr);
        assert!(end.took < Duration::from_secs(3), "{:?}", end.took);
        assert!(!socket.exists());
    }
}

#[test]
fn what_was_begun_is_finished_before_a_relay_ends() {
    let relay = Relay::start(&[]);
    let copy = relay.data().join("copy.db");
    let body = format!(r#"{{"path":"{}"}}"#, copy.display());
    let mut stream = relay.connect_as_operator();
    let head = format!(
        "POST /admin/backup HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body.as_bytes()[..1]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    relay.signal(Signal::TERM);
    std::thread::sleep(Duration::from_millis(300));
    stream.write_all(&body.as_bytes()[1..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(copy.exists());
    let end = relay.wait();
    assert_eq!(end.code, Some(0), "{}", end.stderr);
}

#[test]
fn a_client_that_never_finishes_does_not_keep_a_relay_alive() {
    let relay = Relay::start(&[]);
    let mut stuck = relay.connect_as_operator();
    let head = "POST /admin/backup HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{";
    stuck.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let end = relay.stop(Signal::TERM);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert!(end.took < Duration::from_secs(10), "{:?}", end.took);
}

#[test]
fn a_second_signal_ends_a_relay_without_waiting() {
    let relay = Relay::start(&[]);
    let mut stuck = relay.connect_as_operator();
    let head = "POST /admin/backup HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{";
    stuck.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    relay.signal(Signal::INT);
    std::thread::sleep(Duration::from_millis(300));
    let end = relay.stop(Signal::INT);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert!(end.took < Duration::from_secs(4), "{:?}", end.took);
}

#[test]
fn a_second_relay_on_the_same_directory_is_refused_and_the_first_goes_on() {
    let relay = Relay::start(&[]);
    for log in ["text", "json"] {
        let second =
            run(bare(&["serve", "--listen", "127.0.0.1:0", "--log", log, "--data"])
                .arg(relay.data()));
        assert_eq!((second.code, second.text()), (1, ""));
        assert!(second.stderr.contains("is in use by another server"), "{}", second.stderr);
        if log == "json" {
            let line: Value = serde_json::from_str(second.stderr.trim()).unwrap();
            assert_eq!(line["level"], "ERROR");
        }
    }
    assert!(relay.get("/health").starts_with("HTTP/1.1 200 "));
    assert_eq!(relay.admin(&["agents", "list"]).code, 0);
}

#[test]
fn an_address_that_is_taken_is_named() {
    let relay = Relay::start(&[]);
    let address = relay.url().strip_prefix("http://").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let second = run(bare(&["serve", "--listen", address, "--data"]).arg(folder.path()));
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains(&format!("cannot listen on `{address}`")), "{}", second.stderr);
}

#[test]
fn a_flag_outweighs_a_variable_and_a_variable_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = "listen = '127.0.0.1:1001'\nlog = 'json'\n[limits]\nlock = '90s'\n";
    let file = write(folder.path(), "relay.toml", file);
    let check = |more: &[&str], variables: &[(&str, &str)]| {
        let mut command = bare(&["serve", "--check-config", "--config", &file, "--data"]);
        command.arg(folder.path()).args(more).envs(variables.iter().copied());
        let checked = run(&mut command);
        assert_eq!(checked.code, 0, "{}", checked.stderr);
        assert!(checked.stderr.contains("the database can be used"), "{}", checked.stderr);
        checked.text().to_owned()
    };
    let line = |number: &str, by: &str| format!("listen = \"127.0.0.1:{number}\"  # {by}\n");
    let said = check(&[], &[]);
    assert!(said.contains(&line("1001", &format!("{file}:1"))), "{said}");
    assert!(said.contains("\n[limits]\n") && said.contains("lock = \"90s\""), "{said}");
    let variable = ("ASSENT_LISTEN", "127.0.0.1:1002");
    assert!(check(&[], &[variable]).contains(&line("1002", "a variable")));
    let flag = ["--listen", "127.0.0.1:1003"];
    assert!(check(&flag, &[variable]).contains(&line("1003", "a flag")));

    // What was printed is a file that says the same.
    let again = write(folder.path(), "again.toml", &said);
    let again = run(&mut bare(&["serve", "--check-config", "--config", &again]));
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  # ").next().unwrap().to_owned()).collect()
    };
    assert_eq!(values(again.text()), values(&said), "{}", again.stderr);
}

#[test]
fn every_mistake_in_the_settings_is_reported_at_once_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let file = "lissten = 1\ndatabase = 'hunter2'\n[limits]\ndevices = 0\nrequest = '5s'\n";
    let file = write(folder.path(), "relay.toml", file);
    let key = write(folder.path(), "secrets.key", "# ours\nhunter2\n");
    let wrong = run(bare(&["serve", "--config", &file, "--log", "xml", "--secrets-key", &key])
        .env("ASSENT_WEBHOOK_ALLOW", "http://127.0.0.1:1/path")
        .env("HOME", folder.path()));
    assert_eq!((wrong.code, wrong.text()), (2, ""));
    for part in [
        "relay.toml:1: there is no setting `lissten`; did you mean `listen`?",
        "relay.toml:2: expected `sqlite:PATH` or `postgres://USER@HOST/DATABASE`",
        "relay.toml:4: expected a whole number above zero",
        "`limits.request` must be at least 35 s",
        "--log: expected `text` or `json`",
        "ASSENT_WEBHOOK_ALLOW: ",
        "--secrets-key: line 2 of `",
    ] {
        assert!(wrong.stderr.contains(part), "{part}\n{}", wrong.stderr);
    }
    assert!(!wrong.stderr.contains("hunter2"), "{}", wrong.stderr);
}

#[test]
fn a_database_that_cannot_be_used_fails_the_check_and_its_password_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = "postgres://u:hunter2@127.0.0.1:1/d";
    let checked =
        run(bare(&["serve", "--check-config", "--database", nobody, "--data"]).arg(folder.path()));
    assert_eq!(checked.code, 1);
    assert!(checked.text().contains("database = \"postgres://…\"  # a flag"), "{}", checked.text());
    assert!(checked.stderr.starts_with("✗ "), "{}", checked.stderr);
    assert!(!checked.stderr.contains("hunter2"), "{}", checked.stderr);
    let foreign = write(folder.path(), "letter.db", &"a letter to a friend ".repeat(50));
    let foreign = format!("sqlite:{foreign}");
    let checked = run(
        bare(&["serve", "--check-config", "--database", &foreign, "--data"]).arg(folder.path())
    );
    assert_eq!(checked.code, 1);
    assert!(checked.stderr.contains("database of another program"), "{}", checked.stderr);
}

#[test]
fn a_bus_is_tried_and_one_that_is_not_there_fails_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let check = |bus: &str| {
        run(bare(&["serve", "--check-config", "--bus", bus, "--data"]).arg(folder.path()))
    };
    let mut nats = Nats::start();
    let url = nats.url();
    let checked = check(&url);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(checked.stderr.contains("✓ the bus answers"), "{}", checked.stderr);
    nats.kill();
    let secret = url.replace("nats://", "nats://u:hunter2@");
    for gone in [&url, &secret] {
        let checked = check(gone);
        assert_eq!(checked.code, 1);
        assert!(checked.stderr.contains("✗ the bus cannot be reached"), "{}", checked.stderr);
        assert!(!checked.stderr.contains("hunter2"), "{}", checked.stderr);
    }
}

#[test]
fn a_log_that_is_not_read_does_not_block_the_relay() {
    let (unread, log) = std::io::pipe().unwrap();
    let relay = Relay::start_logging_to(log);
    // More than a pipe takes.
    for _ in 0..1500 {
        let answer = relay.get("/health");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let end = relay.stop(Signal::TERM);
    assert_eq!(end.code, Some(0));
    drop(unread);
}

#[test]
fn each_request_is_one_line_in_the_log_without_what_it_carried() {
    let relay = Relay::start(&["--log", "json"]);
    relay.get("/health?token=hunter2");
    relay.get("/nowhere/hunter2");
    let end = relay.stop(Signal::TERM);
    let lines: Vec<Value> =
        end.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<&Value> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 2, "{}", end.stderr);
    assert_eq!(requests[0]["operation"], "health");
    assert_eq!((&requests[0]["method"], &requests[0]["status"]), (&"GET".into(), &200.into()));
    assert_eq!(requests[0]["caller"], "anonymous");
    assert!(requests[0]["ms"].is_number());
    assert!(requests[0]["request_id"].as_str().unwrap().starts_with("req_"));
    assert_eq!((&requests[1]["operation"], &requests[1]["status"]), (&"none".into(), &404.into()));
    assert!(!end.stderr.contains("hunter2"), "{}", end.stderr);
}

#[test]
fn a_log_for_people_has_no_colours_off_a_terminal_and_warns_of_what_is_for_development() {
    let relay = Relay::start_with(&[], &[("ASSENT_WEBHOOK_ALLOW", "http://127.0.0.1:9000")]);
    let end = relay.stop(Signal::TERM);
    assert!(!end.stderr.contains('\u{1b}'), "{}", end.stderr);
    assert!(end.stderr.contains("WARN"), "{}", end.stderr);
    assert!(end.stderr.contains("http://127.0.0.1:9000"), "{}", end.stderr);
}

/// The warnings in a log of lines of JSON.
fn warnings(log: &str) -> Vec<String> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let warnings = lines.filter(|line| line["level"] == "WARN");
    warnings.map(|line| line["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_relay_without_a_public_url_warns_at_start_and_when_a_proxy_shows() {
    let relay = Relay::start(&["--log", "json"]);
    for _ in 0..2 {
        let mut stream = relay.connect();
        let head = "GET /health HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.7\r\n\
            connection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        stream.read_to_string(&mut String::new()).unwrap();
    }
    let warnings_without = warnings(&relay.stop(Signal::TERM).stderr);
    assert_eq!(warnings_without.len(), 2, "{warnings_without:?}");
    assert!(warnings_without[0].contains("`public_url` is not set"), "{warnings_without:?}");
    assert!(warnings_without[1].contains("through a proxy"), "{warnings_without:?}");

    let url = ["--log", "json", "--public-url", "https://relay.example.org"];
    let end = Relay::start(&url).stop(Signal::TERM);
    let without_proxies = warnings(&end.stderr);
    assert_eq!(without_proxies.len(), 1, "{without_proxies:?}");
    assert!(without_proxies[0].contains("`trusted_proxies` is empty"), "{without_proxies:?}");

    let proxies = [("ASSENT_TRUSTED_PROXIES", "127.0.0.1")];
    let end = Relay::start_with(&url, &proxies).stop(Signal::TERM);
    assert_eq!(warnings(&end.stderr), Vec::<String>::new());
}

#[test]
fn a_relay_runs_on_postgres_and_finds_there_what_it_left() {
    let database = assent_test_servers::database();
    for _ in 0..2 {
        let relay = Relay::start(&["--database", database.url(), "--bus", "postgres"]);
        assert!(relay.get("/ready").starts_with("HTTP/1.1 200 "));
        assert_eq!(relay.stop(Signal::TERM).code, Some(0));
    }
}

/// The resident memory of a process in MiB.
fn resident_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[test]
fn the_memory_that_hashing_passwords_takes_is_returned() {
    let relay = Relay::start(&[]);
    let register = |number: usize| {
        let account = serde_json::json!({
            "email": format!("ada{number}@example.org"), "account_password": "correct horse",
            "display_name": "ada",
        });
        relay.call("POST", "/auth/register", "", &account);
    };
    register(0);
    let before = resident_mib(relay.pid());
    std::thread::scope(|threads| {
        for first in 1..=4 {
            threads.spawn(move || (first..=24).step_by(4).for_each(register));
        }
    });
    let after = resident_mib(relay.pid());
    assert!(after < before + 16, "{before} MiB before, {after} MiB after 24 registrations");
}
