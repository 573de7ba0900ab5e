//! Messages as the relay keeps them: what it must know to deliver them, and an envelope it cannot open.

use assent_ids::{ClientMessageId, ConversationId, ConversationSeq, MessageId, Principal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Object, Open, Timestamp, present, words};

/// A stored message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
pub struct Message {
    /// The id that the server gave the message.
    pub message_id: MessageId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The number in the conversation.
    pub conversation_seq: ConversationSeq,
    /// What kind of party sent it.
    pub sender_type: Open<SenderType>,
    /// The sender; missing for messages of the system.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<Principal>,
    /// The id that the sender gave the message.
    pub client_message_id: ClientMessageId,
    /// What it is for.
    pub msg_subtype: Open<MsgSubtype>,
    /// What it holds.
    pub content_type: Open<ContentType>,
    /// The sealed content, base64.
    pub envelope: String,
    /// When it was stored.
    pub created_at: Timestamp,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

words! {
    /// What kind of party sent a message.
    SenderType {
        /// A person.
        Human = "human",
        /// An agent.
        Agent = "agent",
        /// The relay.
        System = "system",
    }
}

impl From<Principal> for SenderType {
    fn from(principal: Principal) -> Self {
        match principal {
            Principal::User(_) => Self::Human,
            Principal::Agent(_) => Self::Agent,
        }
    }
}

words! {
    /// What a message is for. Tool calls and their answers use the artifact subtypes.
    MsgSubtype {
        /// A text for people.
        Text = "text",
        /// An artifact.
        Artifact = "artifact",
        /// An artifact that asks for something: a tool call.
        ArtifactToolCall = "artifact_tool_call",
        /// The answer to an artifact: also that to a tool call.
        ArtifactResponse = "artifact_response",
        /// A new state of an artifact.
        ArtifactUpdate = "artifact_update",
        /// A notice of the system.
        System = "system",
    }
}

words! {
    /// What a message holds.
    ContentType {
        /// Text.
        Text = "text",
        /// An image.
        Image = "image",
        /// A video.
        Video = "video",
        /// Audio.
        Audio = "audio",
        /// A file.
        File = "file",
        /// An artifact.
        Artifact = "artifact",
        /// A notice of the system.
        System = "system",
    }
}
