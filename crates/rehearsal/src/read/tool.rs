//! `tools`.

use assent_document::{
    Fields, Kind, Node,
    readers::{boolean, list, parsed, pointer, some_text, text, whole, word},
};
use assent_ids::{CallableName, Namespace};
use assent_protocol::agent_tool::{Flag, FlagExpression, MutationRule, ResourceLock};

use super::{
    context::Context,
    leaf::{field, object, open_word, some_millis},
    load,
    names::{self, NameKind},
    schema::schema,
    script::script,
};
use crate::{
    DEFAULT_NAMESPACE, MutationPolicy, PendingProvider, Persistence, Refusal, Safety, Tool,
};

pub(super) fn tool(node: &Node<'_>, context: &Context) -> Option<Tool> {
    let before = node.problem_count();
    let tool = written(node, context)?;
    if node.problem_count() == before {
        load::tool(node, context, &tool);
    }
    Some(tool)
}

fn written(node: &Node<'_>, context: &Context) -> Option<Tool> {
    let mut fields = Fields::of(node)?;
    let name = fields.required("name", parsed);
    let namespace = fields.optional("namespace", parsed);
    declare_name(node, context, name.as_ref(), namespace.as_ref());
    let run = fields.required("run", script);
    let tool = Tool {
        namespace,
        aliases: fields.or_default("aliases", |node| list(node, parsed)),
        title: fields.optional("title", text),
        description: fields.optional("description", text),
        search_hint: fields.optional("search_hint", text),
        lifecycle: fields.optional("lifecycle", word),
        tool_kind: fields.optional("tool_kind", open_word),
        deferred: fields.or_default("deferred", boolean),
        provider_pending: fields.optional("provider_pending", provider_pending).flatten(),
        input_schema: fields.optional("input_schema", |node| schema(node, context)),
        runtime_input_schema: fields.optional("runtime_input_schema", |node| schema(node, context)),
        output_schema: fields.optional("output_schema", |node| schema(node, context)),
        internal_only_fields: fields.or_default("internal_only_fields", |node| list(node, field)),
        sensitive_fields: fields.or_default("sensitive_fields", |node| list(node, field)),
        defaults: fields.optional("defaults", object),
        mutation_policy: fields.or_default("mutation_policy", mutation_policy),
        safety: fields.or_default("safety", safety),
        locks: fields.or_default("locks", |node| list(node, lock)),
        timeout: fields.optional("timeout_ms", some_millis),
        supports_cancel: fields.optional("supports_cancel", boolean),
        persistence: fields.or_default("persistence", persistence),
        external_mappings: fields.or_default("external_mappings", |node| list(node, object)),
        supports_resume: fields.or_default("supports_resume", boolean),
        refuse: fields.or_default("refuse", |node| list(node, |node| refusal(node, context))),
        name: name?,
        run: run?,
    };
    Some(tool)
}

fn declare_name(
    node: &Node<'_>,
    context: &Context,
    name: Option<&CallableName>,
    namespace: Option<&Namespace>,
) {
    let (Some(name), Some(node)) = (name, node.member("name")) else { return };
    let written = match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_string(),
    };
    let namespace = namespace.map_or(DEFAULT_NAMESPACE, Namespace::as_str);
    names::declare_as(&node, context, NameKind::Tool, &written, format!("{namespace}/{name}"));
}

/// Reads `true`, or the name of the provider.
fn provider_pending(node: &Node<'_>) -> Option<Option<PendingProvider>> {
    match node.kind() {
        Kind::Text => some_text(node).map(|name| Some(PendingProvider::Named(name))),
        _ => boolean(node).map(|pending| pending.then_some(PendingProvider::OfNamespace)),
    }
}

fn mutation_policy(node: &Node<'_>) -> Option<MutationPolicy> {
    let mut fields = Fields::of(node)?;
    let hooks = fields.optional("hooks", word).unwrap_or(MutationRule::Allow);
    let prompts = fields.optional("prompts", word).unwrap_or(MutationRule::Allow);
    Some(MutationPolicy { hooks, prompts })
}

fn safety(node: &Node<'_>) -> Option<Safety> {
    let mut fields = Fields::of(node)?;
    let safety = Safety {
        read_only: fields.optional("read_only", flag),
        concurrency_safe: fields.optional("concurrency_safe", flag),
        destructive: fields.optional("destructive", flag),
        open_world: fields.optional("open_world", flag),
    };
    Some(safety)
}

/// Reads a stated fact, or an expression of the standard that the runtime evaluates.
fn flag(node: &Node<'_>) -> Option<Flag> {
    let Some(text) = node.as_text() else { return boolean(node).map(Flag::Stated) };
    let flag = Flag::Text(text.to_owned());
    if flag.expression() == Some(FlagExpression::Unreadable) {
        node.problem("expected `true`, `false`, `classifier:<id>` or `same_as:<fact>`");
        return None;
    }
    Some(flag)
}

fn lock(node: &Node<'_>) -> Option<ResourceLock> {
    let mut fields = Fields::of(node)?;
    let key = fields.required("key", some_text);
    let mode = fields.required("mode", word);
    Some(ResourceLock::new(key?, mode?))
}

fn persistence(node: &Node<'_>) -> Option<Persistence> {
    let mut fields = Fields::of(node)?;
    let max_inline_chars = fields.optional("max_inline_chars", |node| whole(node, 0..=1 << 32));
    let strategy = fields.optional("strategy", word);
    Some(Persistence { max_inline_chars, strategy })
}

fn refusal(node: &Node<'_>, context: &Context) -> Option<Refusal> {
    let mut fields = Fields::of(node)?;
    let path = fields.required("path", pointer);
    let matches = fields.required("matches", |node| context.pattern(node));
    let class = fields.required("class", word);
    Some(Refusal { path: path?, matches: matches?, class: class? })
}
