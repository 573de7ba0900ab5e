//! Cedar policies as a policy engine of `assent-policy`.
//!
//! Policies are checked at load against a schema that is made from the input schemas of the tools, and
//! are then evaluated for every call, beside the rules.
//!
//! | in a policy       | is                                                                       |
//! |-------------------|--------------------------------------------------------------------------|
//! | `principal`       | `Agent::"…"`, the actor; `Agent::""` if there is none                    |
//! | `action`          | `Action::"…"`, the id of the tool                                        |
//! | `resource`        | `Tool::"…"` with `name` and `namespace`, in `Namespace::"…"`             |
//! | `context.input`   | the arguments, as the tool's own schema declares them                    |
//! | `context.…`       | `read_only`, `destructive`, `open_world`, `mode`, `now` and, if given, `operation`, `session` |
//!
//! `permit` allows, `forbid` denies, and either with `@effect("ask")` asks. `@id`, `@source` and
//! `@bypass_immune` mean what they mean for rules. A call that no policy applies to is decided as if
//! there were no policies.
//!
//! ```
//! use assent_cedar::ToolShape;
//! use serde_json::json;
//!
//! let schema = json!({"properties": {"path": {"type": "string"}}, "required": ["path"]});
//! let tool = ToolShape {
//!     tool_id: "files/read",
//!     namespace: "files",
//!     name: "read",
//!     input_schema: Some(&schema),
//! };
//! let text = r#"forbid(principal, action, resource) when { context.input.path like "/etc/*" };"#;
//! let policy = assent_cedar::load_policy(&[], text, [tool])?;
//!
//! let wrong = r#"forbid(principal, action, resource) when { context.input.pth like "/etc/*" };"#;
//! let error = assent_cedar::load_policy(&[], wrong, [tool]).unwrap_err();
//! assert!(error.to_string().starts_with("policies, line 1, column"));
//! # Ok::<(), assent_cedar::LoadError>(())
//! ```

mod context;
mod engine;
mod load;
mod policy;
mod problem;
mod schema;
mod source_text;
mod types;

pub use engine::{Cedar, ToolShape};
pub use policy::{LoadError, load_policy};
pub use problem::{CedarProblem, CedarProblemKind};
