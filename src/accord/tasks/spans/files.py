# SPDX-License-Identifier: Apache-2.0
"""Files of labelled tokens: columns (CoNLL-2000, CoNLL-2002, two columns) and CoNLL-U with labels in MISC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from accord import data
from accord.data import Document
from accord.data.columns import Sequences, read_columns
from accord.data.files import open_input
from accord.errors import ConfigError
from accord.tasks.spans.config import SpansConfig
from accord.tasks.spans.labels import UNKNOWN

FORMATS = ("auto", "columns", "conllu")


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


def read_labelled(path: str | Path, config: SpansConfig, *, format: str = "auto", labels: bool = True) -> LabelledFile:
    """Read a file as the settings say; without ``labels`` a column file needs no column of labels."""
    if format not in FORMATS:
        raise ConfigError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    plain = str(path).removesuffix(".xz").removesuffix(".gz")
    if format == "conllu" or (format == "auto" and plain.endswith(".conllu")):
        document = data.read(path)
        return LabelledFile(document, [_entry(misc, config.key) for misc in document.column("misc")])
    read = read_columns(
        str(path),
        token=config.token,
        tag=None if config.tag < 0 else config.tag,
        label=-1 if labels else None,
        comments=config.comments,
        positions=config.positions,
    )
    return LabelledFile(read.document, read.labels if labels else [UNKNOWN] * int(sum(read.document.lengths)), read)


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
