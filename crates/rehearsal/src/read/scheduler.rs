//! `scheduler`.

use assent_document::{Fields, Node, readers::word};

use super::{leaf::positive, load};
use crate::Scheduler;

pub(super) fn scheduler(node: &Node<'_>) -> Option<Scheduler> {
    let scheduler = written(node)?;
    load::scheduler(node, &scheduler);
    Some(scheduler)
}

fn written(node: &Node<'_>) -> Option<Scheduler> {
    let mut fields = Fields::of(node)?;
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
