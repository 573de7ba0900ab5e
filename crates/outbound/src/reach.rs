//! The addresses that may be called.

use std::net::IpAddr;

use url::Host;

use crate::{
    Origin, Origins, TargetError,
    address::{self, NotPublic},
    target::name,
};

/// The addresses that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// For untrusted addresses: encrypted, to public hosts, on ports of web services. These exact origins are
    /// exempt from all three.
    Public(Origins),
    /// For addresses that the operator configured: any address.
    Anywhere,
}

impl Reach {
    /// Checks an origin by its text.
    pub(crate) fn admit(&self, origin: &Origin) -> Result<(), TargetError> {
        if !self.guards(origin) {
            return Ok(());
        }
        if !origin.is_encrypted() {
            return Err(TargetError::NotEncrypted);
        }
        if !is_port_of_web_services(origin.port()) {
            return Err(TargetError::Port(origin.port()));
        }
        match (origin.host(), origin.address()) {
            (Host::Domain(host), _) if name::is_private(host) => {
                Err(TargetError::PrivateName(host.clone()))
            }
            (_, Some(address)) => Ok(address::vet(address).map(drop)?),
            (_, None) => Ok(()),
        }
    }

    /// Checks all addresses of an origin. One that is refused refuses the origin: a legitimate name does not
    /// resolve to public and private addresses at once.
    pub(crate) fn vet(
        &self,
        origin: &Origin,
        addresses: Vec<IpAddr>,
    ) -> Result<Vec<IpAddr>, NotPublic> {
        match self.guards(origin) {
            true => addresses.into_iter().map(address::vet).collect(),
            false => Ok(addresses),
        }
    }

    fn guards(&self, origin: &Origin) -> bool {
        match self {
            Self::Public(excepted) => !excepted.contains(origin),
            Self::Anywhere => false,
        }
    }
}

/// Returns `true` for 443 and for unprivileged ports. Ports below 1024 belong to services such as mail and
/// remote shells, which must not be reachable through us.
fn is_port_of_web_services(port: u16) -> bool {
    port == 443 || port >= 1024
}
