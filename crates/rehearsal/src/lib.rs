//! Rehearsals: written scenarios that go through the real pipeline with scripted tools and a
//! scripted person. They are the unit tests of policies, hooks and integrations.
//!
//! [`read`] turns a file into a [`Scenario`], or reports every mistake in it at once, each
//! [`Problem`] with its line.
//!
//! ```
//! use assent_rehearsal::{Format, read};
//!
//! let text = "
//! tools:
//!   - name: clock
//!     run: [{return_text: noon}]
//! calls:
//!   - {id: a, tool: clock, inptu: {}}
//! expect:
//!   - {call: b, status: succeeded}
//! ";
//! let problems = read(text.as_bytes(), Format::Yaml).unwrap_err();
//! let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
//! assert_eq!(lines, [
//!     "/calls/0 (6:5): `input` is missing",
//!     "/calls/0/inptu (6:26): the key `inptu` is not known here; did you mean `input`?",
//!     "/expect/0/call (8:12): no call has the id `b`",
//! ]);
//! ```
//!
//! **Invariant:** a [`Scenario`] that was read can be run. Ids are unique, references lead somewhere,
//! patterns and schemas compile, every script of a tool ends exactly once, and the runtime accepts its
//! tools, rules, policies and scheduler.

mod read;
mod run;
mod scenario;
mod timeline;
mod vocabulary;

pub use assent_document::{Format, Problem, Problems};
pub use read::read;
pub use run::{CallReport, CrashPoint, Options, Rehearsed, Report, RunError, Unmet, run};
pub use scenario::*;
pub use timeline::{Moment, MomentKind, Timeline, timelines};
