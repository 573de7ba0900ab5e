//! Decides which IP addresses are public, by a table.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The address is not public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{address}` is not a public address: {range}")]
pub struct NotPublic {
    /// The address as it was given.
    pub address: IpAddr,
    /// The purpose of its range.
    pub range: &'static str,
}

/// Checks that an address is public, and returns the form in which to dial it.
///
/// Embedded IPv4 addresses are checked as IPv4: `::ffff:10.0.0.1` as `10.0.0.1`, and so is the NAT64 address
/// `64:ff9b::10.0.0.1`. Of IPv6, only the ranges that are allocated for general use are public; unknown
/// ranges are not.
///
/// ```
/// use assent_outbound::address::vet;
///
/// assert!(vet("9.9.9.9".parse()?).is_ok());
/// let error = vet("::ffff:169.254.169.254".parse()?).unwrap_err();
/// assert_eq!(error.range, "link-local");
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
///
/// # Errors
/// If the address is not public.
pub fn vet(address: IpAddr) -> Result<IpAddr, NotPublic> {
    let canonical = address.to_canonical();
    match reserved(bits(canonical)) {
        None => Ok(canonical),
        Some(range) => Err(NotPublic { address, range }),
    }
}

/// Returns the purpose of the range of an address that is not public.
fn reserved(bits: u128) -> Option<&'static str> {
    if NAT64.contains(bits) {
        return reserved(IPV4.first | (bits & u128::from(u32::MAX)));
    }
    let known = RESERVED.iter().find(|range| range.contains(bits)).map(|range| range.purpose);
    let is_assigned = IPV4.contains(bits) || GLOBAL_UNICAST.contains(bits);
    known.or_else(|| (!is_assigned).then_some("not assigned for general use"))
}

/// Converts an address to a number. IPv4 addresses are mapped to IPv6, so that one table covers every
/// notation.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

struct Range {
    first: u128,
    /// The length of the prefix, in bits.
    length: u32,
    purpose: &'static str,
}

impl Range {
    const fn v4(first: [u8; 4], length: u32, purpose: &'static str) -> Self {
        let [a, b, c, d] = first;
        let first = Ipv4Addr::new(a, b, c, d).to_ipv6_mapped().to_bits();
        Self { first, length: 96 + length, purpose }
    }

    /// Creates a range from the first 64 bits.
    const fn v6(first: [u16; 4], length: u32, purpose: &'static str) -> Self {
        let [a, b, c, d] = first;
        Self { first: Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).to_bits(), length, purpose }
    }

    fn contains(&self, bits: u128) -> bool {
        (bits ^ self.first).leading_zeros() >= self.length
    }
}

/// All of IPv4.
const IPV4: Range = Range::v4([0, 0, 0, 0], 0, "IPv4");
/// The IPv6 range for general use.
const GLOBAL_UNICAST: Range = Range::v6([0x2000, 0, 0, 0], 3, "global unicast");
/// The NAT64 prefix for IPv4 addresses (RFC 6052). The prefix for local use (RFC 8215) is in the table.
const NAT64: Range = Range::v6([0x64, 0xff9b, 0, 0], 96, "NAT64");

/// The special-purpose addresses of IANA (RFC 6890), deprecated ranges, and the one public address that a
/// cloud uses for its metadata. More general ranges come last.
const RESERVED: [Range; 33] = [
    Range::v4([0, 0, 0, 0], 8, "this network"),
    Range::v4([10, 0, 0, 0], 8, "private"),
    Range::v4([100, 64, 0, 0], 10, "shared by customers of a carrier"),
    Range::v4([127, 0, 0, 0], 8, "loopback"),
    Range::v4([168, 63, 129, 16], 32, "services of a cloud for its machines"),
    Range::v4([169, 254, 0, 0], 16, "link-local"),
    Range::v4([172, 16, 0, 0], 12, "private"),
    Range::v4([192, 0, 0, 0], 24, "protocol assignments"),
    Range::v4([192, 0, 2, 0], 24, "documentation"),
    Range::v4([192, 88, 99, 0], 24, "6to4 relays"),
    Range::v4([192, 168, 0, 0], 16, "private"),
    Range::v4([198, 18, 0, 0], 15, "benchmarking"),
    Range::v4([198, 51, 100, 0], 24, "documentation"),
    Range::v4([203, 0, 113, 0], 24, "documentation"),
    Range::v4([224, 0, 0, 0], 4, "multicast"),
    Range::v4([240, 0, 0, 0], 4, "reserved"),
    Range { first: 0, length: 128, purpose: "unspecified" },
    Range { first: 1, length: 128, purpose: "loopback" },
    Range::v6([0, 0, 0, 0], 96, "IPv4-compatible"),
    Range::v6([0x64, 0xff9b, 1, 0], 48, "NAT64 for local use"),
    Range::v6([0x100, 0, 0, 0], 64, "discard"),
    Range::v6([0x100, 0, 0, 1], 64, "dummy"),
    Range::v6([0x2001, 0, 0, 0], 32, "Teredo"),
    Range::v6([0x2001, 2, 0, 0], 48, "benchmarking"),
    Range::v6([0x2001, 0x10, 0, 0], 28, "ORCHID"),
    Range::v6([0x2001, 0x20, 0, 0], 28, "ORCHID"),
    Range::v6([0x2001, 0, 0, 0], 23, "protocol assignments"),
    Range::v6([0x2001, 0xdb8, 0, 0], 32, "documentation"),
    Range::v6([0x2002, 0, 0, 0], 16, "6to4"),
    Range::v6([0x3fff, 0, 0, 0], 20, "documentation"),
    Range::v6([0x5f00, 0, 0, 0], 16, "segment routing"),
    Range::v6([0xfc00, 0, 0, 0], 7, "private"),
    // Link-local (fe80::/10), site-local (fec0::/10) and multicast (ff00::/8).
    Range::v6([0xfe00, 0, 0, 0], 7, "link-local, site-local or multicast"),
];
