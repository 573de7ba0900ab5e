//! `search`.

use assent_document::{Fields, Node, readers::text};

use super::leaf::positive;
use crate::Search;

pub(super) fn search(node: &Node<'_>) -> Option<Search> {
    let mut fields = Fields::of(node)?;
    let query = fields.required("query", text);
    let limit = fields.optional("limit", positive);
    Some(Search { query: query?, limit })
}
