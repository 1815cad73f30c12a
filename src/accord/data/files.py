# SPDX-License-Identifier: Apache-2.0
"""Files as the rest of Accord meets them: binary streams, `-` for the standard ones, compression nobody has to name.

Reading looks at the first bytes, so a compressed file is read whatever its name. Writing goes by the suffix (`.gz`,
`.xz`, `.bz2`, `.zst`), into a temporary file beside the target that takes its place only when all is written: a reader
never meets half a file, and a failed run leaves the old one alone. A suffix of another compression is refused.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias, cast

from accord.data import compression, zstd
from accord.data.temporaries import temporary_beside
from accord.errors import AccordError, FormatError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

Source: TypeAlias = "str | os.PathLike[str] | BinaryIO"

COMPRESSION_SUFFIXES = compression.SUFFIXES
# The first bytes of compressed files. "BZh" alone could begin a text: a bz2 file goes on with a digit and the number of
# a first block (pi) or of an empty file (its square root).
_STARTS = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz", zstd.MAGIC: ".zst", b"BZh": ".bz2"}
_BZ2_ENDS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
_SAMPLE_SIZE = 10  # enough for the longest of these


class Watcher(Protocol):
    """Is told what is read."""

    def opened(self, name: str, size: int) -> None: ...

    def took(self, count: int) -> None: ...


watchers: list[Watcher] = []


def source_name(source: Source) -> str:
    """What messages call a source: its path, `<stdin>`, or the name of an open file."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<input>"


@contextmanager
def open_input(source: Source) -> Iterator[Input]:
    """Open a path, `-` (standard input) or a binary file for reading, decompressed where need be.

    A file that is not there or may not be read raises AccordError here; damaged compression raises FormatError when the
    damage is reached. A file object passed in is not closed.
    """
    if isinstance(source, Input):  # opened by this function before
        yield source
        return
    name = source_name(source)
    raw, owned = _open_raw(source, name)
    try:
        reader = _PlainReader(raw, name)
        for watcher in watchers:
            watcher.opened(name, _size_of(raw))
        sample = reader.sample()
        suffix = _compression_of_bytes(sample)
        promised = Path(name).suffix.lower()
        if owned and promised in COMPRESSION_SUFFIXES and suffix is None:  # an open file may be decompressed already
            raise FormatError(f"not a {promised} file", file=name)
        if suffix is not None:
            yield Input(compression.inflating(reader, name, suffix))
        else:
            yield Input(reader, waits_for=_descriptor(raw))
    finally:
        if owned:
            raw.close()


