//! The grammar of numbers.

use super::{Reader, Step};
use crate::{ReadErrorKind, number::Literal};

impl Reader<'_> {
    /// Steps over a number literal: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    pub(super) fn literal(&mut self) -> Step<Literal> {
        let negative = self.eat(b'-');
        let leading_zero = self.peek() == Some(b'0');
        let digits = if leading_zero {
            self.at += 1;
            1
        } else {
            self.digits()?
        };
        let mut integer = true;
        if self.eat(b'.') {
            integer = false;
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            integer = false;
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(Literal { digits, negative, integer, leading_zero })
    }

    /// Steps over one or more digits and says how many.
    fn digits(&mut self) -> Step<usize> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        match self.at - start {
            0 if self.peek().is_none() => self.fail(ReadErrorKind::UnexpectedEnd),
            0 => self.fail(ReadErrorKind::Expected("a digit")),
            digits => Ok(digits),
        }
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }
}
