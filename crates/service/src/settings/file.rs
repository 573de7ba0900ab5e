//! The file, in TOML. Whatever is wrong with it is told at once, each with its line.

use std::{fs::File, io::Read as _, path::Path};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Count, Given, Origin, Place, Setting};

/// The longest file that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// How far a name may be from a known one to be taken for a typing mistake: three letters in ten.
const ALIKE: f64 = 0.7;

/// Reads the file at `path` into `given`.
pub(super) fn read(path: &Path, given: &mut Given) {
    let name = path.display().to_string();
    let mut text = String::new();
    let opened = File::open(path);
    let outcome = opened.and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    match outcome {
        Err(error) => given.complain(Place::File(name), format!("it cannot be read: {error}")),
        Ok(length) if u64::try_from(length).unwrap_or(u64::MAX) > MAX_BYTES => {
            given.complain(Place::File(name), format!("it has more than {MAX_BYTES} bytes"));
        }
        Ok(_) => Reader { name, text: &text, given }.read(),
    }
}

struct Reader<'r> {
    name: String,
    text: &'r str,
    given: &'r mut Given,
}

impl Reader<'_> {
    fn read(mut self) {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        let mut line_before = None;
        for error in errors {
            let offset = error.span().map_or(0, |span| span.start);
            let line = self.text.get(..offset).map(|before| before.matches('\n').count());
            // What follows a mistake on its line mostly follows from it.
            if line.is_none() || line != line_before {
                self.complain(offset, error.message().to_owned());
            }
            line_before = line;
        }
        self.table(table.get_ref(), "");
    }

    fn table(&mut self, table: &DeTable<'_>, prefix: &str) {
        for (key, value) in table {
            let offset = key.span().start;
            let name = format!("{prefix}{}", key.get_ref());
            let settings = self.given.settings();
            let inside = format!("{name}.");
            match (settings.iter().find(|setting| setting.name == name), value.get_ref()) {
                (Some(setting), _) => self.setting(setting, offset, value),
                (None, DeValue::Table(table))
                    if settings.iter().any(|setting| setting.name.starts_with(&inside)) =>
                {
                    self.table(table, &inside);
                }
                (None, _) => self.complain(offset, unknown(&name, settings)),
            }
        }
    }

    fn setting(&mut self, setting: &'static Setting, offset: usize, value: &Spanned<DeValue<'_>>) {
        let values = match (setting.count, value.get_ref()) {
            (Count::Many, DeValue::Array(array)) => {
                array.iter().map(|value| word(value.get_ref())).collect()
            }
            (Count::Many, _) => None,
            (Count::One, value) => word(value).map(|word| vec![word]),
        };
        match values {
            Some(values) => {
                let origin = Origin::File(self.name.clone(), self.line(offset));
                self.given.put(setting.name, values, origin);
            }
            None => {
                let wanted = match setting.count {
                    Count::One => "a text or a number",
                    Count::Many => "a list of texts, such as `[\"…\"]`",
                };
                self.complain(offset, format!("`{}` takes {wanted}", setting.name));
            }
        }
    }

    fn complain(&mut self, offset: usize, text: String) {
        let place = Place::Line(self.name.clone(), self.line(offset));
        self.given.complain(place, text);
    }

    fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or(self.text.as_bytes());
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

/// A value that is one word: texts, numbers, `true` and `false`.
fn word(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Boolean(yes) => Some(yes.to_string()),
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn unknown(name: &str, settings: &[Setting]) -> String {
    let nearest = settings
        .iter()
        .map(|setting| (strsim::normalized_damerau_levenshtein(name, setting.name), setting.name))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|left, right| left.0.total_cmp(&right.0));
    match nearest {
        Some((_, nearest)) => {
            format!("there is no setting `{name}`; did you mean `{nearest}`?")
        }
        None => format!("there is no setting `{name}`"),
    }
}
