"""The item `relay`: its gates, its servers and where they come from."""

import tempfile
import unittest
from pathlib import Path

from ..errors import RunError
from ..install.debian import upstream
from ..install.servers import check_version, crate_directory, programs, put_aside
from ..items.relay import OURS, RELAY, all_found, answered_once, equals, reached_all, schema
from ..paths import PEERS_FILE
from ..peers import Kind, Peer, Role, Server, load_peers

NOWHERE = Path()


def server(name: str, version: str) -> Peer:
    kind = Server.SYSTEM
    return Peer(name, Role.PEER, Kind.CARGO, "adapter", name, version, server=kind, program=name)


class GatesTest(unittest.TestCase):
    def test_every_client_is_answered_once(self) -> None:
        right = {"asked": 100, "answered_once": 100, "reply_bytes": 17}
        gate = answered_once(100)
        self.assertEqual(gate({OURS: right, "raw-tcp": right | {"reply_bytes": 264}}, NOWHERE), [])
        for wrong in (right | {"answered_once": 99}, right | {"reply_bytes": 264}, None):
            self.assertEqual(len(gate({OURS: wrong}, NOWHERE)), 1)

    def test_everybody_gets_about_as_many_bytes(self) -> None:
        gate = reached_all(5)
        for ours, theirs, problems in ((700, 708, 0), (700, 800, 1)):
            answers = {
                OURS: {"reached": 5, "frame_bytes": [ours]},
                "uwebsockets": {"reached": 5, "frame_bytes": [theirs]},
            }
            self.assertEqual(len(gate(answers, NOWHERE)), problems)
        self.assertEqual(len(gate({OURS: {"reached": 4, "frame_bytes": [1]}}, NOWHERE)), 1)

    def test_nothing_that_was_accepted_may_be_missing(self) -> None:
        gate = all_found(2)
        self.assertEqual(gate({"redis": {"accepted": 40, "found": 40}}, NOWHERE), [])
        self.assertEqual(len(gate({"redis": {"accepted": 40, "found": 39}}, NOWHERE)), 1)

    def test_a_message_that_came_twice_closes_the_gate(self) -> None:
        gate = equals({"lost": 0, "repeated": 0})
        self.assertEqual(len(gate({OURS: {"lost": 0, "repeated": 1}}, NOWHERE)), 1)


class ServersTest(unittest.TestCase):
    def test_a_server_of_another_version_is_refused(self) -> None:
        for name, version, said in (
            ("nats-server", "2.9.10", "nats-server: v2.9.10\n"),
            ("postgres", "15", "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
        ):
            check_version(server(name, version), said)
            with self.assertRaisesRegex(RunError, name):
                check_version(server(name, "1.2"), said)

    def test_a_program_that_is_measured_stays_when_it_is_built_anew(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            built, program = Path(directory) / "built", Path(directory) / "servers" / "program"
            for content in ("old", "new"):
                built.write_text(content, encoding="utf-8")
                put_aside(built, program)
                built.unlink()
                self.assertEqual(program.read_text("utf-8"), content)

    def test_a_package_of_debian_tells_the_version_of_what_is_in_it(self) -> None:
        for archive, version in (
            ("redis-server_5%3a7.0.15-1~deb12u10_amd64.deb", "7.0.15"),
            ("lua-cjson_2.1.0+dfsg-2.2_amd64.deb", "2.1.0+dfsg"),
            ("liblzf1_3.6-3_amd64.deb", "3.6"),
        ):
            self.assertEqual(upstream(archive), version)

    def test_sources_are_found_where_cargo_has_put_them(self) -> None:
        peer = Peer("theirs", Role.PEER, Kind.CARGO, "adapter", "library", "1.0.0")
        package = {"name": "library", "version": "1.0.0", "manifest_path": "/there/Cargo.toml"}
        self.assertEqual(crate_directory({"packages": [package]}, peer), Path("/there"))
        with self.assertRaisesRegex(RunError, r"library 1\.0\.0"):
            crate_directory({"packages": []}, peer)

    def test_adapters_are_told_where_every_server_is(self) -> None:
        peers = load_peers(PEERS_FILE)
        served = {name for name in RELAY.peers if peers[name].server}
        self.assertEqual(set(programs(peers.values())), served)
        for name in served:
            self.assertEqual(peers[name].is_locked, name in (OURS, "uwebsockets"))

    def test_a_store_is_made_anew_when_the_schema_changes(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory)
            (folder / "0001.sql").write_text("CREATE TABLE a (b)", encoding="utf-8")
            before = schema(folder)
            self.assertEqual(schema(folder), before)
            (folder / "0002.sql").write_text("DROP TABLE a", encoding="utf-8")
            self.assertNotEqual(schema(folder), before)
