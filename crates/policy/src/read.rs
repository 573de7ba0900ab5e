//! Rules in documents: read from JSON, YAML or TOML, with every mistake at its line.

mod argument;

use std::collections::BTreeMap;

use assent_document::{
    Fields, Format, Kind, Node, Problems, quoted,
    readers::{any, boolean, list, some_text, text, word},
};
use assent_json::Position;

use self::argument::argument;
use crate::{
    Decision, Example, Policy, ProblemKind, RuleSpec, policy::MAX_RULES, problem::Faults,
    rule::Rule,
};

impl Policy {
    /// Reads a policy from a document: a list of rules, or an object with such a list under `rules`.
    ///
    /// ```
    /// use assent_document::Format;
    /// use assent_policy::Policy;
    ///
    /// let policy = Policy::read(b"
    /// rules:
    ///   - {id: work, behavior: allow, tool: files/read}
    ///   - {id: keys, behavior: deny, arguments: [{path: /path, under: /work/keys}]}
    /// ", Format::Yaml);
    /// assert!(policy.is_ok());
    ///
    /// let problems = Policy::read(b"- {id: work, behavior: alow}", Format::Yaml).unwrap_err();
    /// assert_eq!(
    ///     problems.to_string(),
    ///     "/0/behavior (1:24): expected one of `allow`, `ask`, `deny`, found `alow`"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Every mistake of every rule, with its line.
    pub fn read(document: &[u8], format: Format) -> Result<Self, Problems> {
        assent_document::read(document, format, |node| {
            let rules = match node.kind() {
                Kind::List => rules(node),
                _ => Fields::of(node)?.required("rules", rules),
            };
            Self::from_rules(node, &rules?)
        })
    }

    /// Loads rules that were read with [`read_rules`](crate::read_rules) from the document that `node` belongs to.
    #[must_use]
    pub fn from_rules(node: &Node<'_>, rules: &[RuleSpec]) -> Option<Self> {
        let report = |problems: Vec<crate::PolicyProblem>| {
            problems.iter().for_each(|problem| node.problem(problem.to_string()));
        };
        Self::load(rules).map_err(report).ok()
    }
}

/// Reads a list of rules. Every rule that is returned compiles, and no two have the same id.
#[must_use]
pub fn rules(node: &Node<'_>) -> Option<Vec<RuleSpec>> {
    let items: Vec<Node<'_>> = node.items()?.collect();
    if items.len() > MAX_RULES {
        node.problem(ProblemKind::TooManyRules(MAX_RULES).to_string());
        return None;
    }
    let mut ids = BTreeMap::new();
    Some(items.iter().filter_map(|item| rule(item, &mut ids)).collect())
}

/// Reads one rule and compiles it, so that all its mistakes are found. `ids` are the ids of the rules
/// before it.
fn rule(node: &Node<'_>, ids: &mut BTreeMap<String, Position>) -> Option<RuleSpec> {
    let problems_before = node.problem_count();
    let spec = rule_spec(node, ids)?;
    let is_whole = node.problem_count() == problems_before;
    let mut faults = Faults::new();
    Rule::compile(&spec, &mut faults);
    for (pointer, kind) in faults {
        match kind {
            // The reader of conditions has reported it.
            ProblemKind::NoTest => {}
            // Conditions that could not be read are missing from the rule that was compiled.
            ProblemKind::MatchExample | ProblemKind::NotMatchExample if !is_whole => {}
            kind => node.nearest(&pointer).problem(kind.to_string()),
        }
    }
    (node.problem_count() == problems_before).then_some(spec)
}

fn rule_spec(node: &Node<'_>, ids: &mut BTreeMap<String, Position>) -> Option<RuleSpec> {
    let mut fields = Fields::of(node)?;
    let id = fields.required("id", |node| unique_id(node, ids));
    let behavior = fields.required("behavior", word::<Decision>);
    let source = fields.optional("source", word);
    let tool = fields.optional("tool", text);
    let definition = fields.optional("definition", some_text);
    let operation = fields.optional("operation", some_text);
    let actor = fields.optional("actor", some_text);
    let arguments = fields.or_default("arguments", |node| list(node, argument));
    let bypass_immune = fields.or_default("bypass_immune", boolean);
    let matching = fields.or_default("match", |node| list(node, example));
    let not_matching = fields.or_default("not_match", |node| list(node, example));
    Some(RuleSpec {
        id: id?,
        behavior: behavior?.behavior(),
        source,
        tool,
        definition,
        operation,
        actor,
        arguments,
        bypass_immune,
        matching,
        not_matching,
    })
}

fn unique_id(node: &Node<'_>, ids: &mut BTreeMap<String, Position>) -> Option<String> {
    let id = text(node)?;
    match ids.get(&id) {
        Some(first) => {
            let (id, line) = (quoted(&id), first.line);
            node.problem(format!("another rule is called `{id}`, in line {line}"));
            return None;
        }
        None => ids.insert(id.clone(), node.position()),
    };
    Some(id)
}

fn example(node: &Node<'_>) -> Option<Example> {
    let mut fields = Fields::of(node)?;
    let tool = fields.optional("tool", some_text);
    let operation = fields.optional("operation", some_text);
    let actor = fields.optional("actor", some_text);
    let input = fields.required("input", any);
    Some(Example { tool, operation, actor, input: input? })
}
