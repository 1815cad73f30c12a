# SPDX-License-Identifier: Apache-2.0
"""Treebanks to look at: pages of sentences, found by a search, one file or two of the same sentences compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord import data
from accord.app.service.limits import RefusalError
from accord.app.service.sentences import answer_of_sentence, picture
from accord.data import Document, Sentence
from accord.data.search import Pattern
from accord.errors import ConfigError

MOST = 50  # sentences of a page
_PATTERN = re.compile(r"[\[<>]")  # what only patterns have


class Browser:
    """One file, or two files with the same sentences. Nothing is ever written."""

    def __init__(self, documents: Sequence[Document], names: Sequence[str]) -> None:
        if len({len(document) for document in documents}) > 1:
            counts = " and ".join(f"{name} has {len(one)}" for name, one in zip(names, documents, strict=True))
            raise ConfigError(f"files are compared sentence by sentence: {counts} sentences")
        self._documents = documents
        self.names = list(names)
        self._last: tuple[str, dict[int, list[int]]] = ("", {})  # a page that is turned needs no new search

    @staticmethod
    def open(files: Sequence[str]) -> Browser:
        if not 1 <= len(files) <= 2:
            raise ConfigError("view shows one file or compares two")
        return Browser([data.read(file) for file in files], [Path(file).name for file in files])

    def page(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """``first`` and ``count`` choose among the sentences that have the text ``search`` in some column.

        A search with an arc or with conditions (``V[upos=VERB] >nsubj S``) is a pattern of ``accord find``: the words
        that match in the first file are ``matched``. ``differs=1``: only sentences whose trees are not the same in both
        files.
        """
        first, count = _number(fields, "first", 0), min(_number(fields, "count", 10), MOST)
        search = fields.get("search", "").strip()
        if self._last[0] != search:
            self._last = search, self._searched(search)
        matched = self._last[1]
        found = self._found(matched if search else None, fields.get("differs") == "1")
        return {
            "files": self.names,
            "found": len(found),
            "first": first,
            "sentences": [self._sentence(n, matched.get(n, [])) for n in found[first : first + count]],
        }

    def _searched(self, search: str) -> dict[int, list[int]]:
        """The sentences in which something is found, with the words of the first file that match a pattern."""
        found: dict[int, list[int]] = {}
        if _PATTERN.search(search):
            wanted = Pattern(search)
            for place, document in enumerate(self._documents):
                for match in wanted.search(document):
                    words = found.setdefault(match.index, [])
                    if place == 0:
                        words += match.words.values()
        elif search:
            text = search.lower()
            for n in range(len(self._documents[0])):
                if any(text in _raw(one, n).lower() for one in self._documents):
                    found[n] = []
        return found

    def _found(self, matched: Mapping[int, Any] | None, differs: bool) -> list[int]:
        documents = self._documents
        numbers = list(range(len(documents[0])) if matched is None else sorted(matched))
        if differs and len(documents) == 2:
            return [n for n in numbers if not _same(documents[0].sentences[n], documents[1].sentences[n])]
        return numbers

    def _sentence(self, index: int, matched: Sequence[int]) -> dict[str, Any]:
        sentences = [document.sentences[index] for document in self._documents]
        shown = sentences[0]
        if shown.verbatim is not None:
            return {"number": index + 1, "text": shown.verbatim, "words": []}
        answer = answer_of_sentence(shown, draw=False)
        other = sentences[1] if len(sentences) == 2 and sentences[1].forms == shown.forms else None
        about = {"number": index + 1, "matched": sorted(set(matched))}
        return {**answer, **about, "svg": picture(shown, other)}


def _raw(document: Document, index: int) -> str:
    raw: bytes = document.native.text(index)
    return raw.decode("utf-8", errors="replace")


def _same(one: Sentence, other: Sentence) -> bool:
    return (one.forms, one.heads, one.deprels) == (other.forms, other.heads, other.deprels)


def _number(fields: Mapping[str, str], name: str, default: int) -> int:
    text = fields.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise RefusalError(400, f"expected a number as {name!r}")
    return int(text)
