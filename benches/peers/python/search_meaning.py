"""Searching tools by meaning alone: the mean of wordllama's vectors, and the nearest tools.

The package would fetch its tokenizer from elsewhere although it brings it along: its files are read.
"""

from pathlib import Path

import numpy as np
from harness import Request, Work, run
from safetensors.numpy import load_file
from searching import prepare, text_of
from tokenizers import Tokenizer


class Engine:
    """Directions of tools."""

    def __init__(self, data: Path, tools: list[dict]) -> None:
        self._tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
        (self._vectors,) = load_file(data / "weights.safetensors").values()
        self._tools = np.stack([self._direction(text_of(tool)) for tool in tools])

    def search(self, query: str, limit: int) -> list[int]:
        """The places of the best tools, best first."""
        return np.argsort(-(self._tools @ self._direction(query)), kind="stable")[:limit].tolist()

    def _direction(self, text: str) -> np.ndarray:
        pieces = self._tokenizer.encode(text.lower(), add_special_tokens=False).ids
        vector = self._vectors[pieces].astype(np.float32).sum(axis=0)
        return vector / max(np.linalg.norm(vector), np.finfo(np.float32).tiny)


def _prepare(request: Request) -> Work:
    return prepare(request, lambda tools: Engine(request.data, tools))


if __name__ == "__main__":
    run(_prepare)
