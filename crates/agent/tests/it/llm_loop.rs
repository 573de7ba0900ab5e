//! The example `llm_loop` with a scripted model.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
};

use assent_device::Decision;
use serde_json::{Value, json};

use crate::scene::{LIMIT, Scene, manifest};

/// The example, which cargo builds together with the tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().and_then(Path::parent).unwrap().join("examples/llm_loop");
    assert!(path.exists(), "run `cargo build -p assent-agent --example llm_loop` first");
    path
}

/// A model that says the given messages, one per request.
struct ScriptedModel {
    url: String,
    /// The head and the body of every request.
    requests: Receiver<(String, Value)>,
}

impl ScriptedModel {
    fn new(messages: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            for message in messages {
                let (stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(&stream);
                let (mut head, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).unwrap();
                    if line.trim().is_empty() {
                        break;
                    }
                    if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    head.push_str(&line);
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let completion = json!({ "choices": [{ "message": message }] }).to_string();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{completion}",
                    completion.len()
                );
                (&stream).write_all(answer.as_bytes()).unwrap();
                sender.send((head, serde_json::from_slice(&body).unwrap())).unwrap();
            }
        });
        Self { url, requests }
    }

    fn request(&self) -> (String, Value) {
        self.requests.recv_timeout(LIMIT).expect("the model was not asked")
    }
}

/// The example in a process of its own, killed at the end of the test.
struct Running(Child);

impl Running {
    fn start(scene: &Scene, model: &ScriptedModel) -> Self {
        let file = scene.folder.path().join("manifest.json");
        std::fs::write(&file, manifest().to_string()).unwrap();
        let child = Command::new(example())
            .arg(scene.directory.path())
            .arg(file)
            .env("OPENAI_BASE_URL", &model.url)
            .env("OPENAI_API_KEY", "sk-test")
            .stdout(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn tool_call(name: &str, arguments: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let calls = json!([{ "id": "call_1", "type": "function", "function": function }]);
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_reads_a_file_if_the_person_allows_it_and_hears_of_a_no() {
    let mut scene = Scene::new().await;
    let read = tool_call("read_file", &json!({ "path": "notes.md" }));
    let notify = tool_call("send_notification", &json!({ "title": "It says: marker" }));
    let done = json!({ "role": "assistant", "content": "I told you." });
    let model = ScriptedModel::new(vec![read.clone(), notify, done.clone(), read, done]);
    let running = Running::start(&scene, &model);

    scene.device.send_message(scene.conversation, "What do my notes say?").await.unwrap();
    scene.answer(Decision::AllowOnce).await;
    let (head, first) = model.request();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    assert!(head.to_ascii_lowercase().contains("authorization: bearer sk-test"), "{head}");
    assert_eq!(first["messages"], json!([{ "role": "user", "content": "What do my notes say?" }]));
    assert_eq!(first["tools"][0]["function"]["name"], "read_file");
    assert_eq!(first["tools"][0]["function"]["parameters"], manifest()["tools"][0]["input_schema"]);
    let (_, second) = model.request();
    let result = &second["messages"][2];
    assert_eq!((&result["role"], &result["tool_call_id"]), (&"tool".into(), &"call_1".into()));
    assert!(result["content"].as_str().unwrap().contains("marker-in-the-file"), "{result}");
    assert_eq!(scene.notification().await, "helper: It says: marker");
    model.request();

    scene.device.send_message(scene.conversation, "And again?").await.unwrap();
    scene.answer(Decision::Deny).await;
    model.request();
    let (_, last) = model.request();
    assert_eq!(last["messages"][2]["content"], r#"{"error":"denied: user_refused"}"#);
    drop(running);
    scene.end().await;
}
