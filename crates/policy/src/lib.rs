//! Facts, rules, policies and grants in; a verdict with its reasons out.
//!
//! [`Policy::decide`] is a pure function. Whatever it needs to know comes in as a [`Question`] and a
//! snapshot of [`Grants`]; nothing is opened, awaited or remembered. The same question gets the same
//! answer, today and when it is replayed.
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
//! let policy = Policy::load(rules, None, std::iter::empty()).unwrap();
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
//! * [`RuleSpec`] is a rule as people write it, [`ArgumentSpec`] a condition on arguments; what holds
//!   when a condition cannot be judged is a table in [`ArgumentSpec`].
//! * Cedar policies are checked at load against a schema that is made from the tools' own schemas.
//! * [`Grant`] is the one primitive for whatever a person has let happen in advance, from "once" to
//!   "this tool in this session".
//! * [`suggest`] proposes the narrowest rules that would have spared a question, [`replay`] lists the
//!   past decisions that a new policy would turn round.
//!
//! Invariant: a `deny` is final. No rule, policy, hook or grant turns it into anything else.

mod cedar;
mod command;
mod condition;
mod decide;
mod decision;
mod directory;
mod findings;
mod glob;
mod grant;
mod grants;
mod host;
mod mode;
mod outcome;
mod pattern_index;
mod place;
mod policy;
mod prefix_index;
mod problem;
mod question;
mod replay;
mod rule;
mod rule_spec;
mod shape;
mod suggest;
mod tool_pattern;
mod truth;
mod url_pattern;
mod verdict;

pub use cedar::ToolShape;
pub use condition::{ArgumentSpec, CommandSpec};
pub use decision::Decision;
pub use glob::{Glob, GlobError};
pub use grant::{ArgumentShape, Grant, GrantEffect, GrantKey, GrantSpec, GrantTool, Restriction};
pub use grants::Grants;
pub use mode::{Mode, UnknownMode};
pub use outcome::{PolicyOutcome, risk_level};
pub use place::Place;
pub use policy::Policy;
pub use problem::{PolicyProblem, ProblemKind};
pub use question::{Opinion, Question, Safety};
pub use replay::{Flip, replay};
pub use rule_spec::{Example, RuleSpec};
pub use shape::shape;
pub use suggest::{suggest, suggest_tool};
pub use tool_pattern::ToolNames;
pub use verdict::{PolicyError, Reason, Verdict};
