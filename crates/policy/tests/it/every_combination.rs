//! The decision over more than a million combinations, against a second implementation that shares
//! nothing with the first but its types; and what must hold of any of them.

use std::sync::Arc;

use assent_ids::{HookId, RuleId, UnixMillis};
use assent_json::{Digest, Json};
use assent_policy::{
    Decision, Evaluation, GrantKey, Grants, Mode, Opinion, Policy, PolicyError, PolicyMatch,
    Question, RuleSpec, Safety, Verdict,
};
use assent_protocol::agent_tool::ReasonType;
use serde_json::{Value, json};

use crate::support::{Engine, grant, rules};

const NOW: u64 = 1000;

/// An opinion as the second implementation sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Voice {
    /// 0 is the organization, 8 is no source.
    source: u8,
    /// With a number in front that says who is named first.
    kind: &'static str,
    name: &'static str,
}

fn voice(source: u8, kind: &'static str, name: &'static str) -> Voice {
    Voice { source, kind, name }
}

/// What a part of a combination contributes.
#[derive(Clone, Debug, Default)]
struct Voices {
    allow: Vec<Voice>,
    ask: Vec<Voice>,
    deny: Vec<Voice>,
    /// A rule or policy vouches for the call.
    vouched: bool,
    authoritative: bool,
    immune: bool,
    error: bool,
}

impl Voices {
    fn and(mut self, other: &Self) -> Self {
        self.allow.extend_from_slice(&other.allow);
        self.ask.extend_from_slice(&other.ask);
        self.deny.extend_from_slice(&other.deny);
        self.vouched |= other.vouched;
        self.authoritative |= other.authoritative;
        self.immune |= other.immune;
        self.error |= other.error;
        self
    }
}

/// The second implementation: the sentences of the specification, one after the other. It names the
/// kind and the name of the reason that settles.
fn naive(
    mode: Mode,
    read_only: bool,
    requires_approval: bool,
    voices: &Voices,
    grant: Option<&'static str>,
) -> (Decision, &'static str, &'static str) {
    let by_mode = (Decision::Deny, "0 mode", "");
    if mode == Mode::Plan || (mode == Mode::ReadOnly && !read_only) {
        return by_mode;
    }
    if let Some(first) = voices.deny.iter().min() {
        return (Decision::Deny, first.kind, first.name);
    }
    // What could not be judged comes before everything else that asks.
    let error = voices.error.then(|| voice(0, "2 policy", "failing"));
    let unapproved = requires_approval && !voices.vouched && !voices.authoritative;
    let approval = unapproved.then(|| voice(8, "4 safety_check", ""));
    let first_ask = error.as_ref().or(voices.ask.iter().chain(&approval).min());
    let first_allow = voices.allow.iter().min();
    let asked = match (first_ask, first_allow) {
        (Some(ask), _) => ask,
        (None, Some(allow)) => return (Decision::Allow, allow.kind, allow.name),
        (None, None) if read_only => return (Decision::Allow, "4 safety_check", ""),
        (None, None) => &voice(8, "4 safety_check", ""),
    };
    if !voices.immune && voices.authoritative && !voices.error {
        return (Decision::Allow, "3 hook", "trusted");
    }
    match grant {
        Some(name) if !voices.immune => (Decision::Allow, "1 rule", name),
        _ if mode == Mode::Headless => by_mode,
        _ => (Decision::Ask, asked.kind, asked.name),
    }
}

/// Whether a verdict is what the second implementation says.
fn agrees(verdict: &Verdict, (decision, kind, name): (Decision, &str, &str)) -> bool {
    let mut settlers = verdict.reasons.iter().filter(|reason| reason.decisive);
    let (Some(reason), None) = (settlers.next(), settlers.next()) else { return false };
    let rule = reason.rule.as_ref().map(RuleId::as_str);
    let hook = reason.hook.as_ref().map(HookId::as_str);
    let grant = reason.grant.as_ref().map(GrantKey::as_str);
    let name = if name == FIRST { "g-denial" } else { name };
    verdict.decision == decision
        && reason.decision == decision
        && reason.kind.as_str() == &kind[2..]
        && rule.or(hook).or(grant).unwrap_or_default() == name
}

/// The name of a denial by a grant: it sorts before every rule of the same source.
const FIRST: &str = "\0";

/// The call: `/known` can be judged, `/strange` cannot, `/none` is not there.
fn input() -> Json {
    Json::from_value(&json!({"known": "/work/a", "strange": 7})).unwrap()
}

