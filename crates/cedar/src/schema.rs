//! The schema that policies are checked against, and the entities of requests.

use std::collections::BTreeMap;

use cedar_policy::{
    Entities, Entity, EntityId, EntityUid, RestrictedExpression as Expression, Schema,
};
use serde_json::{Map, Value, json};

use crate::{ToolShape, engine::TypeNames, types::Record};

/// The tools as a Cedar schema and entities.
pub(crate) struct Tools {
    pub(crate) schema: Schema,
    pub(crate) entities: Entities,
    pub(crate) records: BTreeMap<Box<str>, Record>,
    pub(crate) names: TypeNames,
}

impl Tools {
    /// Converts the tools. The error is Cedar's message.
    pub(crate) fn new<'t>(shapes: impl Iterator<Item = ToolShape<'t>>) -> Result<Self, String> {
        let names = TypeNames::new().ok_or("the names of its types are not accepted")?;
        let mut records = BTreeMap::new();
        let mut actions = Map::new();
        let mut entities = Vec::new();
        for shape in shapes {
            let record = Record::of_input(shape.input_schema);
            actions.insert(shape.tool_id.to_owned(), action(&record));
            entities.push(entity(&names, &shape)?);
            records.insert(shape.tool_id.into(), record);
        }
        let schema =
            Schema::from_json_value(schema(&actions)).map_err(|error| error.to_string())?;
        let entities =
            Entities::from_entities(entities, None).map_err(|error| error.to_string())?;
        Ok(Self { schema, entities, records, names })
    }
}

impl TypeNames {
    fn new() -> Option<Self> {
        Some(Self {
            agent: "Agent".parse().ok()?,
            action: "Action".parse().ok()?,
            namespace: "Namespace".parse().ok()?,
            tool: "Tool".parse().ok()?,
        })
    }
}

fn schema(actions: &Map<String, Value>) -> Value {
    let text = json!({"type": "String", "required": true});
    json!({"": {
        "entityTypes": {
            "Agent": {},
            "Namespace": {},
            "Tool": {
                "memberOfTypes": ["Namespace"],
                "shape": {"type": "Record", "attributes": {"name": text, "namespace": text}},
            },
        },
        "actions": actions,
    }})
}

fn action(input: &Record) -> Value {
    let flag = json!({"type": "Boolean", "required": true});
    let optional = json!({"type": "String", "required": false});
    json!({"appliesTo": {
        "principalTypes": ["Agent"],
        "resourceTypes": ["Tool"],
        "context": {"type": "Record", "attributes": {
            "input": input.to_schema(),
            "read_only": flag,
            "destructive": flag,
            "open_world": flag,
            "mode": {"type": "String", "required": true},
            "operation": optional,
            "session": optional,
            "now": {"type": "Long", "required": true},
        }},
    }})
}

fn entity(names: &TypeNames, shape: &ToolShape<'_>) -> Result<Entity, String> {
    let uid = |name: &cedar_policy::EntityTypeName, id: &str| {
        EntityUid::from_type_name_and_id(name.clone(), EntityId::new(id))
    };
    let attributes = [("name", shape.name), ("namespace", shape.namespace)];
    let attributes =
        attributes.map(|(key, text)| (key.to_owned(), Expression::new_string(text.to_owned())));
    let parents = [uid(&names.namespace, shape.namespace)];
    Entity::new_with_tags(uid(&names.tool, shape.tool_id), attributes, parents, [])
        .map_err(|error| error.to_string())
}
