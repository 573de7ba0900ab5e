"""Reading peers.toml, and what is installed because of it."""

import tempfile
import unittest
from pathlib import Path

from ..errors import RunError
from ..install.cargo import check_versions
from ..install.environment import by_environment, ensure
from ..items import ITEMS
from ..paths import PEERS_FILE
from ..peers import Kind, Peer, Role, load_peers

ENTRY = """
[[peer]]
name = "theirs"
role = "peer"
kind = "npm"
adapter = "theirs.mjs"
library = "their-library"
version = "1.2.3"
[peer.companions]
helper = "4.5.6"
"""


def load(text: str) -> dict[str, Peer]:
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "peers.toml"
        file.write_text(text, encoding="utf-8")
        return load_peers(file)


class LoadTest(unittest.TestCase):
    def test_a_peer_is_read(self) -> None:
        peer = load(ENTRY)["theirs"]
        self.assertEqual((peer.role, peer.kind), (Role.PEER, Kind.NPM))
        self.assertEqual(peer.pins, {"their-library": "1.2.3", "helper": "4.5.6"})

    def test_mistakes_are_told(self) -> None:
        for wrong in (
            ENTRY + ENTRY,
            ENTRY.replace('"npm"', '"gem"'),
            ENTRY.replace("adapter", "adaptor"),
            ENTRY.replace('role = "peer"', ""),
        ):
            with self.assertRaises(RunError):
                load(wrong)

    def test_a_peer_without_a_version_is_refused(self) -> None:
        bare = "\n".join(ENTRY.splitlines()[:6])
        with self.assertRaisesRegex(RunError, "version"):
            load(bare)

    def test_our_own_file_has_everyone_who_is_asked_for(self) -> None:
        peers = load_peers(PEERS_FILE)
        for item in ITEMS.values():
            self.assertLessEqual(set(item.peers), set(peers))
            for case in item.cases:
                self.assertIs(
                    peers[case.peers[0]].role, Role.OURS, "the table divides by the first"
                )


class InstallTest(unittest.TestCase):
    def test_two_versions_in_one_environment_are_refused(self) -> None:
        first = Peer("a", Role.PEER, Kind.PIP, "a.py", "a", "1", {"shared": "1"})
        second = Peer("b", Role.PEER, Kind.PIP, "b.py", "b", "1", {"shared": "2"})
        apart = Peer("b", Role.PEER, Kind.PIP, "b.py", "b", "1", {"shared": "2"}, "apart")
        with self.assertRaisesRegex(RunError, "shared"):
            by_environment([first, second])
        self.assertEqual(by_environment([first, apart])["apart"], {"b": "1", "shared": "2"})

    def test_an_environment_is_made_once_and_again_when_a_pin_changes(self) -> None:
        made: list[str] = []
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "environment"
            for version in ("1", "1", "2"):
                ensure(path, {"package": version}, lambda: made.append("made"))
        self.assertEqual(len(made), 2)

    def test_the_lock_file_must_agree(self) -> None:
        peer = Peer("a", Role.PEER, Kind.CARGO, "adapter", "library", "1.0.0")
        check_versions([peer], {"package": [{"name": "library", "version": "1.0.0"}]})
        with self.assertRaisesRegex(RunError, "library 1.0.0"):
            check_versions([peer], {"package": [{"name": "library", "version": "1.0.1"}]})
