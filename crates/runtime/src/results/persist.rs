//! Stores or withholds a result according to its strategy.

use std::sync::Arc;

use assent_blobs::{BlobError, BlobMeta, BlobRef, BlobStore, Owner, Retention};
use assent_ids::{InvocationId, PersistenceId, ResultId, UnixMillis};
use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{
        ContentBlock, ContentClass, Delivery, PersistedRef, PersistenceStrategy,
        ToolResultPersistence,
    },
    wire::Object,
};
use serde_json::{Value, json};

use super::{
    Choice, Mapped, Redacted,
    measure::count,
    preview::{Excerpt, Room, excerpt, excerpt_of_part},
};

/// The ids and the owner under which a result is stored.
#[derive(Clone, Debug)]
pub(crate) struct Filing {
    /// The id of the decision.
    pub(crate) decision_id: PersistenceId,
    /// The call.
    pub(crate) invocation_id: InvocationId,
    /// Its result.
    pub(crate) result_id: ResultId,
    /// The time now.
    pub(crate) at: UnixMillis,
    /// The owner of stored bytes; by default the call.
    pub(crate) owner: Option<Owner>,
    /// How long they are kept.
    pub(crate) retention: Retention,
}

/// A result as it is passed on.
#[derive(Clone, Debug)]
pub(crate) struct PersistedResult {
    /// The canonical blocks, unless they are only in the store or nowhere.
    pub(crate) content: Option<Vec<ContentBlock>>,
    /// What the model is sent.
    pub(crate) model_facing: Vec<ContentBlock>,
    /// The data, if all of it is passed on and it fits the tool's schema.
    pub(crate) structured: Option<Json>,
    /// How much of it is passed on.
    pub(crate) delivery: Delivery,
    /// Whether there is no output.
    pub(crate) is_empty: bool,
    /// A short description that shows nothing of the content.
    pub(crate) gist: String,
    /// Why not all of it is passed on.
    pub(crate) explanation: Option<String>,
    /// The digest of the whole, redacted result.
    pub(crate) digest: Digest,
    /// Where something sensitive was taken out, as JSON Pointers into the result.
    pub(crate) redacted_fields: Vec<String>,
    /// The decision, for the journal.
    pub(crate) record: Arc<ToolResultPersistence>,
}

/// Stores or withholds a result as `choice` says. If the store fails, the call still succeeds: the bytes are lost,
/// and the result says so.
pub(crate) async fn persist(
    result: Redacted,
    choice: Choice,
    store: &dyn BlobStore,
    filing: Filing,
) -> PersistedResult {
    let work = Work { result, choice, filing };
    if let Some(strategy) = whole_by(&work.result, &work.choice) {
        return work.whole(strategy);
    }
    match work.choice.strategy() {
        PersistenceStrategy::NeverPersist
        | PersistenceStrategy::Inline
        | PersistenceStrategy::Redact => work.truncated(),
        strategy @ (PersistenceStrategy::PreviewAndPersist | PersistenceStrategy::RefOnly) => {
            match work.store(store).await {
                Ok(blob) => work.stored(strategy, blob),
                Err(error) => work.lost(strategy, &error),
            }
        }
        PersistenceStrategy::DropWithReason => work.dropped(),
    }
}

/// The strategy under which all of a result is passed on and nothing is stored; `None` if `choice` says otherwise.
fn whole_by(result: &Redacted, choice: &Choice) -> Option<PersistenceStrategy> {
    let is_empty = result.mapped().is_empty();
    match choice.strategy() {
        strategy @ PersistenceStrategy::NeverPersist => {
            (is_empty || !choice.is_over()).then_some(strategy)
        }
        // There is nothing to store, to withhold or to drop.
        _ if is_empty => Some(PersistenceStrategy::Inline),
        strategy @ (PersistenceStrategy::Inline | PersistenceStrategy::Redact) => Some(strategy),
        PersistenceStrategy::PreviewAndPersist
        | PersistenceStrategy::RefOnly
        | PersistenceStrategy::DropWithReason => None,
    }
}

