//! The answer that says only that it was done.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Reply;

/// Done: `{"data":{}}`. Later versions may tell more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

impl Reply for Empty {}
