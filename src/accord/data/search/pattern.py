# SPDX-License-Identifier: Apache-2.0
"""A pattern ready to search documents."""

from __future__ import annotations

from collections.abc import Iterator

from accord.data.document import Document
from accord.data.search.matching import Match, Searcher
from accord.data.search.syntax import doubts, parse


class Pattern:
    """A tree pattern; for the language see :mod:`accord.data.search.syntax`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._wanted, self._refused = parse(text)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the words that it captures."""
        return tuple(name for name in self._wanted.nodes if not name.startswith("_"))

    @property
    def doubts(self) -> list[str]:
        """What its author may have meant in another way."""
        return doubts(self._wanted)

    def search(self, document: Document) -> Iterator[Match]:
        """The matches in a document, sentence by sentence."""
        for index, words in Searcher(document, self._wanted, self._refused).matches():
            yield Match(document, index, {name: words[name] for name in self._wanted.nodes if name in words})

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"
