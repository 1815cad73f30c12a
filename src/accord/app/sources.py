"""What the command line reads: treebank files, or plain text that a pipeline tokenises first."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

from accord import data
from accord.app import options
from accord.data import Document
from accord.data.document import OnError
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.data.formats import format_of_name
from accord.data.texts import text_pieces
from accord.errors import ConfigError
from accord.tasks.pipeline import Pipeline

INPUTS = ("auto", "treebank", "text", "sentences", "tokens")
_SAMPLE = 1 << 16
_TEXT_SUFFIXES = (".txt", ".text", ".md")


def documents(
    file: str,
    pipeline: Pipeline,
    *,
    input: str,
    format: str,
    offsets: bool,
    keep_going: bool,
    threads: int,
    named: bool,
) -> Iterator[Document]:
    """The sentences of a file, block by block, as they are or as the tokeniser finds them.

    ``input`` "auto": files of a treebank suffix or with rows of columns are treebanks, all else is text.
    """
    with open_input(file) as source:
        if input == "auto":
            input = "treebank" if format != "auto" else _settle(file, source)
        if input == "treebank":
            on_error: OnError = "keep" if keep_going else "raise"
            for block in data.stream(source, format=format, on_error=on_error):
                options.warn(block.problems)
                yield block
            return
        if pipeline.tokenizer is None:
            raise ConfigError(f"{source_name(file)}: plain text, and this model has no tokeniser (--input treebank?)")
        name = source_name(file)
        yield from pipeline.tokenizer.stream(
            text_pieces(source), mode=input, offsets=offsets, newdoc=name if named else None, name=name, threads=threads
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
