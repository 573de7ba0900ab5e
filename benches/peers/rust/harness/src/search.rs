//! The item `search`: everything but the engine.
//!
//! An adapter says how its engine takes tools in and finds them; what is measured, and how, is the
//! same for all.

use std::{collections::BTreeMap, hint::black_box, time::Duration};

use serde_json::{Value, json};

use crate::{
    Request, Work, bytes,
    clock::{Clock, memory_kib},
};

/// How many tools a query asks for.
const LIMIT: usize = 10;

/// How many hits are judged.
const JUDGED: usize = 5;

/// A tool as the data have it.
pub struct SearchTool {
    /// By which queries name it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its title; few sets have one.
    pub title: String,
    /// What it does.
    pub description: String,
    /// More words; few sets have them.
    pub hint: String,
}

struct SearchQuery {
    text: String,
    relevant: Vec<String>,
}

/// What a peer does.
pub trait Engine {
    /// An index of all tools, ready to be searched; `request` tells where else data are.
    fn build(request: &Request, tools: &[SearchTool]) -> Self
    where
        Self: Sized;

    /// The places of the best tools, best first.
    fn search(&self, query: &str, limit: usize) -> Vec<usize>;
}

/// The work of the item for one engine.
#[must_use]
pub fn search_work<E: Engine + 'static>(request: &Request) -> Option<Box<dyn Work>> {
    let (kind, set) = request.case.split_once('-')?;
    let tools = read_tools(request, set);
    Some(match kind {
        "query" => Box::new(Querying::<E>::new(request, set, &tools)),
        "build" => Box::new(Building::<E> { request: request.clone(), tools, engine: None }),
        "quality" => Box::new(Judging::<E>::new(request, set, tools)),
        _ => return None,
    })
}

/// The tools of a set.
///
/// # Panics
///
/// If the file is not as it should be.
#[must_use]
pub fn read_tools(request: &Request, set: &str) -> Vec<SearchTool> {
    let text = |line: &Value, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    lines(request, &format!("{set}.tools.jsonl"))
        .map(|line| SearchTool {
            id: text(&line, "id"),
            name: text(&line, "name"),
            title: text(&line, "title"),
            description: text(&line, "description"),
            hint: text(&line, "hint"),
        })
        .collect()
}

fn read_queries(request: &Request, file: &str) -> Vec<SearchQuery> {
    let id = |id: &Value| id.as_str().expect("an id").to_owned();
    lines(request, file)
        .map(|line| SearchQuery {
            text: line["text"].as_str().expect("a query").to_owned(),
            relevant: line["rel"].as_array().expect("a list").iter().map(id).collect(),
        })
        .collect()
}

fn lines(request: &Request, file: &str) -> impl Iterator<Item = Value> {
    let text = std::str::from_utf8(bytes(request, file)).expect("data are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"))
}

/// Many queries, each timed by itself.
struct Querying<E> {
    engine: E,
    queries: Vec<SearchQuery>,
    probes: Vec<SearchQuery>,
    ids: Vec<String>,
    timings: Timings,
    index_kib: u64,
}

impl<E: Engine> Querying<E> {
    fn new(request: &Request, set: &str, tools: &[SearchTool]) -> Self {
        let before = memory_kib();
        let engine = E::build(request, tools);
        Self {
            engine,
            index_kib: memory_kib().saturating_sub(before),
            queries: read_queries(request, &format!("{set}.queries.jsonl")),
            probes: read_queries(request, &format!("{set}.probes.jsonl")),
            ids: tools.iter().map(|tool| tool.id.clone()).collect(),
            timings: Timings::default(),
        }
    }
}

impl<E: Engine> Work for Querying<E> {
    /// Which tool is the best for each probe.
    fn answer(&mut self) -> Value {
        let best = |probe: &SearchQuery| {
            self.engine.search(&probe.text, 1).first().and_then(|place| self.ids.get(*place))
        };
        json!(self.probes.iter().map(best).collect::<Vec<_>>())
    }

    fn pass(&mut self) -> usize {
        for query in &self.queries {
            let start = Clock::now();
            black_box(self.engine.search(black_box(&query.text), LIMIT));
            self.timings.add(start.elapsed().cpu);
        }
        self.queries.len()
    }

    fn begin(&mut self) {
        self.timings = Timings::default();
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        let mut figures = self.timings.figures();
        figures.push(("index_kib", self.index_kib as f64));
        figures
    }
}

/// The index from nothing.
struct Building<E> {
    request: Request,
    tools: Vec<SearchTool>,
    engine: Option<E>,
}

impl<E: Engine> Work for Building<E> {
    /// How many tools went in, by finding the last one.
    fn answer(&mut self) -> Value {
        let engine = E::build(&self.request, &self.tools);
        let Some(last) = self.tools.last() else { return Value::Null };
        let query = format!("{} {}", last.name, last.description);
        json!(engine.search(&query, 1).first().map(|place| place + 1))
    }

    fn pass(&mut self) -> usize {
        self.engine = Some(E::build(&self.request, black_box(&self.tools)));
        1
    }
}

/// How good the hits are.
struct Judging<E> {
    engine: E,
    queries: Vec<SearchQuery>,
    places: BTreeMap<String, usize>,
}

impl<E: Engine> Judging<E> {
    fn new(request: &Request, set: &str, tools: Vec<SearchTool>) -> Self {
        let engine = E::build(request, &tools);
        let places = tools.into_iter().enumerate().map(|(place, tool)| (tool.id, place)).collect();
        let queries = read_queries(request, &format!("{set}.queries.jsonl"));
        Self { engine, queries, places }
    }

    fn gain(&self, query: &SearchQuery) -> f64 {
        let found = self.engine.search(&query.text, JUDGED);
        let relevant: Vec<_> = query.relevant.iter().filter_map(|id| self.places.get(id)).collect();
        let gains = found.iter().enumerate().filter(|(_, place)| relevant.contains(place));
        let gained: f64 = gains.map(|(rank, _)| discount(rank)).sum();
        gained / (0..query.relevant.len().min(JUDGED)).map(discount).sum::<f64>()
    }

    fn mean_gain(&self) -> f64 {
        let gains = self.queries.iter().map(|query| self.gain(query));
        gains.sum::<f64>() / self.queries.len() as f64
    }
}

impl<E: Engine> Work for Judging<E> {
    fn answer(&mut self) -> Value {
        json!({"queries": self.queries.len(), "ndcg_at_5": self.mean_gain()})
    }

    fn pass(&mut self) -> usize {
        for query in &self.queries {
            black_box(self.engine.search(black_box(&query.text), JUDGED));
        }
        self.queries.len()
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        vec![("ndcg_at_5", self.mean_gain())]
    }
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 2.0).log2()
}

/// What single operations took.
#[derive(Default)]
pub struct Timings(Vec<f64>);

impl Timings {
    /// One more.
    pub fn add(&mut self, cpu: Duration) {
        self.0.push(cpu.as_secs_f64() * 1e6);
    }

    /// The middle, the slowest hundredth, and how far they are apart.
    #[must_use]
    pub fn figures(&mut self) -> Vec<(&'static str, f64)> {
        self.0.sort_unstable_by(f64::total_cmp);
        let at = |share: usize| self.0.get(self.0.len() * share / 100).copied().unwrap_or_default();
        let (p50, p99) = (at(50), at(99));
        vec![("p50_us", p50), ("p99_us", p99), ("p99_per_p50", p99 / p50)]
    }
}
