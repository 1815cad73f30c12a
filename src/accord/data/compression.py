# SPDX-License-Identifier: Apache-2.0
"""Compressed files: which compressions there are by their suffix, reading that tells damage, and writing."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from accord.data import zstd
from accord.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".gz", ".xz", ".bz2", ".zst")
FOREIGN_SUFFIXES = (
    *(".7z", ".br", ".lz", ".lz4", ".lzma", ".lzo", ".rar", ".sz", ".tar"),
    *(".tbz2", ".tgz", ".txz", ".z", ".zip", ".zstd"),
)
_DAMAGE = (zlib.error, lzma.LZMAError, OSError)  # gzip and bz2 say it with an OSError


def check_suffix(name: str) -> None:
    """Raise where the name of a file to be written promises a compression that it would not have."""
    suffix = Path(name).suffix.lower()
    if suffix in FOREIGN_SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise ConfigError(f"{name}: Accord writes no {suffix} files; the compressions are {known}")
    if suffix == ".zst":
        zstd.zstandard(name)


def inflating(reader: io.RawIOBase, name: str, suffix: str) -> io.RawIOBase:
    """What a compressed file holds; ``suffix`` names the compression."""
    return _InflatingReader(_decompressor(suffix, reader, name), name, suffix)


def _decompressor(suffix: str, reader: io.RawIOBase, name: str) -> BinaryIO:
    if suffix == ".gz":
        return cast(BinaryIO, gzip.GzipFile(fileobj=cast(BinaryIO, reader), mode="rb"))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(cast(BinaryIO, reader)))
    if suffix == ".zst":
        return cast(BinaryIO, zstd.ZstdReader(reader, name))
    return cast(BinaryIO, bz2.BZ2File(cast(BinaryIO, reader)))


def compressor(suffix: str, buffer: BinaryIO, name: str) -> BinaryIO:
    """A stream that writes compressed bytes to ``buffer``; the buffer itself where the suffix is none of these."""
    if suffix == ".gz":  # no name and no time inside: the same content gives the same file
        return cast(BinaryIO, gzip.GzipFile(filename="", fileobj=buffer, mode="wb", mtime=0))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(buffer, "wb"))
    if suffix == ".bz2":
        return cast(BinaryIO, bz2.BZ2File(buffer, "wb"))
    if suffix == ".zst":
        return zstd.compressing(buffer, name)
    return buffer


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
