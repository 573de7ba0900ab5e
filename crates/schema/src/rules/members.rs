//! The members of an object: `properties`, `required`, `patternProperties` and
//! `additionalProperties`, looked at in one pass.

use assent_json::Node;

use super::{
    Breach, Matcher, Reason, SchemaId,
    marks::Marks,
    place,
    subject::Subject,
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
    /// The last of those names. Among alternatives the first ones tend to be the same.
    pub(super) telling: Option<String>,
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
        for (position, (name, member)) in object.members().enumerate() {
            self.take_steps(1 + name.len() / BYTES_PER_STEP);
            let known = members.names.find(name);
            missing &= !known.map_or(0, |known| known.required);
            let mut is_other = true;
            if let Some(schema) = known.and_then(|known| known.schema) {
                is_other = false;
                inside = inside.or_else(|| self.breach_of_member(schema, name, member));
            }
            for (pattern, schema) in &members.patterns {
                self.take_bytes(name.len());
                if pattern.is_match(name) {
                    is_other = false;
                    inside = inside.or_else(|| self.breach_of_member(*schema, name, member));
                }
            }
            match &members.others {
                Others::Closed(reason) if is_other => closed = Some(reason),
                Others::Schema(schema) if is_other => {
                    inside = inside.or_else(|| self.breach_of_member(*schema, name, member));
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
        self.path.clear();
        Some(Breach { reason, at: object.index() })
    }

    fn breach_of_member(
        &mut self,
        schema: SchemaId,
        name: &str,
        member: Node<'_>,
    ) -> Option<Breach<'r>> {
        let breach = self.breach(schema, &Subject::value(member))?;
        if !self.verdict_only {
            place::prepend_name(&mut self.path, name);
        }
        Some(breach)
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
