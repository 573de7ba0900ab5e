//! Whatever is inserted, replaced and removed: the answer is that of the scorer that skips nothing.

use assent_search::{Index, ToolText};
use proptest::{collection::vec, prelude::*};

use crate::naive::{Naive, Texts};

/// Words that are their own stem and no stop words.
const WORDS: [&str; 24] = [
    "post", "mail", "map", "bug", "chart", "draft", "plan", "task", "team", "user", "path", "bank",
    "cart", "disk", "form", "graph", "host", "input", "join", "kanban", "lamp", "monitor", "null",
    "öl",
];

fn text_of<'a>(texts: &'a Texts) -> ToolText<'a> {
    let [name, namespace, title, description, hint] = texts.each_ref().map(String::as_str);
    ToolText { name, namespace, title, description, hint }
}

fn assert_same(index: &Index, naive: &Naive, query: &str, limit: usize) {
    let found = index.search(query, limit);
    let expected = naive.search(query, limit);
    let keys = |hits: &[(u32, f64)]| hits.iter().map(|(key, _)| *key).collect::<Vec<_>>();
    let found: Vec<_> = found.iter().map(|hit| (hit.key, f64::from(hit.score))).collect();
    assert_eq!(keys(&found), keys(&expected), "{query}");
    for ((_, found), (_, expected)) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= 1e-5 * expected, "{query}: {found} {expected}");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Insert(u32, Texts),
    Remove(u32),
    Search(String, usize),
}

fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    // The first words are much more frequent than the last ones, as in any language.
    let word = (0..WORDS.len(), 0..WORDS.len()).prop_map(|(a, b)| WORDS[a.min(b)]);
    vec(word, words).prop_map(|words| words.join(" "))
}

fn step() -> impl Strategy<Value = Step> {
    let texts = [text(0..4), text(0..2), text(0..5), text(0..30), text(0..6)];
    prop_oneof![
        6 => (0..60_u32, texts).prop_map(|(key, texts)| Step::Insert(key, texts)),
        2 => (0..60_u32).prop_map(Step::Remove),
        3 => (text(0..9), 0..12_usize).prop_map(|(query, limit)| Step::Search(query, limit)),
    ]
}

proptest! {
    #[test]
    fn any_history_gives_the_answers_of_a_linear_scan(steps in vec(step(), 0..120)) {
        let (mut index, mut naive) = (Index::new(), Naive::default());
        for step in steps {
            match step {
                Step::Insert(key, texts) => {
                    index.insert(key, &text_of(&texts));
                    naive.tools.insert(key, texts);
                }
                Step::Remove(key) => {
                    prop_assert_eq!(index.remove(key), naive.tools.remove(&key).is_some());
                }
                Step::Search(query, limit) => assert_same(&index, &naive, &query, limit),
            }
            prop_assert_eq!(index.len(), naive.tools.len());
        }
        assert_same(&index, &naive, &WORDS.join(" "), usize::MAX);
    }
}

/// A fixed sequence of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len()).min(self.below(WORDS.len()))]
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn texts(&mut self) -> Texts {
        [2, 1, 0, 9, 1].map(|most| {
            let words = self.below(most + 1);
            self.text(words)
        })
    }
}

#[test]
fn many_blocks_with_holes_give_the_answers_of_a_linear_scan() {
    let (mut index, mut naive, mut random) = (Index::new(), Naive::default(), Random(7));
    for _ in 0..14_000 {
        // Keys come in any order, and some come again.
        let key = random.below(1 << 14) as u32;
        let texts = random.texts();
        index.insert(key, &text_of(&texts));
        naive.tools.insert(key, texts);
        if random.below(5) == 0 {
            let key = random.below(1 << 14) as u32;
            assert_eq!(index.remove(key), naive.tools.remove(&key).is_some());
        }
    }
    assert!(index.len() > 7_000);
    for _ in 0..25 {
        let words = 1 + random.below(8);
        let query = random.text(words);
        assert_same(&index, &naive, &query, 1 + random.below(20));
    }
}

#[test]
fn a_search_among_some_tools_is_the_answer_without_the_others() {
    let (mut index, mut random) = (Index::new(), Random(11));
    for key in 0..6_000 {
        index.insert(key, &text_of(&random.texts()));
    }
    for _ in 0..20 {
        let query = random.text(4);
        let mut all = index.search(&query, usize::MAX);
        all.retain(|hit| hit.key % 7 == 0);
        all.truncate(10);
        assert_eq!(index.search_among(&query, 10, |key| key % 7 == 0), all);
    }
}

#[test]
fn an_index_that_was_emptied_is_as_good_as_new() {
    let (mut index, mut random) = (Index::new(), Random(3));
    for key in 0..5_000 {
        index.insert(key, &text_of(&random.texts()));
    }
    for key in 0..5_000 {
        assert!(index.remove(key));
    }
    assert!(index.is_empty());
    assert_eq!(index.search(&WORDS.join(" "), 10), []);
    let (mut fresh, texts) = (Index::new(), random.texts());
    index.insert(9, &text_of(&texts));
    fresh.insert(9, &text_of(&texts));
    assert_eq!(index.search(&WORDS.join(" "), 10), fresh.search(&WORDS.join(" "), 10));
}
