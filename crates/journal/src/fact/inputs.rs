//! The inputs of a call. They are mostly the same and may be large, so equal ones are written once.

use assent_json::Json;
use serde::{Deserialize, Serialize};

/// The four inputs of a call, with sensitive values replaced. The input of a stage that was not reached is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Inputs {
    /// What the model wrote.
    pub model: Json,
    /// What hooks and people see.
    pub observable: Option<Json>,
    /// What was judged.
    pub permission: Option<Json>,
    /// What the executor was given.
    pub call: Option<Json>,
}

/// An input other than the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaterInput {
    /// What hooks and people see.
    Observable,
    /// What was judged.
    Permission,
    /// What the executor was given.
    Call,
}

/// The later inputs without repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Condensed {
    /// What hooks and people see, if it differs.
    pub observable: Option<Json>,
    /// What was judged, if it differs.
    pub permission: Option<Json>,
    /// What the executor was given, if it differs.
    pub call: Option<Json>,
    /// Those that equal the one before them.
    pub unchanged: Vec<LaterInput>,
}

impl Inputs {
    /// The later inputs without repetitions.
    #[must_use]
    pub fn condensed(&self) -> Condensed {
        let Self { model, observable, permission, call } = self;
        let mut unchanged = Vec::new();
        let seen = observable.as_ref().unwrap_or(model);
        let judged = permission.as_ref().unwrap_or(seen);
        let mut differing = |input, later: &Option<Json>, before: &Json| {
            let later = later.as_ref()?;
            if later.is_same(before) || later.text() == before.text() {
                unchanged.push(input);
                return None;
            }
            Some(later.clone())
        };
        Condensed {
            observable: differing(LaterInput::Observable, observable, model),
            permission: differing(LaterInput::Permission, permission, seen),
            call: differing(LaterInput::Call, call, judged),
            unchanged,
        }
    }
}

impl Condensed {
    /// The inputs of a call for which the model wrote `model`.
    #[must_use]
    pub fn expanded(self, model: Json) -> Inputs {
        let Self { observable, permission, call, unchanged } = self;
        let whole = |input, differing: Option<Json>, before: &Json| {
            differing.or_else(|| unchanged.contains(&input).then(|| before.clone()))
        };
        let observable = whole(LaterInput::Observable, observable, &model);
        let seen = observable.as_ref().unwrap_or(&model);
        let permission = whole(LaterInput::Permission, permission, seen);
        let judged = permission.as_ref().unwrap_or(seen);
        let call = whole(LaterInput::Call, call, judged);
        Inputs { observable, permission, call, model }
    }
}

#[derive(Serialize, Deserialize)]
struct Written {
    model: Json,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    observable: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permission: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<Json>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<LaterInput>,
}

impl From<Inputs> for Written {
    fn from(inputs: Inputs) -> Self {
        let Condensed { observable, permission, call, unchanged } = inputs.condensed();
        Self { model: inputs.model, observable, permission, call, unchanged }
    }
}

impl From<Written> for Inputs {
    fn from(written: Written) -> Self {
        let Written { model, observable, permission, call, unchanged } = written;
        Condensed { observable, permission, call, unchanged }.expanded(model)
    }
}

#[cfg(test)]
mod tests {
    use assent_json::Json;
    use proptest::prelude::*;

    use super::Inputs;

    fn input(number: u8) -> Json {
        Json::read(format!(r#"{{"n": {number}}}"#)).unwrap()
    }

    proptest! {
        #[test]
        fn inputs_are_read_as_they_were_written(
            model in 0..3_u8,
            later in prop::array::uniform3(prop::option::of(0..3_u8)),
        ) {
            let [observable, permission, call] = later.map(|later| later.map(input));
            let inputs = Inputs { model: input(model), observable, permission, call };
            let text = serde_json::to_string(&inputs).unwrap();
            prop_assert_eq!(serde_json::from_str::<Inputs>(&text).unwrap(), inputs);
        }
    }

    #[test]
    fn what_is_the_same_is_written_once() {
        let (model, same) = (input(1), input(1));
        let (observable, permission, call) = (Some(same), Some(input(2)), Some(input(2)));
        let inputs = Inputs { model, observable, permission, call };
        let text = serde_json::to_string(&inputs).unwrap();
        let expected =
            r#"{"model":{"n": 1},"permission":{"n": 2},"unchanged":["observable","call"]}"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn inputs_that_were_written_four_times_are_read() {
        let text = r#"{"model":{"n": 1},"observable":{"n": 1},"call":{"n": 1}}"#;
        let inputs: Inputs = serde_json::from_str(text).unwrap();
        assert_eq!((inputs.observable, inputs.permission), (Some(input(1)), None));
        assert_eq!(inputs.call, Some(input(1)));
    }
}
