//! Matches commands for rules that ask or deny.
//!
//! This handles quotes, paths, and programs that run other programs. It is not a sandbox: the effects of a
//! script do not follow from its name.

use super::{
    Prefix,
    split::{Part, Word, split},
};
use crate::truth::Truth;

/// Programs that run the command in their arguments.
const RUNNERS: [&str; 26] = [
    "builtin", "busybox", "chroot", "command", "doas", "env", "exec", "find", "flock", "ionice",
    "nice", "nohup", "parallel", "pkexec", "runuser", "script", "setsid", "stdbuf", "strace", "su",
    "sudo", "taskset", "time", "timeout", "watch", "xargs",
];

/// Programs that run the command in the argument after `-c`.
const SHELLS: [&str; 8] = ["ash", "bash", "busybox", "dash", "fish", "ksh", "sh", "zsh"];

/// The most nested commands that are examined.
const MAX_NESTED: u32 = 16;

/// Returns whether a part matches one of the prefixes.
pub(super) fn any_part(prefixes: &[Prefix], parts: &[Part]) -> Truth {
    Search { prefixes, nested: MAX_NESTED }.any_part(parts)
}

struct Search<'p> {
    prefixes: &'p [Prefix],
    /// The number of nested commands that may still be examined.
    nested: u32,
}

impl Search<'_> {
    fn any_part(&mut self, parts: &[Part]) -> Truth {
        any(parts.iter().map(|part| self.any_position(&part.words)))
    }

    fn any_position(&mut self, words: &[Word]) -> Truth {
        // A runner has options of its own, so its command may begin at any later word.
        let is_runner = words.first().is_some_and(|word| is_one_of(&RUNNERS, word));
        let starts = if is_runner { words.len() } else { 1 };
        any((0..starts).map(|start| self.command(words.get(start..).unwrap_or_default())))
    }

    fn command(&mut self, words: &[Word]) -> Truth {
        let direct = any(self.prefixes.iter().map(|prefix| begins_with(prefix, words)));
        if direct == Truth::Holds { direct } else { direct.max(self.inside(words)) }
    }

    /// Examines a command that is an argument of a shell.
    fn inside(&mut self, words: &[Word]) -> Truth {
        let Some((first, arguments)) = words.split_first() else { return Truth::Fails };
        let script = if is_one_of(&["eval"], first) {
            arguments
        } else if is_one_of(&SHELLS, first)
            && let Some(flag) = arguments.iter().position(is_command_flag)
        {
            arguments.get(flag + 1..=flag + 1).unwrap_or_default()
        } else {
            return Truth::Fails;
        };
        let Some(left) = self.nested.checked_sub(1) else { return Truth::Unknown };
        self.nested = left;
        let words: Option<Vec<&str>> = script.iter().map(Word::known).collect();
        let parts = words.and_then(|words| split(&words.join(" ")));
        parts.map_or(Truth::Unknown, |parts| self.any_part(&parts))
    }
}

fn any(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut any = Truth::Fails;
    for truth in truths {
        any = any.max(truth);
        if any == Truth::Holds {
            break;
        }
    }
    any
}

fn begins_with(prefix: &Prefix, words: &[Word]) -> Truth {
    if words.len() < prefix.len() {
        // A word that the shell expands may become several.
        let may_grow = words.iter().any(|word| !word.literal);
        return if may_grow { compare(prefix, words).min(Truth::Unknown) } else { Truth::Fails };
    }
    compare(prefix, words)
}

fn compare(prefix: &Prefix, words: &[Word]) -> Truth {
    let pairs = prefix.iter().zip(words).enumerate();
    let mut all = Truth::Holds;
    for (position, (ours, word)) in pairs {
        let is_same = if position == 0 { is_program(ours, word) } else { word.text == **ours };
        if !word.literal {
            // The positions after a word that may become several are not known.
            return all.min(Truth::Unknown);
        }
        all = all.min(is_same.into());
    }
    all
}

/// `rm` is also `/bin/rm`, and `RM` on some file systems.
fn is_program(ours: &str, word: &Word) -> bool {
    word.text.eq_ignore_ascii_case(ours) || program(word).eq_ignore_ascii_case(ours)
}

fn is_one_of(names: &[&str], word: &Word) -> bool {
    names.iter().any(|name| program(word).eq_ignore_ascii_case(name))
}

fn program(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or_default()
}

fn is_command_flag(word: &Word) -> bool {
    word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('c')
}
