# SPDX-License-Identifier: Apache-2.0
"""Model files: one ``.accord`` file holding a JSON header and named arrays, read through a memory map.

Layout, little-endian:

    8 bytes   magic "ACCORD\\r\\n" (a text-mode copy breaks it visibly)
    u32 u32   format version, length of the header
    u64       checksum of the header
    header    UTF-8 JSON: {"kind", "config", ..., "blocks": [{"name", "dtype", "shape", "offset", "checksum"}]}
    blocks    raw arrays, each at a multiple of 64 bytes from the start of the file

A model may be made of models: the parts of its file, each with a header and arrays of its own.

Nothing is unpickled or executed. A file that is missing, foreign, truncated, damaged or of another version raises
:class:`~accord.errors.ModelError`; writing goes to a temporary file that is renamed at the end.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core.text import checksum
from accord.data.files import open_output
from accord.errors import ModelError

MAGIC = b"ACCORD\r\n"
VERSION = 1
_PREFIX = struct.Struct("<8sIIQ")
_ALIGNMENT = 64
_DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64")

_SUFFIX = ".accord"

Array = NDArray[Any]
Blocks = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def _bytes_of(array: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def write_model(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a model file; either all of it appears under ``path`` or nothing does."""
    blocks: list[dict[str, Any]] = []
    offset = 0  # from the end of the header, made absolute when the header's length is known
    for name, array in arrays.items():
        if array.dtype.name not in _DTYPES:
            raise ModelError(f"{path}: block {name!r} has type {array.dtype.name}, which model files do not hold")
        raw = _bytes_of(array)
        blocks.append(
            {
                "name": name,
                "dtype": array.dtype.name,
                "shape": list(array.shape),
                "offset": offset,
                "checksum": checksum(raw),
            }
        )
        offset = _aligned(offset + raw.size)
    text = json.dumps({**header, "blocks": blocks}, ensure_ascii=False, sort_keys=True).encode()
    start = _aligned(_PREFIX.size + len(text))
    with open_output(path) as out:
        out.write(_PREFIX.pack(MAGIC, VERSION, len(text), checksum(np.frombuffer(text, np.uint8))))
        out.write(text)
        written = _PREFIX.size + len(text)
        for block, array in zip(blocks, arrays.values(), strict=True):
            out.write(b"\0" * (start + block["offset"] - written))
            raw = _bytes_of(array)
            out.write(raw.tobytes())
            written = start + block["offset"] + raw.size


def read_header(path: str | Path) -> dict[str, Any]:
    """The header of a model file alone; its arrays are neither read nor checked."""
    try:
        with Path(path).open("rb") as file:
            prefix = file.read(_PREFIX.size)
            length = _header_length(prefix, path)
            text = np.frombuffer(file.read(length), np.uint8)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    return _header(text, prefix, path)


def _header_length(prefix: bytes, path: str | Path) -> int:
    if len(prefix) < _PREFIX.size:
        raise ModelError(f"{path}: not an Accord model file (only {len(prefix)} bytes)")
    magic, version, length, _ = _PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise ModelError(f"{path}: not an Accord model file")
    if version != VERSION:
        raise ModelError(f"{path}: model format version {version}; this Accord reads version {VERSION}")
    return int(length)


def _header(text: NDArray[np.uint8], prefix: bytes, path: str | Path) -> dict[str, Any]:
    _, _, length, expected = _PREFIX.unpack(prefix)
    if text.size != length or checksum(text) != expected:
        raise ModelError(f"{path}: the header is damaged or truncated")
    header: dict[str, Any] = json.loads(text.tobytes())
    return header


class ModelFile:
    """An open model file: ``header`` and read-only ``arrays`` that live in the memory map."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            with Path(path).open("rb") as file:
                size = file.seek(0, 2)
                if size < _PREFIX.size:
                    raise ModelError(f"{path}: not an Accord model file (only {size} bytes)")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}") from None
        self._bytes = np.frombuffer(self._map, np.uint8)
        self.size = size
        self.header = self._read_header()
        self.arrays = {block["name"]: self._read_block(block) for block in self._blocks}

    def _read_header(self) -> dict[str, Any]:
        prefix = self._map[: _PREFIX.size]
        length = _header_length(prefix, self.path)
        header = _header(self._bytes[_PREFIX.size : _PREFIX.size + length], prefix, self.path)
        self._start = _aligned(_PREFIX.size + length)
        self._blocks: list[dict[str, Any]] = header.pop("blocks")
        return header

    def _read_block(self, block: dict[str, Any]) -> Array:
        name, dtype, shape = block["name"], block["dtype"], tuple(block["shape"])
        if dtype not in _DTYPES or any(side < 0 for side in shape) or block["offset"] < 0:
            raise ModelError(f"{self.path}: block {name!r} is described wrongly")
        begin = self._start + block["offset"]
        length = int(np.dtype(dtype).itemsize * np.prod(shape, dtype=np.int64))
        raw = self._bytes[begin : begin + length]
        if raw.size != length:
            raise ModelError(f"{self.path}: truncated in block {name!r}")
        if checksum(raw) != block["checksum"]:
            raise ModelError(f"{self.path}: block {name!r} is damaged")
        array: Array = raw.view(dtype).reshape(shape)
        return array


def join_blocks(parts: Mapping[str, Blocks]) -> Blocks:
    """Headers by part, and all arrays under ``part/name``."""
    headers = {name: header for name, (header, _) in parts.items()}
    arrays = {f"{name}/{key}": array for name, (_, own) in parts.items() for key, array in own.items()}
    return headers, arrays


def part_of_blocks(headers: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], name: str) -> Blocks:
    """The header and arrays of one part."""
    prefix = f"{name}/"
    own = {key[len(prefix) :]: array for key, array in arrays.items() if key.startswith(prefix)}
    return dict(headers[name]), own


def text_block(text: str) -> NDArray[np.uint8]:
    """A text as an array of a model file."""
    return np.frombuffer(text.encode(), np.uint8)


def text_of_block(array: NDArray[Any]) -> str:
    """The text of ``text_block``; bytes that are no text raise ValueError."""
    return array.tobytes().decode()


def blocks_of_file(file: ModelFile, kind: str, title: str) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]], str]:
    """Header and arrays of a model file of this kind, or of the part of this name of a pipeline; and its path."""
    if file.header.get("kind") == "pipeline":
        parts = file.header.get("parts", {})
        if kind not in parts:
            steps = ", ".join(sorted(parts)) or "nothing"
            raise ModelError(f"{file.path}: a pipeline without a {title} of its own (it has {steps}); see accord.load")
        return *part_of_blocks(parts, file.arrays, kind), file.path
    return file.header, file.arrays, file.path


def packaged_models() -> list[str]:
    """Names of the models inside the package."""
    folder = resources.files("accord.models")
    return sorted(entry.name[: -len(_SUFFIX)] for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))


def model_path(name: str | Path) -> Path:
    """The file of a packaged name (``en``), of a path, or of a name that another package has a model for."""
    packaged = Path(str(resources.files("accord.models") / f"{name}{_SUFFIX}"))
    if isinstance(name, str) and "/" not in name and packaged.is_file():
        return packaged
    if not Path(name).is_file():
        from accord.models.installed import installed_model, installed_models  # only those who need one look for them

        found = installed_model(str(name))
        if found is not None:
            return found
        known = ", ".join((*packaged_models(), *installed_models())) or "none"
        raise ModelError(f"{name}: no such model file, and not one of the packaged models ({known})")
    return Path(name)
