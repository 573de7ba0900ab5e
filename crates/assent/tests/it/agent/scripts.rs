//! `assent agent run`

use assent_device::Decision;
use serde_json::{Value, json};

use super::scene::{Home, NEW_OWNER, PASSWORD, Scene, manifest};
use crate::{
    Run,
    running::{run, write},
};

/// Plays a script, and returns the lines without their times.
fn play(scene: &Scene, script: &str) -> (Run, Vec<Value>) {
    let file = write(scene.home.folder.path(), "script.yaml", script);
    let run = scene.home.agent(&["run", &file]);
    let lines = lines(&run);
    (run, lines)
}

fn lines(run: &Run) -> Vec<Value> {
    let line = |text: &str| {
        let mut line: Value = serde_json::from_str(text).unwrap();
        assert!(line.as_object_mut().unwrap().remove("ms").unwrap().is_u64());
        line
    };
    run.text().lines().map(line).collect()
}

const ERRANDS: &str = r#"
vars:
  greeting: Hello
steps:
  - wait: relation
  - say: ${greeting}, I am here
  - call: send_notification
    with: { title: "${greeting} again" }
    save: shown
    expect: { status: ok, result_contains: { delivered: console } }
  - call: read_file
    with: { path: notes.md }
    reason: to see what is there
    save: notes
    expect: { status: ok, result_contains: { content: marker-in-the-file } }
  - parallel:
      - call: send_notification
        with: { title: "${shown.result.delivered}" }
        expect: { status: ok }
      - call: erase_disk
        expect: { status: denied, reason: tool_not_declared }
  - call: read_file
    with: { file: "${notes.result.content}" }
    expect: { status: error, error_code: TOOL_INVALID_ARGUMENTS, reason: schema_validation_failed }
"#;

#[test]
fn a_script_runs_every_step_and_passes_results_on() {
    let mut scene = Scene::new();
    let (run, lines) = std::thread::scope(|threads| {
        let playing = threads.spawn(|| play(&scene, ERRANDS));
        let prompt = scene.prompt();
        assert_eq!(prompt.agent_reason.as_deref(), Some("to see what is there"));
        scene.answer(Decision::AllowOnce);
        playing.join().unwrap()
    });
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let kinds: Vec<&Value> = lines.iter().map(|line| &line["kind"]).collect();
    assert_eq!(kinds, ["wait", "say", "call", "call", "parallel", "call"]);
    let steps: Vec<&Value> = lines.iter().map(|line| &line["step"]).collect();
    assert_eq!(steps, [1, 2, 3, 4, 5, 6]);
    assert_eq!(lines[0]["outcome"]["conversation_id"], scene.conversation);
    assert_eq!(lines[3]["outcome"]["result"]["content"], "marker-in-the-file");
    assert_eq!(lines[4]["outcome"][1]["reason"], "tool_not_declared");
    assert_eq!(scene.notifications(), ["helper: Hello again", "helper: console"]);
}

