# SPDX-License-Identifier: Apache-2.0
"""Reading whole files, and files larger than memory as documents of whole sentences.

A stream is cut after blank lines (after lines for JSON, after trees for brackets), so a block is a document of its own;
memory is one block, or one sentence where that is longer. Time is linear in the size of the file whatever the block
size. A pipe that waits gives the sentences that it has so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from accord.data.document import Document, OnError
from accord.data.files import Input, Source, open_input, source_name
from accord.data.formats import check_format, format_of_content, format_of_name
from accord.data.jsonlines import sentence_from_json
from accord.errors import ConfigError, FormatError

Block: TypeAlias = tuple[bytes, int]
"""Bytes, and the number of their first line in the file."""

_WHOLE = 1 << 20
_LARGEST_SAMPLE = 1 << 20  # comments before the first row beyond which the format is no longer looked for


def read(source: Source, format: str = "auto", on_error: OnError = "raise") -> Document:
    """Read a path, `-` or an open binary file, compressed or not, as one document.

    `format` is "conllu", "conllx", "conll2008", "conll2009", "json", "brackets" or "auto": by suffix, else by
    the first row. What cannot be read raises FormatError with its file and line; `on_error="keep"` reads on, see
    `Document.problems`.
    """
    name = source_name(source)
    with open_input(source) as file:
        format, head = _settle_format(format, name, file, _WHOLE)
        return _document(head + file.read(), 1, format, name, on_error)


def stream(
    source: Source, block_size: int = 1 << 20, format: str = "auto", on_error: OnError = "raise"
) -> Iterator[Document]:
    """Read a source block by block: documents of whole sentences that together are the file, in flat memory.

    Lines in errors are those of the file. A block with blank lines only is a document without sentences.
    """
    if block_size < 1:
        raise ConfigError(f"block_size is at least 1, not {block_size}")
    name = source_name(source)
    with open_input(source) as file:
        format, head = _settle_format(format, name, file, block_size)
        for data, first_line in _blocks(file, head, block_size, _CUTS.get(format, _after_last_blank_line)):
            yield _document(data, first_line, format, name, on_error)


def _settle_format(format: str, name: str, file: Input, block_size: int) -> tuple[str, bytes]:
    """The format, and the bytes that had to be read to know it."""
    if format != "auto":
        return check_format(format), b""
    if named := format_of_name(name):
        return named, b""
    head = bytearray()
    while True:
        chunk = file.chunk(block_size)
        head += chunk
        whole = not chunk or len(head) > _LARGEST_SAMPLE
        # A row ends with a line: looking again is worth it only then.
        if whole or b"\n" in chunk:
            found = format_of_content(name, bytes(head), whole=whole)
            if found is not None:
                return found, bytes(head)


def _blocks(file: Input, head: bytes, size: int, cut: Callable[[bytearray, int], int]) -> Iterator[Block]:
    pending = bytearray()
    searched = 0  # no cut ends before this position
    line = 1
    chunk = head or file.chunk(size)
    while chunk:
        pending += chunk
        end = cut(pending, searched)
        if end > 0:
            yield bytes(memoryview(pending)[:end]), line
            line += pending.count(b"\n", 0, end)
            del pending[:end]
        searched = len(pending)
        chunk = file.chunk(size)
    if pending:
        yield bytes(pending), line


def _after_last_blank_line(data: bytearray, searched: int) -> int:
    """Where the last blank line ends; 0 when there is none. One that ends past `searched` begins at most 2 before."""
    start = max(searched - 2, 0)
    unix, dos = data.rfind(b"\n\n", start), data.rfind(b"\n\r\n", start)
    return max(unix + 2 if unix >= 0 else 0, dos + 3 if dos >= 0 else 0)


def _after_last_line(data: bytearray, searched: int) -> int:
    return data.rfind(b"\n", searched) + 1


def _after_last_tree(data: bytearray, searched: int) -> int:
    """Where the last tree in brackets ends."""
    if b")" not in memoryview(data)[searched:].tobytes():
        return 0
    brackets = np.frombuffer(bytes(data), dtype=np.uint8)
    depths = np.cumsum((brackets == ord("(")).astype(np.int64) - (brackets == ord(")")))
    ends = np.flatnonzero((depths <= 0) & (brackets == ord(")")))
    return int(ends[-1]) + 1 if len(ends) else 0


_CUTS = {"json": _after_last_line, "brackets": _after_last_tree}


def _document(data: bytes, first_line: int, format: str, name: str, on_error: OnError) -> Document:
    if format == "json":
        return _document_from_json(data, first_line, name, on_error)
    if format == "brackets":
        from accord.data.constituents.carriers import document_from_brackets  # few files are trees of phrases

        return document_from_brackets(data, name=name, first_line=first_line, keep_going=on_error == "keep")
    return Document(data, format=format, name=name, first_line=first_line, on_error=on_error)


def _document_from_json(data: bytes, first_line: int, name: str, on_error: OnError) -> Document:
    """Lines that are no sentences are left out where the reader goes on: CoNLL-U could not hold them."""
    texts: list[str] = []
    problems: list[FormatError] = []
    if first_line == 1:
        data = data.removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(data.split(b"\n"), start=first_line):
        if not line.strip():
            continue
        try:
            texts.append(sentence_from_json(line).to_conllu())
        except FormatError as error:
            problem = FormatError(error.reason, file=name, line=number)
            if on_error == "raise":
                raise problem from None
            problems.append(problem)
    return Document("".join(texts).encode("utf-8"), name=name, on_error=on_error, left_out=problems)
