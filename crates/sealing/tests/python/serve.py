"""Answers the tests: a JSON object per line in, one per line out."""

import json
import sys

from vodozemac import Account, Session

from envelope import Peer


def restore(olm: str, key: str, seed: str, me: str, session: dict | None) -> Peer:
    account = Account.from_pickle(olm, bytes.fromhex(key))
    peer = Peer(bytes.fromhex(me), account, bytes.fromhex(seed))
    if session:
        peer.session = Session.from_pickle(session["olm"], bytes.fromhex(key))
        peer.secret = bytes.fromhex(session["secret"])
    return peer


def answer(peer: Peer, request: dict) -> str | dict:
    match request["do"]:
        case "bundle":
            return peer.bundle()
        case "start_session":
            return peer.start_session(bytes.fromhex(request["peer"]), request["bundle"]) or ""
        case "seal":
            kem = bytes.fromhex(request.get("kem", "")) or None
            content = request["content"].encode()
            return peer.seal(bytes.fromhex(request["to"]), request["header"], content, kem).hex()
        case "open":
            keys = bytes.fromhex(request["identity"]), bytes.fromhex(request["signing"])
            return peer.open(bytes.fromhex(request["envelope"]), *keys).decode()


peer = None
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "new":
        peer, result = Peer(bytes.fromhex(request["me"])), ""
    elif request["do"] == "restore":
        peer, result = restore(**request["state"]), ""
    else:
        result = answer(peer, request)
    print(json.dumps({"result": result}), flush=True)