fn rule(id: &str, behavior: &str, source: Option<&str>, arguments: Value) -> RuleSpec {
    let mut spec = json!({"id": id, "behavior": behavior, "arguments": arguments});
    if let Some(source) = source {
        spec["source"] = json!(source);
    }
    rules(json!([spec])).remove(0)
}

/// All states of the rules of one behavior: what is written, and what it contributes.
fn rule_states(behavior: &'static str) -> Vec<(Vec<RuleSpec>, Voices)> {
    let holds = json!([{"path": "/known", "under": "/work"}]);
    let fails = json!([{"path": "/known", "under": "/home"}, {"path": "/strange", "under": "/"}]);
    let unknown = json!([{"path": "/strange", "under": "/work"}]);
    let missing = json!([{"path": "/none", "under": "/work"}]);
    let low = rule("low", behavior, Some("session"), json!([]));
    let high = rule("high", behavior, Some("policy_settings"), holds);
    let doubtful = rule("doubtful", behavior, None, unknown);
    let idle = [rule("idle", behavior, None, fails), rule("idle2", behavior, None, missing)];
    let name = |mut rule: RuleSpec| {
        rule.id = format!("{behavior}-{}", rule.id);
        rule
    };
    let states = [
        (vec![], vec![]),
        (vec![low.clone()], vec![(7, "low")]),
        (vec![low, high], vec![(7, "low"), (0, "high")]),
        (vec![doubtful], if behavior == "allow" { vec![] } else { vec![(8, "doubtful")] }),
        (idle.to_vec(), vec![]),
    ];
    let state = |(specs, heard): (Vec<RuleSpec>, Vec<(u8, &str)>)| {
        let heard: Vec<Voice> = heard
            .into_iter()
            .map(|(source, id)| voice(source, "1 rule", format!("{behavior}-{id}").leak()))
            .collect();
        let voices = match behavior {
            "allow" => Voices { vouched: !heard.is_empty(), allow: heard, ..Voices::default() },
            "ask" => Voices { ask: heard, ..Voices::default() },
            _ => Voices { deny: heard, ..Voices::default() },
        };
        (specs.into_iter().map(name).collect(), voices)
    };
    // Rules that do not match are tried once; they are the same code for every behavior.
    let count = if behavior == "allow" { states.len() } else { states.len() - 1 };
    states.into_iter().take(count).map(state).collect()
}

fn immune_states() -> Vec<(Vec<RuleSpec>, Voices)> {
    let mut immune = rule("immune", "ask", Some("user_settings"), json!([]));
    immune.bypass_immune = true;
    let heard = vec![voice(5, "1 rule", "immune")];
    vec![
        (vec![], Voices::default()),
        (vec![immune], Voices { ask: heard, immune: true, ..Voices::default() }),
    ]
}

/// A policy, the same one written in another order with every rule twice, and what it contributes.
struct RuleSet {
    policy: Policy,
    shuffled: Policy,
    voices: Voices,
}

fn rule_sets() -> Vec<RuleSet> {
    let mut sets = vec![(Vec::new(), Voices::default())];
    for states in [rule_states("allow"), rule_states("ask"), immune_states(), rule_states("deny")] {
        let mut more = Vec::new();
        for (specs, voices) in &sets {
            for (added, heard) in &states {
                let specs: Vec<RuleSpec> = specs.iter().chain(added).cloned().collect();
                more.push((specs, voices.clone().and(heard)));
            }
        }
        sets = more;
    }
    let load = |specs: Vec<RuleSpec>| Policy::load(specs).unwrap();
    let set = |(specs, voices): (Vec<RuleSpec>, Voices)| {
        let shuffled = specs.iter().rev().chain(&specs).cloned().collect();
        RuleSet { policy: load(specs), shuffled: load(shuffled), voices }
    };
    sets.into_iter().map(set).collect()
}

