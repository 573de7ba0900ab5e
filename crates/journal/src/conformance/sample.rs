//! Calls as a runtime would record them.

mod catalog;
mod every_fact;

use std::sync::Arc;

use assent_ids::{GeneratedId, InvocationId, ToolId, Ulid, UnixMillis};
use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{
        Behavior, ContentBlock, ErrorClass, InvocationStatus, ReasonType, ResultStatus, RuleSource,
        ToolError, ToolResult,
    },
    wire::Millis,
};

pub use self::{catalog::catalog, every_fact::every_fact};
use crate::{
    Batch, CallFacts, Decided, Draft, Ended, Fact, Inputs, OpinionNote, Planned, RuleNote, Selected,
};

/// When the first call is made: 2026-01-01.
const BEGIN: u64 = 1_767_225_600_000;

/// The id with the number `number`; larger numbers are later.
#[must_use]
pub fn id<Id: GeneratedId>(number: u64) -> Id {
    let millis = u128::from(BEGIN.saturating_add(number));
    Id::from_ulid(Ulid::from_bits(millis << 80 | u128::from(number)))
}

/// The call with the number `number`.
#[must_use]
pub fn call(number: u64) -> InvocationId {
    id(number)
}

/// A batch of `drafts` and nothing else.
#[must_use]
pub fn batch(drafts: Vec<Draft>) -> Batch {
    Batch { drafts, ..Batch::default() }
}

/// A call that a rule allows and that works: 12 facts.
#[must_use]
pub fn allowed_call(number: u64) -> Vec<Draft> {
    let mut story = Story::begin(number);
    story.select();
    story.go(InvocationStatus::ArgumentsReady);
    story.decide(Behavior::Allow);
    for status in [InvocationStatus::Approved, InvocationStatus::Queued, InvocationStatus::Running]
    {
        story.go(status);
    }
    story.go(InvocationStatus::PostHooksRunning);
    story.go(InvocationStatus::Yielded);
    story.end(InvocationStatus::Succeeded)
}

/// A call that a rule refuses: 7 facts.
#[must_use]
pub fn denied_call(number: u64) -> Vec<Draft> {
    let mut story = Story::begin(number);
    story.select();
    story.go(InvocationStatus::ArgumentsReady);
    story.decide(Behavior::Deny);
    story.end(InvocationStatus::Denied)
}

/// A call, fact by fact.
#[derive(Debug)]
pub struct Story {
    number: u64,
    drafts: Vec<Draft>,
    path: Vec<(InvocationStatus, u64)>,
    decided: Vec<assent_ids::DecisionId>,
}

impl Story {
    /// A call was asked for.
    #[must_use]
    pub fn begin(number: u64) -> Self {
        let mut story = Self { number, drafts: Vec::new(), path: Vec::new(), decided: Vec::new() };
        story.path.push((InvocationStatus::Planned, story.now().get()));
        story.add(Fact::Planned(Arc::new(Planned {
            requested: "read_file".into(),
            model_input: input(),
            surface: id(0),
            actor: Some("agt_writer".into()),
            session: Some("ses_1".into()),
            native_call_id: Some("call_1".parse().unwrap()),
            mappings: Vec::new(),
            batch: Some(id(0)),
            position: 0,
            scheduling: None,
            depends_on: Vec::new(),
            retry_of: None,
            trace: Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".into()),
            timeout: Some(Millis(60_000)),
        })));
        story
    }

    /// When the next fact happens.
    #[must_use]
    pub fn now(&self) -> UnixMillis {
        UnixMillis::new(BEGIN + self.number + self.drafts.len() as u64)
    }

    /// The call.
    #[must_use]
    pub fn invocation(&self) -> InvocationId {
        call(self.number)
    }

    /// Something happened.
    pub fn add(&mut self, fact: Fact) {
        let step = u32::try_from(self.drafts.len()).unwrap();
        let draft = Draft { at: self.now(), invocation: Some(self.invocation()), step, fact };
        self.drafts.push(draft);
    }

    /// The tool was found.
    pub fn select(&mut self) {
        self.path.push((InvocationStatus::Selected, self.now().get()));
        self.add(Fact::Selected(Arc::new(Selected { tool: tool(), definition: definition() })));
    }

