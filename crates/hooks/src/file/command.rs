//! `command`.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use assent_document::{
    Fields, Kind, Node,
    readers::{list, text},
};
use assent_runtime::Hook;

use crate::{CommandHook, CommandSpec, EnvValue, SecretRef, Terms};

pub(super) fn command(node: &Node<'_>, terms: Option<Terms>) -> Option<Arc<dyn Hook>> {
    let mut fields = Fields::of(node)?;
    let argv = fields.required("argv", argv);
    let directory = fields.optional("cwd", absolute).unwrap_or_else(|| PathBuf::from("/"));
    let environment = fields.or_default("env", environment);
    let (program, arguments) = argv?;
    let spec = CommandSpec { program, arguments, directory, environment };
    Some(Arc::new(CommandHook::new(terms?, spec)))
}

/// Reads the program and its arguments.
fn argv(node: &Node<'_>) -> Option<(PathBuf, Vec<String>)> {
    let mut words = list(node, plain)?.into_iter();
    let Some(program) = words.next() else {
        node.problem("`argv` must at least name a program");
        return None;
    };
    if !program.starts_with('/') {
        node.problem("`argv` must begin with the absolute path of a program: nothing is searched");
        return None;
    }
    Some((program.into(), words.collect()))
}

/// Reads a text that can be passed to a process.
fn plain(node: &Node<'_>) -> Option<String> {
    let text = text(node)?;
    if text.contains('\0') {
        node.problem("a process cannot be given a text with a zero byte");
        return None;
    }
    Some(text)
}

fn absolute(node: &Node<'_>) -> Option<PathBuf> {
    let path = plain(node)?;
    if !path.starts_with('/') {
        node.problem("the path must be absolute");
        return None;
    }
    Some(path.into())
}

fn environment(node: &Node<'_>) -> Option<BTreeMap<String, EnvValue>> {
    let mut variables = BTreeMap::new();
    for (name, node) in node.members()? {
        if name.is_empty() || name.contains(['=', '\0']) {
            node.problem("this cannot be the name of an environment variable");
        } else if let Some(value) = value(&node) {
            variables.insert(name.to_owned(), value);
        }
    }
    Some(variables)
}

/// Reads a text, or a reference to a secret.
fn value(node: &Node<'_>) -> Option<EnvValue> {
    if node.kind() == Kind::Object {
        secret(node).map(EnvValue::From)
    } else {
        plain(node).map(EnvValue::Given)
    }
}

/// Reads `{"env": NAME}` or `{"file": PATH}`.
pub(super) fn secret(node: &Node<'_>) -> Option<SecretRef> {
    let mut fields = Fields::of(node)?;
    let both = (fields.has("env"), fields.has("file"));
    let variable = fields.optional("env", plain).map(SecretRef::Env);
    let file = fields.optional("file", absolute).map(SecretRef::File);
    match both {
        (true, false) | (false, true) => return variable.or(file),
        (true, true) => {
            node.problem("the value is in an `env` variable or in a `file`, not in both")
        }
        (false, false) => {
            node.problem("say where the value is: in an `env` variable or in a `file`")
        }
    }
    None
}
