//! Runs rmcp: a client and a server in one process.

mod server;

use std::{process::ExitCode, sync::Arc};

use assent_bench_calls::{Counting, Pipeline, Setup, calls_work};
use assent_bench_harness::{Request, Work, run};
use rmcp::{
    RoleClient, ServiceExt as _,
    model::{CallToolRequestParams, CallToolResult},
    service::RunningService,
};

use self::server::Server;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What may be on its way between the two.
const BUFFER: usize = 1 << 20;

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.peer.as_str() {
        "rmcp" => calls_work::<Rmcp>(request),
        _ => None,
    }
}

/// A client. It has neither hooks nor permissions; all that a call goes through is the protocol.
#[derive(Clone)]
struct Rmcp {
    client: Arc<RunningService<RoleClient, ()>>,
    tool: Arc<str>,
}

impl Pipeline for Rmcp {
    type Answer = CallToolResult;

    async fn build(setup: &Setup) -> Self {
        let (ours, theirs) = tokio::io::duplex(BUFFER);
        let server = Server { tool: setup.called.clone() };
        tokio::spawn(async move {
            let running = server.serve(theirs).await.expect("a server");
            running.waiting().await.expect("a server that ends");
        });
        let client = ().serve(ours).await.expect("a client");
        Self { client: Arc::new(client), tool: setup.called.as_str().into() }
    }

    async fn call(&self, text: &'static str) -> Self::Answer {
        let arguments = serde_json::from_str(text).expect("arguments");
        let request = CallToolRequestParams::new(self.tool.to_string()).with_arguments(arguments);
        self.client.call_tool(request).await.expect("an answer")
    }

    fn text(answer: &Self::Answer) -> String {
        answer.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect()
    }
}
