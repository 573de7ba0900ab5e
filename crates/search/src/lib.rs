//! Ranked keyword search over tools.
//!
//! An agent with a hundred thousand tools sees only those that it searches for. [`Index::search`] returns
//! the few tools that match a query best, best first, and the [`Reason`]s: which word was found in which
//! field. The same index and the same query always give the same answer.
//!
//! ```
//! use assent_search::{Field, Index, ToolText};
//!
//! let tool = |name, description| ToolText { name, description, ..ToolText::default() };
//! let mut index = Index::new();
//! index.insert(1, &tool("create_issue", "Files a bug report."));
//! index.insert(2, &tool("sendMail", "给联系人发送电子邮件"));
//!
//! let hits = index.search("please report the issues I found", 5);
//! assert_eq!(hits[0].key, 1);
//! assert_eq!(hits[0].reasons[0].field, Field::Description);
//! assert_eq!(hits[0].reasons[0].term, "report");
//! assert_eq!(index.search("发送邮件", 5)[0].key, 2);
//! ```
//!
//! # What is a match
//!
//! Words of any language match regardless of case and accents. Identifiers match by their parts and as a
//! whole, so `createIssue`, `create-issue` and `create issue` match each other. English words match their
//! inflections. Scripts without spaces are indexed by pairs of letters.
//!
//! # How it is ranked
//!
//! A tool scores `Σ weight(word) × impact(word, tool)` over the different words of the query.
//!
//! * The weight is `ln(1 + (N − n + ½) ÷ (n + ½))` for a word in n of N tools.
//! * The impact is `1.5 × s(head) + s(body)` with `s(x) = x ÷ (x + 1.2)`: a word counts once for what
//!   the tool is called and once for how it is described, and repeating it counts less and less.
//! * A field adds `occurrences ÷ (¼ + ¾ × words ÷ usual words)`. The head is name, title and hint, and
//!   the namespace at half of that; the body is the description. Usual are 4 words in a name or a
//!   title, 2 in a namespace, 8 in a hint and 24 in a description.
//!
//! The usual lengths are constants, not averages: an impact depends on one tool alone, so that adding
//! a tool never changes what is known about another. Weights and impacts are whole numbers of 12 bits
//! ([`WEIGHT_UNIT`], [`IMPACT_UNIT`]); sums are exact, and equal scores are ordered by key.
//!
//! # What it costs
//!
//! Lists of tools are cut into blocks of 4,096 numbers. A search adds up one block at a time in 16 KiB
//! of its stack, and skips what cannot reach the best hits found so far. Adding or removing a tool changes
//! one block of each of its words. Nothing is ever rebuilt.

mod analyse;
mod dictionary;
mod field;
mod hit;
mod index;
mod posting;
mod posting_list;
mod query;
mod score;
mod slab;
mod sweep;
mod top;
mod words;

pub use field::{Field, ToolText};
pub use hit::{Hit, Reason};
pub use index::Index;
pub use query::{MAX_QUERY_BYTES, MAX_QUERY_TERMS};
pub use score::{IMPACT_UNIT, WEIGHT_UNIT};
