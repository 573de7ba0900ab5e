//! Agent Tool records.

mod examples;
mod lifecycle;
mod reading;
mod round_trip;
mod strict;
mod strict_catalog;
mod strict_fields;
mod terminal;
mod v01;
mod vocabulary;
