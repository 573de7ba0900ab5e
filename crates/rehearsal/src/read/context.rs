//! The state of reading one file, which readers share.

use std::cell::{Cell, RefCell};

use assent_document::Node;
use assent_policy::RuleSpec;
use assent_runtime::Catalog;

use super::{names::Names, schema::SchemaBudget};
use crate::Pattern;

/// The most patterns of one file, not counting those of schemas.
const MAX_PATTERNS: usize = 500;

/// What is known while a file is read: its names, and what its patterns and schemas may still cost.
#[derive(Default)]
pub(super) struct Context {
    pub(super) names: RefCell<Names>,
    pub(super) schemas: RefCell<SchemaBudget>,
    /// The tools so far, as the runtime registers them.
    pub(super) catalog: RefCell<Catalog>,
    patterns: Cell<usize>,
}

impl Context {
    /// Counts patterns. Reports them if the file has too many.
    fn count_patterns(&self, node: &Node<'_>, count: usize) -> Option<()> {
        self.patterns.set(self.patterns.get().saturating_add(count));
        if self.patterns.get() <= MAX_PATTERNS {
            return Some(());
        }
        node.problem(format!("a file has at most {MAX_PATTERNS} patterns"));
        None
    }

    /// Reads a regular expression.
    pub(super) fn pattern(&self, node: &Node<'_>) -> Option<Pattern> {
        let text = assent_document::readers::text(node)?;
        self.count_patterns(node, 1)?;
        let compiled = Pattern::compile(&text);
        if compiled.is_none() {
            let text = assent_document::quoted(&text);
            node.problem(format!("`{text}` is not a regular expression that can be matched in linear time and little memory"));
        }
        compiled
    }

    /// Reads rules, which compile.
    pub(super) fn rules(&self, node: &Node<'_>) -> Option<Vec<RuleSpec>> {
        let rules = assent_policy::read_rules(node)?;
        let arguments = rules.iter().flat_map(|rule| &rule.arguments);
        self.count_patterns(node, arguments.filter(|test| test.matches.is_some()).count())?;
        Some(rules)
    }
}
