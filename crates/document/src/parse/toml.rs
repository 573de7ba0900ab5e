//! Parses TOML. Reading continues after a syntax error, so that all mistakes are found.

use assent_json::{MAX_DEPTH, Pointer, ReadErrorKind};
use toml::{
    Spanned,
    de::{DeInteger, DeTable, DeValue},
};

use super::number;
use crate::{
    budget::Budget,
    report::Report,
    tree::{Data, Located, Member},
};

pub(crate) fn parse(text: &[u8], report: &Report<'_>) -> Option<Located> {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let message = ReadErrorKind::InvalidUtf8.to_string();
            report.problem(error.valid_up_to(), &Pointer::root(), message);
            return None;
        }
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut previous_line = None;
    for error in errors {
        let offset = error.span().map_or(0, |span| span.start);
        let line = text.get(..offset).map(|before| before.matches('\n').count());
        // Further errors in a line mostly follow from the first one.
        if line.is_none() || line != previous_line {
            report.problem(offset, &Pointer::root(), error.message());
        }
        previous_line = line;
    }
    let mut converter = Converter { report, budget: Budget::default() };
    let data = converter.table(table.get_ref(), &Pointer::root(), 0);
    data.map(|data| Located { offset: 0, data })
        .map_err(|message| report.problem(0, &Pointer::root(), message))
        .ok()
}

struct Converter<'r, 't> {
    report: &'r Report<'t>,
    budget: Budget,
}

impl Converter<'_, '_> {
    fn table(&mut self, table: &DeTable<'_>, path: &Pointer, depth: usize) -> Result<Data, String> {
        let mut members = Vec::with_capacity(table.len());
        for (key, value) in table {
            self.budget.spend_value(key.get_ref().len())?;
            let path = path.key(key.get_ref());
            let value = self.value(value, &path, depth + 1)?;
            let key_offset = key.span().start;
            members.push(Member { key: key.get_ref().to_string(), key_offset, value });
        }
        // The library sorts the members by their keys.
        members.sort_by_key(|member| member.key_offset);
        Ok(Data::Object(members))
    }

    fn value(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        path: &Pointer,
        depth: usize,
    ) -> Result<Located, String> {
        if depth > MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep.to_string());
        }
        // The library puts a value without a span in the place of a syntax error.
        if value.span() == (0..0) {
            return Ok(Located { offset: 0, data: Data::Refused });
        }
        let offset = value.span().start;
        let data = match value.get_ref() {
            DeValue::String(text) => {
                self.budget.spend_value(text.len())?;
                Data::Text(text.to_string())
            }
            DeValue::Boolean(boolean) => {
                self.budget.spend_value(0)?;
                Data::Boolean(*boolean)
            }
            DeValue::Integer(integer) => self.scalar(integer_of(integer), path, offset)?,
            DeValue::Float(float) => self.scalar(float_of(float.as_str()), path, offset)?,
            DeValue::Datetime(time) => {
                self.report.problem(offset, path, "put dates and times into quotes");
                Data::Text(time.to_string())
            }
            DeValue::Array(items) => {
                self.budget.spend_value(0)?;
                let items = items.iter().enumerate();
                let items = items.map(|(at, item)| self.value(item, &path.index(at), depth + 1));
                Data::List(items.collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => self.table(table, path, depth)?,
        };
        Ok(Located { offset, data })
    }

    fn scalar(
        &mut self,
        read: Result<Data, String>,
        path: &Pointer,
        offset: usize,
    ) -> Result<Data, String> {
        self.budget.spend_value(0)?;
        Ok(read.unwrap_or_else(|message| {
            self.report.problem(offset, path, message);
            Data::Refused
        }))
    }
}

fn integer_of(integer: &DeInteger<'_>) -> Result<Data, String> {
    match i128::from_str_radix(integer.as_str(), integer.radix()) {
        Ok(integer) => number(&integer.to_string()),
        Err(_) => Err("the number is too large".to_owned()),
    }
}

/// TOML allows a sign before a float, which JSON does not, and infinities.
fn float_of(text: &str) -> Result<Data, String> {
    let text = text.strip_prefix('+').unwrap_or(text);
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => number(text),
        Ok(_) | Err(_) => Err("infinity and \"not a number\" are not supported".to_owned()),
    }
}
