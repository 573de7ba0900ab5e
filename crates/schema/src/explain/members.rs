//! The members of an object: `properties`, `required`, `patternProperties` and
//! `additionalProperties`, looked at in one pass.

use jsonschema::json::{Node as _, Object as _};
use regex_automata::meta::Regex;

use super::{Breach, Described, Explainer, NodeId, Step, Verdict};
use crate::representation::Instance;

/// What a schema says about members.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// The names that are mentioned, by length and then by text.
    pub(super) known: Vec<Known>,
    /// One rule for each name that must be there, in the order of the schema.
    pub(super) required: Vec<Described>,
    /// All bits of those names.
    pub(super) all_required: u64,
    pub(super) patterns: Vec<(Regex, NodeId)>,
    pub(super) others: Others,
}

/// A name that a schema mentions.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: String,
    /// What the value must satisfy, if the name is among `properties`.
    pub(super) schema: Option<NodeId>,
    /// The bit of the name among those that must be there.
    pub(super) required: u64,
}

/// What holds for members that no other keyword looks at.
#[derive(Debug, Default)]
pub(super) enum Others {
    #[default]
    Allowed,
    Closed(Box<Described>),
    Schema(NodeId),
}

impl Members {
    fn find(&self, name: &str) -> Option<&Known> {
        let wanted = (name.len(), name);
        let at = self
            .known
            .binary_search_by(|known| (known.name.len(), known.name.as_str()).cmp(&wanted));
        at.ok().and_then(|at| self.known.get(at))
    }

    /// The schemas for a member, and whether it is one of the others.
    fn schemas(&self, name: &str, known: Option<&Known>) -> (impl Iterator<Item = NodeId>, bool) {
        let own = known.and_then(|known| known.schema);
        let matching = self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name));
        let is_other = own.is_none() && !self.patterns.iter().any(|(p, _)| p.is_match(name));
        let other = match self.others {
            Others::Schema(schema) if is_other => Some(schema),
            _ => None,
        };
        let matching: Vec<NodeId> = matching.map(|(_, schema)| *schema).collect();
        (own.into_iter().chain(matching).chain(other), is_other)
    }
}

impl Explainer {
    pub(super) fn judge_members(&self, members: &Members, value: Instance<'_>) -> Verdict {
        let Some(object) = value.as_object() else { return Verdict::Kept };
        let (mut seen, mut unknown) = (0, false);
        for (name, member) in object.members() {
            let known = members.find(name);
            seen |= known.map_or(0, |known| known.required);
            let (schemas, is_other) = members.schemas(name, known);
            if is_other && matches!(members.others, Others::Closed(_)) {
                return Verdict::Broken;
            }
            for schema in schemas {
                match self.judge(schema, member) {
                    Verdict::Broken => return Verdict::Broken,
                    Verdict::Unknown => unknown = true,
                    Verdict::Kept => {}
                }
            }
        }
        if seen != members.all_required {
            Verdict::Broken
        } else if unknown {
            Verdict::Unknown
        } else {
            Verdict::Kept
        }
    }

    /// First what is missing, then what is not known, then what is wrong inside.
    pub(super) fn breach_in_members<'a>(
        &'a self,
        members: &'a Members,
        value: Instance<'a>,
    ) -> Option<Breach<'a>> {
        let object = value.as_object()?;
        let (mut seen, mut has_others) = (0, false);
        for (name, _) in object.members() {
            let known = members.find(name);
            seen |= known.map_or(0, |known| known.required);
            has_others |= known.is_none_or(|known| known.schema.is_none())
                && !members.patterns.iter().any(|(pattern, _)| pattern.is_match(name));
        }
        let missing = members.all_required & !seen;
        if missing != 0 {
            let first = members.required.get(missing.trailing_zeros() as usize)?;
            return Some(Breach::at(first, value));
        }
        if let Others::Closed(rule) = &members.others
            && has_others
        {
            return Some(Breach::at(rule, value));
        }
        object.members().find_map(|(name, member)| {
            let (mut schemas, _) = members.schemas(name, members.find(name));
            let breach = schemas.find_map(|schema| self.first_breach(schema, member))?;
            breach.inside(Step::Name(name))
        })
    }
}

/// The names in `value` that are neither among `names` nor match a pattern.
pub(super) fn others(value: Instance<'_>, names: &[String], patterns: &[Regex]) -> Vec<String> {
    let members = value.as_object().map(|object| object.members());
    let is_other = |name: &str| {
        !names.iter().any(|known| known == name) && !patterns.iter().any(|p| p.is_match(name))
    };
    let others = members.into_iter().flatten().filter(|(name, _)| is_other(name));
    others.map(|(name, _)| name.to_owned()).collect()
}
