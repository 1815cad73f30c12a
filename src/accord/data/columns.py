# SPDX-License-Identifier: Apache-2.0
"""Column files of sequence labelling: one token a line with its columns, a blank line after each sentence.

Columns are parted by tabs where the first row holds one, else by runs of blanks; other white space (an ideographic
space, say) may be a token. All rows of a file have the same number of columns. Lines are kept, so that predictions can
be written as one more column behind what was read.

- CoNLL-2000 chunking, CoNLL-2002 entities (`word tag label`): `read_columns(path, tag=1)`; a `-DOCSTART-` line ends a
  sentence and is no word.
- Two columns (WNUT, MSRA, Resume): `read_columns(path)`.
- Weibo, where each character carries its place in the word (`科0`): `read_columns(path, positions=True)`.
- Universal NER (`id token label - annotator`, comments): `read_columns(path, token=1, label=2, comments=True)`.

Comments are asked for, since `#` may be a token: CoNLL-2000 has it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord.data.document import Document
from accord.data.files import Source, open_input, open_output, source_name
from accord.errors import ConfigError, FormatError

DOCUMENT_START = "-DOCSTART-"
_BLANKS = re.compile("[ \t]+")


@dataclass(frozen=True, slots=True)
class Sequences:
    """Sentences with a label on each word, and the lines they were read from."""

    document: Document  # words with FORM and, where there is a tag column, XPOS
    labels: list[str]  # one per word, sentences one after another; empty where no label column was asked for
    lines: tuple[str, ...]  # of the file, without their ends
    word_lines: tuple[int, ...]  # for each word the index of its line
    separator: str  # between columns: a tab or a blank

    def __repr__(self) -> str:
        return f"Sequences({self.document!r}, {len(set(self.labels))} different labels)"

    def sentence_labels(self) -> Iterator[list[str]]:
        """The labels of each sentence."""
        start = 0
        for length in self.document.lengths.tolist():
            yield self.labels[start : start + length]
            start += length


def read_columns(
    source: Source,
    *,
    token: int = 0,
    tag: int | None = None,
    label: int | None = -1,
    comments: bool = False,
    positions: bool = False,
    document_start: str = DOCUMENT_START,
) -> Sequences:
    """Read a path, `-` or an open binary file, compressed or not.

    `token`, `tag` and `label` number the columns from 0, or from the end with -1, -2, ...; `label=None` reads a file
    without labels. `comments` skips lines that begin with `#`; `positions` takes the digit off the end of each token.
    Rows that do not fit raise FormatError with file and line.
    """
    name = source_name(source)
    rows = _Rows(name, {"token": token, "tag": tag, "label": label}, positions)
    lines = _read_lines(source, name)
    separator = None
    word_lines = []
    for index, line in enumerate(lines):
        if not line.strip(" \t"):
            rows.end_sentence()
            continue
        if comments and line.startswith("#"):
            continue
        separator = separator or ("\t" if "\t" in line else " ")
        columns = line.split("\t") if separator == "\t" else _BLANKS.split(line.strip(" "))
        if columns[0] == document_start:
            rows.end_sentence()
            continue
        rows.add(columns, index + 1)
        word_lines.append(index)
    rows.end_sentence()
    return Sequences(rows.document(), rows.labels, tuple(lines), tuple(word_lines), separator or "\t")


def write_columns(target: str | os.PathLike[str], sequences: Sequences, predicted: Sequence[str]) -> None:
    """Write the lines that were read with one more column, the predicted labels, one per word.

    Blank lines and comments stay as they are; so do document starts, but for an `O` that keeps the columns equal.
    """
    if len(predicted) != len(sequences.word_lines):
        raise FormatError(
            f"{len(predicted)} labels for {len(sequences.word_lines)} words", file=sequences.document.name
        )
    lines = [
        line if not line.strip(" \t") or line[0] == "#" else f"{line}{sequences.separator}O" for line in sequences.lines
    ]
    for index, label in zip(sequences.word_lines, predicted, strict=True):
        if not label or _BLANKS.search(label) or "\n" in label or "\r" in label:
            raise FormatError(f"not a label: {label!r}", file=sequences.document.name, line=index + 1)
        lines[index] = sequences.lines[index] + sequences.separator + label
    with open_output(target) as file:
        for line in lines:
            file.write(line.encode("utf-8") + b"\n")


class _Rows:
    """Checks rows and gathers them as a CoNLL-U text and labels."""

    def __init__(self, name: str, wanted: dict[str, int | None], positions: bool) -> None:
        self.labels: list[str] = []
        self._name = name
        self._wanted = wanted
        self._positions = positions
        self._text: list[str] = []
        self._width = 0
        self._words = 0  # of the sentence so far

    def add(self, columns: list[str], line: int) -> None:
        if not self._width:
            self._check_wanted(len(columns), line)
            self._width = len(columns)
            self._first = line
        if len(columns) != self._width:
            raise self._refusal(f"{len(columns)} columns where line {self._first} has {self._width}", line)
        form, tag, label = (
            "_" if column is None else self._value(columns[column], name, line) for name, column in self._wanted.items()
        )
        self._words += 1
        form = self._without_position(form, line) if self._positions else form
        self._text.append(f"{self._words}\t{form}\t_\t_\t{tag}\t_\t_\t_\t_\t_\n")
        if self._wanted["label"] is not None:
            self.labels.append(label)

    def end_sentence(self) -> None:
        if self._words:
            self._text.append("\n")
        self._words = 0

    def document(self) -> Document:
        return Document("".join(self._text).encode("utf-8"), name=self._name)

    def _check_wanted(self, width: int, line: int) -> None:
        for name, column in self._wanted.items():
            if column is not None and not -width <= column < width:
                raise self._refusal(f"there is no column {column} for the {name}: the row has {width}", line)
        taken = [column % width for column in self._wanted.values() if column is not None]
        if len(set(taken)) < len(taken):
            names = ", ".join(f"{name} {column}" for name, column in self._wanted.items() if column is not None)
            raise ConfigError(f"{self._name}: two of these are one column: {names}; the rows have {width} columns")

    def _value(self, value: str, name: str, line: int) -> str:
        if not value:
            raise self._refusal(f"the {name} is empty", line)
        if "\0" in value:
            raise self._refusal("NUL byte", line)
        return value

    def _without_position(self, form: str, line: int) -> str:
        if len(form) < 2 or not "0" <= form[-1] <= "9":
            raise self._refusal(f"{form!r} is not a character with its position", line)
        return form[:-1]

    def _refusal(self, reason: str, line: int) -> FormatError:
        return FormatError(reason, file=self._name, line=line)


def _read_lines(source: Source, name: str) -> list[str]:
    with open_input(source) as file:
        data = file.read().removeprefix(b"\xef\xbb\xbf")
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [decode_line(line, name, number) for number, line in enumerate(lines, start=1)]


def decode_line(line: bytes, name: str, number: int) -> str:
    """A line of text without its end; other bytes than UTF-8 raise FormatError."""
    try:
        return line.rstrip(b"\r\n").decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: byte {error.start + 1} of the line", file=name, line=number) from None
