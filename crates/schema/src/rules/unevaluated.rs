//! `unevaluatedProperties` and `unevaluatedItems`: what nothing else in a schema has looked at.
//!
//! Such a schema is walked once, as any other, but notes on the way what its rules look at. A schema
//! that does not fit leaves no notes; neither does one inside `not`.

use assent_json::Node;

use super::{
    Alternatives, Breach, Described, Rule, Schema, SchemaId,
    marks::Marks,
    value::{array, object},
    walk::Walk,
};

impl<'r> Walk<'r> {
    /// The names in `object`, which the last breach is about, that `others` refuses.
    pub(super) fn unevaluated_names<'d>(
        &mut self,
        others: SchemaId,
        object: Node<'d>,
    ) -> Vec<&'d str> {
        let evaluated = std::mem::take(&mut self.evaluated);
        let members = object.members().enumerate();
        let refused = members.filter(|(position, (_, member))| {
            !evaluated.has(*position) && !self.keeps(others, *member)
        });
        refused.map(|(_, (name, _))| name).collect()
    }

    /// The first broken rule of a schema, and what was looked at.
    ///
    /// What a schema has looked at counts for itself first: its neighbours do not help it.
    // Few schemas need it, and all others are quicker without it in the way.
    #[inline(never)]
    pub(super) fn breach_and_marks(
        &mut self,
        schema: &'r Schema,
        value: Node<'_>,
    ) -> (Option<Breach<'r>>, Marks) {
        let mut marks = Marks::default();
        let breach = self.breach_of_own(schema, value, Some(&mut marks));
        let mut rules = schema.rules.iter();
        let breach = breach.or_else(|| {
            rules.find_map(|described| self.breach_marking(described, value, &mut marks))
        });
        (breach, marks)
    }

    fn breach_noting(
        &mut self,
        schema: SchemaId,
        value: Node<'_>,
        marks: &mut Marks,
    ) -> Option<Breach<'r>> {
        let schema = self.look_at(schema)?;
        self.enter()?;
        let (breach, own) = self.breach_and_marks(schema, value);
        self.leave();
        if breach.is_none() {
            marks.add(&own);
        }
        breach
    }

    fn keeps_noting(&mut self, schema: SchemaId, value: Node<'_>, marks: &mut Marks) -> bool {
        let outer = std::mem::replace(&mut self.verdict_only, true);
        let breach = self.breach_noting(schema, value, marks);
        self.verdict_only = outer;
        breach.is_none()
    }

    /// As `breach_of`, for a schema that has to know what was looked at.
    fn breach_marking(
        &mut self,
        described: &'r Described<Rule>,
        value: Node<'_>,
        marks: &mut Marks,
    ) -> Option<Breach<'r>> {
        match &described.rule {
            Rule::Also(schema) => self.breach_noting(*schema, value, marks),
            Rule::Dependent(name, schema) => {
                object(value)?.get(name)?;
                self.breach_noting(*schema, value, marks)
            }
            Rule::If(condition, then, otherwise) => {
                let holds = self.keeps_noting(*condition, value, marks);
                let branch = if holds { then } else { otherwise };
                self.breach_noting((*branch)?, value, marks)
            }
            Rule::AnyOf(Alternatives { schemas, .. }) => {
                let fitting = schemas.iter().filter(|id| self.keeps_noting(**id, value, marks));
                (fitting.count() == 0).then(|| Breach::at(&described.reason, value))
            }
            Rule::OneOf(Alternatives { schemas, .. }, several) => {
                let fitting = schemas.iter().filter(|id| self.keeps_noting(**id, value, marks));
                match fitting.take(2).count() {
                    0 => Some(Breach::at(&described.reason, value)),
                    1 => None,
                    _ => Some(Breach::at(several, value)),
                }
            }
            Rule::ItemAt(index, _) => {
                array(value)?;
                marks.set(*index);
                self.breach_of(described, value)
            }
            Rule::ItemsFrom(..) => {
                array(value)?;
                marks.set_all();
                self.breach_of(described, value)
            }
            Rule::Contains { schema, .. } => {
                for (position, item) in array(value)?.elements().enumerate() {
                    if self.keeps(*schema, item) {
                        marks.set(position);
                    }
                }
                self.breach_of(described, value)
            }
            Rule::UnevaluatedMembers(others) => {
                let members = object(value)?.members().map(|(_, member)| member);
                self.breach_of_unmarked(described, *others, (members, value), marks)
            }
            Rule::UnevaluatedItems(others) => {
                let items = array(value)?.elements();
                self.breach_of_unmarked(described, *others, (items, value), marks)
            }
            Rule::Names(_) | Rule::Not(_) => self.breach_of(described, value),
        }
    }

    fn breach_of_unmarked<'d>(
        &mut self,
        described: &'r Described<Rule>,
        others: SchemaId,
        (parts, whole): (impl Iterator<Item = Node<'d>>, Node<'_>),
        marks: &mut Marks,
    ) -> Option<Breach<'r>> {
        for (position, part) in parts.enumerate() {
            self.take_steps(1);
            if !marks.has(position) && !self.keeps(others, part) {
                if !self.verdict_only {
                    self.evaluated = std::mem::take(marks);
                }
                return Some(Breach::at(&described.reason, whole));
            }
        }
        marks.set_all();
        None
    }
}
