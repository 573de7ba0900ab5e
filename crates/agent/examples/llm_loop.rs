//! An agent that lets a language model call tools on the devices of people.
//!
//! Run it with the directory of an agent that `assent agent init` made, and its manifest:
//!
//! ```console
//! $ OPENAI_API_KEY=… cargo run -p assent-agent --example llm_loop -- ./agent manifest.json
//! ```
//!
//! The model is any service with the chat completions of OpenAI: `OPENAI_BASE_URL` is its address, by default
//! `https://api.openai.com/v1`, and `OPENAI_MODEL` the name of the model.
#![expect(clippy::print_stdout, reason = "the example is used on a terminal")]

use std::{env, error::Error, fs, sync::Arc, time::Duration};

use assent_agent::{Agent, AgentDirectory, CallError, HandlerResult, IncomingMessage, ToolRequest};
use assent_outbound::{Body, Client, ClientOptions, Limits, Reach, Request, Target};
use http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};

type Failure = Box<dyn Error + Send + Sync>;

/// The most answers of the model to one message.
const MAX_ROUNDS: usize = 8;

/// A language model with the tools that it may call.
struct Model {
    client: Client,
    target: Target,
    headers: HeaderMap,
    name: String,
    tools: Vec<Value>,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = env::args().skip(1);
    let (Some(directory), Some(manifest)) = (arguments.next(), arguments.next()) else {
        return Err("usage: llm_loop AGENT_DIRECTORY MANIFEST".into());
    };
    let manifest: Value = serde_json::from_slice(&fs::read(manifest)?)?;
    let model = Arc::new(Model::from_environment(&manifest)?);
    let agent = Agent::connect(AgentDirectory::new(directory).options()?).await?;
    let talking = agent.clone();
    agent.add_message_handler(move |message| answer(talking.clone(), Arc::clone(&model), message));
    println!("{} is ready", agent.id());
    tokio::signal::ctrl_c().await?;
    agent.close().await;
    Ok(())
}

/// Answers a message of a person with the words of the model.
async fn answer(agent: Agent, model: Arc<Model>, message: IncomingMessage) -> HandlerResult {
    let Some(text) = message.text() else { return Ok(()) };
    let answer = match converse(&agent, &model, &message, text).await {
        Ok(answer) => answer,
        Err(error) => format!("I cannot answer at present: {error}"),
    };
    agent.send(message.conversation_id, answer.as_str()).await?.stored().await?;
    Ok(())
}

/// Lets the model call tools until it has an answer.
async fn converse(
    agent: &Agent,
    model: &Model,
    message: &IncomingMessage,
    text: &str,
) -> Result<String, Failure> {
    let mut messages = vec![json!({ "role": "user", "content": text })];
    for round in 0..MAX_ROUNDS {
        let reply = model.complete(&messages).await?;
        let calls = reply.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
        if calls.is_empty() {
            let content = reply.get("content").and_then(Value::as_str);
            return Ok(content.ok_or("the model said nothing")?.to_owned());
        }
        messages.push(reply);
        for (index, call) in calls.iter().enumerate() {
            // The id belongs to the message: if this process is killed, the call is not run a second time.
            let call_id = format!("{}-{round}-{index}", message.message_id);
            let result = match run_tool(agent, message, call, &call_id).await {
                Ok(result) => result.to_string(),
                Err(error) => json!({ "error": error.to_string() }).to_string(),
            };
            let id = call.get("id").cloned().unwrap_or_default();
            messages.push(json!({ "role": "tool", "tool_call_id": id, "content": result }));
        }
    }
    Err("the model called tools again and again".into())
}

/// Runs a tool that the model calls. The person decides.
async fn run_tool(
    agent: &Agent,
    message: &IncomingMessage,
    call: &Value,
    call_id: &str,
) -> Result<Value, Failure> {
    let part = |pointer| call.pointer(pointer).and_then(Value::as_str).ok_or("no such function");
    let (name, arguments) = (part("/function/name")?, part("/function/arguments")?);
    let request =
        ToolRequest::new(name, serde_json::from_str(arguments)?).call_id(call_id.parse()?);
    match agent.call_tool(message.conversation_id, request).await {
        Ok(result) => Ok(result),
        Err(CallError::Denied { reason, .. }) => Err(format!("denied: {reason}").into()),
        Err(error) => Err(error.into()),
    }
}

impl Model {
    /// The model that the environment names, with the tools of a manifest.
    fn from_environment(manifest: &Value) -> Result<Self, Failure> {
        let variable = |name, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
        let base = variable("OPENAI_BASE_URL", "https://api.openai.com/v1");
        let url = format!("{}/chat/completions", base.trim_end_matches('/'));
        let key = env::var("OPENAI_API_KEY").map_err(|_| "set OPENAI_API_KEY")?;
        let mut authorization = HeaderValue::try_from(format!("Bearer {key}"))?;
        authorization.set_sensitive(true);
        let json = HeaderValue::from_static("application/json");
        let limits =
            Limits { call: Some(Duration::from_mins(2)), body: 1024 * 1024, ..Limits::default() };
        let tools = manifest.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        Ok(Self {
            // The owner of the agent chose the address.
            client: Client::new(ClientOptions { limits, ..ClientOptions::for_the_owner() })?,
            target: Target::parse(&url, &Reach::Anywhere)?,
            headers: HeaderMap::from_iter([(AUTHORIZATION, authorization), (CONTENT_TYPE, json)]),
            name: variable("OPENAI_MODEL", "gpt-4o-mini"),
            tools: tools.iter().map(function).collect(),
        })
    }

    /// The next message of the model.
    async fn complete(&self, messages: &[Value]) -> Result<Value, Failure> {
        let body = json!({ "model": self.name, "messages": messages, "tools": self.tools });
        let request =
            Request::post(self.target.clone(), self.headers.clone(), body.to_string().into_bytes());
        let response = self.client.send(request).await?;
        if !response.status.is_success() {
            return Err(format!("the model answered with the status {}", response.status).into());
        }
        let Body::Whole(body) = response.body else { return Err("the answer is too long".into()) };
        let mut completion: Value = serde_json::from_slice(&body)?;
        let message = completion.pointer_mut("/choices/0/message").map(Value::take);
        message.ok_or_else(|| "the answer is not a chat completion".into())
    }
}

/// A declared tool as the model sees it.
fn function(tool: &Value) -> Value {
    let field = |name| tool.get(name).cloned().unwrap_or_default();
    json!({
        "type": "function",
        "function": {
            "name": field("name"),
            "description": field("description_fallback"),
            "parameters": field("input_schema"),
        },
    })
}
