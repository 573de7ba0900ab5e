//! What happened, put to rules again.

use assent_policy::{Decision, Policy, RuleSpec};
use assent_protocol::agent_tool::Behavior;
use assent_rehearsal::{Options, Scenario};
use assent_runtime::replay::{History, Past};

use crate::{examples::examples, harness::run};

fn policy(scenario: &Scenario) -> Policy {
    Policy::load(&scenario.rules).unwrap()
}

fn decisions(scenario: &Scenario) -> Vec<Past> {
    let rehearsed = run(scenario, Options::default()).unwrap();
    let mut history = History::default();
    rehearsed.entries.iter().filter_map(|entry| history.learn(entry)).collect()
}

#[test]
fn the_same_rules_make_the_same_decisions_for_the_same_reasons() {
    let mut replayed = 0;
    for (name, _, scenario) in examples() {
        // Policies need the tools to be loaded with.
        if scenario.policies.is_some() {
            continue;
        }
        let policy = policy(&scenario);
        for past in decisions(&scenario) {
            if past.rests_on_grant {
                continue;
            }
            let verdict = past.put_to(&policy);
            assert_eq!(verdict.decision, past.decision, "{name}: {past:?}");
            assert_eq!(verdict.decisive().map(|reason| reason.line()), past.reason, "{name}");
            replayed += 1;
        }
    }
    assert!(replayed > 20, "{replayed} decisions are not many");
}

#[test]
fn other_rules_turn_decisions_round() {
    let (_, _, scenario) =
        examples().into_iter().find(|(name, ..)| name.starts_with("08-")).unwrap();
    let nothing = RuleSpec::new("nothing-at-all", Behavior::Deny);
    let nothing = Policy::load([nothing]).unwrap();
    let past = decisions(&scenario);
    assert!(!past.is_empty());
    for past in past {
        let verdict = past.put_to(&nothing);
        assert_eq!(verdict.decision, Decision::Deny);
        let rule = verdict.decisive().and_then(|reason| reason.rule.as_ref());
        assert_eq!(rule.map(|rule| rule.as_str()), Some("nothing-at-all"));
    }
}
