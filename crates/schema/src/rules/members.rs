//! The members of an object: `properties`, `required`, `patternProperties` and
//! `additionalProperties`, looked at in one pass.

use assent_json::Node;

use super::{
    Breach, Matcher, Reason, SchemaId,
    marks::Marks,
    walk::{BYTES_PER_STEP, Walk},
    words::Words,
};

/// What a schema says about members.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) names: Words<Known>,
    /// What is said of each name that must be there, in the order of the schema.
    pub(super) missing: Vec<Reason>,
    /// All bits of those names.
    pub(super) required: u64,
    pub(super) patterns: Vec<(Matcher, SchemaId)>,
    pub(super) others: Others,
}

/// What a schema says about a name that it mentions.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// What the value must satisfy, if the name is among `properties`.
    pub(super) schema: Option<SchemaId>,
    /// The bit of the name among those that must be there.
    pub(super) required: u64,
    /// The name as a JSON Pointer.
    pub(super) pointer: String,
}

/// What holds for members that no other keyword looks at.
#[derive(Debug, Default)]
pub(super) enum Others {
    #[default]
    Allowed,
    Closed(Reason),
    Schema(SchemaId),
}

impl<'r> Walk<'r> {
    /// First what is missing, then what is not known, then what is wrong inside. Notes which members
    /// are described, if none is wrong.
    // Kept out of the way of all the values that are no objects.
    #[inline(never)]
    pub(super) fn breach_in_members(
        &mut self,
        members: &'r Members,
        object: Node<'_>,
        mut marks: Option<&mut Marks>,
    ) -> Option<Breach<'r>> {
        let (mut missing, mut closed, mut inside) = (members.required, None, None);
        for (position, (key, member)) in object.members().with_key_nodes().enumerate() {
            let name = key.as_bytes().unwrap_or_default();
            self.take_steps(1 + name.len() / BYTES_PER_STEP);
            let known = members.names.find(name);
            missing &= !known.map_or(0, |known| known.required);
            let schema = known.and_then(|known| known.schema);
            if let Some(schema) = schema
                && inside.is_none()
            {
                inside = self.breach(schema, member);
            }
            let mut is_other = schema.is_none();
            if !members.patterns.is_empty() {
                is_other &= !self.look_by_patterns(members, (key, member), &mut inside);
            }
            match &members.others {
                Others::Closed(reason) if is_other => closed = Some(reason),
                Others::Schema(schema) if is_other && inside.is_none() => {
                    inside = self.breach_of_other(*schema, member);
                }
                _ => {}
            }
            if let Some(marks) = &mut marks
                && !(is_other && matches!(members.others, Others::Allowed))
            {
                marks.set(position);
            }
            let is_broken = closed.is_some() || inside.is_some();
            if is_broken && (self.verdict_only || members.has_no_better_reason(missing)) {
                break;
            }
        }
        // Whatever is still missing after a break does not matter.
        let missing = members.missing.get(missing.trailing_zeros() as usize);
        let Some(reason) = missing.or(closed) else { return inside };
        Some(Breach::at(reason, object))
    }

    /// True if a pattern matches the name of a member. Its breach is noted if it is the first.
    #[inline(never)]
    fn look_by_patterns(
        &mut self,
        members: &'r Members,
        (key, member): (Node<'_>, Node<'_>),
        inside: &mut Option<Breach<'r>>,
    ) -> bool {
        let name = key.as_str().unwrap_or_default();
        let mut is_matched = false;
        for (pattern, schema) in &members.patterns {
            self.take_bytes(name.len());
            if pattern.is_match(name) {
                is_matched = true;
                *inside = inside.or_else(|| self.breach(*schema, member));
            }
        }
        is_matched
    }

    // Once is enough to have the whole look at a value written out inside the loop.
    #[inline(never)]
    fn breach_of_other(&mut self, schema: SchemaId, member: Node<'_>) -> Option<Breach<'r>> {
        self.breach(schema, member)
    }
}

impl Members {
    /// True if the names that are still to come cannot give a reason that comes before others.
    fn has_no_better_reason(&self, missing: u64) -> bool {
        missing == 0 && !matches!(self.others, Others::Closed(_))
    }
}

/// The names in `object` that are neither among `names` nor match a pattern.
pub(super) fn others<'d>(object: Node<'d>, names: &[String], patterns: &[Matcher]) -> Vec<&'d str> {
    let is_other = |name: &str| {
        !names.iter().any(|known| known == name) && !patterns.iter().any(|p| p.is_match(name))
    };
    object.members().map(|(name, _)| name).filter(|name| is_other(name)).collect()
}
