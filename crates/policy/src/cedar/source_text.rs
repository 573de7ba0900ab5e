//! The text of policies: bounds before it is read, and places in it.

use assent_json::Position;
use miette::Diagnostic;

use crate::ProblemKind;

/// The longest text, in bytes; the deepest nesting of brackets; and the most operators of a policy.
///
/// What Cedar makes of a text is walked by functions that call themselves. Nested branches overflow
/// the stack, and beyond some depth the check of types gives up and says that all is well (seen with
/// 1000 attributes in a row, in Cedar 4.14). These bounds stay far below both.
const MAX_BYTES: usize = 1 << 20;
const MAX_NESTING: usize = 64;
const MAX_OPERATORS: usize = 400;

/// What is wrong with a text before it is read.
pub(super) fn out_of_bounds(text: &str) -> Option<(Position, ProblemKind)> {
    if text.len() > MAX_BYTES {
        return Some((Position::of(b"", 0), ProblemKind::CedarTooLong(MAX_BYTES)));
    }
    let (mut depth, mut operators) = (0_usize, 0_usize);
    let mut before = b' ';
    for (offset, byte) in significant(text.as_bytes()) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b';' => operators = 0,
            _ => {}
        }
        let is_doubled = matches!(byte, b'&' | b'|') && before == byte;
        // Every `if` counts, and so does every other word with these letters: rare enough.
        let is_step = matches!(byte, b'.' | b'[' | b'+' | b'-' | b'*' | b'!') || is_doubled;
        let is_branch = byte == b'f' && before == b'i';
        operators += usize::from(is_step || is_branch);
        before = byte;
        let kind = if depth > MAX_NESTING {
            ProblemKind::CedarTooDeep(MAX_NESTING)
        } else if operators > MAX_OPERATORS {
            ProblemKind::CedarTooManyOperators(MAX_OPERATORS)
        } else {
            continue;
        };
        return Some((Position::of(text.as_bytes(), offset), kind));
    }
    None
}

/// Where each policy begins.
pub(super) fn policy_offsets(text: &str) -> Vec<usize> {
    let mut offsets = Vec::new();
    let mut is_between = true;
    for (offset, byte) in significant(text.as_bytes()) {
        if is_between && !byte.is_ascii_whitespace() {
            offsets.push(offset);
            is_between = false;
        }
        is_between |= byte == b';';
    }
    offsets
}

/// The bytes that stand neither in a string nor in a comment, with their offsets.
fn significant(text: &[u8]) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut rest = text.iter().copied().enumerate().peekable();
    std::iter::from_fn(move || {
        loop {
            let (offset, byte) = rest.next()?;
            match (byte, rest.peek()) {
                (b'"', _) => skip_string(&mut rest),
                (b'/', Some((_, b'/'))) => while rest.next_if(|(_, b)| *b != b'\n').is_some() {},
                _ => return Some((offset, byte)),
            }
        }
    })
}

fn skip_string(rest: &mut impl Iterator<Item = (usize, u8)>) {
    while let Some((_, byte)) = rest.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(rest.next()),
            _ => {}
        }
    }
}

/// Where in the text something is wrong.
pub(super) fn position(text: &str, diagnostic: &dyn Diagnostic) -> Option<Position> {
    let first = diagnostic.labels()?.next()?;
    Some(Position::of(text.as_bytes(), first.offset()))
}

/// What is wrong, with the advice that comes with it.
pub(super) fn message(diagnostic: &dyn Diagnostic) -> String {
    match diagnostic.help() {
        Some(help) => format!("{diagnostic} ({help})"),
        None => diagnostic.to_string(),
    }
}