    /// The call came into a state.
    pub fn go(&mut self, status: InvocationStatus) {
        self.path.push((status, self.now().get()));
        self.add(Fact::Moved(status));
    }

    /// A rule decided.
    pub fn decide(&mut self, behavior: Behavior) {
        let decided = Decided {
            id: id(self.number + self.decided.len() as u64),
            behavior,
            mode: "interactive".into(),
            reason: ReasonType::Rule,
            message: Some("the rule for notes".into()),
            source: Some(RuleSource::ProjectSettings),
            rules: vec![RuleNote { id: "notes".parse().unwrap(), source: None }],
            policies: Vec::new(),
            updated_input: None,
            user_modified: false,
            feedback: None,
            suggested: Vec::new(),
            classifiers: Vec::new(),
            grant: None,
            approval: None,
            expires_at: None,
            considered: Some(Box::new(CallFacts {
                namespace: "files".into(),
                name: "read".into(),
                aliases: vec!["open".parse().unwrap()],
                operation: Some("stat".into()),
                read_only: true,
                destructive: false,
                open_world: true,
                requires_approval: true,
                input: Some(Json::read(r#"{"path":"a"}"#).unwrap()),
                has_hidden_values: true,
                opinions: vec![OpinionNote {
                    hook: "watch".parse().unwrap(),
                    behavior: Behavior::Ask,
                    reason: Some("unusual".to_owned()),
                    authoritative: true,
                }],
            })),
        };
        self.decided.push(decided.id);
        self.add(Fact::Decided(decided.into()));
    }

    /// The facts so far: a call that has not ended.
    #[must_use]
    pub fn into_drafts(self) -> Vec<Draft> {
        self.drafts
    }

    /// The call has a result and ends.
    #[must_use]
    pub fn end(mut self, status: InvocationStatus) -> Vec<Draft> {
        let worked = status == InvocationStatus::Succeeded;
        let result = if worked { self.content() } else { self.refusal() };
        self.add(Fact::Resulted(result.into()));
        self.go(status);
        let ran = self.path.iter().any(|(status, _)| *status == InvocationStatus::Running);
        let ended = Ended {
            tool: tool(),
            requested: "read_file".into(),
            definition: Some(definition()),
            surface: id(0),
            inputs: Inputs {
                model: input(),
                observable: Some(input()),
                permission: Some(input()),
                call: ran.then(input),
            },
            transitions: self.path.clone(),
            result: id(self.number),
            actor: Some("agt_writer".into()),
            native_call_id: Some("call_1".parse().unwrap()),
            mappings: Vec::new(),
            decisions: self.decided.clone(),
            policies: Vec::new(),
            hooks: Vec::new(),
            mutations: Vec::new(),
            depends_on: Vec::new(),
            retry_of: None,
            artifacts: Vec::new(),
            scheduler: None,
            scheduler_policy: None,
            attempts: 1,
            trace: None,
            executed: ran,
        };
        self.add(Fact::Ended(Box::new(ended)));
        self.drafts
    }

    /// A result with content.
    #[must_use]
    pub fn content(&self) -> ToolResult {
        let mut result = self.result(ResultStatus::Succeeded);
        result.is_error = Some(false);
        result.content = Some(vec![ContentBlock::text("buy milk").into()]);
        result
    }

    fn refusal(&self) -> ToolResult {
        let mut error = ToolError::new(ErrorClass::PermissionDenied);
        error.message = Some("a rule says no".to_owned());
        let mut result = self.result(ResultStatus::Denied);
        result.is_error = Some(true);
        result.error = Some(Box::new(error.into()));
        result
    }

    fn result(&self, status: ResultStatus) -> ToolResult {
        ToolResult::new(
            id::<assent_ids::ResultId>(self.number),
            self.invocation(),
            status,
            self.now().into(),
        )
    }
}

/// What the model wrote.
fn input() -> Json {
    Json::read(r#"{"path": "notes.txt", "line": 1.50}"#).unwrap()
}

fn tool() -> Arc<ToolId> {
    Arc::new("fs.read_file".parse().unwrap())
}

fn definition() -> Digest {
    Digest::of(b"what the tool was")
}
