//! A tool whose arguments and result have types.

use std::marker::PhantomData;

use assent_ids::ConversationId;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Agent, AgentError, CallError, ToolRequest};

/// A tool whose arguments and result have types, from [`Agent::tool`].
#[derive(Clone, Debug)]
pub struct TypedTool<Arguments, Output> {
    agent: Agent,
    name: String,
    types: PhantomData<fn(&Arguments) -> Output>,
}

impl<Arguments: Serialize, Output: DeserializeOwned> TypedTool<Arguments, Output> {
    pub(crate) fn new(agent: Agent, name: String) -> Self {
        Self { agent, name, types: PhantomData }
    }

    /// A request of this tool, to be changed before it is sent with [`Self::send`].
    ///
    /// # Errors
    /// If the arguments cannot be written as JSON.
    pub fn request(&self, arguments: &Arguments) -> Result<ToolRequest, CallError> {
        let arguments = serde_json::to_value(arguments).map_err(|_| {
            AgentError::Content(format!("the arguments of `{}` are not JSON", self.name))
        })?;
        Ok(ToolRequest::new(&self.name, arguments))
    }

    /// Calls the tool and waits for the result.
    ///
    /// # Errors
    /// As for [`Agent::call_tool`], or if the result has another type.
    pub async fn call(
        &self,
        conversation: ConversationId,
        arguments: &Arguments,
    ) -> Result<Output, CallError> {
        self.send(conversation, self.request(arguments)?).await
    }

    /// Sends a request and waits for the result.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub async fn send(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<Output, CallError> {
        let result = self.agent.call_tool(conversation, request).await?;
        // The error of the parser could repeat what the tool returned.
        serde_json::from_value(result).map_err(|_| CallError::UnexpectedResult(self.name.clone()))
    }
}
