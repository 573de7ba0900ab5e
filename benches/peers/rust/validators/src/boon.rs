//! boon.

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::Value;

use crate::cases::Validator;

pub(crate) struct Boon {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator for Boon {
    fn compile(schema: &Value) -> Self {
        const PLACE: &str = "mem:///schema.json";
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.add_resource(PLACE, schema.clone()).expect("the schema has a place");
        let index = compiler.compile(PLACE, &mut schemas).expect("the schema is usable");
        Self { schemas, index }
    }

    fn accepts(&self, instance: &Value) -> bool {
        self.schemas.validate(instance, self.index).is_ok()
    }

    fn first_error(&self, instance: &Value) -> (String, String) {
        let error = self.schemas.validate(instance, self.index).expect_err("the instance is wrong");
        // The outer errors only say that there are others.
        let mut first = &error;
        while let Some(cause) = first.causes.first() {
            first = cause;
        }
        (first.instance_location.to_string(), first.kind.to_string())
    }
}
