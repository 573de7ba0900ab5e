//! A server with one tool.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities,
        ServerConfig,
    },
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::Value;

pub(crate) struct Server {
    pub(crate) tool: String,
}

/// What the tool takes; rmcp checks with serde, not with JSON Schema.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    limit: u32,
    reverse: bool,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != self.tool {
            return Err(ErrorData::invalid_params("no such tool", None));
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let Arguments { path, limit, reverse } = serde_json::from_value(arguments)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let order = if reverse { " reversed" } else { "" };
        let text = format!("{limit} lines of {path}{order}");
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
