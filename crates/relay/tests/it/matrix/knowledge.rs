//! Who may know what: no answer contains what is for other callers.

use assent_relay_api::Caller;

use super::{
    cast::Actor,
    scene::{GROUP_WORDS, HOOK, PRIVATE_WORDS, Scene},
};
use crate::world::Response;

/// A party of a scene, by its identity and not by its role for the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Stranger,
    Owner,
    Person,
    Founder,
    Member,
    /// The agent with which the person has a relation.
    Agent,
    /// The agent in the group.
    Grouped,
}

impl Scene<'_> {
    /// Whether the answer holds nothing that the caller may not know; what it is, otherwise.
    pub(super) fn check_reveals_nothing(
        &self,
        caller: Caller,
        answer: &Response,
    ) -> Result<(), String> {
        // An operator sees what there is, but nothing that is sealed.
        if caller == Caller::Operator {
            return self.check_sealed(answer);
        }
        let who = self.who(caller);
        for (secret, knowing) in self.secrets() {
            let may_know = who.is_some_and(|who| knowing.contains(&who));
            let is_told = answer.text.contains(&secret)
                || answer.headers.values().any(|value| value.as_bytes() == secret.as_bytes());
            if is_told && !may_know {
                return Err(format!("is told {secret}, which only {knowing:?} may know"));
            }
        }
        Ok(())
    }

    fn check_sealed(&self, answer: &Response) -> Result<(), String> {
        let backups = self.cast.all().map(|actor| actor.backup.as_str());
        let sealed = backups.into_iter().chain([PRIVATE_WORDS, GROUP_WORDS]);
        let told = sealed.into_iter().find(|secret| answer.text.contains(secret));
        told.map_or(Ok(()), |secret| Err(format!("is told {secret}, which is sealed")))
    }

    fn who(&self, caller: Caller) -> Option<Who> {
        let is_grouped = self.concerned().0.agent_id == self.grouped.agent_id;
        let (concerned, other) =
            if is_grouped { (Who::Grouped, Who::Agent) } else { (Who::Agent, Who::Grouped) };
        match caller {
            Caller::Stranger => Some(Who::Stranger),
            Caller::Owner => Some(Who::Owner),
            Caller::Person => Some(Who::Person),
            Caller::Founder => Some(Who::Founder),
            Caller::Member => Some(Who::Member),
            Caller::Agent | Caller::AgentWithManifestWrite => Some(concerned),
            Caller::OtherAgent => Some(other),
            Caller::Anonymous | Caller::Impostor | Caller::Late | Caller::Operator => None,
        }
    }

    fn secrets(&self) -> Vec<(String, Vec<Who>)> {
        use Who::{Agent, Founder, Grouped, Member, Owner, Person, Stranger};
        let of = |text: &str, knowing: &[Who]| (text.to_owned(), knowing.to_vec());
        let mut secrets = vec![
            of(&self.relation.relation_id, &[Owner, Person, Agent]),
            of(&self.relation.conversation_id, &[Owner, Person, Agent]),
            of(PRIVATE_WORDS, &[Person, Agent]),
            of(&self.group_relation.relation_id, &[Owner, Founder, Grouped]),
            of(&self.group_relation.conversation_id, &[Owner, Founder, Grouped]),
            of(&self.group, &[Founder, Member, Grouped]),
            of(GROUP_WORDS, &[Founder, Member, Grouped]),
            of(&self.spare.id, &[Owner]),
            of(HOOK, &[Owner]),
        ];
        secrets.extend(self.delivery.iter().map(|delivery| of(delivery, &[Owner, Agent])));
        let everybody = [Stranger, Owner, Person, Founder, Member];
        for (who, actor) in everybody.into_iter().zip(self.cast.all()) {
            let Actor { person, backup, .. } = actor;
            secrets.extend([of(&person.email, &[who]), of(backup, &[who])]);
        }
        // What authenticates is shown once, when it is made, and never again.
        let tokens = [&self.agent.token, &self.writer.secret, &self.spare.secret];
        secrets.extend(tokens.into_iter().map(|token| of(token, &[])));
        secrets
    }
}
