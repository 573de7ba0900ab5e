//! Compiles conditions.

use assent_json::{Json, Pointer};
use regex::{Regex, RegexBuilder};
use serde_json::{Number, Value};

use super::{ArgumentSpec, Condition, Step, test::Test};
use crate::{
    ProblemKind,
    command::CommandPattern,
    directory::Directory,
    host::HostPattern,
    problem::{Faults, keep},
    truth::Side,
    url_pattern::UrlPattern,
};

/// The most conditions of one rule or grant.
pub(crate) const MAX_CONDITIONS: usize = 64;

/// The most values of one `in`.
const MAX_VALUES: usize = 4096;

/// The longest regular expression, in bytes, and the memory that its automata may take.
const MAX_REGEX_BYTES: usize = 4096;
const MAX_REGEX_MEMORY: usize = 1 << 20;

/// Compiles the conditions at `at`. Every problem is added to `faults`.
pub(crate) fn compile_all(
    specs: &[ArgumentSpec],
    side: Side,
    at: &Pointer,
    faults: &mut Faults,
) -> Box<[Condition]> {
    if specs.len() > MAX_CONDITIONS {
        faults.push((at.clone(), ProblemKind::TooMany(MAX_CONDITIONS)));
        return Box::default();
    }
    let compile = |(index, spec): (usize, &ArgumentSpec)| {
        Compiler { at: at.index(index), side, faults }.condition(spec)
    };
    specs.iter().enumerate().filter_map(compile).collect()
}

struct Compiler<'f> {
    at: Pointer,
    side: Side,
    faults: &'f mut Faults,
}

impl Compiler<'_> {
    fn condition(mut self, spec: &ArgumentSpec) -> Option<Condition> {
        let path = self.kept("path", steps(&spec.path));
        let mut tests = Vec::new();
        self.values(spec, &mut tests);
        self.texts(spec, &mut tests);
        if tests.is_empty() && says_nothing(spec) {
            self.faults.push((self.at, ProblemKind::NoTest));
        }
        Some(Condition { path: path?, tests: tests.into() })
    }

    fn values(&mut self, spec: &ArgumentSpec, tests: &mut Vec<Test>) {
        let equals = spec.equals.as_ref().and_then(|value| self.kept("equals", strict(value)));
        tests.extend(equals.map(Test::Equals));
        let one_of = spec.one_of.as_ref().and_then(|values| self.kept("in", strict_all(values)));
        tests.extend(one_of.map(Test::OneOf));
        let above = spec.above.as_ref().and_then(|number| self.kept("above", exact(number)));
        tests.extend(above.map(Test::Above));
        let below = spec.below.as_ref().and_then(|number| self.kept("below", exact(number)));
        tests.extend(below.map(Test::Below));
        tests.extend(spec.absent.map(Test::Absent));
        let digest = |text: &String| text.parse().map_err(|_| ProblemKind::Digest);
        let wanted = spec.digest.as_ref().and_then(|text| self.kept("digest", digest(text)));
        tests.extend(wanted.map(Test::Digest));
        let shape = spec.shape.as_ref().and_then(|text| self.kept("shape", digest(text)));
        tests.extend(shape.map(Test::Shape));
    }

    fn texts(&mut self, spec: &ArgumentSpec, tests: &mut Vec<Test>) {
        let side = self.side;
        let matches = spec.matches.as_ref().and_then(|text| self.kept("matches", regex(text)));
        tests.extend(matches.map(Test::Matches));
        let under = spec.under.as_ref().and_then(|text| self.kept("under", Directory::parse(text)));
        tests.extend(under.map(Test::Under));
        let host =
            spec.host.as_ref().and_then(|text| self.kept("host", HostPattern::parse(text, side)));
        tests.extend(host.map(Test::Host));
        let url =
            spec.url.as_ref().and_then(|text| self.kept("url", UrlPattern::parse(text, side)));
        tests.extend(url.map(Test::Url));
        let command = spec
            .command
            .as_ref()
            .and_then(|spec| self.kept("command", CommandPattern::compile(spec, side)));
        tests.extend(command.map(Test::Command));
    }

    fn kept<T>(&mut self, key: &str, result: Result<T, ProblemKind>) -> Option<T> {
        keep(result, || self.at.key(key), self.faults)
    }
}

/// Returns `true` if there is no test at all, not even a faulty one.
fn says_nothing(spec: &ArgumentSpec) -> bool {
    *spec == ArgumentSpec { path: spec.path.clone(), ..ArgumentSpec::default() }
}

fn steps(pointer: &str) -> Result<Box<[Step]>, ProblemKind> {
    let starts_well = pointer.is_empty() || pointer.starts_with('/');
    let escapes_well =
        pointer.split('~').skip(1).all(|after| after.starts_with('0') || after.starts_with('1'));
    if !starts_well || !escapes_well {
        return Err(ProblemKind::Pointer);
    }
    Ok(Pointer::tokens(pointer).map(Step::new).collect())
}

impl Step {
    fn new(key: String) -> Self {
        // `01` and `+1` are keys, never indices.
        let is_index = key == "0"
            || (!key.starts_with('0')
                && !key.is_empty()
                && key.bytes().all(|b| b.is_ascii_digit()));
        let index = if is_index { key.parse().ok() } else { None };
        Self { key: key.into(), index }
    }
}

fn strict(value: &Value) -> Result<Json, ProblemKind> {
    Json::from_value(value).map_err(|error| ProblemKind::Value(error.to_string()))
}

fn strict_all(values: &[Value]) -> Result<Box<[Json]>, ProblemKind> {
    if values.len() > MAX_VALUES {
        return Err(ProblemKind::TooMany(MAX_VALUES));
    }
    values.iter().map(strict).collect()
}

fn exact(number: &Number) -> Result<f64, ProblemKind> {
    let json = Json::read(number.to_string()).map_err(|_| ProblemKind::Number)?;
    json.root().as_number().map(|number| number.as_f64()).ok_or(ProblemKind::Number)
}

fn regex(text: &str) -> Result<Regex, ProblemKind> {
    let shown = assent_json::shorten(text, 80);
    if text.len() > MAX_REGEX_BYTES {
        return Err(ProblemKind::RegexTooLarge(shown));
    }
    let built = RegexBuilder::new(text)
        .size_limit(MAX_REGEX_MEMORY)
        .dfa_size_limit(MAX_REGEX_MEMORY)
        .nest_limit(64)
        .build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => ProblemKind::RegexTooLarge(shown),
        _ => ProblemKind::Regex(shown),
    })
}
