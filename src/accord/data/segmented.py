# SPDX-License-Identifier: Apache-2.0
"""Segmented text: one sentence a line, its words parted by blanks, as the SIGHAN bakeoffs give it.

A blank line is a sentence without words, so that the sentences of two files stay side by side.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from accord.data.columns import decode_line
from accord.data.files import Source, open_input, open_output, source_name
from accord.errors import FormatError

_BLANKS = " \t"


def read_segmented(source: Source) -> list[list[str]]:
    """The words of each line of a path, `-` or an open binary file, compressed or not."""
    return list(stream_segmented(source))


def stream_segmented(source: Source) -> Iterator[list[str]]:
    """The words of each line, one line in memory at a time."""
    name = source_name(source)
    with open_input(source) as file:
        for number, line in enumerate(file, start=1):
            text = decode_line(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, name, number)
            yield [word for word in text.replace("\t", " ").split(" ") if word]


def write_segmented(target: str | os.PathLike[str], sentences: Iterable[Sequence[str]]) -> None:
    """Write one sentence a line; a word that is empty or holds a blank or a line end raises FormatError."""
    with open_output(target) as file:
        for number, words in enumerate(sentences, start=1):
            for word in words:
                if not word or any(mark in word for mark in (*_BLANKS, "\n", "\r")):
                    raise FormatError(f"not a word: {word!r}", file=os.fspath(target), line=number)
            file.write(" ".join(words).encode("utf-8") + b"\n")
