//! Which chain an entry belongs to.

use std::{borrow::Cow, fmt, str::FromStr};

use assent_ids::{AgentId, UserId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The person and the agent, written `usr_…/agt_…`. There is one chain for the two, however often their
/// relation ends and begins again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelationKey {
    /// The person.
    pub user_id: UserId,
    /// The agent.
    pub agent_id: AgentId,
}

/// A text that names no chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the id of a person, a slash and the id of an agent")]
pub struct NotARelationKey;

impl fmt::Display for RelationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.user_id, self.agent_id)
    }
}

impl FromStr for RelationKey {
    type Err = NotARelationKey;

    fn from_str(text: &str) -> Result<Self, NotARelationKey> {
        let (user, agent) = text.split_once('/').ok_or(NotARelationKey)?;
        let user_id = user.parse().map_err(|_| NotARelationKey)?;
        let agent_id = agent.parse().map_err(|_| NotARelationKey)?;
        Ok(Self { user_id, agent_id })
    }
}

impl TryFrom<String> for RelationKey {
    type Error = NotARelationKey;

    fn try_from(text: String) -> Result<Self, NotARelationKey> {
        text.parse()
    }
}

impl From<RelationKey> for String {
    fn from(key: RelationKey) -> Self {
        key.to_string()
    }
}

impl JsonSchema for RelationKey {
    fn schema_name() -> Cow<'static, str> {
        "RelationKey".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let ulid = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
        json_schema!({
            "type": "string",
            "pattern": format!("^usr_{ulid}/agt_{ulid}$"),
            "description": "The person and the agent: `user_id/agent_id`. There is one chain for the two.",
        })
    }
}
