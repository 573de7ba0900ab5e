//! Conditions on arguments.

mod compile;
mod test;

use assent_json::Node;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

pub(crate) use self::compile::compile_all;
use self::test::Test;
use crate::{rule_spec::present, truth::Truth};

/// What must hold of one argument. All tests that are given must hold.
///
/// A test that cannot be judged never helps a call: an `allow` rule does not match then, an `ask` or
/// `deny` rule does.
///
/// | the value at `path`                                  | `allow` rule | `ask`, `deny` rule |
/// |------------------------------------------------------|--------------|--------------------|
/// | is there and passes the test                         | matches      | matches            |
/// | is there and fails the test                          | –            | –                  |
/// | is there and cannot be judged (see below)            | –            | matches            |
/// | is not there, test is `absent: true`                 | matches      | matches            |
/// | is not there, any other test                         | –            | –                  |
///
/// What cannot be judged:
///
/// | test               | cannot be judged                                                            |
/// |--------------------|-----------------------------------------------------------------------------|
/// | `equals`, `in`, `digest`, `shape`, `absent` | nothing: any value can be compared                 |
/// | `matches`          | anything but a string                                                       |
/// | `above`, `below`   | anything but a number                                                       |
/// | `under`            | no string; empty; NUL or `\`; begins with `~`; climbs above its own start; absolute where the directory is relative, or the other way round; equal to the directory only but for case, width or invisible characters |
/// | `host`, `url`      | no string; no URL; no host; white space, control characters or `\`; several `@` or a `%` in front of the path; more than 64 KiB |
/// | `url`              | also a path with an encoded `/`, `\` or `%`, an empty step, or `..;`         |
/// | `command`          | neither a string nor a list of strings; substitutions, subshells, here-documents, keywords, comments; more than 64 KiB |
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgumentSpec {
    /// A JSON Pointer to the value; the empty text is the whole input.
    pub path: String,
    /// It is this value, however it is written.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// It is one of these values.
    #[serde(
        default,
        rename = "in",
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub one_of: Option<Vec<Value>>,
    /// This regular expression is found in it; write `^` and `$` for the whole text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// It is a path to this directory or to something in it, once `.` and `..` are resolved in the
    /// text. Links are the executor's business.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// It is a URL, or a bare host, whose host matches. `*` also stands for dots; a pattern of digits
    /// and dots is about IPv4 addresses only.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// It is a URL that matches `scheme://host[:port][/path]`; the query does not count. Without a
    /// path, every path matches. Without a port, an `allow` rule means the usual one, and the others
    /// mean any.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// It is a command that begins with these words, or with one of these beginnings. Of a compound
    /// command, an `allow` rule must match every part, and the others need match only one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandSpec>,
    /// It is a number greater than this.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub above: Option<Number>,
    /// It is a number less than this.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub below: Option<Number>,
    /// Whether there is no such value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub absent: Option<bool>,
    /// The SHA-256 of its canonical form is this: `equals`, without writing the value down.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// It has this [`crate::shape()`]: the same keys with values of the same types.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// One beginning of a command, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CommandSpec {
    /// `git status`
    One(String),
    /// `git status` or `git diff`
    Any(Vec<String>),
}

/// A condition that is ready to be judged.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    path: Box<[Step]>,
    tests: Box<[Test]>,
}

/// A step of a path, as a key and, where it can be one, as an index.
#[derive(Clone, Debug)]
struct Step {
    key: Box<str>,
    index: Option<usize>,
}

impl Condition {
    pub(crate) fn judge(&self, input: Node<'_>) -> Truth {
        let value = self.path.iter().try_fold(input, |node, step| step.follow(node));
        self.tests.iter().map(|test| test.judge(value)).min().unwrap_or(Truth::Holds)
    }
}

impl Step {
    fn follow<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        node.get(&self.key).or_else(|| node.elements().nth(self.index?))
    }
}

/// Whether all conditions hold.
pub(crate) fn judge_all(conditions: &[Condition], input: Node<'_>) -> Truth {
    let mut all = Truth::Holds;
    for condition in conditions {
        all = all.min(condition.judge(input));
        if all == Truth::Fails {
            break;
        }
    }
    all
}
