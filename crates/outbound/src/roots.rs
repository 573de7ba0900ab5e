//! Trusted certificate authorities.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};

use crate::ClientError;

/// The certificate authorities that are trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Roots {
    /// The authorities that the system trusts; `SSL_CERT_FILE` and `SSL_CERT_DIR` name others.
    #[default]
    System,
    /// Only these, each as the DER of a certificate.
    Only(Vec<Vec<u8>>),
}

impl Roots {
    /// Creates the TLS configuration.
    pub(crate) fn tls(&self) -> Result<ClientConfig, ClientError> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        Ok(ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(self.store()?)
            .with_no_client_auth())
    }

    fn store(&self) -> Result<RootCertStore, ClientError> {
        let mut store = RootCertStore::empty();
        match self {
            Self::System => {
                // Certificates that cannot be read are ignored.
                store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                if store.is_empty() {
                    return Err(ClientError::NoRoots);
                }
            }
            Self::Only(certificates) => {
                for der in certificates {
                    store.add(CertificateDer::from(der.as_slice()).into_owned())?;
                }
            }
        }
        Ok(store)
    }
}
