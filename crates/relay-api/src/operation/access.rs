//! Who may call an operation, precisely enough that every combination can be tested.

use assent_protocol::a2h::ApiCode;

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What a caller has to show.
    pub credential: Credential,
    /// What the caller has to be to the thing that the path names.
    pub needs: Needs,
}

/// What a caller has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// A refresh token, as a cookie or in the body.
    RefreshToken,
    /// A refresh token, or the access token of a person.
    RefreshTokenOrUser,
    /// The access token of a person.
    User,
    /// The token of an agent.
    Agent,
    /// The access token of a person or the token of an agent.
    UserOrAgent,
    /// A token in the first frame of the socket.
    FirstFrame,
    /// A connection to the local admin socket. No token opens this.
    AdminSocket,
}

/// What the caller has to be to the thing that the path names. Who is less gets `FORBIDDEN` if the thing is
/// public or the caller has to do with it, and `NOT_FOUND` if the caller may not know that it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing in particular: the operation is about the caller, or about something public.
    Nothing,
    /// The person whose device `device_id` is.
    OwnDevice,
    /// The owner of `agent_id`.
    OwnerOfAgent,
    /// The agent `agent_id`.
    AgentItself,
    /// The owner of `agent_id`, or the agent.
    OwnerOrAgent,
    /// The owner of `agent_id`, the agent, or a person who has a relation with it.
    ConcernedByAgent,
    /// The owner of `agent_id`, or the agent with a token that has the scope `manifest:write`.
    OwnerOrAgentWithManifestWrite,
    /// The person or the agent of `relation_id`, or the agent's owner.
    PartyOfRelation,
    /// The person of `relation_id`.
    PersonOfRelation,
    /// The owner of the agent of `relation_id`.
    OwnerOfRelationsAgent,
    /// A person or an agent in `conversation_id`.
    MemberOfConversation,
    /// A person in `conversation_id`.
    PersonInConversation,
    /// The person who founded `conversation_id`, or the member `member_id` itself.
    FounderOrLeavingMember,
}

/// A caller, as far as the rules distinguish callers: the role of the caller for the resource that the path
/// names. A person who is not in the conversation is a stranger to it, whatever else that person owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Shows nothing.
    Anonymous,
    /// Shows something that is no token of ours.
    Impostor,
    /// Shows an access token that is too old.
    Late,
    /// A person who has nothing to do with the thing.
    Stranger,
    /// The person who owns the agent, or whose device it is.
    Owner,
    /// The person of the relation, or a person who has a relation with the agent.
    Person,
    /// The person who founded the conversation.
    Founder,
    /// A person in the conversation who did not found it. Asked to remove a member: another one.
    Member,
    /// An agent that has nothing to do with the thing.
    OtherAgent,
    /// The agent that the thing is, or that is in it, with a first token.
    Agent,
    /// The same, with a token that has the scope `manifest:write`.
    AgentWithManifestWrite,
    /// An operator, on the local admin socket.
    Operator,
}

impl Access {
    /// Every caller.
    pub const PUBLIC: Self = Self::new(Credential::None, Needs::Nothing);
    /// Any person.
    pub const USER: Self = Self::new(Credential::User, Needs::Nothing);
    /// Any agent.
    pub const AGENT: Self = Self::new(Credential::Agent, Needs::Nothing);
    /// Any person and any agent.
    pub const USER_OR_AGENT: Self = Self::new(Credential::UserOrAgent, Needs::Nothing);
    /// Operators, locally.
    pub const OPERATOR: Self = Self::new(Credential::AdminSocket, Needs::Nothing);

    /// Access with this credential, for those who are this to the thing.
    #[must_use]
    pub const fn new(credential: Credential, needs: Needs) -> Self {
        Self { credential, needs }
    }

    /// What must come out when `caller` calls.
    ///
    /// # Errors
    /// The code with which the caller must be refused.
    pub const fn outcome(self, caller: Caller) -> Result<(), ApiCode> {
        match self.credential.admits(caller) {
            Ok(()) => self.needs.satisfied_by(caller),
            refused => refused,
        }
    }

