//! Commands: an allow rule sees every part, the others see through what hides a part.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{load, value_matches};

fn means(pattern: Value, command: Value) -> (bool, bool) {
    let ask = |behavior| value_matches(behavior, "command", pattern.clone(), command.clone());
    (ask("allow"), ask("deny"))
}

fn line(pattern: &str, command: &str) -> (bool, bool) {
    means(json!(pattern), json!(command))
}

const YES: (bool, bool) = (true, true);
const NO: (bool, bool) = (false, false);
/// Denied, and never allowed.
const DOUBTFUL: (bool, bool) = (false, true);

/// Item 28.
#[test]
fn a_plain_command_is_compared_word_by_word() {
    for (command, expected) in [
        ("git status", YES),
        ("  git   status  -s ", YES),
        ("git 'status'", YES),
        ("g\\it \"status\" \"a b\"", YES),
        ("git status 2>&1 >/dev/null", YES),
        ("git status $FILES *.rs", YES),
        ("git\\\n status", YES),
        ("git", NO),
        ("git statusx", NO),
        ("gitstatus", NO),
        ("'git status'", NO),
        ("git push", NO),
        ("echo git status", NO),
        ("/usr/bin/git status", DOUBTFUL),
        ("GIT status", DOUBTFUL),
        ("git status > file", DOUBTFUL),
        ("git status < file", DOUBTFUL),
        ("PAGER=sh git status", DOUBTFUL),
        ("git $VERB", DOUBTFUL),
        ("$GIT status", DOUBTFUL),
        ("g?t status", DOUBTFUL),
        ("{git,status}", DOUBTFUL),
        ("~/git status", DOUBTFUL),
    ] {
        assert_eq!(line("git status", command), expected, "{command:?}");
    }
}

#[test]
fn of_a_compound_command_allow_needs_all_and_deny_needs_one() {
    for operator in [";", " ; ", "&&", "||", "|", "|&", "&", "\n", " &&\n "] {
        assert_eq!(line("ls", &format!("ls{operator}ls -l")), YES, "{operator:?}");
        assert_eq!(line("ls", &format!("ls{operator}rm x")), DOUBTFUL, "{operator:?}");
        assert_eq!(line("rm", &format!("ls{operator}rm x")), DOUBTFUL, "{operator:?}");
        assert_eq!(line("cp", &format!("ls{operator}rm x")), NO, "{operator:?}");
    }
    assert_eq!(means(json!(["ls", "git status"]), json!("ls && git status")), YES);
    assert_eq!(line("ls", "ls 'a;b' \"c|d\" e\\&f"), YES);
    assert_eq!(line("rm", "ls ';rm x'"), NO);
    assert_eq!(line("ls", "ls;"), YES);
    assert_eq!(line("ls", "ls &"), YES);
}

#[test]
fn what_is_not_understood_is_in_doubt() {
    for command in [
        "",
        " ",
        "\n",
        "ls $(rm x)",
        "ls `rm x`",
        "ls \"$(rm x)\"",
        "ls \"`rm x`\"",
        "ls ${x}",
        "ls ${x:-$(rm y)}",
        "ls $((1))",
        "(ls)",
        "{ ls; }",
        "ls <(rm x)",
        "ls >(rm x)",
        "ls <<E\nE",
        "if true; then ls; fi",
        "for x in y; do ls; done",
        "! ls",
        "[[ -f x ]]",
        "time ls",
        "ls # comment",
        "ls 'open",
        "ls \"open",
        "ls \\",
        "; ls",
        "ls ;; ls",
        "ls && ",
        "| ls",
        "ls >",
        "ls > > x",
        "ls\0",
        "ls\rrm",
        "ls $'a'",
        "f() { ls; }",
        "ls &&& ls",
        "ls\u{1b}[A",
    ] {
        assert_eq!(line("ls", command), DOUBTFUL, "{command:?}");
        assert_eq!(line("rm", command), DOUBTFUL, "{command:?}");
    }
    assert_eq!(line("ls", &format!("ls {}", "a".repeat(64 << 10))), DOUBTFUL);
    assert_eq!(means(json!("ls"), json!(7)), DOUBTFUL);
    assert_eq!(means(json!("ls"), json!(["ls", 7])), DOUBTFUL);
    assert_eq!(means(json!("ls"), json!([])), DOUBTFUL);
}

