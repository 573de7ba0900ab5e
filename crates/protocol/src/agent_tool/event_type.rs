//! The classes of events: the 27 of the standard, and ours in the same style for what it leaves out.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/specification.md#event-classes>

use crate::wire::words;

words! {
    /// The event.
    EventType {
        /// A tool became known.
        Declared = "tool.declared",
        /// A surface was made.
        SurfaceCreated = "tool.surface.created",
        /// A surface replaced another.
        SurfaceUpdated = "tool.surface.updated",
        /// A deferred tool was found.
        DeferredDiscovered = "tool.deferred.discovered",
        /// A deferred tool was loaded.
        DeferredLoaded = "tool.deferred.loaded",
        /// A call was asked for.
        InvocationPlanned = "tool.invocation.planned",
        /// Its tool was found.
        InvocationSelected = "tool.invocation.selected",
        /// Its arguments fit the schema.
        InvocationArgumentsReady = "tool.invocation.arguments_ready",
        /// Its values were refused.
        InvocationValidationFailed = "tool.invocation.validation_failed",
        /// A hook began, before the call.
        HookPreStarted = "tool.hook.pre.started",
        /// A hook ended, before the call.
        HookPreCompleted = "tool.hook.pre.completed",
        /// A person is asked.
        PermissionRequested = "tool.permission.requested",
        /// A decision was made.
        PermissionDecided = "tool.permission.decided",
        /// The call waits for its turn.
        InvocationQueued = "tool.invocation.queued",
        /// The call runs.
        InvocationStarted = "tool.invocation.started",
        /// The call reports progress.
        InvocationProgress = "tool.invocation.progress",
        /// A part of the result is ready.
        InvocationPartialResult = "tool.invocation.partial_result",
        /// A hook began, after the call.
        HookPostStarted = "tool.hook.post.started",
        /// A hook ended, after the call.
        HookPostCompleted = "tool.hook.post.completed",
        /// It was decided how the result is stored.
        ResultPersisted = "tool.result.persisted",
        /// The result was handed over in order.
        InvocationYielded = "tool.invocation.yielded",
        /// The call succeeded.
        InvocationSucceeded = "tool.invocation.succeeded",
        /// The call failed.
        InvocationFailed = "tool.invocation.failed",
        /// The call was stopped.
        InvocationCanceled = "tool.invocation.canceled",
        /// The call took too long.
        InvocationTimedOut = "tool.invocation.timed_out",
        /// The result was written.
        ResultCreated = "tool.result.created",
        /// Parts of the result were removed.
        ResultRedacted = "tool.result.redacted",
        /// Extension: the arguments do not fit the schema.
        InvocationSchemaParseFailed = "tool.invocation.schema_parse_failed",
        /// Extension: the call waits for input.
        InvocationNeedsInput = "tool.invocation.needs_input",
        /// Extension: the call was prevented.
        InvocationBlocked = "tool.invocation.blocked",
        /// Extension: the call was refused.
        InvocationDenied = "tool.invocation.denied",
        /// Extension: the cancellation of the call was requested.
        CancelRequested = "tool.invocation.cancel_requested",
        /// Extension: the executor will stop.
        CancelAcknowledged = "tool.invocation.cancel_acknowledged",
        /// Extension: the call cannot be stopped; it goes on.
        CancelFailed = "tool.invocation.cancel_failed",
        /// Extension: the input was changed.
        InputMutated = "tool.input.mutated",
        /// Extension: a hook failed.
        HookFailed = "tool.hook.failed",
    }
}

impl EventType {
    /// Whether the standard does not list it.
    #[must_use]
    pub fn is_extension(self) -> bool {
        self > Self::ResultRedacted
    }
}
