//! Flags, variables and the file together.

use std::{collections::BTreeMap, path::PathBuf};

use assent_service::settings::{
    Count, Given, Origin, Problems, Setting, Sources, collect, duration,
};
use proptest::prelude::*;

const fn setting(name: &'static str, count: Count) -> Setting {
    Setting { name, count, flag: true, default: "", about: "" }
}

static SETTINGS: [Setting; 4] = [
    setting("listen", Count::One),
    setting("log_level", Count::One),
    setting("allow", Count::Many),
    setting("limits.lock", Count::One),
];

/// What was said where.
#[derive(Default)]
struct Said {
    flags: Vec<(&'static str, Vec<String>)>,
    variables: BTreeMap<&'static str, &'static str>,
    file: Option<&'static str>,
}

impl Said {
    fn given(&self) -> Given {
        let folder = tempfile::tempdir().unwrap();
        let file = self.file.map(|text| {
            let path = folder.path().join("relay.toml");
            std::fs::write(&path, text).unwrap();
            path
        });
        let environment = |name: &str| self.variables.get(name).map(Into::into);
        collect(&SETTINGS, &Sources { flags: self.flags.clone(), environment: &environment, file })
    }
}

fn listen(given: &mut Given) -> u16 {
    given.one("listen", 1, str::parse::<u16>, ToString::to_string)
}

fn problems(problems: &Problems) -> Vec<String> {
    let file = |text: &str| text.rsplit_once("/relay.toml").map(|(_, rest)| rest.to_owned());
    let lines = problems.0.iter().map(ToString::to_string);
    lines.map(|line| file(&line).unwrap_or(line)).collect()
}

#[test]
fn a_flag_outweighs_a_variable_and_a_variable_the_file_and_the_file_the_default() {
    let mut said = Said::default();
    assert_eq!(listen(&mut said.given()), 1);
    said.file = Some("listen = 2");
    assert_eq!(listen(&mut said.given()), 2);
    said.variables.insert("ASSENT_LISTEN", "3");
    assert_eq!(listen(&mut said.given()), 3);
    said.flags.push(("listen", vec!["4".to_owned()]));
    let mut given = said.given();
    assert_eq!(listen(&mut given), 4);
    assert_eq!(given.finish().unwrap()[0].origin, Origin::Flag);
}

#[test]
fn a_list_is_a_list_in_every_source() {
    let read = |given: &mut Given| given.many("allow", str::parse::<u8>, ToString::to_string);
    let file = Said { file: Some("allow = ['1', '2']"), ..Said::default() };
    assert_eq!(read(&mut file.given()), [1, 2]);
    let variable = Said { variables: [("ASSENT_ALLOW", " 3, 4,")].into(), ..Said::default() };
    assert_eq!(read(&mut variable.given()), [3, 4]);
    let flags = Said { flags: vec![("allow", vec!["5".into(), "6".into()])], ..Said::default() };
    assert_eq!(read(&mut flags.given()), [5, 6]);
}

#[test]
fn every_mistake_of_a_file_is_named_at_once_with_its_line() {
    let text = "lisen = 7\nlisten = 'x'\nallow = 'one'\n\n[limits]\nlock = '5'\nlok = '1s'\n[other]\na = 1\nlog_level = = 3\n";
    let mut given = Said { file: Some(text), ..Said::default() }.given();
    listen(&mut given);
    given.one("limits.lock", duration("1s").unwrap(), duration, |_| String::new());
    assert_eq!(
        problems(&given.finish().unwrap_err()),
        [
            ":1: there is no setting `lisen`; did you mean `listen`?",
            ":2: invalid digit found in string",
            ":3: `allow` takes a list of texts, such as `[\"…\"]`",
            ":6: expected a duration such as `90s`, `15m`, `12h` or `30d`",
            ":7: there is no setting `limits.lok`; did you mean `limits.lock`?",
            ":8: there is no setting `other`",
            ":10: extra `=`, expected nothing",
        ]
    );
}

#[test]
fn mistakes_elsewhere_name_the_variable_and_the_flag_and_never_the_value() {
    let mut said = Said::default();
    said.variables.insert("ASSENT_LOG_LEVEL", "hunter2");
    said.flags.push(("listen", vec!["hunter2".to_owned()]));
    let mut given = said.given();
    listen(&mut given);
    given.one("log_level", 0, str::parse::<u8>, ToString::to_string);
    let told = problems(&given.finish().unwrap_err());
    let mistake = "invalid digit found in string";
    assert_eq!(told, [format!("ASSENT_LOG_LEVEL: {mistake}"), format!("--listen: {mistake}")]);
}

#[test]
fn a_file_that_is_not_there_is_a_mistake() {
    let file = Some(PathBuf::from("/nonexistent/relay.toml"));
    let given = collect(&SETTINGS, &Sources { flags: vec![], environment: &|_| None, file });
    let told = problems(&given.finish().unwrap_err());
    assert!(told[0].starts_with(": it cannot be read: "), "{told:?}");
}

proptest! {
    #[test]
    fn any_file_is_read_or_refused(text in "\\PC{0,200}", lines in "([a-z=.\\[\\]'\"{},0-9 \n]{0,80})") {
        for text in [text, lines] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("relay.toml");
            std::fs::write(&path, text).unwrap();
            let sources = Sources { flags: vec![], environment: &|_| None, file: Some(path) };
            let mut given = collect(&SETTINGS, &sources);
            listen(&mut given);
            let _ = given.finish();
        }
    }
}