@contextmanager
def open_output(target: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a path or `-` (standard output) for writing, compressed by its suffix.

    The file appears under its name when the block ends well; when it raises, nothing is left behind and a file that was
    there before is untouched. Devices and pipes are written in place. A new file keeps the permissions of the old one.
    """
    if os.fspath(target) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(os.path.realpath(target))  # a link keeps pointing at what is written
    name = os.fspath(target)
    if Path(name).suffix.lower() in (*COMPRESSION_SUFFIXES, *compression.FOREIGN_SUFFIXES):
        compression.check_suffix(name)
    with _told_by(name):
        mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        with _told_by(name):
            file = path.open("wb", buffering=0)
        with file:
            yield from _compressed(file, name)
        return
    with ExitStack() as kept:
        with _told_by(name):
            temporary, file = kept.enter_context(temporary_beside(path))
        yield from _compressed(file, name)
        with _told_by(name):
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
            temporary.replace(path)


def text_pieces(source: Source, size: int = 1 << 18) -> Iterator[str]:
    """A path, `-` or an open binary file as strings that together are its text; a byte order mark is left out.

    Bytes that are not UTF-8 raise FormatError with their line. An empty string says that the source waits for now.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    first = True
    with open_input(source) as file:
        while True:
            data = file.chunk(size)
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
            if file.waiting:
                yield ""


@contextmanager
def _told_by(name: str) -> Iterator[None]:
    """Turn what the operating system says about a file into one line that names it."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise AccordError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def _open_raw(source: Source, name: str) -> tuple[BinaryIO, bool]:
    if not isinstance(source, (str, os.PathLike)):
        return source, False
    if os.fspath(source) == "-":
        return sys.stdin.buffer, False
    with _told_by(name):
        return cast(BinaryIO, Path(source).open("rb", buffering=0)), True


def _size_of(raw: BinaryIO) -> int:
    """The bytes of a file; 0 for what has no size, such as a pipe."""
    try:
        return os.fstat(raw.fileno()).st_size
    except (AttributeError, OSError):
        return 0


def _compression_of_bytes(sample: bytes) -> str | None:
    for start, suffix in _STARTS.items():
        if sample.startswith(start) and (suffix != ".bz2" or sample[4:10] in _BZ2_ENDS):
            return suffix
    return None


def _compressed(file: io.RawIOBase, name: str) -> Iterator[BinaryIO]:
    """Yield the stream to write to, and finish it."""
    buffer = cast(BinaryIO, io.BufferedWriter(_Writer(file, name), 1 << 16))
    suffix = Path(name).suffix.lower()
    with buffer:
        if suffix not in COMPRESSION_SUFFIXES:
            yield buffer
            return
        with compression.compressor(suffix, buffer, name) as stream:
            yield stream


class Input(io.BufferedReader):
    """An open file to read, decompressed.

    Pipes and terminals may wait: whoever writes to them has no more for now. ``chunk`` returns what is there then, so
    that it can be answered, and ``waiting`` says so.
    """

    def __init__(self, raw: io.RawIOBase, waits_for: int | None = None) -> None:
        super().__init__(raw, 1 << 16)
        self._waits_for = waits_for
        self.waiting = False

    def chunk(self, size: int) -> bytes:
        """The next ``size`` bytes; fewer at the end, and where the source waits. Nothing: the end."""
        if self._waits_for is None:
            return self.read(size)
        data = b""
        while len(data) < size and (more := self.read1(size - len(data))):
            data += more
            self.waiting = not select.select([self._waits_for], [], [], 0)[0]
            if self.waiting:
                break
        return data


def _descriptor(raw: BinaryIO) -> int | None:
    """The descriptor of a pipe or a terminal, which may wait; None for other files."""
    try:
        number = raw.fileno()
        mode = os.fstat(number).st_mode
    except (AttributeError, OSError):
        return None
    waits = stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)
    return number if waits and os.name == "posix" else None


class _PlainReader(io.RawIOBase):
    """Reads a file whose first bytes may be looked at without seeking, and names it in errors."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._source = source
        self._name = self.name = name
        self._ahead = b""

    def sample(self) -> bytes:
        """As many of the first bytes as it takes to know the compression; they will be read again."""
        while len(self._ahead) < _SAMPLE_SIZE and any(
            self._ahead.startswith(start[: len(self._ahead)]) for start in _STARTS
        ):
            more = self._take(1 << 16)
            if not more:
                break
            self._ahead += more
        return self._ahead

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._ahead[: len(view)] or self._take(len(view))
        self._ahead = self._ahead[len(data) :]
        view[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:  # the inherited one reads in small pieces
        ahead, self._ahead = self._ahead, b""
        return ahead + self._take(-1)

    def _take(self, size: int) -> bytes:
        # What is there is taken; a pipe that has more later is read later.
        read = self._source.read if size < 0 else getattr(self._source, "read1", self._source.read)
        with _told_by(self._name):
            data = read(size)
        if not isinstance(data, bytes):
            raise TypeError(f"{self._name}: open the file in binary mode")
        for watcher in watchers:
            watcher.took(len(data))
        return data


class _Writer(io.RawIOBase):
    """Writes to a file and names it in errors, a full disk for one."""

    def __init__(self, target: io.RawIOBase, name: str) -> None:
        self._target = target
        self._name = name

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        with _told_by(self._name):
            return self._target.write(data) or 0
