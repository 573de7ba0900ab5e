//! What several places of the document refer to.

use std::collections::BTreeMap;

use assent_protocol::a2h::{ApiCode, ErrorEnvelope};
use schemars::{
    SchemaGenerator,
    generate::{Contract, SchemaSettings},
    transform::RecursiveTransform,
};
use serde_json::{Map, Value, json};

use super::{numbers, responses, security};

/// The components of a document, collected while the rest of it is written.
pub(super) struct Components {
    /// Schemas.
    pub(super) schemas: SchemaGenerator,
    /// Failures, by the codes that they can have.
    failures: BTreeMap<String, Value>,
}

impl Components {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.contract = Contract::Deserialize;
            settings.transforms.push(Box::new(RecursiveTransform(numbers::bounded)));
        });
        Self { schemas: settings.into_generator(), failures: BTreeMap::new() }
    }

    /// A reference to the response with these codes, which all have one status.
    pub(super) fn failure(&mut self, codes: &[ApiCode]) -> Value {
        let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
        let name = names.join("-");
        let reference = reference(&format!("responses/{name}"));
        let schema = self.schemas.subschema_for::<ErrorEnvelope>();
        self.failures.entry(name).or_insert_with(|| responses::failure(codes, &schema));
        reference
    }

    /// The part of the document.
    pub(super) fn into_value(mut self) -> Value {
        let examples: Map<String, Value> =
            ApiCode::ALL.iter().map(|code| (code.to_string(), responses::example(*code))).collect();
        json!({
            "schemas": self.schemas.take_definitions(true),
            "responses": self.failures,
            "examples": examples,
            "headers": responses::headers(),
            "securitySchemes": security::schemes(),
        })
    }
}

/// A reference to a component.
pub(super) fn reference(component: &str) -> Value {
    json!({ "$ref": format!("#/components/{component}") })
}
