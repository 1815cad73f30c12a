# SPDX-License-Identifier: Apache-2.0
"""Files of labelled tokens: columns (CoNLL-2000, CoNLL-2002, two columns) and CoNLL-U with labels in MISC."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord import data
from accord.data import Document
from accord.data.columns import Sequences, read_columns
from accord.data.files import open_input, source_name, text_pieces
from accord.data.formats import format_of_name
from accord.errors import ConfigError
from accord.tasks.spans.config import SpansConfig
from accord.tasks.spans.labels import UNKNOWN

FORMATS = ("auto", "columns", "conllu", "text")
EMPTY_COLUMNS = "\t".join(["_"] * 7 + ["SpaceAfter=No"])
_SAMPLE = 1 << 16
_LABEL = re.compile(r"O|[BIELSMUW]-\S+")
_SENTENCE_END = re.compile(r"\w[.!?…]+[\"'”’)]*$|[。！？]")


@dataclass(frozen=True)
class LabelledFile:
    """Tokens with a label each, `_` where there is none, and the lines of a column file they were read from."""

    document: Document
    labels: list[str]
    columns: Sequences | None = None

    @property
    def lengths(self) -> list[int]:
        return [int(length) for length in self.document.lengths]

    def to_bytes(self, added: Sequence[Sequence[str]], keys: Sequence[str]) -> bytes:
        """The file with one more column for each list of values, in CoNLL-U as entries of MISC under their keys; `_` is
        no entry."""
        if self.columns is None:
            entries = [
                {key: value for key, value in zip(keys, values, strict=True) if value != UNKNOWN}
                for values in zip(*added, strict=True)
            ]
            return self.document.replace(misc=entries).to_bytes()
        lines = list(self.columns.lines)
        mark = self.columns.separator
        for index, values in zip(self.columns.word_lines, zip(*added, strict=True), strict=True):
            lines[index] = mark.join([lines[index], *values])
        return "".join(line + "\n" for line in lines).encode()


def read_labelled(
    path: str | Path,
    config: SpansConfig,
    *,
    format: str = "auto",
    labels: bool = True,
    tokenize: Callable[[str], Document] | None = None,
) -> LabelledFile:
    """Read a path or ``-`` as the settings say; without ``labels`` a column file needs no column of labels.

    ``tokenize``: what makes a document of plain text; without it plain text is refused.
    """
    if format not in FORMATS:
        raise ConfigError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    with open_input(str(path)) as source:
        if format == "auto":
            format = "conllu" if format_of_name(str(path)) == "conllu" else _kind(source.peek(_SAMPLE), config)
        if format == "conllu":
            document = data.read(source, format="conllu")
            return LabelledFile(document, [_entry(misc, config.key) for misc in document.column("misc")])
        if format == "text":
            if tokenize is None or labels:
                raise ConfigError(f"{source_name(str(path))}: plain text, where tokens in columns are expected")
            document = tokenize("".join(text_pieces(source)))
            return LabelledFile(document, [UNKNOWN] * int(document.lengths.sum()))
        read = read_columns(
            source,
            token=config.token,
            tag=None if config.tag < 0 else config.tag,
            label=-1 if labels else None,
            comments=config.comments,
            positions=config.positions and _has_positions(source.peek(_SAMPLE), config),
        )
    return LabelledFile(read.document, read.labels if labels else [UNKNOWN] * int(sum(read.document.lengths)), read)


def document_of_characters(text: str) -> Document:
    """The document whose tokens are the characters of a text; each line is a sentence.

    >>> document_of_characters("EU met.\\n\\nYes")[1].forms
    ('Y', 'e', 's')
    """
    rows = []
    for line in text.split("\n"):
        characters = [character for character in line if not character.isspace()]
        if characters:
            rows.append("".join(f"{n}\t{one}\t{EMPTY_COLUMNS}\n" for n, one in enumerate(characters, 1)) + "\n")
    return Document.from_conllu("".join(rows))


def _lines(sample: bytes) -> list[str]:
    """The lines of a sample that hold something, but for the last one, which may be cut."""
    lines = sample.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    kept = lines[:-1] if len(sample) >= _SAMPLE else lines
    return [line.rstrip("\r") for line in kept if line.strip()]


def _kind(sample: bytes, config: SpansConfig) -> str:
    """What a file holds, by its first lines: CoNLL-U, columns, or plain text, whose lines are sentences."""
    lines = _lines(sample)
    rows = [line for line in lines if not line.startswith("#")] or lines
    if rows and rows[0].count("\t") == 9 and rows[0].partition("\t")[0].replace("-", "").isdigit():
        return "conllu"
    if any("\t" in line for line in rows):
        return "columns"
    widths = {len(line.split(" ")) for line in lines if not line.startswith("-DOCSTART-")}
    if len(widths) > 1 and not (config.comments and lines != rows):
        return "text" if any(_SENTENCE_END.search(line) for line in lines) else "columns"
    if len(lines) == 1 and max(widths) > 2 and not any(_LABEL.fullmatch(word) for word in lines[0].split(" ")):
        return "text"
    if widths and max(widths) > 2 and all(_SENTENCE_END.search(line) for line in lines):
        return "text"
    if widths == {1} and all(len(line) > 6 or _SENTENCE_END.search(line) for line in lines) and _han(lines[0]):
        return "text"
    return "columns"


def _han(line: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in line)


def _has_positions(sample: bytes, config: SpansConfig) -> bool:
    """Whether the tokens of a file end in digits, as those of the training file did."""
    tokens = [line.split()[config.token] for line in _lines(sample)[:50] if len(line.split()) > config.token]
    return bool(tokens) and all(len(token) > 1 and token[-1].isdigit() for token in tokens)


def tag_column(path: str | Path, config: SpansConfig, format: str = "auto") -> int:
    """The column of tags of a file, -2 where it has none: by default the second of three or more."""
    plain = str(path).removesuffix(".xz").removesuffix(".gz")
    if config.tag != -1 or format == "conllu" or (format == "auto" and plain.endswith(".conllu")):
        return config.tag if config.tag >= 0 else -2
    with open_input(str(path)) as file:
        for line in file:
            if line.strip() and not (config.comments and line.startswith(b"#")):
                columns = line.rstrip(b"\r\n").split(b"\t") if b"\t" in line else line.split()
                return 1 if len(columns) >= 3 and config.token != 1 else -2
    return -2


def _entry(misc: str, key: str) -> str:
    for entry in misc.split("|"):
        name, equals, value = entry.partition("=")
        if equals and name == key:
            return value
    return UNKNOWN
