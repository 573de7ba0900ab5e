//! Commands: real processes with real habits.

use std::time::{Duration, Instant};

use assent_hooks::{CommandHook, CommandSpec, EnvValue, SecretRef, Sight, Terms};
use assent_policy::Decision;
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{Hook, HookEffects, HookMoment, HookStop};
use serde_json::json;

use crate::{
    moments::{moment, moment_of},
    processes::{Script, dies, is_alive, is_reaped},
};

const PRE: HookEvent = HookEvent::PreToolUse;

async fn ask(hook: &CommandHook, moment: &HookMoment) -> Result<HookEffects, String> {
    let answer = tokio::time::timeout(Duration::from_secs(30), hook.run(moment)).await;
    answer.expect("it answers in time").map_err(|error| error.0)
}

async fn says(body: &str, event: HookEvent) -> Result<HookEffects, String> {
    ask(&Script::new(body).hook(), &moment(event)).await
}

#[tokio::test]
async fn a_command_that_says_nothing_has_no_opinion() {
    assert_eq!(says("cat >/dev/null", PRE).await.unwrap(), HookEffects::default());
    assert_eq!(says("exit 0", PRE).await.unwrap(), HookEffects::default());
}

#[tokio::test]
async fn what_a_command_prints_are_its_effects() {
    let effects = says(r#"echo '{"context": ["seen"], "stop": "enough"}'"#, PRE).await.unwrap();
    assert_eq!(effects.context, ["seen"]);
    assert_eq!(effects.stop, Some(HookStop::new("enough")));
}

#[tokio::test]
async fn a_command_reads_the_moment_up_to_the_end_of_its_input() {
    let script = Script::new("cat > seen");
    ask(&script.hook(), &moment(PRE)).await.unwrap();
    let masked = std::fs::read_to_string(script.file("seen")).unwrap();
    assert!(masked.ends_with("}\n") && masked.contains("redacted:sha256:"), "{masked}");
    assert!(!masked.contains("planted"));
    let trusted = script.hook_on(|terms| terms.sight = Sight::Full);
    ask(&trusted, &moment(PRE)).await.unwrap();
    assert!(std::fs::read_to_string(script.file("seen")).unwrap().contains("planted"));
}

#[tokio::test]
async fn exit_code_2_denies_with_the_complaint_as_the_reason() {
    for event in [PRE, HookEvent::PermissionRequest] {
        let effects = says("echo '{\"stop\": \"no\"}'; echo not today >&2; exit 2", event).await;
        let denied = Some((Decision::Deny, Some("not today".to_owned())));
        assert_eq!(effects.unwrap(), HookEffects { decide: denied, ..HookEffects::default() });
    }
    let silent = says("exit 2", PRE).await.unwrap();
    assert_eq!(silent.decide, Some((Decision::Deny, None)));
}

#[tokio::test]
async fn exit_code_2_is_a_failure_where_there_is_nothing_to_deny() {
    for event in [
        HookEvent::PermissionDecision,
        HookEvent::PostToolUse,
        HookEvent::PostToolUseFailure,
        HookEvent::ResultPersistence,
    ] {
        let error = says("exit 2", event).await.unwrap_err();
        assert!(
            error.contains("nothing left to deny") && error.contains(event.as_str()),
            "{error}"
        );
    }
}

#[tokio::test]
async fn any_other_end_is_a_failure() {
    for (body, expected) in [
        ("exit 1", "it ended with exit code 1"),
        ("echo oops >&2; exit 3", "it ended with exit code 3: oops"),
        ("kill -9 $$", "it was ended by a signal"),
        ("echo bye >&2; kill -TERM $$", "it was ended by a signal: bye"),
    ] {
        assert_eq!(says(body, PRE).await.unwrap_err(), expected);
    }
}

#[tokio::test]
async fn an_answer_that_is_not_understood_is_a_failure() {
    for (body, expected) in [
        ("echo oops", "its answer is not understood: (1:1): expected a value"),
        (r#"echo '{"stop": "a", "stop": "b"}'"#, "the key `stop` occurs twice"),
        (r#"echo '{"hookSpecificOutput": {}}'"#, "the key `hookSpecificOutput` is not known"),
        (r#"echo '{"update_output": 1}'"#, "`update_output` does nothing in `pre_tool_use`"),
    ] {
        let error = says(body, PRE).await.unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn complaints_are_bounded_and_made_harmless() {
    let flood = "head -c 300000 /dev/zero | tr '\\0' x >&2; printf 'end' >&2; exit 1";
    let error = says(flood, PRE).await.unwrap_err();
    assert!(error.len() < 4200 && error.ends_with("xxx …"), "{}", error.len());
    let error = says("printf '\\033[31mred\\nline two\\000' >&2; exit 1", PRE).await.unwrap_err();
    assert_eq!(error, "it ended with exit code 1: \\u{1b}[31mred line two\\u{0}");
}

#[tokio::test]
async fn a_command_need_not_read_its_input() {
    let large = moment_of(PRE, &json!({"text": "x".repeat(4 << 20)}));
    for body in ["exit 0", "exec 0<&-; sleep 0.1; exit 0", "head -c 10 >/dev/null"] {
        let script = Script::new(body);
        assert_eq!(ask(&script.hook(), &large).await.unwrap(), HookEffects::default(), "{body}");
    }
    let script = Script::new("wc -c > size");
    ask(&script.hook(), &large).await.unwrap();
    assert!(script.number_in("size").await > 4 << 20);
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_agreed_and_no_longer() {
    let answer = r#"{"stop": "1234567890"}"#;
    let script = Script::new(&format!("printf '%s' '{answer}'"));
    let at = script.hook_on(|terms| terms.max_answer_bytes = answer.len());
    assert!(ask(&at, &moment(PRE)).await.unwrap().stop.is_some());
    let below = script.hook_on(|terms| terms.max_answer_bytes = answer.len() - 1);
    let error = ask(&below, &moment(PRE)).await.unwrap_err();
    assert!(error.starts_with("its answer is longer than 21 bytes"), "{error}");
}

#[tokio::test]
async fn a_command_that_never_stops_talking_is_killed() {
    let script = Script::new("echo $$ > leader; yes");
    let error = ask(&script.hook(), &moment(PRE)).await.unwrap_err();
    assert!(error.starts_with("its answer is longer than 1048576 bytes"), "{error}");
    is_reaped(script.number_in("leader").await).await;
}

#[tokio::test]
async fn giving_up_on_a_command_kills_it_and_its_children() {
    let script = Script::new(
        "echo $$ > leader; sh -c 'echo $$ > child; sleep 300 & echo $! > grandchild; wait' & wait",
    );
    let hook = script.hook();
    let moment = moment(PRE);
    let run = hook.run(&moment);
    let family = async {
        let mut family = Vec::new();
        for member in ["leader", "child", "grandchild"] {
            family.push(script.number_in(member).await);
        }
        family
    };
    let family = tokio::select! {
        family = family => family,
        _ = run => panic!("it hangs"),
    };
    is_reaped(family[0]).await;
    for member in family {
        dies(member).await;
    }
}

#[tokio::test]
async fn what_a_command_leaves_behind_is_killed_when_it_ends() {
    let script = Script::new("sleep 300 & echo $! > left; echo '{\"stop\": \"x\"}'");
    let begun = Instant::now();
    let effects = ask(&script.hook(), &moment(PRE)).await.unwrap();
    assert_eq!(effects.stop, Some(HookStop::new("x")));
    assert!(begun.elapsed() < Duration::from_secs(20), "nobody waits for what was left");
    dies(script.number_in("left").await).await;
}

#[tokio::test]
async fn what_escapes_and_keeps_the_output_open_makes_the_hook_fail_soon() {
    let script = Script::new("setsid sh -c 'echo $$ > escaped; exec sleep 8' & sleep 0.3");
    let error = ask(&script.hook(), &moment(PRE)).await.unwrap_err();
    assert!(error.contains("keeps its output open"), "{error}");
    assert!(is_alive(script.number_in("escaped").await), "it ended with its own group only");
}

#[tokio::test]
async fn no_run_leaves_a_zombie() {
    let script = Script::new("echo $$ >> leaders");
    let hook = script.hook();
    for _ in 0..20 {
        ask(&hook, &moment(PRE)).await.unwrap();
    }
    let leaders = std::fs::read_to_string(script.file("leaders")).unwrap();
    assert_eq!(leaders.lines().count(), 20);
    for leader in leaders.lines() {
        is_reaped(leader.parse().unwrap()).await;
    }
}

#[tokio::test]
async fn the_environment_is_what_the_specification_says_and_nothing_else() {
    let script = Script::new("env > seen; pwd > where; printf '%s' \"$1\" > argument");
    std::fs::write(script.file("token"), "planted-token\n").unwrap();
    let mut spec = script.spec();
    spec.arguments.push("$HOME; `id` *".to_owned());
    let found = |place| EnvValue::From(place);
    spec.environment.insert("GIVEN".to_owned(), EnvValue::Given("a b".to_owned()));
    spec.environment.insert("TOKEN".to_owned(), found(SecretRef::File(script.file("token"))));
    spec.environment.insert("FOUND".to_owned(), found(SecretRef::Env("PATH".to_owned())));
    let hook = CommandHook::new(Terms::new("env".parse().unwrap()), spec);
    ask(&hook, &moment(PRE)).await.unwrap();
    let seen = std::fs::read_to_string(script.file("seen")).unwrap();
    let names: Vec<&str> = seen.lines().filter_map(|line| line.split('=').next()).collect();
    for name in &names {
        // The last three are set by the shell.
        assert!(
            ["PATH", "GIVEN", "TOKEN", "FOUND", "PWD", "OLDPWD", "SHLVL", "_"].contains(name),
            "{name}"
        );
    }
    assert!(seen.contains("GIVEN=a b\n") && seen.contains("TOKEN=planted-token\n"), "{seen}");
    let found = format!("FOUND={}\n", std::env::var("PATH").unwrap());
    assert!(seen.contains(&found), "{seen}");
    let folder = script.folder.path().canonicalize().unwrap();
    assert_eq!(
        std::fs::read_to_string(script.file("where")).unwrap().trim(),
        folder.to_str().unwrap()
    );
    let argument = std::fs::read_to_string(script.file("argument")).unwrap();
    assert_eq!(argument, "$HOME; `id` *", "no shell has seen it");
}

#[tokio::test]
async fn a_command_that_cannot_start_is_a_failure_that_says_what_to_do() {
    let script = Script::new("exit 0");
    let start = |change: &dyn Fn(&mut CommandSpec)| {
        let mut spec = script.spec();
        change(&mut spec);
        CommandHook::new(Terms::new("broken".parse().unwrap()), spec)
    };
    let missing = start(&|spec| spec.program = "/nowhere/hook".into());
    let error = ask(&missing, &moment(PRE)).await.unwrap_err();
    assert!(error.starts_with("`/nowhere/hook` cannot be started: "), "{error}");
    let nowhere = start(&|spec| spec.directory = "/nowhere".into());
    assert!(ask(&nowhere, &moment(PRE)).await.unwrap_err().contains("check its path"));
    let secret = start(&|spec| {
        let place = SecretRef::File("/nowhere/token".into());
        spec.environment.insert("TOKEN".to_owned(), EnvValue::From(place));
    });
    let error = ask(&secret, &moment(PRE)).await.unwrap_err();
    assert!(error.starts_with("the file `/nowhere/token` that it needs cannot be read"), "{error}");
}

#[tokio::test]
async fn a_mask_never_becomes_a_value() {
    let answer = |input: &str| format!("cat >/dev/null; echo '{{\"update_input\": {input}}}'");
    let handed_back = answer(r#"{"user": "bob", "password": "redacted:sha256:00ff"}"#);
    let error = says(&handed_back, PRE).await.unwrap_err();
    assert!(error.contains("puts a mask where a value belongs, at `/password`"), "{error}");
    let own = says(&answer(r#"{"user": "bob", "password": "new"}"#), PRE).await.unwrap();
    assert!(own.update_input.is_some());
    let script = Script::new(&handed_back);
    let trusted = script.hook_on(|terms| terms.sight = Sight::Full);
    assert!(ask(&trusted, &moment(PRE)).await.is_ok(), "it can mean what it says");
}

#[tokio::test]
async fn no_more_moments_are_with_a_hook_than_agreed() {
    let script = Script::new("mkdir running || exit 1; sleep 0.1; rmdir running");
    let hook = script.hook_on(|terms| terms.max_parallel = 1);
    let moment = moment(PRE);
    let (a, b, c) = tokio::join!(ask(&hook, &moment), ask(&hook, &moment), ask(&hook, &moment));
    for answer in [a, b, c] {
        assert_eq!(answer.unwrap(), HookEffects::default());
    }
}
