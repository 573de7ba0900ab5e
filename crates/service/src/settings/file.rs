//! The settings file, in TOML.

use std::{fs::File, io::Read as _, path::Path};

use assent_document::{Format, Kind, Node, nearest, readers::any};
use serde_json::Value;

use super::{Count, Given, Location, Origin, Setting};

/// The longest file that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// Reads the file at `path` into `given`, with every mistake in it.
pub(super) fn read(path: &Path, given: &mut Given) {
    let name = path.display().to_string();
    let mut text = String::new();
    let opened = File::open(path);
    let outcome = opened.and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    match outcome {
        Err(error) => given.complain(Location::File(name), format!("it cannot be read: {error}")),
        Ok(length) if u64::try_from(length).unwrap_or(u64::MAX) > MAX_BYTES => {
            given.complain(Location::File(name), format!("it has more than {MAX_BYTES} bytes"));
        }
        Ok(_) => read_text(&name, &text, given),
    }
}

fn read_text(name: &str, text: &str, given: &mut Given) {
    let read = assent_document::read_confidential(text.as_bytes(), Format::Toml, |node| {
        table(node, "", name, given)
    });
    for problem in read.err().iter().flatten() {
        let location = Location::Line(name.to_owned(), problem.line);
        given.complain(location, problem.message.clone());
    }
}

/// Reads a table whose keys begin with `prefix`.
fn table(node: &Node<'_>, prefix: &str, file: &str, given: &mut Given) -> Option<()> {
    for (key, value) in node.members()? {
        let name = format!("{prefix}{key}");
        let inside = format!("{name}.");
        let settings = given.settings();
        let is_table = value.kind() == Kind::Object
            && settings.iter().any(|setting| setting.name.starts_with(&inside));
        match settings.iter().find(|setting| setting.name == name) {
            Some(setting) => self::setting(&value, setting, file, given),
            None if is_table => table(&value, &inside, file, given)?,
            None => value.problem(unknown(&name, settings)),
        }
    }
    Some(())
}

fn setting(node: &Node<'_>, setting: &'static Setting, file: &str, given: &mut Given) {
    let values = match (setting.count, any(node)) {
        (Count::Many, Some(Value::Array(values))) => values.iter().map(word).collect(),
        (Count::Many, _) => None,
        (Count::One, value) => value.as_ref().and_then(word).map(|word| vec![word]),
    };
    match (values, setting.count) {
        (Some(values), _) => {
            let origin = Origin::File(file.to_owned(), node.position().line);
            given.put(setting.name, values, origin);
        }
        (None, Count::One) => node.problem(format!("`{}` takes a text or a number", setting.name)),
        (None, Count::Many) => {
            node.problem(format!("`{}` takes a list of texts, such as `[\"…\"]`", setting.name))
        }
    }
}

/// A value that is one word: a text, a whole number, `true` or `false`.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        Value::Bool(boolean) => Some(boolean.to_string()),
        Value::Number(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn unknown(name: &str, settings: &[Setting]) -> String {
    match nearest(name, settings.iter().map(|setting| setting.name)) {
        Some(nearest) => format!("there is no setting `{name}`; did you mean `{nearest}`?"),
        None => format!("there is no setting `{name}`"),
    }
}
