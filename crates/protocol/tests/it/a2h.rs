//! What agents and people exchange.

mod api;
mod manifest;
mod relay_event;
mod tool_call;
mod tool_response;
