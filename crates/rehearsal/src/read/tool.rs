//! `tools`.

use assent_ids::{CallableName, Namespace};
use assent_protocol::agent_tool::{Flag, FlagExpression, MutationRule, ResourceLock};

use super::{
    at::At,
    fields::Fields,
    leaf::{
        boolean, field, id, list, object, open_word, pattern, pointer, some_millis, some_text,
        text, whole, word,
    },
    load,
    names::{self, Kind},
    schema::schema,
    script::script,
    tree::Data,
};
use crate::{
    DEFAULT_NAMESPACE, MutationPolicy, PendingProvider, Persistence, Refusal, Safety, Tool,
};

pub(super) fn tool(at: &At<'_>) -> Option<Tool> {
    let before = at.reading.count();
    let tool = written(at)?;
    if at.reading.count() == before {
        load::tool(at, &tool);
    }
    Some(tool)
}

fn written(at: &At<'_>) -> Option<Tool> {
    let mut fields = Fields::of(at)?;
    let name = fields.required("name", id);
    let namespace = fields.optional("namespace", id);
    give_name(at, name.as_ref(), namespace.as_ref());
    let run = fields.required("run", script);
    let tool = Tool {
        namespace,
        aliases: fields.or_default("aliases", |at| list(at, id)),
        title: fields.optional("title", text),
        description: fields.optional("description", text),
        search_hint: fields.optional("search_hint", text),
        lifecycle: fields.optional("lifecycle", word),
        tool_kind: fields.optional("tool_kind", open_word),
        deferred: fields.or_default("deferred", boolean),
        provider_pending: fields.optional("provider_pending", provider_pending).flatten(),
        input_schema: fields.optional("input_schema", schema),
        runtime_input_schema: fields.optional("runtime_input_schema", schema),
        output_schema: fields.optional("output_schema", schema),
        internal_only_fields: fields.or_default("internal_only_fields", |at| list(at, field)),
        sensitive_fields: fields.or_default("sensitive_fields", |at| list(at, field)),
        defaults: fields.optional("defaults", object),
        mutation_policy: fields.or_default("mutation_policy", mutation_policy),
        safety: fields.or_default("safety", safety),
        locks: fields.or_default("locks", |at| list(at, lock)),
        timeout: fields.optional("timeout_ms", some_millis),
        supports_cancel: fields.optional("supports_cancel", boolean),
        persistence: fields.or_default("persistence", persistence),
        external_mappings: fields.or_default("external_mappings", |at| list(at, object)),
        supports_resume: fields.or_default("supports_resume", boolean),
        refuse: fields.or_default("refuse", |at| list(at, refusal)),
        name: name?,
        run: run?,
    };
    Some(tool)
}

fn give_name(at: &At<'_>, name: Option<&CallableName>, namespace: Option<&Namespace>) {
    let (Some(name), Some(at)) = (name, at.member("name")) else { return };
    let written = match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_string(),
    };
    let namespace = namespace.map_or(DEFAULT_NAMESPACE, Namespace::as_str);
    names::give_as(&at, Kind::Tool, &written, format!("{namespace}/{name}"));
}

/// `true`, or the name of the provider.
fn provider_pending(at: &At<'_>) -> Option<Option<PendingProvider>> {
    match &at.node.data {
        Data::Text(_) => some_text(at).map(|name| Some(PendingProvider::Named(name))),
        _ => boolean(at).map(|pending| pending.then_some(PendingProvider::OfNamespace)),
    }
}

fn mutation_policy(at: &At<'_>) -> Option<MutationPolicy> {
    let mut fields = Fields::of(at)?;
    let hooks = fields.optional("hooks", word).unwrap_or(MutationRule::Allow);
    let prompts = fields.optional("prompts", word).unwrap_or(MutationRule::Allow);
    Some(MutationPolicy { hooks, prompts })
}

fn safety(at: &At<'_>) -> Option<Safety> {
    let mut fields = Fields::of(at)?;
    let safety = Safety {
        read_only: fields.optional("read_only", flag),
        concurrency_safe: fields.optional("concurrency_safe", flag),
        destructive: fields.optional("destructive", flag),
        open_world: fields.optional("open_world", flag),
    };
    Some(safety)
}

/// A fact that is stated, or that the runtime finds out as the standard's texts say.
fn flag(at: &At<'_>) -> Option<Flag> {
    let Data::Text(text) = &at.node.data else { return boolean(at).map(Flag::Stated) };
    let flag = Flag::Text(text.clone());
    if flag.expression() == Some(FlagExpression::Unreadable) {
        at.problem("expected `true`, `false`, `classifier:<id>` or `same_as:<fact>`");
        return None;
    }
    Some(flag)
}

fn lock(at: &At<'_>) -> Option<ResourceLock> {
    let mut fields = Fields::of(at)?;
    let key = fields.required("key", some_text);
    let mode = fields.required("mode", word);
    Some(ResourceLock::new(key?, mode?))
}

fn persistence(at: &At<'_>) -> Option<Persistence> {
    let mut fields = Fields::of(at)?;
    let max_inline_chars = fields.optional("max_inline_chars", |at| whole(at, 0..=1 << 32));
    let strategy = fields.optional("strategy", word);
    Some(Persistence { max_inline_chars, strategy })
}

fn refusal(at: &At<'_>) -> Option<Refusal> {
    let mut fields = Fields::of(at)?;
    let path = fields.required("path", pointer);
    let matches = fields.required("matches", pattern);
    let class = fields.required("class", word);
    Some(Refusal { path: path?, matches: matches?, class: class? })
}