/// A result with its strategy, its ids and its owner.
struct Work {
    result: Redacted,
    choice: Choice,
    filing: Filing,
}

impl Work {
    fn mapped(&self) -> &Mapped {
        self.result.mapped()
    }

    async fn store(&self, store: &dyn BlobStore) -> Result<BlobRef, BlobError> {
        let (bytes, media_type) = self.mapped().payload();
        let meta = BlobMeta::new(media_type, self.owner(), self.filing.retention);
        store.put(bytes.into_owned(), meta).await
    }

    fn owner(&self) -> Owner {
        self.filing.owner.clone().unwrap_or_else(|| Owner::of(self.filing.invocation_id))
    }

    /// All of it is passed on.
    fn whole(self, strategy: PersistenceStrategy) -> PersistedResult {
        let delivery = if self.result.is_redacted() { Delivery::Redacted } else { Delivery::Whole };
        let model_facing = self.mapped().model_facing();
        PersistedResult { delivery, ..self.passed_on(strategy, model_facing) }
    }

    /// The beginning is passed on, and the rest is lost.
    fn truncated(self) -> PersistedResult {
        let explanation = format!(
            "the result is cut off, because {} and results of this call are not stored",
            self.choice.reason()
        );
        let shown = self.excerpt(Room::whole(self.choice.limits()), "they are not kept");
        let size = count(shown.text.len());
        let blocks = vec![ContentBlock::text(shown.text)];
        let content = Some(blocks.clone());
        let mut cut_off = self.described(PersistenceStrategy::NeverPersist, blocks);
        Arc::make_mut(&mut cut_off.record).preview_size_bytes = Some(size);
        let delivery = Delivery::TooLarge { retrievable: false };
        PersistedResult { content, delivery, explanation: Some(explanation), ..cut_off }
    }

    /// The whole is in the store; a preview or only its name is passed on.
    fn stored(self, strategy: PersistenceStrategy, blob: BlobRef) -> PersistedResult {
        let reference = self.reference(blob);
        let fate = format!("the whole result is stored as `{}`", blob.uri);
        if strategy == PersistenceStrategy::RefOnly {
            let note = format!("[{} is not shown; {fate}]", self.mapped().gist());
            let blocks = vec![ContentBlock::text(note), self.link(blob)];
            let delivery = self.withheld(true);
            let mut stored = self.described(strategy, blocks);
            Arc::make_mut(&mut stored.record).persisted_ref = Some(reference.into());
            return PersistedResult { delivery, explanation: Some(fate), ..stored };
        }
        let shown = self.excerpt(Room::preview(self.choice.limits()), &fate);
        let size = count(shown.text.len());
        let mut stored = if shown.is_cut {
            let blocks = vec![ContentBlock::text(shown.text), self.link(blob)];
            let delivery = Delivery::TooLarge { retrievable: true };
            PersistedResult {
                delivery,
                explanation: Some(fate),
                ..self.described(strategy, blocks)
            }
        } else {
            self.whole(strategy)
        };
        let record = Arc::make_mut(&mut stored.record);
        record.persisted_ref = Some(reference.into());
        record.preview_size_bytes = Some(size);
        stored
    }

    /// The store failed: the preview is passed on, and the rest is lost.
    fn lost(self, wanted: PersistenceStrategy, error: &BlobError) -> PersistedResult {
        let explanation = format!("the result could not be stored: {error}");
        let text = if wanted == PersistenceStrategy::PreviewAndPersist {
            let room = Room::preview(self.choice.limits());
            self.excerpt(room, "they could not be stored and are lost").text
        } else {
            format!("[{} is not shown; it could not be stored and is lost]", self.mapped().gist())
        };
        let blocks = vec![ContentBlock::text(text)];
        let mut lost = self.described(PersistenceStrategy::DropWithReason, blocks);
        lost.delivery = Delivery::TooLarge { retrievable: false };
        Arc::make_mut(&mut lost.record).reason = Some(explanation.clone().into());
        lost.explanation = Some(explanation);
        lost
    }

