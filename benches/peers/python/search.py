"""Searching tools with bm25s: English stems, no stop words, name and description as one text."""

import bm25s
import Stemmer
from harness import run
from searching import prepare, text_of


class Engine:
    """An index of tools."""

    def __init__(self, tools: list[dict]) -> None:
        self._stemmer = Stemmer.Stemmer("english")
        self._size = len(tools)
        self._retriever = bm25s.BM25()
        self._retriever.index(self._tokens([text_of(tool) for tool in tools]), show_progress=False)

    def search(self, query: str, limit: int) -> list[int]:
        """The places of the best tools, best first."""
        tokens = self._tokens([query])
        found, scores = self._retriever.retrieve(
            tokens, k=min(limit, self._size), show_progress=False
        )
        return [
            int(place) for place, score in zip(found[0], scores[0], strict=True) if score > 0
        ]

    def _tokens(self, texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


if __name__ == "__main__":
    run(lambda request: prepare(request, Engine))
