//! Conditions on arguments.

mod compile;
mod test;

use assent_json::Node;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

pub(crate) use self::compile::compile_all;
use self::test::Test;
use crate::{rule_spec::present, truth::Truth};

/// A condition on one argument. All of its tests must hold.
///
/// A test that cannot be judged never favors a call: an `allow` rule does not match then, an `ask` or
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
    /// The value equals this one, whatever its notation.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// The value is one of these.
    #[serde(
        default,
        rename = "in",
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub one_of: Option<Vec<Value>>,
    /// The text contains a match of this regular expression; use `^` and `$` for the whole text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// The text is a path to this directory or to something in it, after `.` and `..` are resolved in the
    /// text. Links are not followed; the executor has to handle them.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// The text is a URL, or a bare host, whose host matches. `*` also matches dots; a pattern of digits
    /// and dots matches only IPv4 addresses.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The text is a URL that matches `scheme://host[:port][/path]`; the query is ignored. Without a path,
    /// every path matches. Without a port, an `allow` rule matches the default port, and other rules match
    /// any port.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The text is a command that begins with these words, or with one of these prefixes. Of a compound
    /// command, an `allow` rule must match every part, and other rules match if one part does.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandSpec>,
    /// The number is greater than this one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub above: Option<Number>,
    /// The number is less than this one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub below: Option<Number>,
    /// `true` if there must be no value, `false` if there must be one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub absent: Option<bool>,
    /// The SHA-256 of the canonical form is this one: `equals` without revealing the value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The value has this [`crate::shape()`]: the same keys with values of the same types.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// One prefix of a command, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CommandSpec {
    /// `git status`
    One(String),
    /// `git status` or `git diff`
    Any(Vec<String>),
}

/// A compiled condition.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    path: Box<[Step]>,
    tests: Box<[Test]>,
}

/// A step of a path, as a key and, if it is a number, as an index.
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

/// Returns whether all conditions hold.
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
