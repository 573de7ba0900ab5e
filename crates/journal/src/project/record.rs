//! A record, borrowed from an entry or made from one.

use std::ops::Deref;

use assent_protocol::agent_tool::{
    DeferredToolRef, Record, RecordKind, ToolDeclaration, ToolEvent, ToolExecutionProfile,
    ToolHook, ToolInputMutation, ToolInterface, ToolInvocation, ToolPermissionDecision,
    ToolPermissionProfile, ToolProgress, ToolResult, ToolResultPersistence, ToolSchedulerPolicy,
    ToolSearchResult, ToolSurface,
    strict::{Problem, Strict},
};
use serde::{Serialize, Serializer};

/// A record that is borrowed from an entry, or made from one.
#[derive(Clone, Debug)]
pub enum Made<'a, T> {
    /// It is borrowed from the entry.
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

            /// Its violations of the strict rules; there should be none.
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
    /// An event.
    Event(ToolEvent);
    /// A tool.
    Declaration(ToolDeclaration);
    /// The interface of a tool.
    Interface(ToolInterface);
    /// The execution profile of a tool.
    ExecutionProfile(ToolExecutionProfile);
    /// The permission profile of a tool.
    PermissionProfile(ToolPermissionProfile);
    /// A surface.
    Surface(ToolSurface);
    /// A tool without its schema.
    Deferred(DeferredToolRef);
    /// The answer to a search.
    Search(ToolSearchResult);
    /// A scheduler policy.
    SchedulerPolicy(ToolSchedulerPolicy);
    /// A hook or a run of one.
    Hook(ToolHook);
    /// A change of an input.
    Mutation(ToolInputMutation);
    /// A decision.
    Decision(ToolPermissionDecision);
    /// A progress report.
    Progress(ToolProgress);
    /// The persistence of a result.
    Persistence(ToolResultPersistence);
    /// The result of a call.
    Result(ToolResult);
    /// A call that has ended.
    Invocation(ToolInvocation);
}
