//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use assent_outbound::address::vet;
use proptest::prelude::*;

/// Every range that must be refused, written down apart from the code: the special-purpose registries of
/// IANA as of 2026, without their exceptions, and what was withdrawn.
const REFUSED: [&str; 38] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
    "::/128",
    "::1/128",
    "::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001::/32",
    "2001:2::/48",
    "2001:10::/28",
    "2001:20::/28",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "4000::/3",
    "5f00::/16",
    "8000::/2",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

/// The public addresses on both sides of the ranges.
const PUBLIC: [&str; 34] = [
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2000::",
    "2001:200::",
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
    "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2003::",
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:1000::",
    "64:ff9b::8.8.8.8",
];

/// The first and the last address of a range, as numbers of the width of its family.
fn bounds(range: &str) -> (bool, u128, u128) {
    let (first, length) = range.split_once('/').unwrap();
    let length: u32 = length.parse().unwrap();
    match first.parse().unwrap() {
        IpAddr::V4(first) => {
            let first = u128::from(first.to_bits());
            (true, first, first | ((1 << (32 - length)) - 1))
        }
        IpAddr::V6(first) => {
            let rest = if length == 0 { u128::MAX } else { (1_u128 << (128 - length)) - 1 };
            (false, first.to_bits(), first.to_bits() | rest)
        }
    }
}

fn address(is_v4: bool, bits: u128) -> IpAddr {
    match is_v4 {
        true => Ipv4Addr::from_bits(u32::try_from(bits).unwrap()).into(),
        false => Ipv6Addr::from_bits(bits).into(),
    }
}

#[test]
fn both_ends_of_every_range_are_refused() {
    for range in REFUSED {
        let (is_v4, first, last) = bounds(range);
        for bits in [first, last] {
            let address = address(is_v4, bits);
            // IPv4-mapped addresses lie in the space of IPv6, and are those of IPv4.
            assert!(vet(address).is_err(), "{address} of {range}");
        }
    }
}

#[test]
fn the_neighbours_of_the_ranges_are_public() {
    for text in PUBLIC {
        assert_eq!(vet(text.parse().unwrap()).map(drop), Ok(()), "{text}");
    }
}

#[test]
fn a_refusal_says_what_the_range_is_for() {
    for (text, told) in [
        ("10.1.2.3", "`10.1.2.3` is not a public address: private"),
        ("::ffff:127.0.0.1", "`::ffff:127.0.0.1` is not a public address: loopback"),
        ("64:ff9b::a9fe:a9fe", "`64:ff9b::a9fe:a9fe` is not a public address: link-local"),
        ("2001:0:1::", "`2001:0:1::` is not a public address: Teredo"),
        ("4000::1", "`4000::1` is not a public address: not assigned for general use"),
    ] {
        assert_eq!(vet(text.parse().unwrap()).unwrap_err().to_string(), told);
    }
}

proptest! {
    #[test]
    fn every_address_of_a_refused_range_is_refused(
        range in prop::sample::select(&REFUSED[..]),
        offset in any::<u128>(),
    ) {
        let (is_v4, first, last) = bounds(range);
        let address = address(is_v4, first | (offset & (first ^ last)));
        prop_assert!(vet(address).is_err(), "{address} of {range}");
    }

    /// However an IPv4 address is wrapped in a way that leads to it, the answer is that of the address.
    #[test]
    fn a_wrapped_address_means_what_it_wraps(bits in any::<u32>()) {
        let plain = Ipv4Addr::from_bits(bits);
        let verdict = vet(plain.into()).map_err(|error| error.range);
        let mapped = vet(plain.to_ipv6_mapped().into());
        prop_assert_eq!(mapped.map_err(|error| error.range), verdict);
        let translated = Ipv6Addr::from_bits((0x64_ff9b << 96) | u128::from(bits));
        let translated = vet(translated.into()).map(drop).map_err(|error| error.range);
        prop_assert_eq!(translated, verdict.map(drop));
    }

    /// Wrapped in a way that only tunnels understand, it is refused whatever it is.
    #[test]
    fn an_address_inside_a_tunnel_is_refused(bits in any::<u32>(), rest in any::<u128>()) {
        let bits = u128::from(bits);
        let to_4 = (0x2002 << 112) | (bits << 80) | (rest & ((1 << 80) - 1));
        let teredo = (0x2001_0000 << 96) | (rest & !(0xffff_ffff << 96) & !0xffff_ffff) | (bits ^ 0xffff_ffff);
        let local = (0x64_ff9b_0001 << 80) | (rest & ((1 << 80) - 1));
        for wrapped in [bits, to_4, teredo, local] {
            prop_assert!(vet(Ipv6Addr::from_bits(wrapped).into()).is_err());
        }
    }

    /// The standard library knows some of the ranges by name.
    #[test]
    fn what_the_standard_library_knows_as_special_is_refused(v4 in any::<u32>(), v6 in any::<u128>()) {
        let v4 = Ipv4Addr::from_bits(v4);
        let is_special = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast()
            || v4.is_broadcast() || v4.is_documentation() || v4.is_unspecified();
        prop_assert!(!is_special || vet(v4.into()).is_err());
        let v6 = Ipv6Addr::from_bits(v6);
        let is_special = v6.is_loopback() || v6.is_multicast() || v6.is_unspecified()
            || v6.is_unique_local() || v6.is_unicast_link_local();
        prop_assert!(!is_special || vet(v6.into()).is_err());
    }

    /// What is public is outside of every range, and what is dialled is what was judged.
    #[test]
    fn what_is_public_lies_in_no_refused_range(bits in any::<u128>(), is_v4 in any::<bool>()) {
        let bits = if is_v4 { bits & u128::from(u32::MAX) } else { bits };
        let address = address(is_v4, bits);
        let is_refused = REFUSED.iter().any(|range| {
            let (of_v4, first, last) = bounds(range);
            of_v4 == is_v4 && (first..=last).contains(&bits)
        });
        match vet(address) {
            Ok(dialled) => {
                prop_assert!(!is_refused, "{address}");
                prop_assert_eq!(vet(dialled), Ok(dialled));
            }
            Err(error) => prop_assert_eq!(error.address, address),
        }
    }
}
