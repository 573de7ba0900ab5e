//! The meaning of bytes according to their media type.

use assent_protocol::agent_tool::ContentClass;

/// The class of the block that bytes of a type become.
pub(super) fn class(media_type: &str) -> ContentClass {
    let (kind, subtype) = split(media_type);
    match (kind.as_str(), subtype.as_str()) {
        ("image", _) => ContentClass::Image,
        ("audio", _) => ContentClass::Audio,
        ("video", _) => ContentClass::Video,
        ("text", "x-diff" | "x-patch") => ContentClass::Diff,
        _ => ContentClass::File,
    }
}

/// The bytes as text, if their type says that they are text and they are.
pub(super) fn as_text<'b>(bytes: &'b [u8], media_type: &str) -> Option<&'b str> {
    let (kind, subtype) = split(media_type);
    let named = matches!(
        subtype.as_str(),
        "json" | "xml" | "yaml" | "toml" | "javascript" | "x-ndjson" | "jsonl" | "sql"
    );
    let suffixed = [("+json"), ("+xml"), ("+yaml")].iter().any(|suffix| subtype.ends_with(suffix));
    let is_text = kind == "text" || (kind == "application" && named) || suffixed;
    if is_text { std::str::from_utf8(bytes).ok() } else { None }
}

/// The two halves of a type in lower case, without parameters.
fn split(media_type: &str) -> (String, String) {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (kind, subtype) = essence.split_once('/').unwrap_or((&essence, ""));
    (kind.to_owned(), subtype.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{ContentClass, as_text, class};

    #[test]
    fn a_block_is_named_by_the_type_of_its_bytes() {
        for (media_type, expected) in [
            ("image/png", ContentClass::Image),
            ("AUDIO/ogg; codecs=opus", ContentClass::Audio),
            ("video/mp4", ContentClass::Video),
            ("text/x-diff", ContentClass::Diff),
            ("text/csv", ContentClass::File),
            ("application/octet-stream", ContentClass::File),
            ("", ContentClass::File),
            ("nonsense", ContentClass::File),
        ] {
            assert_eq!(class(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn only_text_is_text_and_never_by_force() {
        assert_eq!(as_text("né".as_bytes(), "text/plain; charset=utf-8"), Some("né"));
        assert_eq!(as_text(b"{}", "application/problem+json"), Some("{}"));
        assert_eq!(as_text(b"\xff\xfe", "text/plain"), None);
        assert_eq!(as_text(b"looks like text", "application/octet-stream"), None);
        assert_eq!(as_text(b"<svg/>", "image/svg+xml"), Some("<svg/>"));
    }
}
