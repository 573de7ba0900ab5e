//! Changes of input schemas, judged by meaning.
//!
//! The question is always: is there an input that the old schema accepts and the new one refuses? If
//! there is none, nothing is breaking, whatever was edited; but the specification names one exception,
//! a changed type. If there is one, it is asked again for each edit: an input that only the old schema
//! accepts, and that this edit alone would have lost as well.

use assent_json::Pointer;
use assent_schema::{
    Comparer, Difference, Edit, EditBudget, EditKind, SchemaHandle, Verdict, edits,
};
use serde_json::Value;

use super::{Change, ChangeKind, Changes, Rule, change::shortened, tools::Tool};

/// The edits of one schema that are judged one by one. With more, the schema is a new one.
const MAX_JUDGED_EDITS: usize = 64;

/// The witnesses of one diff may take this much memory, in bytes. Later changes are reported without.
const MAX_WITNESS_BYTES: usize = 2 << 20;

/// Judges schema after schema, within bounds for all of them together.
#[derive(Default)]
pub(super) struct Judge {
    comparer: Comparer,
    edits: EditBudget,
    witness_bytes: usize,
}

impl Judge {
    pub(super) fn compare(&mut self, old: &Tool<'_>, new: &Tool<'_>, changes: &mut Changes) {
        let (Some(before), Some(after)) = (old.input_schema(), new.input_schema()) else { return };
        if before == after {
            return;
        }
        // Both manifests are valid, so both schemas were inspected.
        let schemas = [before, after].map(|schema| self.comparer.add_usable(schema));
        let Some(edits) = edits(before, after, &mut self.edits) else {
            let [old, new_schema] = schemas;
            let lost = self.comparer.find(&[old], &[new_schema]);
            let path = new.path().key("input_schema");
            changes.add(self.rewritten(new.name, lost, &path), new.scope());
            return;
        };
        let lost = self.lost(before, &edits, schemas);
        let place = |edit: &Edit| {
            let tool = if edit.new.is_some() { new } else { old };
            tool.path().key("input_schema").join(&edit.path)
        };
        let mut explained = false;
        for (edit, verdict) in edits.iter().zip(lost.by_edit) {
            explained |= verdict.lost != Difference::Nothing;
            let change = self::change(new.name, edit, &verdict, &place(edit));
            changes.add(self.with_witness(change, verdict.lost), new.scope());
        }
        if !explained && lost.in_all != Difference::Nothing {
            let path = new.path().key("input_schema");
            let change = together(new.name, before, after, &lost.in_all, &path);
            changes.add(self.with_witness(change, lost.in_all), new.scope());
        }
    }

    /// The change of a schema with too many edits to list them.
    fn rewritten(&mut self, tool: &str, lost: Difference, path: &Pointer) -> Change {
        // Without the edits nothing is known about types, so nothing is proved harmless.
        let (rule, what) = match lost {
            Difference::Witness(_) => (Rule::InputNarrowed, "it refuses what was accepted"),
            Difference::Nothing | Difference::Undecided => {
                (Rule::InputUndecided, "whether it refuses something could not be decided")
            }
        };
        let summary = format!("`{tool}`: the input schema has too many edits to list, and {what}");
        let change = Change::new(ChangeKind::InputSchemaChanged, rule, path, summary);
        self.with_witness(change, lost)
    }

    fn with_witness(&mut self, change: Change, lost: Difference) -> Change {
        let Difference::Witness(witness) = lost else { return change };
        self.witness_bytes += witness.to_string().len();
        let witness = (self.witness_bytes <= MAX_WITNESS_BYTES).then_some(witness);
        Change { witness, ..change }
    }

    /// What is lost by all edits together, and by each of them.
    fn lost(&mut self, old: &Value, edits: &[Edit], [before, after]: [SchemaHandle; 2]) -> Lost {
        let in_all = self.comparer.find(&[before], &[after]);
        let is_equal = in_all == Difference::Nothing
            && edits.iter().any(|edit| !edit.is_annotation)
            && self.comparer.find(&[after], &[before]) == Difference::Nothing;
        let by_edit = edits
            .iter()
            .enumerate()
            .map(|(index, edit)| {
                if edit.is_annotation || is_equal {
                    Judgement { lost: Difference::Nothing, meaning: Meaning::Same }
                } else if index < MAX_JUDGED_EDITS {
                    self.judge(old, edit, before, after, &in_all)
                } else {
                    Judgement { lost: Difference::Nothing, meaning: Meaning::NotAlone }
                }
            })
            .collect();
        Lost { in_all, by_edit }
    }

    fn judge(
        &mut self,
        old: &Value,
        edit: &Edit,
        before: SchemaHandle,
        after: SchemaHandle,
        in_all: &Difference,
    ) -> Judgement {
        let edited = if self.comparer.is_exhausted() {
            None
        } else {
            edit.applied_to(old).and_then(|schema| self.comparer.add_between(&schema))
        };
        // Some edits mean nothing without others, such as a reference to a new definition.
        let Some(edited) = edited else {
            return Judgement { lost: Difference::Nothing, meaning: Meaning::NotAlone };
        };
        let lost = match in_all {
            Difference::Nothing => Difference::Nothing,
            _ => self.comparer.find(&[before], &[after, edited]),
        };
        let alone = self.comparer.compare(before, edited);
        let meaning = match alone.verdict() {
            Verdict::Equal => Meaning::Same,
            Verdict::Wider => Meaning::Wider,
            // What it would lose, another edit makes up for; or it is not known.
            Verdict::Narrower | Verdict::Incomparable | Verdict::Unknown => Meaning::NotAlone,
        };
        Judgement { lost, meaning }
    }
}

struct Lost {
    in_all: Difference,
    by_edit: Vec<Judgement>,
}

