//! Bounds of a grant.

use assent_ids::UnixMillis;
use assent_json::{Digest, Pointer};

use super::{ArgumentShape, GrantSpec, GrantTool, Restriction, spec::NOBODY};
use crate::{
    Glob, Question,
    condition::{Condition, compile_all, judge_all},
    problem::{Faults, keep},
    truth::Side,
};

/// A bound. Every part that is given must match the call.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    side: Side,
    tool: Option<Tool>,
    definition: Option<Digest>,
    conditions: Box<[Condition]>,
    actor: Option<Box<str>>,
    session: Option<Box<str>>,
    not_before: Option<UnixMillis>,
    not_after: Option<UnixMillis>,
}

#[derive(Clone, Debug)]
enum Tool {
    Id(Box<str>),
    Glob(Glob),
}

impl Bound {
    /// Creates the bound of the grant itself.
    pub(super) fn own(spec: &GrantSpec, side: Side, faults: &mut Faults) -> Self {
        let root = Pointer::root();
        Self {
            side,
            tool: tool(&spec.tool, &root, faults),
            definition: spec.definition,
            conditions: conditions(&spec.arguments, side, &root, faults),
            actor: spec.actor.as_deref().map(Into::into),
            session: spec.session.as_deref().map(Into::into),
            not_before: spec.not_before,
            not_after: spec.not_after,
        }
    }

    /// Creates the bound of a restriction. Only permissions can be narrowed.
    pub(super) fn added(restriction: &Restriction, at: &Pointer, faults: &mut Faults) -> Self {
        Self {
            side: Side::Permit,
            tool: restriction.tool.as_ref().and_then(|spec| tool(spec, at, faults)),
            definition: restriction.definition,
            conditions: conditions(&restriction.arguments, Side::Permit, at, faults),
            actor: restriction.actor.as_deref().map(Into::into),
            session: restriction.session.as_deref().map(Into::into),
            not_before: restriction.not_before,
            not_after: restriction.not_after,
        }
    }

    pub(super) fn covers(&self, question: &Question<'_>) -> bool {
        self.tool.as_ref().is_none_or(|tool| tool.is(question.tool_id))
            && self.definition.is_none_or(|definition| definition == question.definition)
            && self.is_for(self.actor.as_deref(), question.actor)
            && self.is_for(self.session.as_deref(), question.session)
            && self.not_before.is_none_or(|start| question.now >= start)
            && self.not_after.is_none_or(|end| question.now < end)
            && self.side.takes(judge_all(&self.conditions, question.input))
    }

    /// A call without an actor gets no permission that names an actor, and every denial.
    fn is_for(&self, named: Option<&str>, caller: Option<&str>) -> bool {
        match (named, caller) {
            (None, _) | (Some(NOBODY), None) => true,
            (Some(named), Some(caller)) => named == caller,
            (Some(_), None) => self.side == Side::Restrict,
        }
    }

    pub(super) fn tool_prefix(&self) -> String {
        match &self.tool {
            Some(Tool::Id(id)) => id.to_string(),
            Some(Tool::Glob(glob)) => glob.prefix(),
            None => String::new(),
        }
    }
}

impl Tool {
    fn is(&self, tool_id: &str) -> bool {
        match self {
            Self::Id(id) => **id == *tool_id,
            Self::Glob(glob) => glob.matches(tool_id),
        }
    }
}

fn tool(spec: &GrantTool, at: &Pointer, faults: &mut Faults) -> Option<Tool> {
    match spec {
        GrantTool::Id(id) => Some(Tool::Id(id.as_str().into())),
        GrantTool::Glob(text) => {
            keep(Glob::parse(text), || at.key("tool").key("glob"), faults).map(Tool::Glob)
        }
    }
}

fn conditions(
    shape: &ArgumentShape,
    side: Side,
    at: &Pointer,
    faults: &mut Faults,
) -> Box<[Condition]> {
    compile_all(&shape.conditions(), side, &at.key("arguments"), faults)
}
