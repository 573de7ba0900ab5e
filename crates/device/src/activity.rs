//! What agents have asked for: calls, and messages that could not be opened.

mod call_item;
mod device_activity;
mod filter;
mod refused;
mod stages;
mod works;

pub(crate) use self::{
    call_item::StoredCall,
    refused::{RefusedRecord, forget_before},
    works::RefuseEntry,
};
pub use self::{
    call_item::{CallItem, CallStatus, CallTool},
    device_activity::{ActivityPage, CallStory, ViewDigests},
    filter::{ActivityFilter, ActivityOutcome},
    stages::{CallStage, StageStatus},
};
