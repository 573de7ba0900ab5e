//! A record, made or as it was stored.

use std::ops::Deref;

use assent_protocol::agent_tool::{
    DeferredToolRef, Record, RecordKind, ToolDeclaration, ToolEvent, ToolExecutionProfile,
    ToolHook, ToolInputMutation, ToolInterface, ToolInvocation, ToolPermissionDecision,
    ToolPermissionProfile, ToolProgress, ToolResult, ToolResultPersistence, ToolSchedulerPolicy,
    ToolSearchResult, ToolSurface,
    strict::{Problem, Strict},
};
use serde::{Serialize, Serializer};

/// A record that lies in an entry, or one that was made from it.
#[derive(Clone, Debug)]
pub enum Made<'a, T> {
    /// It lies in the entry.
    Stored(&'a T),
    /// It was made.
    New(Box<T>),
}

impl<T> Deref for Made<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Stored(record) => record,
            Self::New(record) => record,
        }
    }
}

macro_rules! projected {
    ($($(#[$doc:meta])* $variant:ident($record:ty);)+) => {
        /// A record of the standard. Serialised, it is the record itself.
        #[derive(Clone, Debug)]
        pub enum ProjectedRecord<'a> {
            $($(#[$doc])* $variant(Made<'a, $record>),)+
        }

        impl ProjectedRecord<'_> {
            /// Which record it is.
            #[must_use]
            pub fn kind(&self) -> RecordKind {
                match self { $(Self::$variant(_) => <$record as Record>::KIND,)+ }
            }

            /// What is wrong with it by the rules that our own records keep; nothing should be.
            #[must_use]
            pub fn problems(&self) -> Vec<Problem> {
                match self { $(Self::$variant(record) => record.problems(),)+ }
            }
        }

        impl Serialize for ProjectedRecord<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$variant(record) => (**record).serialize(serializer),)+ }
            }
        }

        $(
            impl From<Box<$record>> for ProjectedRecord<'_> {
                fn from(record: Box<$record>) -> Self { Self::$variant(Made::New(record)) }
            }
            impl<'a> From<&'a $record> for ProjectedRecord<'a> {
                fn from(record: &'a $record) -> Self { Self::$variant(Made::Stored(record)) }
            }
        )+
    };
}

projected! {
    /// Something that happened.
    Event(ToolEvent);
    /// A tool.
    Declaration(ToolDeclaration);
    /// Its runtime contract.
    Interface(ToolInterface);
    /// How it is executed.
    ExecutionProfile(ToolExecutionProfile);
    /// What it touches.
    PermissionProfile(ToolPermissionProfile);
    /// The tools on offer.
    Surface(ToolSurface);
    /// A tool without its schema.
    Deferred(DeferredToolRef);
    /// The answer to a search.
    Search(ToolSearchResult);
    /// How calls are scheduled.
    SchedulerPolicy(ToolSchedulerPolicy);
    /// A hook or a run of one.
    Hook(ToolHook);
    /// A change of an input.
    Mutation(ToolInputMutation);
    /// A decision.
    Decision(ToolPermissionDecision);
    /// A progress report.
    Progress(ToolProgress);
    /// How a result was stored.
    Persistence(ToolResultPersistence);
    /// What came of a call.
    Result(ToolResult);
    /// A call that has ended.
    Invocation(ToolInvocation);
}
