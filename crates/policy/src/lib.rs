//! Decides whether a tool call may run: rules, policies, grants and a question in, a verdict with its
//! reasons out.
//!
//! [`Policy::decide`] is a pure function. All facts come in as a [`Question`] and a snapshot of
//! [`Grants`]; it does no I/O and keeps no state. The same question always gets the same answer, also
//! when it is replayed later.
//!
//! ```
//! use assent_ids::UnixMillis;
//! use assent_policy::{Decision, Grants, Mode, Policy, Question, RuleSpec, Safety};
//!
//! let rules: Vec<RuleSpec> = serde_json::from_str(r#"[
//!     {"id": "work", "behavior": "allow", "tool": "write_file",
//!      "arguments": [{"path": "/path", "under": "/work"}]},
//!     {"id": "keys", "behavior": "deny",
//!      "arguments": [{"path": "/path", "under": "/work/keys"}]}
//! ]"#)?;
//! let policy = Policy::load(rules).unwrap();
//!
//! let input = assent_json::read(br#"{"path": "/work/a/../keys/id"}"#)?;
//! let question = Question {
//!     tool_id: "files/write_file",
//!     namespace: "files",
//!     name: "write_file",
//!     qualified: None,
//!     aliases: &[],
//!     operation: None,
//!     definition: assent_json::Digest::of(b"the definition"),
//!     safety: Safety { read_only: false, destructive: true, open_world: false },
//!     requires_approval: false,
//!     actor: None,
//!     session: None,
//!     input: input.root(),
//!     mode: Mode::Interactive,
//!     opinions: &[],
//!     now: UnixMillis::new(0),
//! };
//! let verdict = policy.decide(&question, &Grants::none());
//! assert_eq!(verdict.decision, Decision::Deny);
//! assert_eq!(verdict.decisive().unwrap().to_string(), "rule `keys` denies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Policy::read`] reads rules from YAML or JSON and reports every mistake with its line.
//! * [`RuleSpec`] is a rule as people write it, [`ArgumentSpec`] a condition on arguments, with a table of
//!   what cannot be judged.
//! * [`PolicyEngine`] is how a further engine takes part, such as Cedar in `assent-cedar`.
//! * [`Grant`] is a permission that a person gave in advance, from "once" to "this tool in this
//!   session".
//! * [`suggest`] proposes the narrowest rules that would have made a question unnecessary, [`replay`]
//!   lists the past decisions that would change under another policy.
//!
//! Invariant: a `deny` is final. No rule, policy, hook or grant overrides it.

mod command;
mod condition;
mod decide;
mod decision;
mod directory;
mod engine;
mod findings;
mod glob;
mod grant;
mod grants;
mod host;
mod location;
mod mode;
mod outcome;
mod pattern_index;
mod policy;
mod prefix_index;
mod problem;
mod question;
mod read;
mod replay;
mod rule;
mod rule_spec;
mod shape;
mod suggest;
mod tool_pattern;
mod truth;
mod url_pattern;
mod verdict;

pub use assent_document::{Format, Problems};
pub use condition::{ArgumentSpec, CommandSpec};
pub use decision::Decision;
pub use engine::{Evaluation, PolicyEngine, PolicyMatch};
pub use glob::{Glob, GlobError};
pub use grant::{ArgumentShape, Grant, GrantEffect, GrantKey, GrantSpec, GrantTool, Restriction};
pub use grants::Grants;
pub use location::Location;
pub use mode::{Mode, UnknownMode};
pub use outcome::{PolicyOutcome, risk_level};
pub use policy::Policy;
pub use problem::{PolicyProblem, ProblemKind};
pub use question::{Opinion, Question, Safety};
pub use read::rules as read_rules;
pub use replay::{Flip, replay};
pub use rule_spec::{Example, RuleSpec};
pub use shape::shape;
pub use suggest::{suggest, suggest_tool};
pub use tool_pattern::ToolNames;
pub use verdict::{PolicyError, Reason, Verdict};
