//! `scheduler`.

use super::{
    at::At,
    fields::Fields,
    leaf::{positive, word},
    load,
};
use crate::Scheduler;

pub(super) fn scheduler(at: &At<'_>) -> Option<Scheduler> {
    let scheduler = written(at)?;
    load::scheduler(at, &scheduler);
    Some(scheduler)
}

fn written(at: &At<'_>) -> Option<Scheduler> {
    let mut fields = Fields::of(at)?;
    let scheduler = Scheduler {
        max_parallel: fields.optional("max_parallel", positive),
        ordering_policy: fields.optional("ordering_policy", word),
        yield_policy: fields.optional("yield_policy", word),
        interrupt_behavior: fields.optional("interrupt_behavior", word),
        sibling_failure_policy: fields.optional("sibling_failure_policy", word),
        context_modifier_policy: fields.optional("context_modifier_policy", word),
    };
    Some(scheduler)
}
