//! Parses YAML: events in, located values out.
//!
//! Whatever parsers of YAML disagree about is refused: tags, merge keys, keys that are not text, keys
//! that occur twice, several documents in one file.

use std::{borrow::Cow, collections::BTreeMap, collections::BTreeSet};

use assent_json::{MAX_DEPTH, Pointer, ReadErrorKind};
use granit_parser::{Event, Options, Parser, ScalarStyle, Span};

use super::yaml_scalar;
use crate::{
    budget::{Budget, Size},
    report::Report,
    suggest::quoted,
    tree::{Data, Located, Member},
};

pub(crate) fn parse(text: &[u8], report: &Report<'_>) -> Option<Located> {
    let root = Pointer::root();
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            report.problem(error.valid_up_to(), &root, ReadErrorKind::InvalidUtf8.to_string());
            return None;
        }
    };
    if text.starts_with('\u{feff}') {
        report.problem(0, &root, "remove the byte order mark at the start of the file");
        return None;
    }
    let mut builder = Builder::new(report);
    for event in Parser::new_from_str_with_options(text, options()) {
        let taken = match event {
            Ok((event, span)) => {
                let offset = span.start.byte_offset().unwrap_or_default();
                builder.take(event, &span, offset).map_err(|message| (offset, message))
            }
            Err(error) => Err((error.marker().byte_offset().unwrap_or_default(), error.info())),
        };
        if let Err((offset, message)) = taken {
            report.problem(offset, &builder.path(), message);
            return None;
        }
    }
    if builder.root.is_none() {
        report.problem(0, &root, "the file is empty");
    }
    builder.root
}

fn options() -> Options {
    granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
    }
}

/// Builds the tree from events.
struct Builder<'r, 's> {
    report: &'r Report<'s>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Anchor>,
    budget: Budget,
    documents: usize,
    root: Option<Located>,
}

/// A list or object whose end has not been parsed.
struct Open {
    offset: usize,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Located>),
    Object { members: Vec<Member>, keys: BTreeSet<String>, next: Next },
}

/// What an object expects next.
enum Next {
    Key,
    /// The value of this key, or of a key that was refused.
    Value(Option<(String, usize)>),
}

/// A value that aliases stand for.
struct Anchor {
    node: Located,
    size: Size,
}

/// An error ends the parsing.
type Step = Result<(), String>;

impl<'r, 's> Builder<'r, 's> {
    fn new(report: &'r Report<'s>) -> Self {
        Self {
            report,
            open: Vec::new(),
            anchors: BTreeMap::new(),
            budget: Budget::default(),
            documents: 0,
            root: None,
        }
    }

    fn take(&mut self, event: Event<'_>, span: &Span, offset: usize) -> Step {
        if event.tag().is_some() {
            self.refuse_tag(span, offset);
        }
        match event {
            Event::DocumentStart(..) => self.document(),
            Event::Scalar(text, style, anchor, _) => {
                self.budget.spend_value(text.len())?;
                let data = self.scalar(text, style, offset);
                self.complete(Located { offset, data }, anchor)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.begin(offset, anchor, Content::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, _) => {
                let (members, keys, next) = (Vec::new(), BTreeSet::new(), Next::Key);
                self.begin(offset, anchor, Content::Object { members, keys, next })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.alias(anchor, offset),
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            // The events of the parser may grow.
            _ => Err("this part of YAML is not supported".to_owned()),
        }
    }

    fn document(&mut self) -> Step {
        self.documents += 1;
        match self.documents {
            1 => Ok(()),
            _ => {
                Err("a file holds one document; put the next one into a file of its own".to_owned())
            }
        }
    }

    fn refuse_tag(&self, span: &Span, offset: usize) {
        let tag = span.tag_start.and_then(|tag| tag.byte_offset());
        let message = "tags are not allowed; use quotes to make a value a text";
        self.report.problem(tag.unwrap_or(offset), &self.path(), message);
    }

    fn scalar(&self, text: Cow<'_, str>, style: ScalarStyle, offset: usize) -> Data {
        if style != ScalarStyle::Plain {
            return Data::Text(text.into_owned());
        }
        if text == "<<" && self.expects_key() {
            let message = "merge keys are not supported; write the members out";
            self.report.problem(offset, &self.path(), message);
        }
        yaml_scalar::resolve(&text).unwrap_or_else(|message| {
            self.report.problem(offset, &self.path(), message);
            Data::Refused
        })
    }

    fn begin(&mut self, offset: usize, anchor: usize, content: Content) -> Step {
        self.budget.spend_value(0)?;
        if self.open.len() == MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep.to_string());
        }
        self.open.push(Open { offset, anchor, content });
        Ok(())
    }

    fn end(&mut self) -> Step {
        let Some(Open { offset, anchor, content }) = self.open.pop() else { return Ok(()) };
        let data = match content {
            Content::List(items) => Data::List(items),
            Content::Object { members, .. } => Data::Object(members),
        };
        self.complete(Located { offset, data }, anchor)
    }

    fn alias(&mut self, anchor: usize, offset: usize) -> Step {
        let Some(Anchor { node, size }) = self.anchors.get(&anchor) else {
            return Err("an alias cannot be inside of the value it refers to".to_owned());
        };
        self.budget.spend(size.bytes)?;
        if self.open.len() + size.depth > MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep.to_string());
        }
        // Values inside keep their positions: that is where a mistake has to be corrected.
        let node = Located { offset, data: node.data.clone() };
        self.add(node);
        Ok(())
    }

    fn complete(&mut self, node: Located, anchor: usize) -> Step {
        if anchor != 0 {
            let size = Size::of(&node);
            self.budget.spend(size.bytes)?;
            self.anchors.insert(anchor, Anchor { node: node.clone(), size });
        }
        self.add(node);
        Ok(())
    }

    /// Adds a complete value to what is open.
    fn add(&mut self, node: Located) {
        let path = if self.expects_key() { self.path() } else { Pointer::root() };
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::List(items)) => items.push(node),
            Some(Content::Object { members, keys, next }) => {
                match std::mem::replace(next, Next::Key) {
                    Next::Key => *next = Next::Value(key(node, keys, &path, self.report)),
                    Next::Value(Some((key, key_offset))) => {
                        members.push(Member { key, key_offset, value: node });
                    }
                    Next::Value(None) => {}
                }
            }
        }
    }

    fn expects_key(&self) -> bool {
        let content = self.open.last().map(|open| &open.content);
        matches!(content, Some(Content::Object { next: Next::Key, .. }))
    }

    /// The path of the next value.
    fn path(&self) -> Pointer {
        self.open.iter().fold(Pointer::root(), |path, open| match &open.content {
            Content::List(items) => path.index(items.len()),
            Content::Object { next: Next::Value(Some((key, _))), .. } => path.key(key),
            Content::Object { .. } => path,
        })
    }
}

/// The key that a value is. Reports a value that is no text, and a key that occurs twice.
fn key(
    node: Located,
    keys: &mut BTreeSet<String>,
    path: &Pointer,
    report: &Report<'_>,
) -> Option<(String, usize)> {
    let Data::Text(text) = node.data else {
        let message = format!("a key must be text, not {}; use quotes", node.data.kind());
        report.problem(node.offset, path, message);
        return None;
    };
    if !keys.insert(text.clone()) {
        let message = ReadErrorKind::DuplicateKey(quoted(&text)).to_string();
        report.problem(node.offset, &path.key(&text), message);
        return None;
    }
    Some((text, node.offset))
}
