# SPDX-License-Identifier: Apache-2.0
"""Comment lines of sentences: one ``# key = value`` each, added or replaced; everything else byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def with_comments(native: Any, first_line: int, key: str, values: Sequence[str | None]) -> bytes:
    """The bytes of a native document with a comment for each sentence that has a value.

    A comment of the sentence with the same key makes room for it; else it comes after the last one, ended as the
    document's first line is.
    """
    data: bytes = native.whole()
    mark = _BYTE_ORDER_MARK if data.startswith(_BYTE_ORDER_MARK) else b""
    lines = _lines(data[len(mark) :])
    ending = b"\r\n" if lines[0].endswith(b"\r\n") else b"\n"
    for index, value in enumerate(values):
        if value is None:
            continue
        place = native.line(index) - first_line
        comments = native.comments(index)
        line = f"# {key} = {value}".encode() + ending
        for offset, comment in enumerate(comments):
            if comment.lstrip("#").partition("=")[0].strip() == key:
                lines[place + offset] = line
                break
        else:
            lines[place + len(comments)] = line + lines[place + len(comments)]
    return mark + b"".join(lines)


def _lines(data: bytes) -> list[bytes]:
    """With their ends: newlines and nothing else; what stands after the last one is a line, too."""
    *ended, last = data.split(b"\n")
    return [*(line + b"\n" for line in ended), last]
