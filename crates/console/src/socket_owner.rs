//! The user who owns the other end of a loopback connection.
//!
//! The link of a console can be seen by every local user in the arguments of the browser that opens it. Only a browser
//! of the same user may use it.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];

/// The id of the user who owns the socket at `client` that is connected to `server`; `None` if there is no such socket.
///
/// # Errors
/// If the tables of the system cannot be read.
pub(crate) fn owner(client: SocketAddr, server: SocketAddr) -> io::Result<Option<u32>> {
    for table in TABLES {
        let text = match fs::read_to_string(table) {
            Ok(text) => text,
            // A system without IPv6 has no second table.
            Err(error) if error.kind() == io::ErrorKind::NotFound && table == TABLES[1] => continue,
            Err(error) => return Err(error),
        };
        if let Some(uid) = find(&text, client, server) {
            return Ok(Some(uid));
        }
    }
    Ok(None)
}

/// Returns `true` if the tables of the system can be read.
pub(crate) fn is_known() -> bool {
    fs::File::open(TABLES[0]).is_ok()
}

/// Finds the socket of the client in a table: the columns are a number, the own address, the address of the other end,
/// the state, queues, timers, retransmissions and the user id.
fn find(table: &str, client: SocketAddr, server: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        let (local, remote) = (columns.nth(1)?, columns.next()?);
        let is_it = address(local)? == canonical(client) && address(remote)? == canonical(server);
        // The state, the queues, the timer and the retransmissions stand between the addresses and the user id.
        is_it.then(|| columns.nth(4)?.parse().ok()).flatten()
    })
}

fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// An address as the kernel writes it: hexadecimal words in the byte order of the machine, and the port.
fn address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let words: Vec<u8> = ip
        .as_bytes()
        .chunks(8)
        .filter_map(|word| u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok())
        .flat_map(u32::to_ne_bytes)
        .collect();
    let ip = match words.len() {
        4 => IpAddr::V4(Ipv4Addr::from(<[u8; 4]>::try_from(words).ok()?)),
        16 => IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?)).to_canonical(),
        _ => return None,
    };
    Some(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?))
}

#[cfg(all(test, target_os = "linux", target_endian = "little"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::{find, owner};

    #[test]
    fn the_owner_of_a_connection_is_found_on_both_families() {
        let own = rustix::process::geteuid().as_raw();
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (_server, peer) = listener.accept().unwrap();
            let found = owner(peer, listener.local_addr().unwrap()).unwrap();
            assert_eq!(found, Some(own), "{address}");
            let other = owner(listener.local_addr().unwrap(), listener.local_addr().unwrap());
            assert_eq!(other.unwrap(), None, "{address}");
            drop(client);
        }
    }

    #[test]
    fn the_user_id_is_that_of_the_client_and_not_of_another_row() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2206 00000000:0000 0A 00000000:00000000 00:00000000 00000000     7        0 1 1
   1: 0100007F:2206 0100007F:D431 01 00000000:00000000 00:00000000 00000000     8        0 2 1
   2: 0100007F:D431 0100007F:2206 01 00000000:00000000 00:00000000 00000000  1000        0 3 1
";
        let client = "127.0.0.1:54321".parse().unwrap();
        let server = "127.0.0.1:8710".parse().unwrap();
        assert_eq!(find(table, client, server), Some(1000));
        assert_eq!(find(table, server, client), Some(8));
        assert_eq!(find("", client, server), None);
    }

    #[test]
    fn an_address_of_ipv4_is_found_in_the_table_of_ipv6() {
        let table = "\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:2206 01 00000000:00000000 00:00000000 00000000  1000
";
        let client = "127.0.0.1:54321".parse().unwrap();
        let server = "127.0.0.1:8710".parse().unwrap();
        assert_eq!(find(table, client, server), Some(1000));
    }
}
