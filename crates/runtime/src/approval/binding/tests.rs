//! A single difference is found, in every field.

use assent_ids::{ApprovalId, GeneratedId, InvocationId, Ulid};
use proptest::{option, prelude::*};

use super::*;

fn text() -> impl Strategy<Value = Option<Arc<str>>> {
    option::of("[a-z:]{1,6}").prop_map(|text| text.map(Arc::from))
}

fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 4]>().prop_map(|bytes| Digest::of(&bytes))
}

fn id<Id: GeneratedId + std::fmt::Debug>() -> impl Strategy<Value = Id> {
    any::<u128>().prop_map(|bits| Id::from_ulid(Ulid::from_bits(bits)))
}

fn binding() -> impl Strategy<Value = Binding> {
    let names = ("[a-z]{1,6}", text(), text(), text(), text(), text());
    let digests = (digest(), digest(), digest(), digest(), digest());
    (id::<ApprovalId>(), id::<InvocationId>(), names, digests).prop_map(
        |(approval, invocation, names, digests)| {
            let (tool, actor, session, device, scope, sensitivity) = names;
            let (definition, arguments, hooks, environment, view) = digests;
            Binding {
                approval,
                invocation,
                actor,
                session,
                device,
                tool: Arc::new(tool.parse().unwrap()),
                definition,
                scope,
                sensitivity,
                arguments,
                hooks,
                environment,
                view,
            }
        },
    )
}

/// Takes one field of a binding from another one.
type Change = fn(&mut Binding, Binding);

const CHANGES: [(&str, Change); 13] = [
    ("approval", |to, from| to.approval = from.approval),
    ("call", |to, from| to.invocation = from.invocation),
    ("agent", |to, from| to.actor = from.actor),
    ("session", |to, from| to.session = from.session),
    ("device", |to, from| to.device = from.device),
    ("tool", |to, from| to.tool = from.tool),
    ("definition of the tool", |to, from| to.definition = from.definition),
    ("scope", |to, from| to.scope = from.scope),
    ("sensitivity", |to, from| to.sensitivity = from.sensitivity),
    ("input", |to, from| to.arguments = from.arguments),
    ("chain of hooks", |to, from| to.hooks = from.hooks),
    ("environment", |to, from| to.environment = from.environment),
    ("view", |to, from| to.view = from.view),
];

proptest! {
    #[test]
    fn a_change_of_any_one_field_is_found(approved in binding(), other in binding()) {
        for (field, change) in CHANGES {
            let mut running = approved.clone();
            change(&mut running, other.clone());
            let expected = (running != approved).then_some(Mismatch(field));
            prop_assert_eq!(mismatch(&approved, &running), expected);
        }
    }
}
