//! `read_file`, from the request to the result.

use std::{fs, sync::Arc};

use assent_builtin_tools::{BuiltinTool, ReadFile, Roots};
use serde_json::json;

use crate::pipeline::{call, call_asking};

fn tool(folder: &tempfile::TempDir) -> Arc<dyn BuiltinTool> {
    let (root, data) = (folder.path().join("root"), folder.path().join("data"));
    for folder in [&root, &data] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(root.join("notes.md"), "inside").unwrap();
    Arc::new(ReadFile::new(Roots::new(&[root], &data).unwrap()))
}

#[tokio::test]
async fn a_file_is_read_with_and_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let tool = tool(&folder);
    let expected = json!({"content": "inside", "encoding": "utf-8", "size": 6, "truncated": false});
    let input = json!({"path": "notes.md"});
    assert_eq!(call(Arc::clone(&tool), input.clone()).await, Ok(expected.clone()));
    assert_eq!(call_asking(tool, input, || ()).await, Ok(expected));
}

#[tokio::test]
async fn a_file_that_was_replaced_while_a_person_thought_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let tool = tool(&folder);
    let root = folder.path().join("root");
    let swap = move || {
        fs::write(root.join("new"), "another file").unwrap();
        fs::rename(root.join("new"), root.join("notes.md")).unwrap();
    };
    let outcome = call_asking(tool, json!({"path": "notes.md"}), swap).await;
    assert_eq!(outcome, Err("policy_blocked".to_owned()));
}

#[tokio::test]
async fn no_person_is_asked_for_what_the_tool_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let tool = tool(&folder);
    for (path, class) in [("/etc/passwd", "sandbox_violation"), ("", "invalid_arguments")] {
        let asked = || panic!("no person is asked");
        let outcome = call_asking(Arc::clone(&tool), json!({"path": path}), asked).await;
        assert_eq!(outcome, Err(class.to_owned()));
    }
}
