//! Calls of tools on the devices of people.

use std::sync::Arc;

use assent_ids::ConversationId;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Agent, AgentError, CallError, PendingCall, ToolRequest, TypedTool,
    calls::StoredCall,
    pending_call::CallEnd,
    works::{AllCalls, FindCall, StartCall},
};

impl Agent {
    /// Calls a tool on the person's device and waits for the result.
    ///
    /// # Errors
    /// If the call is denied, fails, or has no answer in time.
    pub async fn call_tool(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<Value, CallError> {
        self.start_call(conversation, request).await?.await
    }

    /// Calls tools one after the other, and goes on after a call without a result.
    pub async fn call_each(
        &self,
        conversation: ConversationId,
        requests: impl IntoIterator<Item = ToolRequest>,
    ) -> Vec<Result<Value, CallError>> {
        let mut results = Vec::new();
        for request in requests {
            results.push(self.call_tool(conversation, request).await);
        }
        results
    }

    /// Calls tools all at once. The results are in the order of the requests.
    pub async fn call_all(
        &self,
        conversation: ConversationId,
        requests: impl IntoIterator<Item = ToolRequest>,
    ) -> Vec<Result<Value, CallError>> {
        let mut started = Vec::new();
        for request in requests {
            started.push(self.start_call(conversation, request).await);
        }
        let mut results = Vec::new();
        for call in started {
            results.push(match call {
                Ok(call) => call.await,
                Err(error) => Err(error),
            });
        }
        results
    }

    /// A tool whose arguments and result have types.
    #[must_use]
    pub fn tool<Arguments: Serialize, Output: DeserializeOwned>(
        &self,
        name: impl Into<String>,
    ) -> TypedTool<Arguments, Output> {
        TypedTool::new(self.clone(), name.into())
    }

    /// Calls a tool on the person's device. The call is stored when this returns.
    ///
    /// A request with the id of a call that is stored waits for that call.
    ///
    /// # Errors
    /// If there is no such conversation, nothing may be sent to it, or the id belongs to another call.
    pub async fn start_call(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<PendingCall, CallError> {
        let shared = &self.shared;
        let new = shared.new_call(conversation, request)?;
        let find = FindCall(shared.mailbox.clone(), new.call_id.clone());
        let stored = shared.database.read(find).await.map_err(AgentError::from)?;
        let stored = match stored {
            Some(stored) => Some(stored),
            None => self.store_call(&new).await?,
        };
        if let Some(stored) = &stored
            && (stored.conversation != conversation || stored.tool_call != new.tool_call)
        {
            return Err(AgentError::CallIdReused(new.call_id).into());
        }
        Ok(self.follow(&new, stored.and_then(|stored| stored.end())))
    }

    /// Stores a call and its message, unless there is a call with its id, which is returned.
    async fn store_call(&self, new: &StoredCall) -> Result<Option<StoredCall>, AgentError> {
        let shared = &self.shared;
        let devices = shared.recipients(new.conversation).await?.devices;
        let message_id = new.client_message_id.clone();
        drop(shared.sending.start(&message_id));
        let mailbox = shared.mailbox.clone();
        let before = shared.database.write(StartCall { mailbox, call: new.clone(), devices }).await;
        if !matches!(before, Ok(None)) {
            shared.sending.forget(&message_id);
        }
        shared.sync.outbox_changed();
        Ok(before?)
    }

    /// A call to wait for.
    fn follow(&self, call: &StoredCall, end: Option<CallEnd>) -> PendingCall {
        let progress = self.shared.wait_for(call);
        if let Some(end) = end {
            self.shared.end_call(&call.call_id, end);
        }
        PendingCall {
            shared: Arc::clone(&self.shared),
            call_id: call.call_id.clone(),
            conversation_id: call.conversation,
            progress,
        }
    }

    /// The calls that were started and not waited for to their end, also by an earlier process.
    ///
    /// # Errors
    /// If the state of the agent cannot be read.
    pub async fn pending_calls(&self) -> Result<Vec<PendingCall>, AgentError> {
        let calls = self.shared.database.read(AllCalls(self.shared.mailbox.clone())).await?;
        Ok(calls.iter().map(|call| self.follow(call, call.end())).collect())
    }
}
