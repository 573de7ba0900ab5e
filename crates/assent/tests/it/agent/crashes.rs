//! Agents that are killed between a call and its answer.

use std::{process::Stdio, time::Duration};

use assent_device::Decision;

use super::scene::Scene;

#[test]
fn a_call_that_was_killed_while_the_person_decides_gets_its_answer_later() {
    let scene = Scene::new();
    let arguments =
        ["call", "read_file", r#"{"path":"notes.md"}"#, "--call-id", "call-1", "--json"];
    let mut killed = scene.home.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let prompt = scene.prompt();
    killed.kill().unwrap();
    killed.wait().unwrap();
    scene.answer(Decision::AllowOnce);
    assert_eq!(prompt.tool.name, "read_file");
    let again = scene.home.agent(&arguments);
    assert_eq!(again.code, 0, "{}{}", again.text(), again.stderr);
    assert_eq!(again.json()["call_id"], "call-1");
    assert_eq!(again.json()["result"]["content"], "marker-in-the-file");
    // The answer was returned and is not stored any more; the device gives it again and runs nothing.
    std::fs::write(scene.home.path("files/notes.md"), "changed").unwrap();
    let third = scene.home.agent(&arguments);
    assert_eq!(third.json(), again.json());
    assert!(scene.device.prompts().is_empty());
}

#[test]
fn a_stored_call_id_is_not_used_for_another_call() {
    let scene = Scene::new();
    let call = |path: &str| {
        let path = format!(r#"{{"path":"{path}"}}"#);
        let arguments = ["call", "read_file", &path, "--call-id", "call-1", "--json"];
        scene.home.command(&arguments)
    };
    let mut killed = call("notes.md").stderr(Stdio::null()).spawn().unwrap();
    scene.prompt();
    killed.kill().unwrap();
    killed.wait().unwrap();
    let other = crate::running::run(&mut call("todo.md"));
    assert_eq!((other.code, &other.json()["error"]["code"]), (1, &"CALL_ID_REUSED".into()));
}

#[test]
fn a_call_that_is_killed_anywhere_runs_once() {
    let mut scene = Scene::new();
    let calls = 8;
    for number in 0..calls {
        let (id, title) = (format!("call-{number}"), format!(r#"{{"title":"number {number}"}}"#));
        let arguments = ["call", "send_notification", &title, "--call-id", &id, "--json"];
        let mut command = scene.home.command(&arguments);
        let mut killed = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(35 * number));
        killed.kill().unwrap();
        killed.wait().unwrap();
        let again = scene.home.agent(&arguments);
        assert_eq!(again.code, 0, "{number}: {}{}", again.text(), again.stderr);
    }
    let expected: Vec<String> =
        (0..calls).map(|number| format!("helper: number {number}")).collect();
    assert_eq!(scene.notifications(), expected);
}
