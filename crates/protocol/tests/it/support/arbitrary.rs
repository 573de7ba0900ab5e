//! Random instances of our own types, whole and typed.

use assent_ids as ids;
use assent_ids::{GeneratedId, Lax, Ulid, UnixMillis};
use assent_protocol::{
    agent_tool as at,
    wire::{Count, Loose, Millis, Object, Open, Percent, Timestamp, Word},
};
use serde_json::{Number, Value};

use super::json::Gen;

/// A type with random instances.
pub(crate) trait Arb {
    fn arb(g: &mut Gen) -> Self;
}

impl Gen {
    pub(crate) fn any<T: Arb>(&mut self) -> T {
        T::arb(self)
    }

    /// Fields that no version knows.
    pub(crate) fn extra(&mut self) -> Object {
        let names = ["x_first", "x_second", "x third"];
        (0..self.below(3)).map(|_| (names[self.index(3)].to_owned(), self.value(2))).collect()
    }
}

macro_rules! arb {
    ($($type:ty = |$g:ident| $make:expr;)+) => {$(
        impl Arb for $type { fn arb($g: &mut Gen) -> Self { $make } }
    )+};
}

arb! {
    String = |g| g.text();
    bool = |g| g.one_in(2);
    Value = |g| g.value(3);
    Number = |g| g.number();
    Object = |g| g.object(2).into_iter().collect();
    Count = |g| Count(g.next() >> g.below(64));
    Millis = |g| Millis(g.below(1 << 40));
    Percent = |g| Percent::new(g.below(1001) as f64 / 10.0).unwrap();
    Timestamp = |g| UnixMillis::new(g.below(1 << 42)).into();
    at::Flag = |g| match g.below(3) { 0 => at::Flag::from(true), 1 => at::Flag::from(false), _ => at::Flag::Text(g.text()) };
    at::RetryAfter = |g| match g.below(4) {
        0 => at::RetryAfter::Seconds(g.any()),
        1 => at::RetryAfter::Fraction(Number::from_f64(0.5).unwrap()),
        2 => at::RetryAfter::At(g.any()),
        _ => at::RetryAfter::Unknown(()),
    };
    at::SurfaceEntry = |g| match g.below(3) {
        0 => at::SurfaceEntry::Id(g.any()),
        1 => at::SurfaceEntry::Embedded(g.any()),
        _ => at::SurfaceEntry::Raw(Value::Null),
    };
    at::SearchMatch = |g| if g.one_in(2) { at::SearchMatch::Id(g.any()) } else { at::SearchMatch::Scored(g.any()) };
    at::ScoredMatch = |g| {
        let mut found = Self::new(g.any::<Lax<ids::ToolId>>());
        found.score = g.any();
        found.reasons = g.any();
        found.extra = g.extra();
        found
    };
    at::StatusTransition = |g| {
        let mut step = Self::new(g.any::<Open<at::InvocationStatus>>(), g.any());
        step.extra = g.extra();
        step
    };
    at::MutationNote = |g| Self::from(&g.any::<at::ToolInputMutation>());
    at::HookVerdict = |g| {
        let mut verdict = Self::new(g.any());
        verdict.reason = g.any();
        verdict.extra = g.extra();
        verdict
    };
    at::MutationPolicy = |g| at::MutationPolicy { hooks: g.any(), prompts: g.any(), extra: g.extra() };
    at::InlineThreshold = |g| at::InlineThreshold { max_inline_chars: g.any(), max_inline_bytes: g.any(), extra: g.extra() };
    at::PersistedRef = |g| {
        let mut stored = Self::new(g.text());
        stored.media_type = g.any();
        stored.digest = g.any();
        stored.extra = g.extra();
        stored
    };
    at::SuggestedUpdate = |g| match g.below(6) {
        0 => at::SuggestedUpdate::AddRules(g.any()),
        1 => at::SuggestedUpdate::ReplaceRules(g.any()),
        2 => at::SuggestedUpdate::RemoveRules(g.any()),
        3 => at::SuggestedUpdate::SetMode(at::ModeUpdate { mode: g.text(), destination: g.any(), extra: g.extra() }),
        4 => at::SuggestedUpdate::AddDirectories(g.any()),
        _ => at::SuggestedUpdate::RemoveDirectories(g.any()),
    };
    at::RulesUpdate = |g| at::RulesUpdate { behavior: g.any(), destination: g.any(), rules: g.any(), extra: g.extra() };
    at::DirectoriesUpdate = |g| at::DirectoriesUpdate { directories: g.any(), destination: g.any(), extra: g.extra() };
}

impl<T: Arb> Arb for Option<T> {
    fn arb(g: &mut Gen) -> Self {
        g.one_in(2).then(|| g.any())
    }
}

impl<T: Arb> Arb for Box<T> {
    fn arb(g: &mut Gen) -> Self {
        Self::new(g.any())
    }
}

impl Arb for std::borrow::Cow<'static, str> {
    fn arb(g: &mut Gen) -> Self {
        Self::Owned(g.any())
    }
}

impl<T: Arb> Arb for Vec<T> {
    fn arb(g: &mut Gen) -> Self {
        (0..g.below(3)).map(|_| g.any()).collect()
    }
}

impl<T: Arb, Raw> Arb for Loose<T, Raw> {
    fn arb(g: &mut Gen) -> Self {
        Self::Typed(g.any())
    }
}

impl<W: Word> Arb for Open<W> {
    fn arb(g: &mut Gen) -> Self {
        if g.one_in(4) { Self::read(&format!("x-{}", g.text())) } else { word::<W>(g).into() }
    }
}

impl<Id: Arb + assent_ids::Written> Arb for Lax<Id> {
    fn arb(g: &mut Gen) -> Self {
        Self::from(g.any::<Id>())
    }
}

fn word<W: Word>(g: &mut Gen) -> W {
    W::WORDS[g.index(W::WORDS.len())]
}

macro_rules! closed { ($($name:ident)+) => {$(
    impl Arb for at::$name { fn arb(g: &mut Gen) -> Self { word(g) } }
)+} }
closed! {
    ToolLifecycle SchemaVisibility LoadingState HookEvent MutationSource MutationRule Behavior RiskLevel
    PersistenceStrategy OrderingPolicy YieldPolicy InterruptBehavior SiblingFailurePolicy
    ContextModifierPolicy LockMode
}

macro_rules! generated { ($($name:ident)+) => {$(
    impl Arb for ids::$name { fn arb(g: &mut Gen) -> Self {
        Self::from_ulid(Ulid::from_bits(u128::from(g.next()) << 64 | u128::from(g.next())))
    } }
)+} }
generated! {
    InvocationId SurfaceId DecisionId MutationId HookRunId ProgressId ResultId PersistenceId EventId
}

macro_rules! named { ($($name:ident)+) => {$(
    impl Arb for ids::$name { fn arb(g: &mut Gen) -> Self { format!("name_{}", g.below(100)).parse().unwrap() } }
)+} }
named! {
    ToolId CallableName Namespace ProviderId NativeCallId HookId RuleId InterfaceId ExecutionProfileId
    PermissionProfileId SchedulerPolicyId TaskId ArtifactId
}
