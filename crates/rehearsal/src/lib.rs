//! Rehearsals: written scenarios that go through the real pipeline with scripted tools and a
//! scripted person. They are the unit tests of policies, hooks and integrations.
//!
//! [`read`] turns a file into a [`Scenario`], or says everything that is wrong with it at once, each
//! [`Problem`] with its place. YAML and JSON become the same tree first, so that both mean the same.
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
//! **Invariant:** what was read is whole. Ids are unique, references lead somewhere, patterns and
//! schemas compile, every script of a tool ends exactly once, and the runtime takes its tools, rules,
//! policies and scheduler. Whoever runs a [`Scenario`] checks none of that again.

mod read;
mod run;
mod scenario;
mod timeline;
mod vocabulary;

pub use assent_json::Problem;
pub use read::{Format, MAX_FILE_BYTES, MAX_PROBLEMS, MAX_TREE_BYTES, locate, read, read_value};
pub use run::{CallReport, CrashPoint, Options, Rehearsed, Report, RunError, Unmet, run};
pub use scenario::*;
pub use timeline::{Moment, MomentKind, Timeline, timelines};
