//! What a person is shown of a call, and what a silence covers.

use assent_json::Json;
use assent_runtime::Executor;

/// A built-in tool.
pub trait BuiltinTool: Executor {
    /// What a call with this input would act on, as a person should see it. `None` if the tool acts on nothing
    /// that the input chooses, or refuses the input.
    fn target(&self, _input: &Json) -> Option<Target> {
        None
    }

    /// The place that a person allows when they allow a tool for a while: other calls in the same place need no
    /// new question. `None` if the tool has no places, or refuses the input.
    fn place(&self, _input: &Json) -> Option<String> {
        None
    }
}

/// What a call acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The kind of the target.
    pub kind: TargetKind,
    /// The whole path or URL. Invisible characters are escaped.
    pub text: String,
}

/// The kind of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A file.
    File,
    /// A URL.
    Url,
}

impl TargetKind {
    /// The word for it: `file` or `url`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Url => "url",
        }
    }
}
