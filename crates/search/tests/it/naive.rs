//! The formula of the documentation, written down once more, and applied to every tool.
//!
//! Words are taken as they stand between spaces, so texts must be made of words that are their own
//! stem.

use std::collections::{BTreeMap, BTreeSet};

use assent_search::{IMPACT_UNIT, WEIGHT_UNIT};

/// Name, namespace, title, description and hint.
pub(crate) type Texts = [String; 5];

const USUAL: [f64; 5] = [4.0, 2.0, 4.0, 24.0, 8.0];
const SHARE: [f64; 5] = [1.0, 0.5, 1.0, 1.0, 1.0];
const DESCRIPTION: usize = 3;

#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) tools: BTreeMap<u32, Texts>,
}

impl Naive {
    /// Keys and scores, best first.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<(u32, f64)> {
        let words: BTreeSet<&str> = query.split_whitespace().collect();
        let weights: BTreeMap<&str, u32> =
            words.into_iter().map(|word| (word, self.weight(word))).collect();
        let mut hits: Vec<(u32, u32)> = self
            .tools
            .iter()
            .map(|(key, texts)| {
                let sum = weights.iter().map(|(word, weight)| weight * impact(texts, word)).sum();
                (*key, sum)
            })
            .filter(|(_, sum)| *sum > 0)
            .collect();
        hits.sort_by_key(|(key, sum)| (std::cmp::Reverse(*sum), *key));
        hits.truncate(limit);
        let unit = f64::from(WEIGHT_UNIT) * f64::from(IMPACT_UNIT);
        hits.into_iter().map(|(key, sum)| (key, f64::from(sum) / unit)).collect()
    }

    fn weight(&self, word: &str) -> u32 {
        let all = self.tools.len() as f64;
        let with = self.tools.values().filter(|texts| impact(texts, word) > 0).count() as f64;
        let weight = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
        (weight * f64::from(WEIGHT_UNIT)).round().max(1.0) as u32
    }
}

fn impact(texts: &Texts, word: &str) -> u32 {
    let (mut head, mut body) = (0.0, 0.0);
    for (field, text) in texts.iter().enumerate() {
        let length = text.split_whitespace().count() as f64;
        let count = text.split_whitespace().filter(|other| *other == word).count() as f64;
        let share = SHARE[field] * count / (0.25 + 0.75 * length / USUAL[field]);
        if field == DESCRIPTION {
            body += share;
        } else {
            head += share;
        }
    }
    if head + body == 0.0 {
        return 0;
    }
    let impact = 1.5 * head / (head + 1.2) + body / (body + 1.2);
    (impact * f64::from(IMPACT_UNIT)).round().max(1.0) as u32
}
