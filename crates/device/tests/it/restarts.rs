//! Devices and agents that stop, or are killed, and start again.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use assent_agent::ToolRequest;
use assent_device::{Decision, Device, DeviceOptions, Interface, PromptAnswer};
use assent_ids::{Clock as _, SystemClock};
use serde_json::json;

use crate::scene::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_sent_while_the_device_was_away_arrives_later() {
    let mut scene = Scene::new().await;
    scene.stop_device().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let device = DeviceProcess::start(&scene, "allow");
    assert_eq!(call.await.unwrap()["content"], "marker-in-the-file");
    device.kill();
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_question_is_asked_again_after_the_device_was_killed() {
    let mut scene = Scene::new().await;
    scene.stop_device().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let mut device = DeviceProcess::start(&scene, "ignore");
    let before = device.prompt();
    device.kill();
    let mut device = DeviceProcess::start(&scene, "allow");
    // The same question, with the same view, open for the rest of its time.
    assert_eq!(device.prompt(), before);
    assert_eq!(call.await.unwrap()["content"], "marker-in-the-file");
    device.kill();
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_has_restarted_gets_the_answer_to_its_call() {
    let mut scene = Scene::new().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let call_id = call.id().clone();
    scene.prompt().await;
    drop((call, scene.agent.take()));
    scene.answer(Decision::AllowOnce).await;
    scene.start_agent().await;
    let mut pending = scene.agent().pending_calls().await.unwrap();
    let call = pending.pop().unwrap();
    assert_eq!((call.id(), pending.len()), (&call_id, 0));
    assert_eq!(call.await.unwrap()["content"], "marker-in-the-file");
    assert!(scene.agent().pending_calls().await.unwrap().is_empty());
    scene.end().await;
}

/// The device in a process of its own, which can be killed.
struct DeviceProcess {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl DeviceProcess {
    /// Starts a device whose person reacts to questions in the same way.
    fn start(scene: &Scene, reaction: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["restarts::device_process", "--exact", "--ignored", "--nocapture"])
            .env("DEVICE_DATA", scene.device_data())
            .env("DEVICE_ROOT", &scene.root)
            .env("DEVICE_RELAY", scene.url())
            .env("DEVICE_REACTION", reaction)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits for a question: its id, its end, and the digest of its view.
    fn prompt(&mut self) -> String {
        let is_prompt = |line: &String| line.starts_with("prompt ");
        self.lines.by_ref().map(Result::unwrap).find(is_prompt).expect("no question was asked")
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "this is the process of a device, which other tests start"]
async fn device_process() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let mut options = DeviceOptions::new(variable("DEVICE_DATA"), variable("DEVICE_RELAY"));
    options.roots = vec![variable("DEVICE_ROOT").into()];
    let device = Device::open(options).await.unwrap();
    let serve = async {
        let mut events = device.events();
        loop {
            for prompt in device.prompts() {
                let digest = prompt.view.digest.to_string();
                println!("prompt {} {} {digest}", prompt.prompt_id, prompt.not_after.get());
                if variable("DEVICE_REACTION") == "allow" {
                    tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
                    let answer = PromptAnswer {
                        decision: Decision::AllowOnce,
                        view_digest: digest,
                        has_shown_all: true,
                    };
                    let id = prompt.prompt_id;
                    device.answer_prompt(id, answer, Interface::Console).await.unwrap();
                }
            }
            events.recv().await.unwrap();
        }
    };
    // The test that started the process kills it. If that test died, the process ends by itself.
    let _ = tokio::time::timeout(Duration::from_secs(60), serve).await;
}
