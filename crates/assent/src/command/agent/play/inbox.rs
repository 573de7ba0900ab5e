//! What arrives while a script is played.

use std::{
    collections::{BTreeMap, VecDeque},
    error::Error,
};

use assent_agent::{Agent, AgentEvent, IncomingMessage};
use assent_ids::CallId;
use assent_protocol::a2h::{RelayEventType, ToolOutcome};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What arrived and no step has waited for.
pub(super) struct Inbox {
    arrivals: UnboundedReceiver<Arrival>,
    messages: VecDeque<IncomingMessage>,
    events: VecDeque<String>,
    answers: BTreeMap<CallId, ToolOutcome>,
}

enum Arrival {
    Message(IncomingMessage),
    Event(AgentEvent),
}

impl Inbox {
    /// Collects what arrives for an agent from now on.
    pub(super) fn of(agent: &Agent) -> Self {
        let (sender, arrivals) = unbounded_channel();
        let events = sender.clone();
        agent.add_event_handler(move |event| keep(&events, Arrival::Event(event)));
        agent.add_message_handler(move |message| keep(&sender, Arrival::Message(message)));
        let (messages, events) = (VecDeque::new(), VecDeque::new());
        Self { arrivals, messages, events, answers: BTreeMap::new() }
    }

    /// Waits for a message.
    pub(super) async fn message(&mut self) -> Option<IncomingMessage> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Some(message);
            }
            self.receive().await?;
        }
    }

    /// Waits for an event of a type, and forgets those before it.
    pub(super) async fn event(&mut self, event_type: RelayEventType) -> Option<()> {
        loop {
            while let Some(event) = self.events.pop_front() {
                if event == event_type.as_str() {
                    return Some(());
                }
            }
            self.receive().await?;
        }
    }

    /// Waits for the final answer to a call that was sent as an artifact.
    pub(super) async fn answer(&mut self, call_id: &CallId) -> Option<ToolOutcome> {
        loop {
            if let Some(outcome) = self.answers.remove(call_id) {
                return Some(outcome);
            }
            self.receive().await?;
        }
    }

    /// Waits until anything arrives; `None` if the agent was closed.
    pub(super) async fn receive(&mut self) -> Option<()> {
        match self.arrivals.recv().await? {
            Arrival::Message(message) => self.messages.push_back(message),
            Arrival::Event(AgentEvent::Relay(event)) => {
                self.events.push_back(event.body.event_type().to_owned());
            }
            Arrival::Event(AgentEvent::ToolResponse { response, .. }) => {
                if response.outcome.is_final() {
                    self.answers.insert(response.call_id, response.outcome);
                }
            }
            Arrival::Event(_) => {}
        }
        Some(())
    }
}

/// The player may have ended; then nothing is waited for.
fn keep(
    sender: &UnboundedSender<Arrival>,
    arrival: Arrival,
) -> std::future::Ready<Result<(), Box<dyn Error + Send + Sync>>> {
    let kept = sender.send(arrival).map_err(|_| "the script has ended".into());
    std::future::ready(kept)
}
