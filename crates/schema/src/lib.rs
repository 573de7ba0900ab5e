//! Input schemas: compiled within bounds, checked quickly, compared by meaning.
//!
//! Schemas come from untrusted authors. [`InputSchema::compile`] therefore refuses
//! what could cost too much or reach outside before anything is compiled; then arguments are checked
//! straight on the tape that [`assent_json::read`] makes.

mod compare;
mod edits;
mod input_schema;
mod inspect;
mod keywords;
mod pattern;
mod problem;
mod references;
mod representation;
mod rules;
mod violation;

pub use compare::{Comparer, Comparison, Difference, SchemaHandle, Verdict, compare};
pub use edits::{Edit, EditBudget, EditKind, edits};
pub use input_schema::InputSchema;
pub use inspect::{CompileBudget, MAX_SCHEMA_BYTES, MAX_SCHEMAS_PER_VALUE, inspect};
pub use keywords::is_annotation;
pub use problem::{SchemaProblem, SchemaProblemKind};
pub use violation::Violation;

#[cfg(test)]
mod tests;
