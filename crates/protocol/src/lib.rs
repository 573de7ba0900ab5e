//! The records that Assent reads and writes: data only.
//!
//! * [`agent_tool`]: the records of Agent Tool 0.2.0, the invocation state machine, a reader for 0.1
//!   records, and the stricter profile that our own records keep.
//! * [`a2h`]: what agents and people exchange: manifest, tool call and answer, relay events, the
//!   envelope and the error codes of the HTTP interface.
//! * [`wire`]: the few types both are made of.
//!
//! Invariant: no I/O, no clock, no randomness, no async, no decision.

pub mod a2h;
pub mod agent_tool;
pub mod wire;
