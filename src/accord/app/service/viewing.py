# SPDX-License-Identifier: Apache-2.0
"""Treebanks to look at: pages of sentences, found by a search, one file or two of the same sentences compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord import data
from accord.app.service.limits import RefusalError
from accord.app.service.sentences import answer_of_sentence, picture
from accord.data import Document, Sentence
from accord.errors import ConfigError

MOST = 50  # sentences of a page


class Browser:
    """One file, or two files with the same sentences. Nothing is ever written."""

    def __init__(self, documents: Sequence[Document], names: Sequence[str]) -> None:
        if len({len(document) for document in documents}) > 1:
            counts = " and ".join(f"{name} has {len(one)}" for name, one in zip(names, documents, strict=True))
            raise ConfigError(f"files are compared sentence by sentence: {counts} sentences")
        self._documents = documents
        self.names = list(names)

    @staticmethod
    def open(files: Sequence[str]) -> Browser:
        if not 1 <= len(files) <= 2:
            raise ConfigError("view shows one file or compares two")
        return Browser([data.read(file) for file in files], [Path(file).name for file in files])

    def page(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """``first`` and ``count`` choose among the sentences that have the text ``search`` in some column.

        ``differs=1``: only sentences whose trees are not the same in both files.
        """
        first, count = _number(fields, "first", 0), min(_number(fields, "count", 10), MOST)
        found = self._found(fields.get("search", "").lower(), fields.get("differs") == "1")
        return {
            "files": self.names,
            "found": len(found),
            "first": first,
            "sentences": [self._sentence(index) for index in found[first : first + count]],
        }

    def _found(self, search: str, differs: bool) -> list[int]:
        documents = self._documents
        numbers = range(len(documents[0]))
        if search:
            numbers = [n for n in numbers if any(search in _raw(one, n).lower() for one in documents)]  # type: ignore[assignment]
        if differs and len(documents) == 2:
            return [n for n in numbers if not _same(documents[0].sentences[n], documents[1].sentences[n])]
        return list(numbers)

    def _sentence(self, index: int) -> dict[str, Any]:
        sentences = [document.sentences[index] for document in self._documents]
        shown = sentences[0]
        if shown.verbatim is not None:
            return {"number": index + 1, "text": shown.verbatim, "words": []}
        answer = answer_of_sentence(shown, draw=False)
        other = sentences[1] if len(sentences) == 2 and sentences[1].forms == shown.forms else None
        return {**answer, "number": index + 1, "svg": picture(shown, other)}


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
