//! Hidden characters in any text of the manifest: keys, names, descriptions, enumerations.

use assent_json::{Kind, Node, Pointer};

use super::Findings;
use crate::Code;

pub(super) fn check(root: Node<'_>, findings: &mut Findings) {
    // Escapes are text, too: `\u202e` in the source is one of the characters looked for. Only a
    // source of printable ASCII without escapes needs no second look.
    let source = root.source();
    if source.bytes().all(|byte| byte < 0x7F && byte != b'\\') {
        return;
    }
    visit(root, &Pointer::root(), findings);
}

fn visit(node: Node<'_>, path: &Pointer, findings: &mut Findings) {
    match node.kind() {
        Kind::String => check_text(node.as_str().unwrap_or_default(), path, findings),
        Kind::Array => {
            for (index, element) in node.elements().enumerate() {
                visit(element, &path.index(index), findings);
            }
        }
        Kind::Object => {
            for (key, value) in node.members() {
                let path = path.key(key);
                check_text(key, &path, findings);
                visit(value, &path, findings);
            }
        }
        Kind::Null | Kind::Boolean | Kind::Number => {}
    }
}

fn check_text(text: &str, path: &Pointer, findings: &mut Findings) {
    if let Some((_, character)) = assent_json::hidden_character(text) {
        let message = format!(
            "the text holds the invisible character U+{:04X}; remove it, so that people see all that \
             machines read",
            u32::from(character)
        );
        findings.error(Code::HiddenCharacters, path, message);
    }
}
