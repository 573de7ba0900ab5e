//! Records about tools rather than calls.

use assent_protocol::agent_tool::{DeferredToolRef, EventType, LoadingState};

use super::{ProjectedRecord, event::EventMaker};
use crate::Noted;

pub(super) fn project<'a>(noted: &'a Noted, events: &EventMaker<'_>) -> Vec<ProjectedRecord<'a>> {
    match noted {
        Noted::Declaration(tool) => {
            let id = &tool.tool_id;
            vec![tool.into(), events.event_about(EventType::Declared, id.as_str(), Some(id))]
        }
        Noted::Surface(surface) => {
            let kind = match surface.supersedes {
                Some(_) => EventType::SurfaceUpdated,
                None => EventType::SurfaceCreated,
            };
            vec![surface.into(), events.event_about(kind, surface.surface_id.as_str(), None)]
        }
        Noted::Deferred(tool) => {
            let id = &tool.tool_id;
            let event = event_of(tool).map(|kind| events.event_about(kind, id.as_str(), Some(id)));
            [tool.into()].into_iter().chain(event).collect()
        }
        Noted::Interface(interface) => vec![interface.into()],
        Noted::ExecutionProfile(profile) => vec![profile.into()],
        Noted::PermissionProfile(profile) => vec![profile.into()],
        Noted::Search(search) => vec![search.into()],
        Noted::SchedulerPolicy(policy) => vec![policy.into()],
        Noted::Hook(hook) => vec![hook.into()],
    }
}

/// There is no event for a tool that cannot be had.
fn event_of(tool: &DeferredToolRef) -> Option<EventType> {
    match tool.loading_state {
        LoadingState::Loaded => Some(EventType::DeferredLoaded),
        LoadingState::Deferred | LoadingState::Discoverable => Some(EventType::DeferredDiscovered),
        LoadingState::PendingProvider | LoadingState::Unavailable => None,
    }
}
