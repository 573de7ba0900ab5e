//! Limits per network address.

use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use assent_ids::UnixMillis;
use assent_store::{StoreError, Tx};

use crate::{
    http::{
        Refusal,
        rate_limits::{self, Limit},
    },
    settings::Settings,
};

/// The window in which uses per address are counted.
pub(crate) const WINDOW: Duration = Duration::from_secs(10 * 60);

/// Counts one use of `what` by `peer`, or refuses it. Clients on this machine are not limited.
pub(crate) async fn take(
    tx: &mut Tx,
    settings: &Settings,
    what: &str,
    uses: usize,
    peer: IpAddr,
    now: UnixMillis,
) -> Result<Result<(), Refusal>, StoreError> {
    if peer.to_canonical().is_loopback() && !settings.is_behind_proxy() {
        return Ok(Ok(()));
    }
    let limit = Limit { uses, window: WINDOW };
    rate_limits::try_take(tx, &format!("{what}:address:{}", network(peer)), limit, now).await
}

/// Returns the address, or its network for IPv6: a client that has one of its addresses has all of them.
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
    fn an_ipv6_network_is_one_address_and_a_mapped_address_is_the_one_it_maps() {
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
