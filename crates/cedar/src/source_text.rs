//! The text of policies: bounds that are checked before it is parsed, and positions in it.

use assent_json::Position;
use miette::Diagnostic;

use crate::CedarProblemKind;

/// The longest text, in bytes; the deepest nesting of brackets; and the most operators of a policy.
///
/// Cedar processes expressions recursively. Nested branches overflow the stack, and beyond some depth the
/// type checker gives up and reports success (seen with 1000 attributes in a row, in Cedar 4.14). These
/// bounds stay far below both.
const MAX_BYTES: usize = 1 << 20;
const MAX_NESTING: usize = 64;
const MAX_OPERATORS: usize = 400;

/// Returns the first bound that the text exceeds, and where.
pub(crate) fn out_of_bounds(text: &str) -> Option<(Position, CedarProblemKind)> {
    if text.len() > MAX_BYTES {
        return Some((Position::of(b"", 0), CedarProblemKind::TooLong(MAX_BYTES)));
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
        // This counts every `if`, and also other words that contain it, which are rare.
        let is_step = matches!(byte, b'.' | b'[' | b'+' | b'-' | b'*' | b'!') || is_doubled;
        let is_branch = byte == b'f' && before == b'i';
        operators += usize::from(is_step || is_branch);
        before = byte;
        let kind = if depth > MAX_NESTING {
            CedarProblemKind::TooDeep(MAX_NESTING)
        } else if operators > MAX_OPERATORS {
            CedarProblemKind::TooManyOperators(MAX_OPERATORS)
        } else {
            continue;
        };
        return Some((Position::of(text.as_bytes(), offset), kind));
    }
    None
}

/// Returns the offset of each policy.
pub(crate) fn policy_offsets(text: &str) -> Vec<usize> {
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

/// Iterates over the bytes outside of strings and comments, with their offsets.
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

/// Returns the position of a diagnostic.
pub(crate) fn position(text: &str, diagnostic: &dyn Diagnostic) -> Option<Position> {
    let first = diagnostic.labels()?.next()?;
    Some(Position::of(text.as_bytes(), first.offset()))
}

/// Returns the message of a diagnostic, with its help text.
pub(crate) fn message(diagnostic: &dyn Diagnostic) -> String {
    match diagnostic.help() {
        Some(help) => format!("{diagnostic} ({help})"),
        None => diagnostic.to_string(),
    }
}
