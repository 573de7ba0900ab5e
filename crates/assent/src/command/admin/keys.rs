//! `assent admin keys …`

use assent_relay_api::operations::admin::{RotateSigningKeys, RotatedKeys};

use super::Operator;
use crate::{cli::Keys, exit::Exit};

pub(super) fn run(operator: &Operator, command: &Keys) -> Exit {
    match command {
        Keys::Rotate => {
            operator.tell(operator.client.call::<RotateSigningKeys>(&(), &(), &()), rotated)
        }
    }
}

fn rotated(keys: &RotatedKeys) -> String {
    let RotatedKeys { key_id, previous_valid_until } = keys;
    format!(
        "access tokens are signed with {key_id}; older ones are good until {previous_valid_until}\n"
    )
}
