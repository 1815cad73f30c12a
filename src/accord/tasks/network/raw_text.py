# SPDX-License-Identifier: Apache-2.0
"""Tokenised text without trees: a sentence a line, words with blanks between them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from accord.data import Document
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError


def read_words(path: str | Path) -> Document:
    """The sentences of a file, compressed or not, as a document without trees."""
    if not Path(path).is_file():
        raise ConfigError(f"{path}: no such file")
    lines = []
    with open_input(path) as source:
        for number, line in enumerate(source, 1):
            try:
                words = line.decode().split()
            except UnicodeDecodeError:
                raise FormatError("not UTF-8", file=str(path), line=number) from None
            if words:
                lines.append(words)
    if not lines:
        raise FormatError("no words", file=str(path))
    return document_of_words(lines, str(path))


def document_of_words(sentences: Iterable[Iterable[str]], name: str = "<input>") -> Document:
    """Sentences of words as a document whose other columns are empty."""
    rows: list[str] = []
    for words in sentences:
        rows.extend(f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_" for number, word in enumerate(words, 1))
        rows.append("")
    return Document.from_conllu("\n".join(rows) + "\n", name=name)
