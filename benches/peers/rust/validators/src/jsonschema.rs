//! The crate that Assent's own validator is built on, used bare: what Assent adds must not show.

use jsonschema::{Draft, PatternOptions, Validator as Compiled};
use serde_json::Value;

use crate::cases::Validator;

pub(crate) struct Bare(Compiled);

impl Validator for Bare {
    fn compile(schema: &Value) -> Self {
        let compiled = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .with_pattern_options(PatternOptions::regex())
            .build(schema);
        Self(compiled.expect("the schema is usable"))
    }

    fn accepts(&self, instance: &Value) -> bool {
        self.0.is_valid(instance)
    }

    fn first_error(&self, instance: &Value) -> (String, String) {
        let error = self.0.validate(instance).expect_err("the instance is wrong");
        (error.instance_path().as_str().to_owned(), error.to_string())
    }
}
