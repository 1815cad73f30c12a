# SPDX-License-Identifier: Apache-2.0
"""Plain text in pieces: UTF-8, decompressed where need be, line ends as they are."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from accord.data.files import Source, open_input, source_name
from accord.errors import FormatError


def text_pieces(source: Source, size: int = 1 << 18) -> Iterator[str]:
    """A path, `-` or an open binary file as strings that together are its text; a byte order mark is left out.

    Bytes that are not UTF-8 raise FormatError with their line.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    first = True
    with open_input(source) as file:
        while True:
            data = file.read(size)
            pending, _ = decoder.getstate()
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                place = line + (pending + data)[: error.start].count(b"\n")
                raise FormatError(f"not UTF-8 ({error.reason})", file=source_name(source), line=place) from None
            line += data.count(b"\n")
            if first and text:
                first = False
                text = text.removeprefix("\ufeff")
            if text:
                yield text
            if not data:
                return
