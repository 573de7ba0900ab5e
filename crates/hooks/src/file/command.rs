//! `command`.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use assent_runtime::Hook;

use crate::{
    CommandHook, CommandSpec, EnvValue, SecretRef, Terms,
    read::{At, Fields, list, text},
};

pub(super) fn command(at: &At<'_>, terms: Option<Terms>) -> Option<Arc<dyn Hook>> {
    let mut fields = Fields::of(at)?;
    let argv = fields.required("argv", argv);
    let directory = fields.optional("cwd", absolute).unwrap_or_else(|| PathBuf::from("/"));
    let environment = fields.or_default("env", environment);
    let (program, arguments) = argv?;
    let spec = CommandSpec { program, arguments, directory, environment };
    Some(Arc::new(CommandHook::new(terms?, spec)))
}

/// The program and its arguments.
fn argv(at: &At<'_>) -> Option<(PathBuf, Vec<String>)> {
    let mut words = list(at, plain)?.into_iter();
    let Some(program) = words.next() else {
        at.problem("`argv` must at least name a program");
        return None;
    };
    if !program.starts_with('/') {
        at.problem("`argv` must begin with the absolute path of a program: nothing is searched");
        return None;
    }
    Some((program.into(), words.collect()))
}

/// A text that a process can be given.
fn plain(at: &At<'_>) -> Option<String> {
    let text = text(at)?;
    if text.contains('\0') {
        at.problem("a process cannot be given a text with a zero byte");
        return None;
    }
    Some(text)
}

fn absolute(at: &At<'_>) -> Option<PathBuf> {
    let path = plain(at)?;
    if !path.starts_with('/') {
        at.problem("the path must be absolute");
        return None;
    }
    Some(path.into())
}

fn environment(at: &At<'_>) -> Option<BTreeMap<String, EnvValue>> {
    let mut variables = BTreeMap::new();
    for (name, at) in at.entries()? {
        if name.is_empty() || name.contains(['=', '\0']) {
            at.problem("this cannot be the name of an environment variable");
        } else if let Some(value) = value(&at) {
            variables.insert(name.to_owned(), value);
        }
    }
    Some(variables)
}

/// A text, or where it is.
fn value(at: &At<'_>) -> Option<EnvValue> {
    if at.is_object() { secret(at).map(EnvValue::From) } else { plain(at).map(EnvValue::Given) }
}

/// `{"env": NAME}` or `{"file": PATH}`.
pub(super) fn secret(at: &At<'_>) -> Option<SecretRef> {
    let mut fields = Fields::of(at)?;
    let both = (fields.has("env"), fields.has("file"));
    let variable = fields.optional("env", plain).map(SecretRef::Env);
    let file = fields.optional("file", absolute).map(SecretRef::File);
    match both {
        (true, false) | (false, true) => return variable.or(file),
        (true, true) => at.problem("the value is in an `env` variable or in a `file`, not in both"),
        (false, false) => at.problem("say where the value is: in an `env` variable or in a `file`"),
    }
    None
}
