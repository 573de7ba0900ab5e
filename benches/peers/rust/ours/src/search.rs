//! Searching tools, and what a scan of all texts costs.

use std::cmp::Reverse;

use assent_bench_harness::{
    Clock, Engine, Request, SearchTool, Timings, Work, read_tools, search_work,
};
use assent_search::{Index, ToolText};
use serde_json::{Value, json};

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.case.strip_prefix("add-") {
        Some(set) => Some(Box::new(Adding::new(read_tools(request, set)))),
        None => search_work::<Ours>(request),
    }
}

pub(crate) fn prepare_scan(request: &Request) -> Option<Box<dyn Work>> {
    search_work::<Scan>(request)
}

fn text_of(tool: &SearchTool) -> ToolText<'_> {
    ToolText {
        name: &tool.name,
        namespace: "",
        title: &tool.title,
        description: &tool.description,
        hint: &tool.hint,
    }
}

fn filled(mut index: Index, tools: &[SearchTool]) -> Index {
    for (key, tool) in (0..).zip(tools) {
        index.insert(key, &text_of(tool));
    }
    index
}

/// Keys are places.
struct Ours(Index);

impl Engine for Ours {
    fn build(_: &Request, tools: &[SearchTool]) -> Self {
        Self(filled(Index::new(), tools))
    }

    fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        self.0.search(query, limit).into_iter().map(|hit| hit.key as usize).collect()
    }
}

/// One tool more, with all the others there already; and out again, which is timed along.
struct Adding {
    index: Index,
    tools: Vec<SearchTool>,
    next: usize,
    timings: Timings,
}

impl Adding {
    /// The last tools are the ones to be added.
    const SPARE: usize = 500;

    fn new(mut tools: Vec<SearchTool>) -> Self {
        let index = filled(Index::new(), &tools);
        let spare = tools.split_off(tools.len().saturating_sub(Self::SPARE));
        Self { index, tools: spare, next: 0, timings: Timings::default() }
    }
}

impl Work for Adding {
    /// Whether a tool is found after it was added, and only then.
    fn answer(&mut self) -> Value {
        let found = |index: &Index| index.search("zyzzyva", 1).first().map(|hit| hit.key);
        let before = found(&self.index);
        self.index.insert(u32::MAX, &ToolText { name: "zyzzyva", ..ToolText::default() });
        let with = found(&self.index);
        self.index.remove(u32::MAX);
        json!([before, with, found(&self.index)])
    }

    fn pass(&mut self) -> usize {
        let place = self.next % self.tools.len();
        self.next += 1;
        let start = Clock::now();
        self.index.insert(u32::MAX, &text_of(&self.tools[place]));
        self.timings.add(start.elapsed().cpu);
        self.index.remove(u32::MAX);
        1
    }

    fn begin(&mut self) {
        self.timings = Timings::default();
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        self.timings.figures()
    }
}

/// What one writes first: every word of the query, in every text.
struct Scan {
    texts: Vec<String>,
}

impl Engine for Scan {
    fn build(_: &Request, tools: &[SearchTool]) -> Self {
        let text = |tool: &SearchTool| format!("{} {}", tool.name, tool.description).to_lowercase();
        Self { texts: tools.iter().map(text).collect() }
    }

    fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let found = |text: &str| words.iter().filter(|word| text.contains(**word)).count();
        let counts = self.texts.iter().enumerate().map(|(place, text)| (found(text), place));
        let mut hits: Vec<(usize, usize)> = counts.filter(|(count, _)| *count > 0).collect();
        hits.sort_by_key(|(count, place)| (Reverse(*count), *place));
        hits.into_iter().take(limit).map(|(_, place)| place).collect()
    }
}
