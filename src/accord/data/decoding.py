# SPDX-License-Identifier: Apache-2.0
"""Files in other encodings than UTF-8, and files with bytes that are wrong in their encoding.

A source becomes a stream of UTF-8, so that everything else need not know. Lines that cannot be read are refused one by
one where the user wants to go on: they are left out, and listed as JSON lines in a file of rejected rows.
"""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from accord.data.document import Document
from accord.data.files import Input, open_output
from accord.data.sentence import Sentence
from accord.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ERRORS = ("strict", "replace", "ignore", "backslashreplace")
_CHUNK = 1 << 18

Reject = Callable[[FormatError, bytes], None]
"""What is called for a row that cannot be read."""


def check_encoding(encoding: str, errors: str) -> None:
    if errors not in ERRORS:
        raise ConfigError(f"errors {errors!r}: expected one of {', '.join(ERRORS)}")
    try:
        found = codecs.lookup(encoding)
        "".encode(encoding)
    except LookupError:
        raise ConfigError(f"no encoding is named {encoding!r}") from None
    if not getattr(found, "_is_text_encoding", True):
        raise ConfigError(f"{encoding!r} is no encoding of text")


def recoded(source: Input, encoding: str, errors: str) -> Input:
    """The source as UTF-8. ``errors``: what becomes of wrong bytes; "strict" raises FormatError with the line."""
    check_encoding(encoding, errors)
    return Input(_Recoder(source, encoding, errors))


class _Recoder(io.RawIOBase):
    """Reads one encoding and gives UTF-8."""

    def __init__(self, source: Input, encoding: str, errors: str) -> None:
        self._source = source
        self.name = source.name
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        self._ready = b""
        self._line = 1
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while not self._ready and not self._ended:
            data = self._source.chunk(_CHUNK)
            self._ended = not data
            self._ready = self._decoded(data).encode("utf-8")
        data, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(data)] = data
        return len(data)

    def _decoded(self, data: bytes) -> str:
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            place = self._line + error.object[: error.start].count(b"\n")
            raise FormatError(f"not {self._encoding} ({error.reason})", file=str(self.name), line=place) from None
        self._line += text.count("\n")
        return text


def good_lines(source: Input, reject: Reject) -> Iterator[str]:
    """The text of a source in UTF-8, without the lines that are not UTF-8; ``reject`` is told of each of these."""
    pending = b""
    line = 1
    ended = False
    while not ended:
        data = source.chunk(_CHUNK)
        ended = not data
        whole = pending + data
        cut = len(whole) if ended else whole.rfind(b"\n") + 1
        lines, pending = whole[:cut], whole[cut:]
        if line == 1:
            lines = lines.removeprefix(b"\xef\xbb\xbf")
        text = _decoded_lines(lines, line, str(source.name), reject)
        line += lines.count(b"\n")
        if text:
            yield text
        if source.waiting and not ended:
            yield ""


def _decoded_lines(lines: bytes, first: int, name: str, reject: Reject) -> str:
    try:
        return lines.decode("utf-8")
    except UnicodeDecodeError:
        good = []
        for number, line in enumerate(_split(lines), first):
            try:
                good.append(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                reject(FormatError(f"not UTF-8 ({error.reason})", file=name, line=number), line)
        return "".join(good)


def _split(lines: bytes) -> list[bytes]:
    """Lines with their ends; only a line feed ends one."""
    parts = [part + b"\n" for part in lines.split(b"\n")]
    parts[-1] = parts[-1][:-1]
    return parts if parts[-1] else parts[:-1]


class Rejected:
    """The rows that could not be used: counted, and written as JSON lines where there is a file for them."""

    def __init__(self, out: BinaryIO | None = None) -> None:
        self.count = 0
        self._out = out

    @staticmethod
    @contextmanager
    def file(path: str | None) -> Iterator[Rejected]:
        """Rows go to the file of this name; None: they are only counted."""
        if path is None:
            yield Rejected()
            return
        with open_output(path) as out:
            yield Rejected(out)

    def __call__(self, problem: FormatError, row: bytes) -> None:
        self.count += 1
        if self._out is not None:
            text = row.decode("utf-8", "backslashreplace").rstrip("\r\n")
            told = {"file": problem.file, "line": problem.line, "reason": problem.reason, "text": text}
            self._out.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")

    def sentences(self, document: Document) -> None:
        """The sentences of a document that could not be read, or that were left out."""
        lines = {sentence.line: sentence for sentence in document.sentences if sentence.verbatim is not None}
        for problem in document.problems:
            found = next((lines[line] for line in sorted(lines, key=_number) if _holds(lines[line], problem)), None)
            self(problem, b"" if found is None else (found.verbatim or "").encode("utf-8", "surrogateescape"))


def _number(line: int | None) -> int:
    return -1 if line is None else line


def _holds(sentence: Sentence, problem: FormatError) -> bool:
    """Whether a problem is in the lines of a sentence."""
    if sentence.line is None or problem.line is None:
        return False
    return sentence.line <= problem.line < sentence.line + (sentence.verbatim or "").count("\n") + 1
