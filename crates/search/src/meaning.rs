//! What a text is about, whatever its words.

use crate::{Field, ToolText, analyse::analyse};

/// Tells in which direction of a space of meanings a text lies. Texts about the same thing lie in about the
/// same direction; how far they lie does not matter.
///
/// `assent-embedding` is one. A host that has a model of its own makes another.
pub trait Meaning: Send + Sync {
    /// The direction of a text, by as many numbers as that of any other text; nothing if it says nothing.
    fn direction(&self, text: &str) -> Option<Vec<f32>>;
}

/// What a tool says about itself, as a sentence would: names are taken apart.
pub(crate) fn sentence(text: &ToolText<'_>) -> String {
    let mut said = String::new();
    analyse(text.name, Field::Name.max_bytes(), |token| {
        if token.kind.has_length() {
            separate(&mut said, " ");
            said.push_str(token.surface);
        }
    });
    for field in [Field::Title, Field::Description, Field::Hint] {
        let part = field.of(text);
        let part = part.get(..part.floor_char_boundary(field.max_bytes())).unwrap_or(part);
        if !part.is_empty() {
            separate(&mut said, ". ");
            said.push_str(part);
        }
    }
    said
}

fn separate(said: &mut String, separator: &str) {
    if !said.is_empty() {
        said.push_str(separator);
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;
    use crate::ToolText;

    #[test]
    fn a_tool_says_what_it_is_called_and_what_it_does() {
        let text = ToolText {
            name: "createIssue_v2",
            namespace: "github",
            title: "",
            description: "Files a bug.",
            hint: "ticket",
        };
        assert_eq!(sentence(&text), "create issue v2. Files a bug.. ticket");
        assert_eq!(sentence(&ToolText::default()), "");
    }
}
