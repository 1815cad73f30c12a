# SPDX-License-Identifier: Apache-2.0
"""Zstandard compression, through the package ``zstandard`` (the extra ``zstd``): the standard library has none."""

from __future__ import annotations

import importlib
import io
from types import ModuleType
from typing import BinaryIO, cast

from accord.errors import MissingDependencyError

MAGIC = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 16


def zstandard(name: str) -> ModuleType:
    """The package; where it is not installed, an error says for which file it is needed and how to get it."""
    try:
        return importlib.import_module("zstandard")
    except ImportError:
        raise MissingDependencyError(
            f"{name}: .zst files need the package zstandard: pip install 'accord[zstd]'"
        ) from None


def compressing(target: BinaryIO, name: str) -> BinaryIO:
    """A stream that writes compressed bytes to ``target``, which stays open."""
    return cast(BinaryIO, zstandard(name).ZstdCompressor(write_checksum=True).stream_writer(target, closefd=False))


class ZstdReader(io.RawIOBase):
    """Reads the frames of a compressed file; one that breaks off raises EOFError, a damaged one OSError."""

    def __init__(self, source: io.RawIOBase, name: str) -> None:
        self._package = zstandard(name)
        self._source = source
        self._frame = self._package.ZstdDecompressor().decompressobj()
        self._fed = False  # has the frame got any byte?
        self._ready = b""

    def read(self, size: int | None = -1) -> bytes:
        wanted = -1 if size is None else size
        pieces = [self._ready]
        length = len(self._ready)
        while wanted < 0 or length < wanted:
            piece = self._next()
            if piece is None:
                break
            pieces.append(piece)
            length += len(piece)
        data = b"".join(pieces)
        taken = data if wanted < 0 else data[:wanted]
        self._ready = data[len(taken) :]
        return taken

    def _next(self) -> bytes | None:
        """What the next bytes of the file hold, maybe nothing; None at its end."""
        data = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = self._package.ZstdDecompressor().decompressobj()
            self._fed = False
        data = data or self._source.read(_CHUNK)
        if not data:
            if self._fed:
                raise EOFError("a frame breaks off")
            return None
        self._fed = True
        try:
            return cast(bytes, self._frame.decompress(data))
        except self._package.ZstdError as error:
            raise OSError(str(error)) from None
