//! Names that look alike. Two texts are confusable if they have the same skeleton
//! ([Unicode Technical Standard 39](https://www.unicode.org/reports/tr39/#Confusable_Detection)): a person
//! or a model that reads one may take it for the other.

use std::collections::{BTreeMap, BTreeSet};

use unicode_security::confusable_detection::skeleton;

use super::{Directory, Tool};

/// Every text by which a registered tool is called, under its skeleton.
#[derive(Debug, Default)]
pub(super) struct Skeletons {
    texts: BTreeMap<String, BTreeSet<String>>,
}

impl Skeletons {
    /// The texts that look like `text` and are not the same.
    pub(super) fn confusable_with<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let alike = self.texts.get(&skeleton(text).collect::<String>()).into_iter().flatten();
        alike.map(String::as_str).filter(move |other| *other != text)
    }

    pub(super) fn add(&mut self, tool: &Tool) {
        for text in texts(tool) {
            self.texts.entry(skeleton(&text).collect()).or_default().insert(text);
        }
    }

    /// Removes the texts of a tool that no tool of `directory` is called by any longer.
    pub(super) fn remove(&mut self, tool: &Tool, directory: &Directory) {
        for text in texts(tool).filter(|text| !directory.is_called(text)) {
            let key: String = skeleton(&text).collect();
            if let Some(alike) = self.texts.get_mut(&key) {
                alike.remove(&text);
                if alike.is_empty() {
                    self.texts.remove(&key);
                }
            }
        }
    }
}

/// The texts by which a tool is called: each name, alone and with the namespace.
fn texts(tool: &Tool) -> impl Iterator<Item = String> {
    let names = tool.aliases.iter().chain([&tool.name]);
    names.flat_map(|name| [name.to_string(), format!("{}/{name}", tool.namespace)])
}
