//! tantivy, in memory: two fields, English stemming, one segment.

use assent_bench_harness::{Engine, Request, SearchTool};
use tantivy::{
    Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument,
    collector::TopDocs,
    columnar::Column,
    query::QueryParser,
    schema::{FAST, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
};

/// What the writer may use before it writes a segment.
const WRITER_BYTES: usize = 100_000_000;

pub(crate) struct Tantivy {
    searcher: Searcher,
    parser: QueryParser,
    /// The places of the tools of each segment. Opening a column is no part of a query.
    places: Vec<Column<u64>>,
}

impl Engine for Tantivy {
    fn build(_: &Request, tools: &[SearchTool]) -> Self {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default().set_indexing_options(indexing);
        let name = schema.add_text_field("name", text.clone());
        let description = schema.add_text_field("description", text);
        let place = schema.add_u64_field("place", FAST);
        let index = Index::create_in_ram(schema.build());

        let mut writer: IndexWriter =
            index.writer_with_num_threads(1, WRITER_BYTES).expect("a writer");
        for (number, tool) in (0_u64..).zip(tools) {
            let mut document = TantivyDocument::default();
            // Titles and hints go where they serve best.
            document.add_text(name, format!("{} {} {}", tool.name, tool.title, tool.hint));
            document.add_text(description, &tool.description);
            document.add_u64(place, number);
            writer.add_document(document).expect("a document is added");
        }
        writer.commit().expect("a commit");
        let segments = index.searchable_segment_ids().expect("segments");
        if segments.len() > 1 {
            writer.merge(&segments).wait().expect("one segment");
        }
        writer.wait_merging_threads().expect("no thread is left");

        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        let searcher = tantivy::IndexReader::searcher(&reader.expect("a reader"));
        let open = |segment: &tantivy::SegmentReader| segment.fast_fields().u64("place");
        let places = searcher.segment_readers().iter().map(open).collect::<Result<_, _>>();
        Self {
            places: places.expect("columns"),
            parser: QueryParser::for_index(&index, vec![name, description]),
            searcher,
        }
    }

    fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let (query, _) = self.parser.parse_query_lenient(query);
        let top = TopDocs::with_limit(limit).order_by_score();
        let found = self.searcher.search(&query, &top).expect("a search");
        found
            .into_iter()
            .filter_map(|(_, address)| {
                let column = self.places.get(address.segment_ord as usize)?;
                usize::try_from(column.first(address.doc_id)?).ok()
            })
            .collect()
    }
}
