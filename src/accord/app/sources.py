# SPDX-License-Identifier: Apache-2.0
"""What the command line reads: treebank files, or plain text that a pipeline tokenises first."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, cast

from accord import data
from accord.app import options
from accord.data import Document
from accord.data.document import OnError
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name, text_pieces
from accord.data.formats import format_of_name
from accord.errors import ConfigError
from accord.tasks.pipeline import Pipeline

INPUTS = ("auto", "treebank", "text", "sentences", "tokens")
_SAMPLE = 1 << 16
_TEXT_SUFFIXES = (".txt", ".text", ".md")


@dataclass(frozen=True)
class Reading:
    """How files are read.

    ``input`` "auto": files of a treebank suffix or with rows of columns are treebanks, all else is text.
    """

    input: str
    format: str
    offsets: bool
    keep_going: bool
    threads: int

    def __post_init__(self) -> None:
        options.check_choice(self.input, INPUTS, "--input")

    def documents(self, files: Sequence[str], pipeline: Pipeline) -> Iterator[Document]:
        """The sentences of files, block by block, as they are or as the tokeniser finds them."""
        for file in files:
            yield from self._documents(file, pipeline, named=len(files) > 1)

    def _documents(self, file: str, pipeline: Pipeline, *, named: bool) -> Iterator[Document]:
        with open_input(file) as source:
            input = self.input
            if input == "auto":
                input = "treebank" if self.format != "auto" else _settle(file, source)
            if input == "treebank":
                on_error: OnError = "keep" if self.keep_going else "raise"
                for block in data.stream(source, format=self.format, on_error=on_error):
                    options.warn(block.problems)
                    yield block
                return
            name = source_name(file)
            if pipeline.tokenizer is None:
                raise ConfigError(f"{name}: plain text, and this model has no tokeniser (--input treebank?)")
            yield from pipeline.tokenizer.stream(
                text_pieces(source),
                mode=input,
                offsets=self.offsets,
                newdoc=name if named else None,
                name=name,
                threads=self.threads,
            )


def _settle(file: str, source: BinaryIO) -> str:
    """Text or treebank: by the name, else by the first line."""
    plain = file
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    if plain.endswith(_TEXT_SUFFIXES):
        return "text"
    if file != "-" and format_of_name(file):
        return "treebank"
    return _kind(cast(io.BufferedReader, source).peek(_SAMPLE))


def _kind(sample: bytes) -> str:
    for line in sample.removeprefix(b"\xef\xbb\xbf").splitlines():
        if not line.strip():
            continue
        if line.startswith((b"# sent_id", b"# text", b"# newdoc", b"# newpar", b"# global.columns")):
            return "treebank"
        columns = line.split(b"\t")
        row = len(columns) >= 8 or (len(columns) >= 3 and columns[0].isdigit())
        return "treebank" if row or line.lstrip().startswith(b"{") else "text"
    return "text"