#[test]
fn an_expectation_that_does_not_hold_is_reported_and_the_script_goes_on() {
    let scene = Scene::new();
    let script = r#"
steps:
  - call: erase_disk
    expect: { status: ok, reason: user_refused, result_contains: { gone: true } }
  - call: erase_disk
"#;
    let (run, lines) = play(&scene, script);
    assert_eq!((run.code, lines.len()), (1, 2), "{}", run.text());
    for message in [
        "step 1: expected the status `ok`, found `denied`",
        "step 1: expected the reason `user_refused`, found `tool_not_declared`",
        "step 1: expected a result, found none",
    ] {
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_step_that_cannot_be_played_ends_the_script() {
    let scene = Scene::new();
    let script =
        "steps:\n  - call: erase_disk\n    save: gone\n  - say: ${gone.result}\n  - say: bye\n";
    let (run, lines) = play(&scene, script);
    assert_eq!((run.code, lines.len()), (1, 2), "{}", run.text());
    assert_eq!(lines[1]["outcome"]["error"]["code"], "NOT_SAVED");
}

#[test]
fn artifacts_are_sent_as_they_are_and_their_answers_are_waited_for() {
    let scene = Scene::new();
    let script = r#"
steps:
  - artifact: { subtype: tool_call, call_id: by-hand, tool_name: send_notification, arguments: { title: tea } }
    expect: { status: ok }
  - artifact:
      artifact_id: by-hand-2
      subtype: tool_call
      payload: { call_id: by-hand-2, tool_name: send_notification, arguments: { title: 5 } }
    expect: { status: error, reason: schema_validation_failed }
  - artifact: { subtype: tool_call, tool_name: send_notification, arguments: { title: tea } }
    timeout: 1s
    expect: { status: none, reason: total_timeout }
  - artifact: { subtype: note, text: hello }
"#;
    let (run, lines) = play(&scene, script);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert_eq!(lines[0]["outcome"]["call_id"], "by-hand");
    assert_eq!(lines[2]["outcome"]["call_id"], Value::Null);
    assert!(lines[3]["outcome"]["client_message_id"].is_string());
}

#[test]
fn a_script_waits_for_messages_and_events_of_people() {
    let scene = Scene::new();
    let script = "steps:\n  - wait: message\n  - say: thanks\n  - expect_event: message.ack\n";
    let conversation = scene.conversation.parse().unwrap();
    let (run, lines) = std::thread::scope(|threads| {
        let playing = threads.spawn(|| play(&scene, script));
        let sent = scene.device.send_message(conversation, "good morning");
        scene.runtime.block_on(sent).unwrap();
        playing.join().unwrap()
    });
    assert_eq!(lines[0]["outcome"]["content"], json!({ "type": "text", "text": "good morning" }));
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
}

#[test]
fn a_script_publishes_manifests_and_knows_what_is_breaking() {
    let scene = Scene::new();
    let mut narrowed = manifest();
    narrowed["tools"][0]["input_schema"]["properties"]["path"]["maxLength"] = 9.into();
    write(scene.home.folder.path(), "narrowed.json", &narrowed.to_string());
    let script = r#"
steps:
  - publish: manifest.json
    expect: { breaking: false }
  - wait: reauth
  - publish: narrowed.json
    expect: { breaking: true }
"#;
    let (run, lines) = play(&scene, script);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert_eq!(lines[0]["outcome"]["capability_manifest_version"], 1);
    assert_eq!(lines[2]["outcome"]["capability_manifest_version"], 2);
    write(scene.home.folder.path(), "broken.json", "{}");
    let (run, lines) = play(&scene, "steps:\n  - publish: broken.json\n  - say: hello\n");
    assert_eq!((run.code, lines.len()), (1, 1), "{}", run.text());
}

#[test]
fn a_script_can_make_its_agent() {
    let home = Home::new();
    let script = "agent: { name: errand, manifest: manifest.json, mode: websocket }\nsteps: [{ wait: 1s }]\n";
    let file = write(home.folder.path(), "script.yaml", script);
    let mut arguments = vec!["run", &file];
    let without = home.agent(&arguments);
    assert_eq!(without.code, 2, "{}", without.stderr);
    arguments.extend(["--relay", home.relay.url()]);
    arguments.extend(NEW_OWNER);
    let made = run(home.command(&arguments).env("ASSENT_ACCOUNT_PASSWORD", PASSWORD));
    assert_eq!(made.code, 0, "{}{}", made.text(), made.stderr);
    assert_eq!(lines(&made), [json!({ "step": 1, "kind": "wait", "outcome": null })]);
    assert_eq!(home.agent(&["whoami", "--json"]).json()["name"], "errand");
}

#[test]
fn all_mistakes_of_a_script_are_reported_with_their_lines() {
    let home = Home::new();
    let script = r#"
agent: { nme: errand, mode: polling }
vars: { "a b": 1 }
steps:
  - wait: forever
  - say: ${nothing} and ${
  - call: Read File
    with: [1]
    timeout: soon
    expect: { status: maybe, result_contains: 5 }
  - call: read_file
    expect: {}
  - say: hello
    wait: message
  - publish: 5
    expect: { braking: true }
  - expect_event: message.new
  - jump: high
"#;
    let file = write(home.folder.path(), "script.yaml", script);
    let run = home.agent(&["run", &file, "--json"]);
    assert_eq!(run.code, 2);
    let errors = run.json()["errors"].as_array().unwrap().clone();
    let places: Vec<(u64, &str)> = errors
        .iter()
        .map(|error| (error["line"].as_u64().unwrap(), error["path"].as_str().unwrap()))
        .collect();
    let expected = [
        (2, "/agent/nme"),
        (2, "/agent/mode"),
        (3, "/vars/a b"),
        (5, "/steps/0/wait"),
        (6, "/steps/1/say"),
        (7, "/steps/2/call"),
        (8, "/steps/2/with"),
        (9, "/steps/2/timeout"),
        (10, "/steps/2/expect/status"),
        (10, "/steps/2/expect/result_contains"),
        (12, "/steps/3/expect"),
        (13, "/steps/4"),
        (15, "/steps/5/publish"),
        (16, "/steps/5/expect"),
        (16, "/steps/5/expect/braking"),
        (17, "/steps/6/expect_event"),
        (18, "/steps/7/jump"),
    ];
    assert_eq!(places, expected, "{errors:#?}");
    let text = home.agent(&["run", &file]);
    assert!(text.stderr.contains("did you mean `name`?"), "{}", text.stderr);
    assert!(text.stderr.contains("script.yaml:5:"), "{}", text.stderr);
}