    /// Every code with which a caller can be refused.
    #[must_use]
    pub fn refusals(self) -> Vec<ApiCode> {
        let mut codes: Vec<ApiCode> =
            Caller::ALL.iter().filter_map(|caller| self.outcome(*caller).err()).collect();
        if self.credential.is_session() {
            codes.push(ApiCode::SessionRevoked);
        }
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

impl Credential {
    /// Whether it belongs to a session, which can be ended.
    #[must_use]
    pub const fn is_session(self) -> bool {
        match self {
            Self::RefreshToken | Self::RefreshTokenOrUser | Self::User | Self::UserOrAgent => true,
            Self::None | Self::Agent | Self::FirstFrame | Self::AdminSocket => false,
        }
    }

    const fn admits(self, caller: Caller) -> Result<(), ApiCode> {
        // Each socket has its own operations: on the other one they do not exist.
        match (self, caller) {
            (Self::AdminSocket, Caller::Operator) => return Ok(()),
            (Self::AdminSocket, _) | (_, Caller::Operator) => return Err(ApiCode::NotFound),
            (Self::None | Self::FirstFrame, _) => return Ok(()),
            // A bearer token is no refresh token.
            (Self::RefreshToken, _) => return Err(ApiCode::Unauthenticated),
            _ => {}
        }
        let (users, agents) = match self {
            Self::User | Self::RefreshTokenOrUser => (true, false),
            Self::Agent => (false, true),
            _ => (true, true),
        };
        match caller {
            Caller::Anonymous | Caller::Impostor => Err(ApiCode::Unauthenticated),
            Caller::Late => Err(ApiCode::TokenExpired),
            _ if caller.is_agent() && !agents || !caller.is_agent() && !users => {
                Err(ApiCode::Forbidden)
            }
            _ => Ok(()),
        }
    }
}

impl Needs {
    /// Checks that a caller with the right credential has a sufficient role.
    const fn satisfied_by(self, caller: Caller) -> Result<(), ApiCode> {
        use Caller::{Agent, AgentWithManifestWrite, Founder, Member, Owner, Person};
        let (enough, knows) = match self {
            Self::Nothing => (true, true),
            Self::OwnDevice => (matches!(caller, Owner), false),
            // That an agent exists is public.
            Self::OwnerOfAgent => (matches!(caller, Owner), true),
            Self::AgentItself => (caller.is_concerned_agent(), true),
            Self::OwnerOrAgent => (matches!(caller, Owner) || caller.is_concerned_agent(), true),
            Self::ConcernedByAgent => {
                (matches!(caller, Owner | Person) || caller.is_concerned_agent(), true)
            }
            Self::OwnerOrAgentWithManifestWrite => {
                (matches!(caller, Owner | AgentWithManifestWrite), true)
            }
            Self::PartyOfRelation => (caller.is_party(), false),
            Self::PersonOfRelation => (matches!(caller, Person), caller.is_party()),
            Self::OwnerOfRelationsAgent => (matches!(caller, Owner), caller.is_party()),
            Self::MemberOfConversation => (caller.is_in_conversation(), false),
            Self::PersonInConversation => {
                (matches!(caller, Founder | Member), caller.is_in_conversation())
            }
            // The agent asks to remove itself.
            Self::FounderOrLeavingMember => (
                matches!(caller, Founder | Agent | AgentWithManifestWrite),
                caller.is_in_conversation(),
            ),
        };
        match (enough, knows) {
            (true, _) => Ok(()),
            (false, true) => Err(ApiCode::Forbidden),
            (false, false) => Err(ApiCode::NotFound),
        }
    }
}

impl Caller {
    /// All kinds of callers.
    pub const ALL: [Self; 12] = [
        Self::Anonymous,
        Self::Impostor,
        Self::Late,
        Self::Stranger,
        Self::Owner,
        Self::Person,
        Self::Founder,
        Self::Member,
        Self::OtherAgent,
        Self::Agent,
        Self::AgentWithManifestWrite,
        Self::Operator,
    ];

    /// Whether it is an agent.
    #[must_use]
    pub const fn is_agent(self) -> bool {
        matches!(self, Self::OtherAgent | Self::Agent | Self::AgentWithManifestWrite)
    }

    const fn is_concerned_agent(self) -> bool {
        matches!(self, Self::Agent | Self::AgentWithManifestWrite)
    }

    const fn is_party(self) -> bool {
        matches!(self, Self::Owner | Self::Person) || self.is_concerned_agent()
    }

    const fn is_in_conversation(self) -> bool {
        matches!(self, Self::Founder | Self::Member) || self.is_concerned_agent()
    }
}

impl Access {
    /// Who may call, as part of a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match (self.needs, self.credential) {
            (Needs::Nothing, Credential::None) => "every caller",
            (Needs::Nothing, Credential::RefreshToken) => "who has the refresh token of a session",
            (Needs::Nothing, Credential::RefreshTokenOrUser) => {
                "who has the refresh token or the access token of a session"
            }
            (Needs::Nothing, Credential::User) => "any person",
            (Needs::Nothing, Credential::Agent) => "any agent",
            (Needs::Nothing, Credential::UserOrAgent) => "any person and any agent",
            (Needs::Nothing, Credential::FirstFrame) => "who authenticates in the first frame",
            (Needs::Nothing, Credential::AdminSocket) => "operators, on the local admin socket",
            (Needs::OwnDevice, _) => "the person whose device it is",
            (Needs::OwnerOfAgent, _) => "the owner of the agent",
            (Needs::AgentItself, _) => "the agent itself",
            (Needs::OwnerOrAgent, _) => "the owner of the agent, and the agent itself",
            (Needs::ConcernedByAgent, _) => {
                "the owner of the agent, the agent itself, and people who have a relation with it"
            }
            (Needs::OwnerOrAgentWithManifestWrite, _) => {
                "the owner of the agent, and the agent itself with a token that has the scope `manifest:write`"
            }
            (Needs::PartyOfRelation, _) => {
                "the person and the agent of the relation, and the owner of the agent"
            }
            (Needs::PersonOfRelation, _) => "the person of the relation",
            (Needs::OwnerOfRelationsAgent, _) => "the owner of the agent",
            (Needs::MemberOfConversation, _) => "people and agents in the conversation",
            (Needs::PersonInConversation, _) => "people in the conversation",
            (Needs::FounderOrLeavingMember, _) => {
                "the founder of the group, and every member to leave"
            }
        }
    }
}
