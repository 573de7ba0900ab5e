//! Two tools, one rule, an approver on the terminal, a journal, and one call with its explanation.
//! The argument is the path of the journal.
#![expect(clippy::print_stdout, reason = "the example is used on a terminal")]

use std::{error::Error, io::stdin, path::PathBuf};

use assent_runtime::prelude::*;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct File {
    path: PathBuf,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}},
        "required": ["path"]});
    let size = executor_fn(|call| async move {
        let file: File = call.arguments()?;
        Output::json(&json!({"size": file.path.metadata().map_or(0, |data| data.len())}))
    });
    let publish = executor_fn(|_call| async { Ok(Output::text("published")) });
    let mut catalog = Catalog::new();
    catalog.register(ToolDefinition::native("files", "size", schema.clone())?.read_only(), size)?;
    catalog.register(ToolDefinition::native("files", "publish", schema)?, publish)?;
    let person = approver_fn(|prompt| async move {
        prompt.view.lines.iter().for_each(|line| println!("{} {}", line.path, line.text));
        println!("Allow this call? [y/N]");
        let answer = tokio::task::spawn_blocking(|| stdin().lines().next()).await;
        let is_yes = matches!(answer, Ok(Some(Ok(line))) if line == "y");
        if is_yes { Answer::allow() } else { Answer::deny() }
    });
    let rule = b"- {id: ask-first, behavior: ask, tool: files/publish}";
    let runtime = Runtime::builder()
        .catalog(catalog)
        .policy(Policy::read(rule, Format::Yaml)?)
        .approver(person)
        .journal_file(std::env::args().nth(1).ok_or("the path of the journal is missing")?)?
        .build()?;
    let input = ModelInput::from_value(&json!({"path": "notes.md"}));
    let result = runtime.call(Request::new("publish", input)).await;
    println!("{}", result.model_text());
    if let Some(why) = runtime.explain(result.invocation_id.strict()?).await? {
        print!("{why}");
    }
    Ok(())
}
