//! How far calls may go, depending on who wrote the address down.

use std::net::IpAddr;

use url::Host;

use crate::{
    Origin, Origins, TargetError,
    address::{self, NotPublic},
    target::name,
};

/// How far calls may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// For addresses of strangers: encrypted, to public hosts, on ports of web services. These exact
    /// origins are excepted from all three.
    Public(Origins),
    /// For addresses that the owner of this machine wrote down: wherever he says.
    Anywhere,
}

impl Reach {
    /// Judges an origin by what is written.
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

    /// Judges all addresses of an origin; one that is refused spoils the others. An honest name does not
    /// lead to a public and a private place at once.
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

/// 443, or one that needs no privileges to listen on. Below 1024 there are mail, remote shells and
/// directories, and nobody should be able to make us knock there for him.
fn is_port_of_web_services(port: u16) -> bool {
    port == 443 || port >= 1024
}