/// What one edit does.
struct Judgement {
    /// What is lost by it, and by all edits together.
    lost: Difference,
    /// What it would mean without the others.
    meaning: Meaning,
}

/// What an edit that loses nothing means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Same,
    Wider,
    /// It has a meaning only together with other edits.
    NotAlone,
}

fn change(tool: &str, edit: &Edit, judgement: &Judgement, path: &Pointer) -> Change {
    let (kind, rule) = (kind(edit), rule(edit, judgement));
    let summary = format!("`{tool}`: {}", summary(edit));
    let change = Change::new(kind, rule, path, summary);
    change.from(edit.old.as_ref()).to(edit.new.as_ref())
}

/// The change that several edits make together and none makes alone.
fn together(
    tool: &str,
    old: &Value,
    new: &Value,
    difference: &Difference,
    path: &Pointer,
) -> Change {
    let (rule, summary) = match difference {
        Difference::Undecided => (
            Rule::InputUndecided,
            format!(
                "`{tool}`: whether the new input schema refuses something could not be decided"
            ),
        ),
        _ => (
            Rule::InputNarrowed,
            format!("`{tool}`: the edits of the input schema together refuse what was accepted"),
        ),
    };
    let change = Change::new(ChangeKind::InputSchemaChanged, rule, path, summary);
    change.from(Some(old)).to(Some(new))
}

fn kind(edit: &Edit) -> ChangeKind {
    match edit.kind {
        _ if edit.changes_types && is_keyword(edit) => ChangeKind::TypeChanged,
        EditKind::PropertyAdded => ChangeKind::PropertyAdded,
        EditKind::PropertyRemoved => ChangeKind::PropertyRemoved,
        EditKind::PropertyRenamed => ChangeKind::PropertyRenamed,
        EditKind::RequiredAdded => ChangeKind::RequiredAdded,
        EditKind::RequiredRemoved => ChangeKind::RequiredRemoved,
        EditKind::EnumValueAdded => ChangeKind::EnumValueAdded,
        EditKind::EnumValueRemoved => ChangeKind::EnumValueRemoved,
        EditKind::Reordered => ChangeKind::OrderChanged,
        EditKind::KeywordAdded => ChangeKind::KeywordAdded,
        EditKind::KeywordRemoved => ChangeKind::KeywordRemoved,
        EditKind::KeywordChanged => ChangeKind::KeywordChanged,
    }
}

fn is_keyword(edit: &Edit) -> bool {
    matches!(
        edit.kind,
        EditKind::KeywordAdded | EditKind::KeywordRemoved | EditKind::KeywordChanged
    )
}

fn rule(edit: &Edit, judgement: &Judgement) -> Rule {
    match (&judgement.lost, edit.kind) {
        _ if edit.is_annotation => Rule::InputAnnotated,
        // The one row of the specification's table that holds even if no input is lost. An edit
        // after which the same inputs are accepted changes no type.
        (Difference::Nothing, _) if judgement.meaning == Meaning::Same => Rule::InputEquivalent,
        (Difference::Nothing | Difference::Witness(_), _) if edit.changes_types => {
            Rule::InputTypeChanged
        }
        (Difference::Witness(_), EditKind::RequiredAdded) => Rule::InputRequiredAdded,
        (Difference::Witness(_), EditKind::EnumValueRemoved) => Rule::InputEnumValueRemoved,
        (Difference::Witness(_), _) if closes(edit) => Rule::InputClosed,
        (Difference::Witness(_), _) => Rule::InputNarrowed,
        (Difference::Undecided, _) => Rule::InputUndecided,
        (Difference::Nothing, _) => match judgement.meaning {
            Meaning::Same => Rule::InputEquivalent,
            Meaning::Wider => Rule::InputWidened,
            Meaning::NotAlone => Rule::InputEdited,
        },
    }
}

fn closes(edit: &Edit) -> bool {
    matches!(edit.keyword.as_str(), "additionalProperties" | "unevaluatedProperties")
        && edit.new == Some(Value::Bool(false))
}

fn summary(edit: &Edit) -> String {
    let keyword = if edit.keyword.is_empty() { "the schema" } else { &edit.keyword };
    let field = &edit.field;
    let (of, in_) = if field.is_empty() {
        ("the input".to_owned(), String::new())
    } else {
        (format!("the field `{field}`"), format!(" of the field `{field}`"))
    };
    let shown = |value: &Option<Value>| value.as_ref().map(shortened).unwrap_or_default();
    match edit.kind {
        EditKind::PropertyAdded => format!("the field `{field}` is new"),
        EditKind::PropertyRemoved => format!("the field `{field}` is not described any more"),
        EditKind::PropertyRenamed => {
            format!("the field {} is now called {}", shown(&edit.old), shown(&edit.new))
        }
        EditKind::RequiredAdded => format!("the field `{field}` must now be given"),
        EditKind::RequiredRemoved => format!("the field `{field}` may now be left out"),
        EditKind::EnumValueAdded => format!("{of} may now be {}", shown(&edit.new)),
        EditKind::EnumValueRemoved => format!("{of} may no longer be {}", shown(&edit.old)),
        EditKind::Reordered => format!("`{keyword}`{in_} has another order"),
        _ if keyword == "type" && edit.new.is_some() && edit.old.is_some() => {
            format!("{of} is now {} instead of {}", shown(&edit.new), shown(&edit.old))
        }
        EditKind::KeywordAdded => format!("`{keyword}`{in_} is now {}", shown(&edit.new)),
        EditKind::KeywordRemoved => {
            format!("`{keyword}`{in_} was {} and is gone", shown(&edit.old))
        }
        EditKind::KeywordChanged => {
            format!("`{keyword}`{in_} is now {} instead of {}", shown(&edit.new), shown(&edit.old))
        }
    }
}
