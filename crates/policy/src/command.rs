//! Patterns for commands of a POSIX shell.

mod deny;
mod split;

use assent_json::{Kind, Node};

use self::split::{Part, Word, split};
use crate::{
    CommandSpec, ProblemKind,
    truth::{Side, Truth},
};

/// The longest command that is parsed.
const MAX_COMMAND_BYTES: usize = 64 << 10;

/// The most prefixes of one condition.
const MAX_PREFIXES: usize = 256;

/// Commands by the words that they begin with.
#[derive(Clone, Debug)]
pub(crate) struct CommandPattern {
    prefixes: Box<[Prefix]>,
    side: Side,
}

/// The words that a command begins with.
type Prefix = Box<[Box<str>]>;

impl CommandPattern {
    pub(crate) fn compile(spec: &CommandSpec, side: Side) -> Result<Self, ProblemKind> {
        let texts = match spec {
            CommandSpec::One(text) => std::slice::from_ref(text),
            CommandSpec::Any(texts) => texts,
        };
        if texts.len() > MAX_PREFIXES {
            return Err(ProblemKind::TooMany(MAX_PREFIXES));
        }
        let prefixes = texts.iter().map(|text| prefix(text)).collect::<Result<Box<[_]>, _>>()?;
        if prefixes.is_empty() {
            return Err(ProblemKind::NoTest);
        }
        Ok(Self { prefixes, side })
    }

    /// Judges a command line, or a list of words that is not passed to a shell.
    pub(crate) fn judge(&self, value: Node<'_>) -> Truth {
        let parts = match value.kind() {
            Kind::String => split_bounded(value.as_str().unwrap_or_default()),
            Kind::Array => words_of(value).map(|words| vec![Part { words, plain: true }]),
            _ => None,
        };
        match parts {
            Some(parts) if parts.iter().any(|part| !part.words.is_empty()) => {
                self.judge_parts(&parts)
            }
            _ => Truth::Unknown,
        }
    }

    fn judge_parts(&self, parts: &[Part]) -> Truth {
        match self.side {
            Side::Permit => parts.iter().all(|part| self.permits(part)).into(),
            Side::Restrict => deny::any_part(&self.prefixes, parts),
        }
    }

    /// Returns `true` if the part begins with the words of one of the prefixes.
    fn permits(&self, part: &Part) -> bool {
        let begins = |prefix: &Prefix| {
            part.words.len() >= prefix.len()
                && prefix.iter().zip(&part.words).all(|(ours, word)| word.is(ours))
        };
        part.plain && self.prefixes.iter().any(begins)
    }
}

fn prefix(text: &str) -> Result<Prefix, ProblemKind> {
    let fault = || ProblemKind::Command(assent_json::shorten(text, 80));
    let parts = split_bounded(text).ok_or_else(fault)?;
    match parts.as_slice() {
        [Part { words, plain: true }] if words.iter().all(|word| word.literal) => {
            Ok(words.iter().map(|word| word.text.as_str().into()).collect())
        }
        _ => Err(fault()),
    }
}

fn split_bounded(text: &str) -> Option<Vec<Part>> {
    if text.len() > MAX_COMMAND_BYTES { None } else { split(text) }
}

fn words_of(value: Node<'_>) -> Option<Vec<Word>> {
    value.elements().map(|element| element.as_str().map(Word::literal)).collect()
}

/// The program of a plain command, and the subcommand after it.
pub(crate) fn beginning(text: &str) -> Option<String> {
    let parts = split_bounded(text)?;
    let [Part { words, plain: true }] = parts.as_slice() else { return None };
    let is_simple = |word: &&Word| {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/');
        word.literal && !word.text.is_empty() && word.text.bytes().all(fits)
    };
    let program = words.first().filter(is_simple)?;
    let is_verb = |word: &&Word| word.text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let verb = words.get(1).filter(is_simple).filter(is_verb);
    let verb = verb.filter(|word| !word.text.starts_with('-'));
    Some(verb.map_or(program.text.clone(), |verb| format!("{} {}", program.text, verb.text)))
}
