//! The settings with which every schema is compiled, against published and hostile schemas.

mod json_schema_test_suite;
mod representation;
mod rules;