/// Every set of opinions of hooks, in two orders.
fn opinion_sets() -> Vec<([Vec<Opinion>; 2], Voices)> {
    let opinion = |decision, hook: &str, authoritative| Opinion {
        decision,
        hook: hook.parse().unwrap(),
        reason: None,
        authoritative,
    };
    let all = [
        opinion(Decision::Allow, "plain", false),
        opinion(Decision::Allow, "trusted", true),
        opinion(Decision::Ask, "asking", true),
        opinion(Decision::Deny, "denying", true),
    ];
    (0..16_u32)
        .map(|bits| {
            let chosen: Vec<_> = (0..4).filter(|bit| bits & (1 << bit) != 0).collect();
            let opinions: Vec<_> = chosen.iter().map(|bit| all[*bit].clone()).collect();
            let mut voices = Voices::default();
            for bit in chosen {
                match bit {
                    0 => voices.allow.push(voice(8, "3 hook", "plain")),
                    1 => voices.allow.push(voice(8, "3 hook", "trusted")),
                    2 => voices.ask.push(voice(8, "3 hook", "asking")),
                    _ => voices.deny.push(voice(8, "3 hook", "denying")),
                }
                voices.authoritative |= bit == 1;
            }
            let twice = opinions.iter().rev().chain(&opinions).cloned().collect();
            ([opinions, twice], voices)
        })
        .collect()
}

/// Sets of grants: what they contribute, and the permission that covers the call.
fn grant_sets() -> Vec<(Grants, Voices, Option<&'static str>)> {
    let definition = Digest::of(b"definition").to_string();
    let other = Digest::of(b"other").to_string();
    let tool = json!({"id": "ns/t"});
    let allows = [
        (None, None),
        (Some(json!({"id": "g-live", "definition": definition})), Some("g-live")),
        (Some(json!({"id": "g-past", "not_after": NOW})), None),
        (Some(json!({"id": "g-changed", "definition": other})), None),
        (Some(json!({"id": "g-spent", "uses": 1})), None),
    ];
    let counted = [(None, None), (Some(json!({"id": "a-counted", "uses": 2})), Some("a-counted"))];
    let denials = [
        (None, false),
        (Some(json!({"id": "g-denial"})), true),
        (Some(json!({"id": "g-old-denial", "not_after": NOW})), false),
    ];
    let mut sets = Vec::new();
    for (allow, name) in &allows {
        for (count, counted_name) in &counted {
            for (denial, denies) in &denials {
                let mut grants = Vec::new();
                for (spec, effect) in [(allow, "allow"), (count, "allow"), (denial, "deny")] {
                    if let Some(mut spec) = spec.clone() {
                        spec["tool"] = tool.clone();
                        spec["effect"] = json!(effect);
                        let used = u32::from(spec["id"] == json!("g-spent"));
                        grants.push((grant(spec), used));
                    }
                }
                let deny = if *denies { vec![voice(7, "1 rule", FIRST)] } else { Vec::new() };
                let voices = Voices { deny, ..Voices::default() };
                sets.push((Grants::new(grants), voices, name.or(*counted_name)));
            }
        }
    }
    sets
}

fn question<'a>(
    input: &'a Json,
    (mode, read_only, requires_approval): (Mode, bool, bool),
    opinions: &'a [Opinion],
) -> Question<'a> {
    Question {
        tool_id: "ns/t",
        namespace: "ns",
        name: "t",
        qualified: None,
        aliases: &[],
        operation: None,
        definition: Digest::of(b"definition"),
        safety: Safety { read_only, destructive: !read_only, open_world: false },
        requires_approval,
        actor: None,
        session: None,
        input: input.root(),
        mode,
        opinions,
        now: UnixMillis::new(NOW),
    }
}

fn facts() -> impl Iterator<Item = (Mode, bool, bool)> {
    Mode::ALL.into_iter().flat_map(|mode| {
        [(false, false), (false, true), (true, false), (true, true)].map(|(a, b)| (mode, a, b))
    })
}

/// The theorems, for one combination.
fn check_theorems(
    (mode, read_only, requires_approval): (Mode, bool, bool),
    voices: &Voices,
    grant: Option<&str>,
    verdict: &Verdict,
) {
    let allowed = verdict.decision == Decision::Allow;
    let spoken_for = !voices.allow.is_empty() || grant.is_some();
    // 1. Default deny: what may change something runs only if it was allowed.
    assert!(!allowed || read_only || spoken_for);
    // 2. A denial beats everything.
    let denied =
        !voices.deny.is_empty() || mode == Mode::Plan || (mode == Mode::ReadOnly && !read_only);
    assert!(!denied || verdict.decision == Decision::Deny);
    // 3. Allowed exactly if allowed, and neither denied nor asked without cover.
    let asked = !voices.ask.is_empty()
        || voices.error
        || (requires_approval && !voices.vouched && !voices.authoritative);
    let covered = !voices.immune && (grant.is_some() || (voices.authoritative && !voices.error));
    let said = !voices.allow.is_empty() || read_only || covered;
    assert_eq!(allowed, !denied && said && (!asked || covered));
    // A grant is named exactly if it was needed.
    assert_eq!(verdict.grant.is_some(), allowed && verdict.decisive().unwrap().grant.is_some());
}

