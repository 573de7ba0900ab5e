//! Documents in every format.

use assent_document::{Fields, Format, Node, Problems, readers};
use serde_json::Value;

/// Whatever a document is, it is read, or refused with problems at lines that it has. A text that is
/// both JSON and YAML has the same value in both. No confidential problem repeats a value.
pub fn document(data: &[u8]) {
    let lines = data.split(|&byte| byte == b'\n').count();
    let values = [Format::Json, Format::Yaml, Format::Toml].map(|format| {
        let value = assent_document::read(data, format, readers::any);
        for read in [value.as_ref().err().cloned(), fields(data, format).err()] {
            check(data, format, lines, read);
        }
        value.ok()
    });
    if let [Some(json), Some(yaml), _] = &values {
        assert_eq!(json, yaml, "both formats mean the same");
    }
}

fn check(data: &[u8], format: Format, lines: usize, problems: Option<Problems>) {
    let Some(problems) = problems else { return };
    assert!(!problems.as_slice().is_empty(), "a refusal has a reason");
    for problem in &problems {
        assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem}");
        assert!(!problem.message.is_empty());
        let _position = assent_document::locate(data, format, &problem.path);
    }
}

/// Asks for a few members, so that unknown keys and wrong kinds are reported.
fn fields(data: &[u8], format: Format) -> Result<(u64, Option<Vec<Value>>), Problems> {
    let reader = |node: &Node<'_>| {
        let mut fields = Fields::of(node)?;
        let count = fields.required("count", |node| readers::whole(node, 0..=10));
        let items = fields.optional("items", |node| readers::list(node, readers::any));
        Some((count?, items))
    };
    assent_document::read_confidential(data, format, reader)
}
