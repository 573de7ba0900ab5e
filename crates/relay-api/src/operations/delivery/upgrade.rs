//! The answer that turns a connection into a socket.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Reply, Shape};

/// The connection becomes a socket: `101 Switching Protocols`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Upgrade;

impl Reply for Upgrade {
    const SHAPE: Shape = Shape::Upgrade;
}
