//! `search`.

use super::{
    at::At,
    fields::Fields,
    leaf::{positive, text},
};
use crate::Search;

pub(super) fn search(at: &At<'_>) -> Option<Search> {
    let mut fields = Fields::of(at)?;
    let query = fields.required("query", text);
    let limit = fields.optional("limit", positive);
    Some(Search { query: query?, limit })
}
