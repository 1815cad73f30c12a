# SPDX-License-Identifier: Apache-2.0
"""Many texts as a pipeline reads them: checked, and in batches that are analysed together.

A short text alone keeps one thread busy for a moment and the others idle. So the sentences of neighbouring texts are
joined into one document, analysed, and parted again: one document a text, with the bytes it would have had alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from accord.data import Document
from accord.errors import AccordError, described

BATCH = 1 << 15  # characters of texts that are analysed together


def checked_text(item: Any, place: str) -> str | Document:
    """A text or a document; anything else raises an error that names its place."""
    if isinstance(item, (str, Document)):
        return item
    raise AccordError(f"{place} is {described(item)}, not a text (str) or a Document")


def batches_of(items: Iterable[tuple[str | Document, Any]]) -> Iterator[list[tuple[str | Document, Any]]]:
    """Neighbouring texts up to BATCH characters; a document is a batch of its own."""
    batch: list[tuple[str | Document, Any]] = []
    size = 0
    for item in items:
        if isinstance(item[0], Document):
            if batch:
                yield batch
            yield [item]
            batch, size = [], 0
            continue
        batch.append(item)
        size += len(item[0])
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def joined(documents: Sequence[Document]) -> Document:
    """One document of the sentences of several that a tokeniser made."""
    return Document(b"".join(document.to_bytes() for document in documents), name="<texts>")


def parted(whole: Document, parts: Sequence[Document]) -> Iterator[Document]:
    """The documents that ``whole`` was joined from, with its columns."""
    first = 0
    for part in parts:
        texts = (whole.native.text(index) + b"\n" for index in range(first, first + len(part)))
        native = Document(b"".join(texts)).native
        yield part.with_native(native)
        first += len(part)
