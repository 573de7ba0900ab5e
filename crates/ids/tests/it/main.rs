//! Tests of the ids from outside.

mod generated;
mod lax;
mod minter;
mod names;
mod principal;
