# SPDX-License-Identifier: Apache-2.0
"""What the files of a command hold: a plain text, a treebank, or JSON lines. Commands that read all three share this.

A file whose name ends in ``.json`` or ``.jsonl`` has an object on each line; Accord's own JSON of a treebank is read as
the treebank. A file with the name or the first line of a treebank is one. All other files are plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from accord import data
from accord.data import Document
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.data.formats import format_of_name
from accord.errors import FormatError

Content: TypeAlias = str | Document | Mapping[str, Any]
_TREEBANK = re.compile(rb"(# (sent_id|text|newdoc|newpar|global)|1\t)")


def contents(file: str) -> Iterator[tuple[str, Content]]:
    """The contents of a file, - is standard input, each with its name; that of a JSON line has the line.

    An object that is not one of JSON's is an empty one: whoever reads objects says what is missing.
    """
    name, plain = source_name(file), file
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    with open_input(file) as source:
        content = source.read().removeprefix(b"\xef\xbb\xbf")
    if plain.endswith((".json", ".jsonl")):
        yield from _json_lines(content, file, name)
    elif (file != "-" and format_of_name(file)) or _TREEBANK.match(content):
        yield name, Document.from_conllu(content, name=name) if file == "-" else data.read(file)
    else:
        try:
            yield name, content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError("not UTF-8", file=name, line=line) from None


def _json_lines(content: bytes, file: str, name: str) -> Iterator[tuple[str, Content]]:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line.decode("utf-8"))
        except (UnicodeDecodeError, ValueError, RecursionError):
            raise FormatError("not a line of JSON", file=name, line=number) from None
        known: Mapping[str, Any] = found if isinstance(found, dict) else {}
        if "words" in known:  # Accord's own JSON: the whole file is a treebank
            yield name, data.read(file, format="json")
            return
        yield f"{name}:{number}", known


def wrong_object(place: str, expected: str) -> FormatError:
    """What is wrong with the object of a JSON line, by the name that the object came with."""
    file, _, number = place.rpartition(":")
    return FormatError(f"expected an object with {expected}", file=file, line=int(number))
