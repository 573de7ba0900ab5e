"""`assent-envelope-v1` in Python, written from docs/envelope.md alone.

A peer of the Rust implementation: it makes keys, seals and opens, on `vodozemac` and `cryptography`.
"""

import base64
import hashlib
import secrets
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mlkem import (
    MLKEM768PrivateKey,
    MLKEM768PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hpke import (
    AEAD,
    KDF,
    KEM,
    MLKEM768X25519PrivateKey,
    MLKEM768X25519PublicKey,
    Suite,
)
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from vodozemac import Account, AnyOlmMessage, Curve25519PublicKey, PreKeyMessage

SUITE = Suite(KEM.MLKEM768_X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
WRAP, KEY, PREFIX = 1176, 48, 8
BUCKETS = [kib * 1024 for kib in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768)]


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def unpadded(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def from_unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def derive(salt: bytes, ikm: bytes, info: bytes) -> tuple[AESGCM, bytes]:
    output = HKDF(hashes.SHA256(), 44, salt, info).derive(ikm)
    return AESGCM(output[:32]), output[32:]


class KemKey:
    """An X-Wing key, from its seed of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        expanded = hashlib.shake_256(seed).digest(96)
        mlkem = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
        x25519 = X25519PrivateKey.from_private_bytes(expanded[64:])
        self.private = MLKEM768X25519PrivateKey(mlkem, x25519)
        self.public = mlkem.public_key().public_bytes_raw() + x25519.public_key().public_bytes_raw()

    def unwrap(self, wrapped: bytes, info: bytes) -> bytes:
        assert wrapped[:8] == sha256(self.public)[:8], "wrapped for another key"
        return SUITE.decrypt(wrapped[8:], self.private, info)


def wrap(public: bytes, secret: bytes, info: bytes) -> bytes:
    mlkem = MLKEM768PublicKey.from_public_bytes(public[:1184])
    key = MLKEM768X25519PublicKey(mlkem, X25519PublicKey.from_public_bytes(public[1184:]))
    return sha256(public)[:8] + SUITE.encrypt(secret, key, info)


class Envelope:
    """The fields of an envelope."""

    def __init__(self, data: bytes) -> None:
        self.data, at = data, 0

        def take(count: int) -> bytes:
            nonlocal at
            taken = data[at : at + count]
            assert len(taken) == count, "too short"
            at += count
            return taken

        assert take(9) == b"ASNTENV1\x01"
        self.conversation, self.sender = take(16), take(17)
        self.name = take(take(1)[0])
        self.subtype, self.content_type = take(1)[0], take(1)[0]
        self.sent_at, self.epoch = struct.unpack(">QI", take(12))
        self.header = data[:at]
        self.blocks = {}
        for _ in range(struct.unpack(">H", take(2))[0]):
            kind, recipient = take(1)[0], take(17)
            self.blocks[recipient] = kind, take(struct.unpack(">H", take(2))[0])
        self.bound = data[:at]
        self.ciphertext = take(struct.unpack(">I", take(4))[0])
        self.signed, self.signature = data[:at], take(64)
        assert at == len(data), "bytes are left over"


class Peer:
    """One side: its keys, and its session with the other side."""

    def __init__(self, me: bytes, account: Account | None = None, seed: bytes | None = None) -> None:
        self.me = me
        self.account = account or Account()
        self.kem = KemKey(seed or secrets.token_bytes(32))
        self.session = self.secret = self.wrap = None

    def bundle(self) -> dict:
        """What the relay hands out, with a one-time prekey that was not handed out before."""
        self.account.generate_one_time_keys(1)
        self.account.generate_fallback_key()
        one_time = next(iter(self.account.one_time_keys.values())).to_bytes()
        signed = next(iter(self.account.fallback_key.values())).to_bytes()
        self.account.mark_keys_as_published()
        return {
            "identity": self.account.curve25519_key.to_bytes().hex(),
            "signing": from_unpadded(self.account.ed25519_key.to_base64()).hex(),
            "signed_prekey": signed.hex(),
            "signed_prekey_signature": self.sign(signed).hex(),
            "kem_prekey": self.kem.public.hex(),
            "kem_prekey_signature": self.sign(b"assent/v1/kem" + self.kem.public).hex(),
            "one_time_prekey": one_time.hex(),
        }

    def sign(self, message: bytes) -> bytes:
        return from_unpadded(self.account.sign(message).to_base64())

    def start_session(self, peer: bytes, bundle: dict) -> None:
        signing = Ed25519PublicKey.from_public_bytes(bytes.fromhex(bundle["signing"]))
        signed, kem = bytes.fromhex(bundle["signed_prekey"]), bytes.fromhex(bundle["kem_prekey"])
        signing.verify(bytes.fromhex(bundle["signed_prekey_signature"]), signed)
        signing.verify(bytes.fromhex(bundle["kem_prekey_signature"]), b"assent/v1/kem" + kem)
        identity = Curve25519PublicKey.from_bytes(bytes.fromhex(bundle["identity"]))
        one_time = Curve25519PublicKey.from_bytes(bytes.fromhex(bundle["one_time_prekey"]))
        self.session = self.account.create_outbound_session(identity, one_time)
        self.secret = secrets.token_bytes(32)
        info = b"assent/v1/session" + self.me + peer + from_unpadded(self.session.session_id)
        self.wrap = wrap(kem, self.secret, info)

    def seal(self, to: bytes, header: dict, content: bytes, kem: bytes | None = None) -> bytes:
        """Seals in the session, or to a stateless peer if its KEM key is given."""
        name = header["name"].encode()
        fields = b"ASNTENV1\x01" + bytes.fromhex(header["conversation"]) + self.me
        fields += bytes([len(name)]) + name + bytes([header["subtype"], header["content_type"]])
        fields += struct.pack(">QI", header["sent_at"], 0)
        content_key = secrets.token_bytes(32)
        if kem:
            kind, body = 1, wrap(kem, content_key, b"assent/v1/wrap" + fields + to)
        else:
            message_secret = secrets.token_bytes(32)
            olm_type, olm = self.session.encrypt(message_secret).to_parts()
            cipher, nonce = self._key_cipher(message_secret, fields, to)
            key = cipher.encrypt(nonce, content_key, b"")
            prefix = self.wrap if olm_type == 0 else from_unpadded(self.session.session_id)[:PREFIX]
            kind, body = (3 if olm_type == 0 else 2), prefix + key + olm
        bound = fields + struct.pack(">H", 1) + bytes([kind]) + to
        bound += struct.pack(">H", len(body)) + body
        padded = struct.pack(">I", len(content)) + content
        padded = padded.ljust(next(size for size in BUCKETS if size >= len(padded)), b"\0")
        cipher, nonce = derive(bytes(32), content_key, b"assent/v1/content" + sha256(fields))
        ciphertext = cipher.encrypt(nonce, padded, bound)
        signed = bound + struct.pack(">I", len(ciphertext)) + ciphertext
        return signed + self.sign(b"assent/v1/envelope" + sha256(signed))

    def open(self, data: bytes, identity: bytes, signing: bytes) -> bytes:
        """Opens an envelope of the owner of these keys."""
        envelope = Envelope(data)
        key = Ed25519PublicKey.from_public_bytes(signing)
        key.verify(envelope.signature, b"assent/v1/envelope" + sha256(envelope.signed))
        kind, body = envelope.blocks[self.me]
        if kind == 1:
            content_key = self.kem.unwrap(body, b"assent/v1/wrap" + envelope.header + self.me)
        else:
            content_key = self._open_key(envelope, kind, body, identity)
        info = b"assent/v1/content" + sha256(envelope.header)
        cipher, nonce = derive(bytes(32), content_key, info)
        padded = cipher.decrypt(nonce, envelope.ciphertext, envelope.bound)
        length = struct.unpack(">I", padded[:4])[0]
        assert len(padded) in BUCKETS and not any(padded[4 + length :]), "not padded as it should be"
        return padded[4 : 4 + length]

    def _open_key(self, envelope: Envelope, kind: int, body: bytes, identity: bytes) -> bytes:
        start = WRAP if kind == 3 else PREFIX
        prefix, key, olm = body[:start], body[start : start + KEY], body[start + KEY :]
        if kind == 2:
            assert prefix == from_unpadded(self.session.session_id)[:PREFIX], "unknown session"
            message_secret = self.session.decrypt(AnyOlmMessage.normal(olm))
        else:
            message_secret = self._open_first(envelope, prefix, olm, identity)
        cipher, nonce = self._key_cipher(message_secret, envelope.header, self.me)
        return cipher.decrypt(nonce, key, b"")

    def _open_first(self, envelope: Envelope, wrapped: bytes, olm: bytes, identity: bytes) -> bytes:
        message = PreKeyMessage.from_base64(unpadded(olm))
        if self.session and self.session.session_id == message.session_id():
            return self.session.decrypt(AnyOlmMessage.pre_key(olm))
        session_id = from_unpadded(message.session_id())
        info = b"assent/v1/session" + envelope.sender + self.me + session_id
        self.secret = self.kem.unwrap(wrapped, info)
        sender = Curve25519PublicKey.from_bytes(identity)
        self.session, message_secret = self.account.create_inbound_session(sender, message)
        return message_secret

    def _key_cipher(self, message_secret: bytes, header: bytes, to: bytes) -> tuple[AESGCM, bytes]:
        return derive(self.secret, message_secret, b"assent/v1/key" + sha256(header) + to)
