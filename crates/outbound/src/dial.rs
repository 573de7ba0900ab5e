//! Opens connections, only to addresses that were just checked.

mod race;

use std::{
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;
use url::Host;

use crate::{CallError, Origin, Reach, Resolve, TargetError, error::describe};

/// The most addresses of each family that are tried, so that a name with a thousand addresses does not cause
/// a thousand connections.
const MAX_PER_FAMILY: usize = 3;

/// Resolves names, checks the addresses, and connects.
#[derive(Clone)]
pub(crate) struct Dialer {
    pub(crate) reach: Arc<Reach>,
    pub(crate) resolver: Arc<dyn Resolve>,
}

impl Dialer {
    /// Returns the addresses that may be dialed for an origin. Never empty.
    pub(crate) async fn addresses(&self, origin: &Origin) -> Result<Vec<SocketAddr>, CallError> {
        self.reach.admit(origin)?;
        let found = self.lookup(origin).await?;
        let vetted = self.reach.vet(origin, found).map_err(|_| CallError::NotPublic)?;
        Ok(few(&vetted).map(|address| SocketAddr::new(address, origin.port())).collect())
    }

    async fn lookup(&self, origin: &Origin) -> Result<Vec<IpAddr>, CallError> {
        let name = match origin.host() {
            Host::Ipv4(address) => return Ok(vec![IpAddr::V4(*address)]),
            Host::Ipv6(address) => return Ok(vec![IpAddr::V6(*address)]),
            Host::Domain(name) => name,
        };
        let found = self.resolver.resolve(name).await;
        let found = found.map_err(|error| CallError::NoAddress(describe(&error)))?;
        if found.is_empty() {
            return Err(CallError::NoAddress("the answer is empty".to_owned()));
        }
        Ok(found)
    }

    async fn dial(&self, uri: &Uri) -> Result<TokioIo<TcpStream>, CallError> {
        let origin = Origin::of_uri(uri).ok_or(TargetError::Malformed)?;
        let addresses = self.addresses(&origin).await?;
        let stream = race::connect(&addresses).await;
        let stream = stream.map_err(|error| CallError::Connect(describe(&error)))?;
        // Requests are written at once, so there is nothing to coalesce.
        let _slower_without = stream.set_nodelay(true);
        Ok(TokioIo::new(stream))
    }
}

/// Returns the first addresses of both families, in their order.
fn few(addresses: &[IpAddr]) -> impl Iterator<Item = IpAddr> {
    let mut left = [MAX_PER_FAMILY; 2];
    addresses.iter().copied().filter(move |address| {
        let [v4, v6] = &mut left;
        let left = if address.is_ipv4() { v4 } else { v6 };
        let is_one_of_the_first = *left > 0;
        *left = left.saturating_sub(1);
        is_one_of_the_first
    })
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<TcpStream>;
    type Error = CallError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, CallError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), CallError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let dialer = self.clone();
        Box::pin(async move { dialer.dial(&uri).await })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use super::{MAX_PER_FAMILY, few};

    #[test]
    fn a_name_with_a_thousand_addresses_makes_us_try_a_few_of_each_family() {
        let v6 = (0..1000).map(|last| IpAddr::from(Ipv6Addr::new(0x2606, 0, 0, 0, 0, 0, 0, last)));
        let v4 = (0..200).map(|last| IpAddr::from(Ipv4Addr::new(9, 9, 9, last)));
        let all: Vec<IpAddr> = v6.chain(v4).collect();
        let tried: Vec<IpAddr> = few(&all).collect();
        assert_eq!(tried.len(), 2 * MAX_PER_FAMILY);
        assert_eq!(tried[..MAX_PER_FAMILY], all[..MAX_PER_FAMILY]);
        assert_eq!(tried[MAX_PER_FAMILY..], all[1000..1000 + MAX_PER_FAMILY]);
    }
}
