//! Schemas as logical formulas over atomic statements about one JSON value.

use std::{collections::BTreeMap, sync::Arc};

use num_rational::BigRational;

/// A formula in an [`Arena`]. Equal formulas have equal ids, so that "the old schema says it, the
/// new one denies it" is seen without looking inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(u32);

/// A statement about a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Formula {
    /// All of these hold; with none, it is true of every value.
    All(Vec<Id>),
    /// At least one of these holds; with none, it is true of no value.
    Any(Vec<Id>),
    /// Exactly one of these holds.
    One(Vec<Id>),
    Not(Id),
    /// If the first holds, the second does, else the third.
    If(Id, Id, Id),
    /// What a definition says; schemas may refer in circles, so this is looked up only when needed.
    Reference(usize),
    Atom(Atom),
}

/// A statement that has no parts, or only parts about *other* values.
///
/// Every atom but [`Atom::Kinds`] and [`Atom::Opaque`] is about one kind of value, and true of all
/// other kinds, just as JSON Schema's keywords are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    Kinds(Kinds),
    BooleanIs(bool),

    NumberIs(BigRational),
    AtLeast(BigRational),
    AtMost(BigRational),
    Above(BigRational),
    Below(BigRational),
    MultipleOf(BigRational),

    StringIs(String),
    LengthAtLeast(u64),
    LengthAtMost(u64),
    Matches(String),
    Format(String),

    /// If there is an item at this index, the formula holds for it.
    ItemAt(u64, Id),
    /// The formula holds for the items from this index on.
    ItemsFrom(u64, Id),
    /// So many items satisfy the formula.
    Contains(Id, u64, Option<u64>),
    ItemsAtLeast(u64),
    ItemsAtMost(u64),
    Distinct,

    Has(String),
    /// If there is a member of this name, the formula holds for it.
    Member(String, Id),
    /// The formula holds for the members whose names match the pattern.
    MatchingMembers(String, Id),
    /// The formula holds for the members with none of these names and matching none of the patterns.
    OtherMembers(Vec<String>, Vec<String>, Id),
    /// The formula holds for the names of all members.
    Names(Id),
    MembersAtLeast(u64),
    MembersAtMost(u64),

    /// Something that is not understood here. Only the validator can tell.
    Opaque(String),
}

/// The kinds of values, with integers apart from other numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueKind {
    String = 1,
    Integer = 2,
    Boolean = 4,
    Object = 8,
    Array = 16,
    Null = 32,
    Fraction = 64,
}

impl ValueKind {
    /// All kinds, those that make the most readable witnesses first.
    pub(crate) const ALL: [Self; 7] = [
        Self::String,
        Self::Integer,
        Self::Boolean,
        Self::Object,
        Self::Array,
        Self::Null,
        Self::Fraction,
    ];
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) fn of(kinds: &[ValueKind]) -> Self {
        Self(kinds.iter().fold(0, |set, kind| set | *kind as u8))
    }

    /// The kinds that the keyword `type` calls by this name.
    pub(crate) fn named(name: &str) -> Self {
        Self::of(match name {
            "null" => &[ValueKind::Null],
            "boolean" => &[ValueKind::Boolean],
            "integer" => &[ValueKind::Integer],
            "number" => &[ValueKind::Integer, ValueKind::Fraction],
            "string" => &[ValueKind::String],
            "array" => &[ValueKind::Array],
            "object" => &[ValueKind::Object],
            _ => &[],
        })
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn all() -> Self {
        Self::of(&ValueKind::ALL)
    }

    pub(crate) fn has(self, kind: ValueKind) -> bool {
        self.0 & kind as u8 != 0
    }
}

