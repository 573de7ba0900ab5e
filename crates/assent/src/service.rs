//! What commands share that run until a signal ends them.

use std::path::PathBuf;

use assent_service::{
    logs::{Format, Levels},
    settings::{Given, Problems},
};

use crate::{
    exit::Exit,
    output::{self, BAD, visible},
};

/// The setting `log`.
pub(crate) fn log_format(given: &mut Given) -> Format {
    given.one("log", Format::default(), str::parse, |format| match format {
        Format::Text => "text".to_owned(),
        Format::Json => "json".to_owned(),
    })
}

/// The setting `log_level`. Levels do not keep their text, so it is stored beside them.
pub(crate) fn log_levels(given: &mut Given) -> Levels {
    let read = |text: &str| text.parse::<Levels>().map(|levels| (text.to_owned(), Some(levels)));
    let (_, levels) =
        given.one("log_level", ("info".to_owned(), None), read, |said| said.0.clone());
    // The default is one of the words: it can be read.
    levels.or_else(|| "info".parse().ok()).unwrap_or_else(Levels::off)
}

/// An absolute path, which means the same from any working directory.
pub(crate) fn absolute(text: &str) -> Result<PathBuf, &'static str> {
    std::path::absolute(text).map_err(|_| "expected the path of a directory")
}

/// Reports every mistake in the settings.
pub(crate) fn wrong_settings(problems: &Problems) -> Exit {
    output::complain(Exit::WrongUse, |out| {
        for problem in &problems.0 {
            writeln!(out, "{BAD}error{BAD:#}: {}", visible(&problem.to_string()))?;
        }
        Ok(())
    })
}

/// Reports in the configured log format why `service` does not start.
pub(crate) fn does_not_start(service: &str, format: Format, error: &str) -> Exit {
    match format {
        Format::Json => {
            tracing::error!(error, "the {service} does not start");
            Exit::Bad
        }
        Format::Text => output::complain(Exit::Bad, |out| {
            writeln!(out, "{BAD}error{BAD:#}: {}", visible(error))
        }),
    }
}

#[cfg(test)]
pub(crate) mod manual {
    //! Compares the table of settings in a manual with the settings.

    use assent_service::settings::Setting;

    pub(crate) fn check(manual: &str, settings: &[Setting]) {
        let manual = format!("{}/../../{manual}", env!("CARGO_MANIFEST_DIR"));
        let manual = std::fs::read_to_string(manual).unwrap();
        let rows: Vec<String> = settings
            .iter()
            .map(|setting| {
                let flag = setting.flag().map_or_else(String::new, |flag| format!("`{flag}`"));
                let (name, variable) = (setting.name, setting.variable());
                let (default, about) = (setting.default, setting.about);
                format!("| `{name}` | {flag} | `{variable}` | {default} | {about} |")
            })
            .collect();
        let table: Vec<&str> = manual
            .lines()
            .skip_while(|line| !line.starts_with("| setting |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(table, rows, "\n{}", rows.join("\n"));
    }
}