#[test]
fn a_million_combinations_are_decided_like_the_second_implementation_and_keep_the_theorems() {
    let (sets, opinions, grants, input) = (rule_sets(), opinion_sets(), grant_sets(), input());
    let count = sets.len() * opinions.len() * grants.len() * facts().count();
    assert!(count >= 1_000_000, "{count}");
    let half = sets.len() / 2;
    let (opinions, grants, input) = (&opinions, &grants, &input);
    std::thread::scope(|scope| {
        for sets in [&sets[..half], &sets[half..]] {
            scope.spawn(move || {
                for set in sets {
                    check_set(set, opinions, grants, input);
                }
            });
        }
    });
}

fn check_set(
    set: &RuleSet,
    opinions: &[([Vec<Opinion>; 2], Voices)],
    grants: &[(Grants, Voices, Option<&'static str>)],
    input: &Json,
) {
    for ([opinions, twice], said) in opinions {
        for (grants, denied, permission) in grants {
            let voices = set.voices.clone().and(said).and(denied);
            for facts in facts() {
                let verdict = set.policy.decide(&question(input, facts, opinions), grants);
                let expected = naive(facts.0, facts.1, facts.2, &voices, *permission);
                assert!(agrees(&verdict, expected), "{facts:?} {expected:?} {verdict:#?}");
                check_theorems(facts, &voices, *permission, &verdict);
                // 4. Neither order nor repetition matters, to the decision and to every reason.
                let again = set.shuffled.decide(&question(input, facts, twice), grants);
                assert_eq!(verdict, again);
            }
        }
    }
}

/// An engine whose policies apply as the bits say: one allows, one asks, one denies, one fails.
fn engine(bits: u32) -> Arc<Engine> {
    let policies = [
        ("permitting", Decision::Allow),
        ("asking", Decision::Ask),
        ("forbidding", Decision::Deny),
    ];
    let policies = policies.into_iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0);
    let matched = policies.map(|(_, (policy, decision))| PolicyMatch {
        policy: policy.parse().unwrap(),
        decision,
        source: None,
        bypass_immune: false,
    });
    let failed = (bits & 8 != 0).then(|| PolicyError::Policy("failing".parse().unwrap()));
    let evaluation =
        Evaluation { matched: matched.collect(), errors: failed.into_iter().collect() };
    Arc::new(Engine { evaluation, ..Engine::default() })
}

#[test]
fn policies_take_part_like_rules_and_their_errors_ask() {
    let input = Json::from_value(&json!({"n": 1})).unwrap();
    let (opinions, grants) = (opinion_sets(), grant_sets());
    for bits in 0..16_u32 {
        let chosen: Vec<_> = (0..4_usize).filter(|bit| bits & (1 << bit) != 0).collect();
        let policy = Policy::default().with_engine(engine(bits));
        let mut voices = Voices::default();
        for bit in chosen {
            match bit {
                0 => voices.allow.push(voice(8, "2 policy", "permitting")),
                1 => voices.ask.push(voice(8, "2 policy", "asking")),
                2 => voices.deny.push(voice(8, "2 policy", "forbidding")),
                _ => voices.error = true,
            }
            voices.vouched |= bit == 0;
        }
        for ([opinions, _], said) in opinions.iter().step_by(3) {
            for (grants, denied, permission) in grants.iter().step_by(7) {
                // A denial of a grant has a source, so it comes before policies without one.
                let voices = voices.clone().and(said).and(denied);
                for facts in facts() {
                    let verdict = policy.decide(&question(&input, facts, opinions), grants);
                    let expected = naive(facts.0, facts.1, facts.2, &voices, *permission);
                    assert!(agrees(&verdict, expected), "{facts:?} {expected:?} {verdict:#?}");
                    let is_evaluated = facts.0 != Mode::Plan;
                    assert_eq!(!verdict.errors.is_empty(), voices.error && is_evaluated);
                    check_theorems(facts, &voices, *permission, &verdict);
                }
            }
        }
    }
}

#[test]
fn the_order_of_kinds_is_the_one_that_the_second_implementation_assumes() {
    assert!(ReasonType::Rule < ReasonType::Policy);
    assert!(ReasonType::Policy < ReasonType::Hook);
    assert!(ReasonType::Hook < ReasonType::SafetyCheck);
}
