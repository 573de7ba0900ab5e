//! Patterns: translated from ECMAScript, matched in linear time, refused when they cost too much.

use regex_automata::{nfa::thompson, util::syntax};

/// The memory that one compiled pattern may take. Real patterns take a few kilobytes; what needs
/// more is a counted repetition inside another.
pub(crate) const PATTERN_BYTES: usize = 1 << 20;

/// Why a pattern is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternProblem {
    NotAPattern,
    NotRegular,
    TooLarge,
}

impl PatternProblem {
    pub(crate) fn message(self, pattern: &str) -> String {
        let shown = assent_json::shorten(pattern, 80);
        match self {
            Self::NotAPattern => format!("`{shown}` is not a regular expression"),
            Self::NotRegular => format!(
                "`{shown}` uses look-around or back-references, which cannot be matched in linear time"
            ),
            Self::TooLarge => format!(
                "`{shown}` needs more than {PATTERN_BYTES} bytes when compiled: its repetitions multiply"
            ),
        }
    }
}

/// The pattern in the syntax that the matcher understands.
pub(crate) fn translate(pattern: &str) -> Result<String, PatternProblem> {
    jsonschema_regex::to_rust_regex(pattern)
        .map(std::borrow::Cow::into_owned)
        .map_err(|()| PatternProblem::NotAPattern)
}

/// Checks that a pattern can be matched safely, and says how many bytes it takes.
pub(crate) fn check(pattern: &str) -> Result<usize, PatternProblem> {
    let translated = translate(pattern)?;
    let configuration = thompson::Config::new().nfa_size_limit(Some(PATTERN_BYTES));
    let compiled = thompson::Compiler::new()
        .configure(configuration)
        .syntax(syntax::Config::new())
        .build(&translated);
    match compiled {
        Ok(automaton) => Ok(automaton.memory_usage()),
        Err(error) if error.size_limit().is_some() => Err(PatternProblem::TooLarge),
        Err(_) if translated.contains("(?") || translated.contains('\\') => {
            Err(PatternProblem::NotRegular)
        }
        Err(_) => Err(PatternProblem::NotAPattern),
    }
}