#[test]
fn a_denial_looks_through_programs_that_run_programs() {
    for command in [
        "rm -rf /",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r''m x",
        "sudo rm x",
        "sudo -u root rm x",
        "env A=b rm x",
        "A=b rm x",
        "xargs -0 rm",
        "find . -exec rm {} +",
        "nohup nice rm x",
        "sh -c 'rm x'",
        "bash -lc \"ls; rm x\"",
        "sudo sh -c 'ls && rm x'",
        "eval rm x",
        "eval 'ls; rm x'",
        "sh -c \"sh -c 'rm x'\"",
        "command rm x",
        "timeout 5 rm x",
        "rm>x",
        "RM x",
        "sh -c \"$X\"",
        "eval $X",
        "sh -c 'ls $(x)'",
    ] {
        assert_eq!(
            line("rm", command),
            if command.starts_with("rm -rf")
                || command == "\\rm x"
                || command == "'rm' x"
                || command == "r''m x"
            {
                YES
            } else {
                DOUBTFUL
            },
            "{command:?}"
        );
    }
    for command in
        ["echo rm", "ls rm", "sh script.sh", "grep 'sh -c' rm.txt", "rmdir x", "sh -c 'ls'"]
    {
        assert_eq!(line("rm", command), NO, "{command:?}");
    }
}

#[test]
fn hiding_a_command_many_times_over_is_in_doubt_and_takes_no_time() {
    let nested = "env eval ".repeat(7000);
    assert_eq!(line("rm", &nested), DOUBTFUL);
    let many: Vec<String> = (0..256).map(|n| format!("program{n} verb")).collect();
    assert_eq!(means(json!(many), json!("sudo a ".repeat(9000))), NO);
}

#[test]
fn a_list_of_words_meets_no_shell() {
    assert_eq!(means(json!("git status"), json!(["git", "status", "; rm $(x)"])), YES);
    assert_eq!(means(json!("rm"), json!(["sudo", "rm"])), DOUBTFUL);
    assert_eq!(means(json!("git status"), json!(["git status"])), NO);
}

#[test]
fn a_pattern_is_plain_words() {
    for wrong in [
        json!(""),
        json!("a; b"),
        json!("a*"),
        json!("a $x"),
        json!("A=b c"),
        json!([]),
        json!(["a", ""]),
    ] {
        let rule = json!([{"id": "r", "behavior": "deny", "arguments": [{"path": "/v", "command": wrong}]}]);
        assert!(load(rule).is_err(), "{wrong}");
    }
}

fn harmless() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}",
        "'[a-z;|& $`]{0,5}'",
        "\"[a-z;|& ]{0,5}\"",
        "\\\\[;|&$`]",
        Just("-x".to_owned()),
        Just(">/dev/null".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn words_that_the_shell_leaves_alone_never_hide_a_command(
        words in prop::collection::vec(harmless(), 0..6)
    ) {
        let command = format!("ls {}", words.join(" "));
        prop_assert_eq!(line("ls", &command), YES, "{}", command);
        prop_assert_eq!(line("rm", &command), NO, "{}", command);
    }

    #[test]
    fn a_denied_command_behind_any_words_and_an_operator_is_seen(
        words in prop::collection::vec(harmless(), 0..5),
        operator in prop::sample::select(vec![";", "&&", "||", "|", "&", "\n"]),
        tail in "[a-z -]{0,8}",
    ) {
        let command = format!("ls {} {operator} rm {tail}", words.join(" "));
        prop_assert_eq!(line("ls", &command), DOUBTFUL, "{}", command);
        prop_assert_eq!(line("rm", &command), DOUBTFUL, "{}", command);
    }

    #[test]
    fn an_allow_rule_never_takes_what_a_deny_rule_would_not(command in "[a-z;|&<>$`'\"\\\\(){}#\n =*-]{0,24}") {
        let (allow, deny) = line("a", &command);
        prop_assert!(deny || !allow, "{}", command);
    }
}
