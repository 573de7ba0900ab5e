//! Gives the relay the prekeys that it hands out.

use assent_relay_api::{
    operations::keys::{NewPrekeys, PublishPrekeys},
    value::List,
};
use assent_sealing::Endpoint;

use super::{
    Shared,
    works::{LoadOwnState, PrekeysPublished, RenewPrekeys},
};
use crate::{MailboxError, on_relay::write_prekeys};

/// Gives the relay new prekeys if it has few, or if the present ones are old. What the relay refuses is tried again
/// the next time.
pub(super) async fn publish(shared: &Shared) -> Result<(), MailboxError> {
    let own = shared.database.write(LoadOwnState(shared.mailbox.clone())).await?;
    let device_id = match own.endpoint {
        Some(Endpoint::Device(device_id)) => Some(device_id),
        _ => None,
    };
    let client = shared.delegate.client();
    let nothing = NewPrekeys {
        device_id,
        signed_prekey: None,
        kem_prekey: None,
        one_time_prekeys: List::default(),
    };
    let left = match client.call::<PublishPrekeys>(&(), &(), &nothing).await {
        Ok(count) => usize::try_from(count.one_time_prekeys).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::debug!(%error, "the number of prekeys is unknown");
            return Ok(());
        }
    };
    let renew = RenewPrekeys(shared.mailbox.clone(), left);
    let Some(prekeys) = shared.database.write(renew).await? else { return Ok(()) };
    let new = write_prekeys(&prekeys)?;
    match client.call::<PublishPrekeys>(&(), &(), &NewPrekeys { device_id, ..new }).await {
        Ok(_) => shared.database.write(PrekeysPublished(shared.mailbox.clone())).await,
        Err(error) => {
            tracing::warn!(%error, "the relay does not take the new prekeys");
            Ok(())
        }
    }
}
