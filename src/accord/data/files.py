# SPDX-License-Identifier: Apache-2.0
"""Files as the rest of Accord meets them: binary streams, `-` for the standard ones, compression nobody has to name.

Reading looks at the first bytes, so a compressed file is read whatever its name. Writing goes by the suffix (`.gz`,
`.xz`, `.bz2`, `.zst`), into a temporary file beside the target that takes its place only when all is written: a reader
never meets half a file, and a failed run leaves the old one alone. A suffix of another compression is refused.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, cast

from accord.data import zstd
from accord.data.temporaries import temporary_beside
from accord.errors import AccordError, ConfigError, FormatError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

Source: TypeAlias = "str | os.PathLike[str] | BinaryIO"

COMPRESSION_SUFFIXES = (".gz", ".xz", ".bz2", ".zst")
_FOREIGN_SUFFIXES = (
    *(".7z", ".br", ".lz", ".lz4", ".lzma", ".lzo", ".rar", ".sz", ".tar"),
    *(".tbz2", ".tgz", ".txz", ".z", ".zip", ".zstd"),
)
_SAMPLE_SIZE = 10  # enough for the longest of the magic numbers below
_DAMAGE = (zlib.error, lzma.LZMAError, OSError)  # gzip and bz2 say it with an OSError


def source_name(source: Source) -> str:
    """What messages call a source: its path, `<stdin>`, or the name of an open file."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<input>"


@contextmanager
def open_input(source: Source) -> Iterator[BinaryIO]:
    """Open a path, `-` (standard input) or a binary file for reading, decompressed where need be.

    A file that is not there or may not be read raises AccordError here; damaged compression raises FormatError when the
    damage is reached. A file object passed in is not closed.
    """
    name = source_name(source)
    raw, owned = _open_raw(source, name)
    try:
        reader = _PlainReader(raw, name)
        sample = reader.fill(_SAMPLE_SIZE)
        suffix = _compression_of_bytes(sample)
        promised = Path(name).suffix.lower()
        if owned and promised in COMPRESSION_SUFFIXES and suffix is None:  # an open file may be decompressed already
            raise FormatError(f"not a {promised} file", file=name)
        plain = reader if suffix is None else _InflatingReader(_decompressor(suffix, reader, name), name, suffix)
        yield cast(BinaryIO, io.BufferedReader(plain, 1 << 16))
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
    _check_suffix(name)
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

    Bytes that are not UTF-8 raise FormatError with their line.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    first = True
    with open_input(source) as file:
        while True:
            data = file.read(size)
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


def _compression_of_bytes(sample: bytes) -> str | None:
    if sample.startswith(b"\x1f\x8b"):
        return ".gz"
    if sample.startswith(b"\xfd7zXZ\x00"):
        return ".xz"
    # "BZh" alone could begin a text: ask for the number of a first block (pi) or of an empty file (its square root).
    if sample.startswith(b"BZh") and sample[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return ".bz2"
    if sample.startswith(zstd.MAGIC):
        return ".zst"
    return None


def _check_suffix(name: str) -> None:
    """Raise where the name of a file to be written promises a compression that it would not have."""
    suffix = Path(name).suffix.lower()
    if suffix in _FOREIGN_SUFFIXES:
        known = ", ".join(COMPRESSION_SUFFIXES)
        raise ConfigError(f"{name}: Accord writes no {suffix} files; the compressions are {known}")
    if suffix == ".zst":
        zstd.zstandard(name)


def _decompressor(suffix: str, reader: _PlainReader, name: str) -> BinaryIO:
    if suffix == ".gz":
        return cast(BinaryIO, gzip.GzipFile(fileobj=reader, mode="rb"))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(cast(BinaryIO, reader)))
    if suffix == ".zst":
        return cast(BinaryIO, zstd.ZstdReader(reader, name))
    return cast(BinaryIO, bz2.BZ2File(cast(BinaryIO, reader)))


def _compressed(file: io.RawIOBase, name: str) -> Iterator[BinaryIO]:
    """Yield the stream to write to, and finish it."""
    buffer = cast(BinaryIO, io.BufferedWriter(_Writer(file, name), 1 << 16))
    with buffer, _compressor(Path(name).suffix.lower(), buffer, name) as stream:
        yield stream


def _compressor(suffix: str, buffer: BinaryIO, name: str) -> BinaryIO:
    if suffix == ".gz":  # no name and no time inside: the same content gives the same file
        return cast(BinaryIO, gzip.GzipFile(filename="", fileobj=buffer, mode="wb", mtime=0))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(buffer, "wb"))
    if suffix == ".bz2":
        return cast(BinaryIO, bz2.BZ2File(buffer, "wb"))
    if suffix == ".zst":
        return zstd.compressing(buffer, name)
    return buffer


class _PlainReader(io.RawIOBase):
    """Reads a file whose first bytes may be looked at without seeking, and names it in errors."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._source = source
        self._name = self.name = name
        self._ahead = b""

    def fill(self, size: int) -> bytes:
        """The first `size` bytes, or all when there are fewer; they will be read again."""
        while len(self._ahead) < size and (more := self._take(size - len(self._ahead))):
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
        with _told_by(self._name):
            data = self._source.read(size)
        if not isinstance(data, bytes):
            raise TypeError(f"{self._name}: open the file in binary mode")
        return data


class _InflatingReader(io.RawIOBase):
    """Reads a decompressor and tells damage as a FormatError that names the file."""

    def __init__(self, source: BinaryIO, name: str, suffix: str) -> None:
        self._source = source
        self._name = self.name = name
        self._suffix = suffix

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._take(len(view))
        view[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        return self._take(-1)

    def _take(self, size: int) -> bytes:
        try:
            return self._source.read(size)
        except EOFError as error:
            raise FormatError(f"the {self._suffix} compression ends too early", file=self._name) from error
        except _DAMAGE as error:
            raise FormatError(f"the {self._suffix} compression is damaged", file=self._name) from error


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