    /// Nothing is passed on and nothing is stored.
    fn dropped(self) -> PersistedResult {
        let reason = self.choice.reason();
        let explanation = format!("the result is not passed on, because {reason}");
        let note = format!("[{} is not shown and not stored: {reason}]", self.mapped().gist());
        let delivery = self.withheld(false);
        let blocks = vec![ContentBlock::text(note)];
        let dropped = self.described(PersistenceStrategy::DropWithReason, blocks);
        PersistedResult { delivery, explanation: Some(explanation), ..dropped }
    }

    /// How a withheld result is reported: as too large, or as redacted if it is within the limits.
    fn withheld(&self, retrievable: bool) -> Delivery {
        if self.choice.is_over() { Delivery::TooLarge { retrievable } } else { Delivery::Redacted }
    }

    fn excerpt(&self, room: Room, fate: &str) -> Excerpt {
        let (text, is_all) = self.mapped().readable();
        if is_all {
            excerpt(&text, room, fate)
        } else {
            excerpt_of_part(&text, self.mapped().size().bytes, room, fate)
        }
    }

    fn passed_on(
        self,
        strategy: PersistenceStrategy,
        model_facing: Vec<ContentBlock>,
    ) -> PersistedResult {
        let structured = self.mapped().structured().cloned();
        let held_back = self.described(strategy, model_facing);
        let content = Some(self.result.into_mapped().into_blocks());
        PersistedResult { content, structured, ..held_back }
    }

    /// The result without its content.
    fn described(
        &self,
        strategy: PersistenceStrategy,
        model_facing: Vec<ContentBlock>,
    ) -> PersistedResult {
        let record = Arc::new(self.record(strategy));
        let mapped = self.result.mapped();
        PersistedResult {
            content: None,
            model_facing,
            structured: None,
            delivery: Delivery::Whole,
            is_empty: mapped.is_empty(),
            gist: mapped.gist(),
            explanation: None,
            digest: mapped.digest(),
            redacted_fields: self.result.fields().to_vec(),
            record,
        }
    }

    /// The record of the decision.
    fn record(&self, strategy: PersistenceStrategy) -> ToolResultPersistence {
        let Filing { decision_id, invocation_id, result_id, at, .. } = self.filing;
        let mut record =
            ToolResultPersistence::new(decision_id, invocation_id, strategy, at.into());
        record.result_id = Some(result_id.into());
        record.threshold = Some(self.choice.limits().threshold().into());
        record.original_size_bytes = Some(count(self.mapped().payload().0.len()));
        record.redaction_state = Some(self.redaction_state().into());
        record.reason = Some(self.choice.reason.clone());
        record
    }

    fn redaction_state(&self) -> &'static str {
        if self.result.is_redacted() { "redacted" } else { "none" }
    }

    /// The reference to the stored bytes.
    fn reference(&self, blob: BlobRef) -> PersistedRef {
        let mut reference = PersistedRef::new(blob.uri.to_string());
        reference.media_type = Some(self.mapped().payload().1.to_owned());
        reference.digest = Some(blob.digest().named());
        let kept = match self.filing.retention {
            Retention::Session => json!("session"),
            Retention::Until(time) => json!({"until_ms": time.get()}),
            Retention::Forever => json!("forever"),
        };
        reference.extra = Object::from([
            ("size_bytes".to_owned(), blob.size.into()),
            ("redaction_state".to_owned(), self.redaction_state().into()),
            ("access".to_owned(), json!({"owner": self.owner().as_str(), "kept": kept})),
        ]);
        reference
    }

    /// The same as a block.
    fn link(&self, blob: BlobRef) -> ContentBlock {
        let mut block = ContentBlock::new(ContentClass::PersistedOutputRef);
        block.extra = Object::from([
            ("uri".to_owned(), Value::from(blob.uri.to_string())),
            ("media_type".to_owned(), self.mapped().payload().1.into()),
            ("digest".to_owned(), blob.digest().named().into()),
            ("size_bytes".to_owned(), blob.size.into()),
        ]);
        block
    }
}
