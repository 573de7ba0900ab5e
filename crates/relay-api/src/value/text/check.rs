//! The rules of texts: plain functions that give back what is kept.

use schemars::Schema;
use serde_json::Value;

use crate::value::BrokenRule;

type Checked = Result<String, BrokenRule>;

/// The schema of a text.
pub(super) fn schema(description: &str, rule: Value) -> Schema {
    let mut schema = Schema::default();
    schema.insert("type".to_owned(), "string".into());
    schema.insert("description".to_owned(), description.trim().into());
    if let Value::Object(rule) = rule {
        for (keyword, value) in rule {
            schema.insert(keyword, value);
        }
    }
    schema
}

/// Not the whole grammar of RFC 5322: enough to catch mistakes, and nothing that could break a header.
pub(super) fn email(text: String) -> Checked {
    let text = trimmed(text);
    let fits = text.len() <= 254
        && text.chars().all(|c| !c.is_whitespace() && !is_unfit(c))
        && text.rsplit_once('@').is_some_and(|(local, domain)| {
            (1..=64).contains(&local.len()) && !local.contains('@') && is_domain(domain)
        });
    if fits { Ok(text) } else { Err(BrokenRule::new("this is not an e-mail address")) }
}

fn is_domain(text: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c == '-' || c.is_alphanumeric())
    };
    text.len() <= 253 && text.split('.').all(label)
}

pub(super) fn name(text: String) -> Checked {
    line(text, 100)
}

pub(super) fn reason(text: String) -> Checked {
    line(text, 500)
}

pub(super) fn search_text(text: String) -> Checked {
    line(text, 200)
}

/// One line that a person can see.
fn line(text: String, characters: usize) -> Checked {
    let text = trimmed(text);
    if !(1..=characters).contains(&text.chars().count()) {
        return Err(BrokenRule::new(format!("this must have 1 to {characters} characters")));
    }
    if !text.chars().any(is_seen) {
        return Err(BrokenRule::new("this would be invisible"));
    }
    fit(text)
}

pub(super) fn description(text: String) -> Checked {
    if text.chars().count() > 2000 {
        return Err(BrokenRule::new("this must have at most 2000 characters"));
    }
    // Paragraphs are welcome here.
    if text.chars().any(|c| is_unfit(c) && !matches!(c, '\n' | '\t')) {
        return Err(unfit());
    }
    Ok(text)
}

pub(super) fn locale(text: String) -> Checked {
    let part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let fits = text.len() <= 35 && text.split('-').all(part);
    if fits { Ok(text) } else { Err(BrokenRule::new("this is not a language tag such as `en`")) }
}

pub(super) fn web_address(text: String) -> Checked {
    let fits = (1..=2048).contains(&text.len())
        && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    let rule = "an address has 1 to 2048 bytes, without white space";
    if fits { Ok(text) } else { Err(BrokenRule::new(rule)) }
}

pub(super) fn file_path(text: String) -> Checked {
    let fits = (2..=4096).contains(&text.len())
        && text.starts_with('/')
        && !text.chars().any(char::is_control);
    if fits { Ok(text) } else { Err(BrokenRule::new("this is not an absolute path")) }
}

pub(super) fn cursor(text: String) -> Checked {
    let fits = (1..=512).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:=-".contains(&b));
    let rule = "this is not a cursor: take `next_cursor` of the answer before as it is";
    if fits { Ok(text) } else { Err(BrokenRule::new(rule)) }
}

fn fit(text: String) -> Checked {
    if text.chars().any(is_unfit) { Err(unfit()) } else { Ok(text) }
}

fn unfit() -> BrokenRule {
    BrokenRule::new("this holds a control character, or one that turns the order of letters around")
}

/// Characters that no text of a person needs, and that make one text look like another. Joiners and variation
/// selectors are not among them: Persian names and many emoji are written with them.
fn is_unfit(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61C}'
                | '\u{200E}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

fn is_seen(character: char) -> bool {
    let hidden = assent_json::hidden_character(character.encode_utf8(&mut [0; 4])).is_some();
    !hidden && !character.is_whitespace()
}

fn trimmed(text: String) -> String {
    if text.trim().len() == text.len() { text } else { text.trim().to_owned() }
}