impl Atom {
    /// True if the atom says something about values of this kind.
    pub(crate) fn is_about(&self, kind: ValueKind) -> bool {
        match self {
            Self::Kinds(_) | Self::Opaque(_) => true,
            Self::BooleanIs(_) => kind == ValueKind::Boolean,
            Self::NumberIs(_)
            | Self::AtLeast(_)
            | Self::AtMost(_)
            | Self::Above(_)
            | Self::Below(_)
            | Self::MultipleOf(_) => matches!(kind, ValueKind::Integer | ValueKind::Fraction),
            Self::StringIs(_)
            | Self::LengthAtLeast(_)
            | Self::LengthAtMost(_)
            | Self::Matches(_)
            | Self::Format(_) => kind == ValueKind::String,
            Self::ItemAt(..)
            | Self::ItemsFrom(..)
            | Self::Contains(..)
            | Self::ItemsAtLeast(_)
            | Self::ItemsAtMost(_)
            | Self::Distinct => kind == ValueKind::Array,
            Self::Has(_)
            | Self::Member(..)
            | Self::MatchingMembers(..)
            | Self::OtherMembers(..)
            | Self::Names(_)
            | Self::MembersAtLeast(_)
            | Self::MembersAtMost(_) => kind == ValueKind::Object,
        }
    }
}

/// Holds formulas, each once.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    formulas: Vec<Arc<Formula>>,
    ids: BTreeMap<Arc<Formula>, Id>,
    definitions: Vec<Option<Id>>,
}

impl Arena {
    pub(crate) fn add(&mut self, formula: Formula) -> Id {
        if let Some(id) = self.ids.get(&formula) {
            return *id;
        }
        let id = Id(u32::try_from(self.formulas.len()).unwrap_or(u32::MAX));
        let formula = Arc::new(formula);
        self.formulas.push(Arc::clone(&formula));
        self.ids.insert(formula, id);
        id
    }

    pub(crate) fn atom(&mut self, atom: Atom) -> Id {
        self.add(Formula::Atom(atom))
    }

    pub(crate) fn always(&mut self) -> Id {
        self.add(Formula::All(Vec::new()))
    }

    pub(crate) fn never(&mut self) -> Id {
        self.add(Formula::Any(Vec::new()))
    }

    /// The conjunction of `parts`; a single part is its own conjunction.
    pub(crate) fn all(&mut self, mut parts: Vec<Id>) -> Id {
        parts.sort_unstable();
        parts.dedup();
        match *parts {
            [only] => only,
            _ => self.add(Formula::All(parts)),
        }
    }

    /// The disjunction of `parts`; a single part is its own disjunction.
    pub(crate) fn any(&mut self, mut parts: Vec<Id>) -> Id {
        parts.sort_unstable();
        parts.dedup();
        match *parts {
            [only] => only,
            _ => self.add(Formula::Any(parts)),
        }
    }

    pub(crate) fn get(&self, id: Id) -> &Formula {
        const NEVER: &Formula = &Formula::Any(Vec::new());
        // INVARIANT: ids are made by `add` alone, and nothing is ever removed.
        self.formulas.get(id.0 as usize).map_or(NEVER, |formula| formula)
    }

    /// The formula, for those who change the arena while they hold it.
    pub(crate) fn share(&self, id: Id) -> Arc<Formula> {
        let formula = self.formulas.get(id.0 as usize).cloned();
        formula.unwrap_or_else(|| Arc::new(Formula::Any(Vec::new())))
    }

    /// The number of parts of a formula.
    pub(crate) fn width(&self, id: Id) -> usize {
        match self.get(id) {
            Formula::All(ids) | Formula::Any(ids) | Formula::One(ids) => ids.len(),
            Formula::If(..) => 3,
            Formula::Not(_) | Formula::Reference(_) | Formula::Atom(_) => 1,
        }
    }

    /// Makes room for a definition that [`Arena::define`] will fill.
    pub(crate) fn reserve(&mut self) -> usize {
        self.definitions.push(None);
        self.definitions.len() - 1
    }

    pub(crate) fn define(&mut self, definition: usize, id: Id) {
        if let Some(slot) = self.definitions.get_mut(definition) {
            *slot = Some(id);
        }
    }

    pub(crate) fn definition(&self, definition: usize) -> Option<Id> {
        self.definitions.get(definition).copied().flatten()
    }
}
