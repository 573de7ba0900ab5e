"""Text to canonical form to SHA-256 with rfc8785."""

import hashlib
import json

import rfc8785
from harness import Request, Work, run


def prepare(request: Request) -> Work:
    """Reads the manifest."""
    size = request.case.removeprefix("canonical-")
    source = (request.data / f"manifest-{size}.json").read_bytes()

    def digest() -> str:
        return hashlib.sha256(rfc8785.dumps(json.loads(source))).hexdigest()

    def one_pass() -> int:
        digest()
        return 1

    return Work(digest, one_pass)


if __name__ == "__main__":
    run(prepare)
