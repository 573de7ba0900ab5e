//! Whether a value keeps the rules, as far as that is understood here.

use assent_json::Kind;
use jsonschema::json::{Array as _, Node as _, Object as _};

use serde_json::Value;

use super::{Explainer, NodeId, Rule, Values, Verdict};
use crate::{
    compare::{Kinds, ValueKind},
    representation::Instance,
};

impl Verdict {
    fn of(kept: bool) -> Self {
        if kept { Self::Kept } else { Self::Broken }
    }

    fn negated(self) -> Self {
        match self {
            Self::Kept => Self::Broken,
            Self::Broken => Self::Kept,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Kept if all are, broken if one is.
    fn all(verdicts: impl Iterator<Item = Self>) -> Self {
        let mut unknown = false;
        for verdict in verdicts {
            match verdict {
                Self::Broken => return Self::Broken,
                Self::Unknown => unknown = true,
                Self::Kept => {}
            }
        }
        if unknown { Self::Unknown } else { Self::Kept }
    }
}

impl Explainer {
    /// Whether `value` keeps all rules of a schema.
    pub(super) fn judge(&self, schema: NodeId, value: Instance<'_>) -> Verdict {
        let rules = self.nodes.get(schema).map_or(&[][..], Vec::as_slice);
        Verdict::all(rules.iter().map(|described| self.judge_rule(&described.rule, value)))
    }

    pub(super) fn judge_rule(&self, rule: &Rule, value: Instance<'_>) -> Verdict {
        match rule {
            Rule::Nothing => Verdict::Broken,
            Rule::Types(kinds, _) => Verdict::of(has_kind(value, *kinds)),
            Rule::Values(values) => Verdict::of(values.contain(value)),
            Rule::Also(schema) => self.judge(*schema, value),
            Rule::AnyOf(schemas) => {
                let each = schemas.iter().map(|schema| self.judge(*schema, value).negated());
                Verdict::all(each).negated()
            }
            Rule::OneOf(schemas) => self.judge_one(schemas, value).0,
            Rule::Not(schema) => self.judge(*schema, value).negated(),
            Rule::If(condition, then, otherwise) => {
                let branch = match self.judge(*condition, value) {
                    Verdict::Kept => then,
                    Verdict::Broken => otherwise,
                    Verdict::Unknown => return Verdict::Unknown,
                };
                branch.map_or(Verdict::Kept, |schema| self.judge(schema, value))
            }
            Rule::Number(comparison, limit) => match number(value) {
                Some(number) => Verdict::of(comparison.holds(number, *limit)),
                None => Verdict::Kept,
            },
            Rule::MultipleOf(divisor) => judge_multiple(value, *divisor),
            Rule::LengthAtLeast(_)
            | Rule::LengthAtMost(_)
            | Rule::Pattern(..)
            | Rule::Format(..) => judge_string(rule, value),
            Rule::ItemAt(..)
            | Rule::ItemsFrom(..)
            | Rule::ItemsAtLeast(_)
            | Rule::ItemsAtMost(_)
            | Rule::Distinct => self.judge_array(rule, value),
            Rule::Members(members) => self.judge_members(members, value),
            Rule::Names(_)
            | Rule::MembersAtLeast(_)
            | Rule::MembersAtMost(_)
            | Rule::Dependent(..) => self.judge_object(rule, value),
            // The first two are parts of `Members` and judged there.
            Rule::Required(_) | Rule::Closed(..) | Rule::Unknown => Verdict::Unknown,
        }
    }

    /// Whether exactly one schema is kept, and how many surely are.
    pub(super) fn judge_one(&self, schemas: &[NodeId], value: Instance<'_>) -> (Verdict, u32) {
        let (mut kept, mut unknown) = (0, 0);
        for schema in schemas {
            match self.judge(*schema, value) {
                Verdict::Kept => kept += 1,
                Verdict::Unknown => unknown += 1,
                Verdict::Broken => {}
            }
        }
        let verdict = match (kept, unknown) {
            (2.., _) | (0, 0) => Verdict::Broken,
            (1, 0) => Verdict::Kept,
            _ => Verdict::Unknown,
        };
        (verdict, kept)
    }

    fn judge_array(&self, rule: &Rule, value: Instance<'_>) -> Verdict {
        let Some(array) = value.as_array() else { return Verdict::Kept };
        match rule {
            Rule::ItemsAtLeast(least) => Verdict::of(array.len() as u64 >= *least),
            Rule::ItemsAtMost(most) => Verdict::of(array.len() as u64 <= *most),
            Rule::Distinct => Verdict::of(array.is_unique()),
            Rule::ItemAt(index, schema) => match array.elements().nth(*index) {
                Some(item) => self.judge(*schema, item),
                None => Verdict::Kept,
            },
            Rule::ItemsFrom(first, schema) => {
                let items = array.elements().skip(*first);
                Verdict::all(items.map(|item| self.judge(*schema, item)))
            }
            _ => Verdict::Unknown,
        }
    }

    fn judge_object(&self, rule: &Rule, value: Instance<'_>) -> Verdict {
        let Some(object) = value.as_object() else { return Verdict::Kept };
        match rule {
            Rule::MembersAtLeast(least) => Verdict::of(object.len() as u64 >= *least),
            Rule::MembersAtMost(most) => Verdict::of(object.len() as u64 <= *most),
            Rule::Dependent(name, schema) => match object.get(name) {
                Some(_) => self.judge(*schema, value),
                None => Verdict::Kept,
            },
            Rule::Names(schema) => Verdict::all(
                object.members().map(|(name, _)| self.judge(*schema, Instance::Name(name))),
            ),
            _ => Verdict::Unknown,
        }
    }
}

impl Values {
    fn contain(&self, value: Instance<'_>) -> bool {
        match value.as_string() {
            Some(text) => self.strings.iter().any(|option| *option == text),
            None => self.others.iter().any(|option| value.equals_value(option)),
        }
    }
}

fn has_kind(value: Instance<'_>, kinds: Kinds) -> bool {
    let Instance::Value(node) = value else { return kinds.has(ValueKind::String) };
    kinds.has(match node.kind() {
        Kind::Null => ValueKind::Null,
        Kind::Boolean => ValueKind::Boolean,
        Kind::String => ValueKind::String,
        Kind::Array => ValueKind::Array,
        Kind::Object => ValueKind::Object,
        Kind::Number => match node.as_number() {
            Some(number) if number.is_integer() => ValueKind::Integer,
            _ => ValueKind::Fraction,
        },
    })
}

fn number(value: Instance<'_>) -> Option<f64> {
    let Instance::Value(node) = value else { return None };
    node.as_number().map(|number| number.as_f64())
}

/// Integers are divided exactly; fractions are left to the validator.
fn judge_multiple(value: Instance<'_>, divisor: i64) -> Verdict {
    let Instance::Value(node) = value else { return Verdict::Kept };
    match node.as_number().map(|number| number.as_i64()) {
        None => Verdict::Kept,
        Some(Some(integer)) => Verdict::of(integer.checked_rem(divisor) == Some(0)),
        Some(None) => Verdict::Unknown,
    }
}

fn judge_string(rule: &Rule, value: Instance<'_>) -> Verdict {
    let Some(text) = value.as_string() else { return Verdict::Kept };
    let length = || text.chars().count() as u64;
    Verdict::of(match rule {
        Rule::LengthAtLeast(least) => length() >= *least,
        Rule::LengthAtMost(most) => length() <= *most,
        Rule::Pattern(pattern, _) => pattern.is_match(text.as_bytes()),
        Rule::Format(_, format) => format.is_valid(&Value::String(text.into_owned())),
        _ => return Verdict::Unknown,
    })
}
