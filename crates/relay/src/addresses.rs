//! Network addresses, as limits tell them apart.

use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use assent_ids::UnixMillis;
use assent_store::{StoreError, Tx};

use crate::{
    rate::{self, Limit},
    refusal::Refusal,
    settings::Limits,
};

/// Over how long uses per address are counted.
pub(crate) const WINDOW: Duration = Duration::from_secs(10 * 60);

/// Counts one use of `what` from `peer`, or refuses it.
pub(crate) async fn take(
    tx: &mut Tx,
    limits: &Limits,
    what: &str,
    uses: usize,
    peer: IpAddr,
    now: UnixMillis,
) -> Result<Result<(), Refusal>, StoreError> {
    if peer.to_canonical().is_loopback() && !limits.limit_loopback {
        return Ok(Ok(()));
    }
    let limit = Limit { uses, window: WINDOW };
    rate::try_take(tx, &format!("{what}:address:{}", network(peer)), limit, now).await
}

/// The address, or the network of the sixth version around it: who has one of its addresses has all.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let subnet = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(subnet))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn a_network_of_the_sixth_version_is_one_address_and_a_mapped_address_is_the_one_it_maps() {
        for (peer, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ] {
            assert_eq!(network(peer.parse().unwrap()).to_string(), expected, "{peer}");
        }
    }
}
