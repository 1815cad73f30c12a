# SPDX-License-Identifier: Apache-2.0
"""Model files: one ``.accord`` file holding a JSON header and named arrays, read through a memory map.

Layout, little-endian:

    8 bytes   magic "ACCORD\\r\\n" (a text-mode copy breaks it visibly)
    u32 u32   format version, length of the header
    u64       checksum of the header
    header    UTF-8 JSON: {"kind", "config", ..., "blocks": [{"name", "dtype", "shape", "offset", "checksum"}]}
    blocks    raw arrays, each at a multiple of 64 bytes from the start of the file

A model may be made of models: the parts of its file, each with a header and arrays of its own.

A model file may come from anybody, so nothing of it reaches the core unchecked: :data:`BLOCK_KINDS` says which types
and how many dimensions the arrays of each name have. The writer, the reader and ``accord info`` ask it.

Nothing is unpickled or executed. A file that is missing, foreign, truncated, damaged or of another version raises
:class:`~accord.errors.ModelError`; writing goes to a temporary file that is renamed at the end.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import re
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core.text import checksum
from accord.errors import ModelError, described

MAGIC = b"ACCORD\r\n"
VERSION = 1
PREFIX = struct.Struct("<8sIIQ")
_ALIGNMENT = 64

_SUFFIX = ".accord"

Array = NDArray[Any]
Blocks = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def read_header(path: str | Path) -> dict[str, Any]:
    """The header of a model file alone; its arrays are neither read nor checked."""
    try:
        with Path(path).open("rb") as file:
            prefix = file.read(PREFIX.size)
            length = _header_length(prefix, path)
            text = np.frombuffer(file.read(length), np.uint8)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    return _header(text, prefix, path)


def _header_length(prefix: bytes, path: str | Path) -> int:
    if len(prefix) < PREFIX.size:
        raise ModelError(f"{path}: not an Accord model file (only {len(prefix)} bytes)")
    magic, version, length, _ = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise ModelError(f"{path}: not an Accord model file")
    if version != VERSION:
        raise ModelError(f"{path}: model format version {version}; this Accord reads version {VERSION}")
    return int(length)


def _header(text: NDArray[np.uint8], prefix: bytes, path: str | Path) -> dict[str, Any]:
    _, _, length, expected = PREFIX.unpack(prefix)
    if text.size != length or checksum(text) != expected:
        raise ModelError(f"{path}: the header is damaged or truncated")
    try:
        header = json.loads(text.tobytes(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise ModelError(f"{path}: the header is not JSON ({error})") from None
    if not isinstance(header, dict):
        raise ModelError(f"{path}: the header is not a JSON object")
    return header


def _no_number(name: str) -> float:
    """Checkpoints begin below every score; nothing is NaN."""
    if name == "NaN":
        raise ValueError("NaN is not a number")
    return float(name)


_LONG_TEXT = 1 << 16  # bytes
_LONGEST_TEXT = 1 << 28
_DEFLATED = b"\0deflate\0"
LARGEST = 1e9  # of a number in a header, and of a weight: sums and products of many stay finite

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64")


@dataclass(frozen=True)
class BlockKind:
    """Arrays of one kind: what they are, their types, and how many dimensions they may have."""

    title: str
    dtypes: tuple[str, ...]
    dimensions: tuple[int, ...] = (1,)
    finite: bool = True

    def problem(self, array: NDArray[Any]) -> str:
        """What is wrong with an array; nothing where it may be of this kind."""
        if array.dtype.name not in self.dtypes:
            return f"holds {array.dtype.name}, not {' or '.join(self.dtypes)}"
        if array.ndim not in self.dimensions:
            return f"has {array.ndim} dimensions"
        return number_problem(array) if self.finite else ""


# By the last part of a block's name, the first pattern that fits. Names of weight tables are free.
BLOCK_KINDS: Mapping[str, BlockKind] = {
    "*.present": BlockKind("which items are not zero", ("uint8",)),
    "*.scales": BlockKind("scales of rows of bytes", ("float32",)),
    "*fingerprints": BlockKind("fingerprints of features", ("uint32",)),
    "*mask.start": BlockKind("labels that may not start", ("uint8",)),
    "*mask.end": BlockKind("labels that may not end", ("uint8",)),
    "*mask.follow": BlockKind("labels that may not follow", ("uint8",), (1, 2)),
    **{
        name: BlockKind("text", ("uint8",))
        for name in (
            *("words", "characters.words", "names", "characters.names", "clusters", "characters.clusters"),
            *("rules", "multiword", "vocabulary", "templates", "language_model"),
        )
    },
    "counts": BlockKind("counts of words", ("int32",)),
    "alphabet": BlockKind("characters", ("uint32",)),
    "keys.*": BlockKind("hashes of known values", ("uint64",)),
    "keys": BlockKind("hashes of words", ("uint64",)),
    "known": BlockKind("hashes of known lemmas", ("uint64",)),
    "starts": BlockKind("places in a list", ("uint32",)),
    "endings": BlockKind("places in a list", ("uint32",)),
    "lexicon": BlockKind("rules of words", ("uint16",)),
    "candidates": BlockKind("candidates of words", ("int32", "uint16")),
    "weights/*": BlockKind("weights of a network", ("int8", "float16", "float32"), (1, 2, 3)),
    "*": BlockKind("weights", DTYPES, (0, 1, 2, 3), finite=False),
}


@lru_cache(maxsize=1024)  # names recur
def block_kind(name: str) -> BlockKind:
    """The kind of a block, by its name in the file."""
    parts = name.split("/")
    last = parts[-1] if "weights" not in parts[:-1] else f"weights/{parts[-1]}"
    if last.startswith("weights/") and last.endswith(".scales"):
        return BLOCK_KINDS["*.scales"]
    return next(kind for pattern, kind in BLOCK_KINDS.items() if fnmatchcase(last, pattern))


def number_problem(array: NDArray[Any]) -> str:
    """What is wrong with the numbers of an array: floats must be finite and of a sensible size."""
    if array.dtype.kind != "f" or not array.size:
        return ""
    if not np.isfinite(array).all():
        return "holds numbers that are not finite"
    return f"holds numbers beyond {LARGEST:g}" if float(np.abs(array).max()) > LARGEST else ""


class ModelFile:
    """An open model file: ``header`` and read-only ``arrays`` that live in the memory map."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            with Path(path).open("rb") as file:
                size = file.seek(0, 2)
                if size < PREFIX.size:
                    raise ModelError(f"{path}: not an Accord model file (only {size} bytes)")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}") from None
        self._bytes = np.frombuffer(self._map, np.uint8)
        self.size = size
        self.header = self._read_header()
        self.arrays = self._read_blocks()

    def _read_header(self) -> dict[str, Any]:
        prefix = self._map[: PREFIX.size]
        length = _header_length(prefix, self.path)
        header = _header(self._bytes[PREFIX.size : PREFIX.size + length], prefix, self.path)
        self._start = aligned(PREFIX.size + length)
        self._blocks: Any = header.pop("blocks", None)
        return header

    def _read_blocks(self) -> dict[str, Array]:
        """All arrays by name; blocks lie one behind the other, each at a multiple of the alignment."""
        if not isinstance(self._blocks, list):
            raise ModelError(f"{self.path}: the header has no list of blocks")
        arrays: dict[str, Array] = {}
        end = 0
        for block in self._blocks:
            name, dtype, shape, offset = self._described(block)
            if name in arrays:
                raise ModelError(f"{self.path}: block {name!r} stands twice")
            if offset < end or offset % _ALIGNMENT:
                raise ModelError(f"{self.path}: block {name!r} does not lie behind the block before it")
            length = math.prod(shape) * np.dtype(dtype).itemsize
            end = offset + length
            arrays[name] = self._read_block(name, dtype, shape, offset, length, block.get("checksum"))
        return arrays

    def _described(self, block: Any) -> tuple[str, str, tuple[int, ...], int]:
        """Name, type, shape and offset of a block."""
        about = block if isinstance(block, dict) else {}
        name, dtype, shape, offset = (about.get(key) for key in ("name", "dtype", "shape", "offset"))
        sides = shape if isinstance(shape, list) else [None]
        whole = all(type(side) is int and side >= 0 for side in [*sides, offset])
        if not isinstance(name, str) or dtype not in DTYPES or not whole or not isinstance(offset, int):
            raise ModelError(f"{self.path}: block {name!a} is described wrongly")
        return name, dtype, tuple(sides), offset

    def _read_block(
        self, name: str, dtype: str, shape: tuple[int, ...], offset: int, length: int, expected: object
    ) -> Array:
        begin = self._start + offset
        if begin + length > self.size:
            raise ModelError(f"{self.path}: truncated in block {name!r}")
        raw = self._bytes[begin : begin + length]
        if checksum(raw) != expected:
            raise ModelError(f"{self.path}: block {name!r} is damaged")
        try:
            array: Array = raw.view(dtype).reshape(shape)
        except ValueError:  # sides that numpy cannot have, though one of them is 0
            raise ModelError(f"{self.path}: block {name!r} is described wrongly") from None
        if problem := block_kind(name).problem(array):
            raise ModelError(f"{self.path}: block {name!r} ({block_kind(name).title}) {problem}")
        return array


def join_blocks(parts: Mapping[str, Blocks]) -> Blocks:
    """Headers by part, and all arrays under ``part/name``."""
    headers = {name: header for name, (header, _) in parts.items()}
    arrays = {f"{name}/{key}": array for name, (_, own) in parts.items() for key, array in own.items()}
    return headers, arrays


def part_of_blocks(headers: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], name: str) -> Blocks:
    """The header and arrays of one part; raises KeyError or ValueError where there is none."""
    if not isinstance(headers, Mapping) or not isinstance(headers[name], Mapping):
        raise ValueError(f"no part {name!r}")
    prefix = f"{name}/"
    own = {key[len(prefix) :]: array for key, array in arrays.items() if key.startswith(prefix)}
    return dict(headers[name]), own


def text_block(text: str) -> NDArray[np.uint8]:
    """A text as an array of a model file; a long one is deflated behind a mark that begins no text."""
    data = text.encode()
    if len(data) >= _LONG_TEXT:
        deflated = _DEFLATED + zlib.compress(data, 9)
        data = min(data, deflated, key=len)
    return np.frombuffer(data, np.uint8)


def text_of_block(array: NDArray[Any]) -> str:
    """The text of ``text_block``; bytes that are no text raise ValueError."""
    data = array.tobytes()
    if data.startswith(_DEFLATED):
        reader = zlib.decompressobj()
        try:
            data = reader.decompress(data[len(_DEFLATED) :], _LONGEST_TEXT)
        except zlib.error as error:
            raise ValueError(f"a text that cannot be inflated: {error}") from None
        if not reader.eof:
            raise ValueError("a text that is cut off, or too long")
    return data.decode()


def blocks_of_file(file: ModelFile, kind: str, title: str) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]], str]:
    """Header and arrays of a model file of this kind, or of the part of this name of a pipeline; and its path."""
    if file.header.get("kind") == "pipeline":
        parts = file.header.get("parts", {})
        if kind not in parts:
            steps = ", ".join(sorted(parts)) or "nothing"
            other = "accord entities finds names with it" if kind == "spans" else "see accord.load"
            raise ModelError(f"{file.path}: a pipeline without a {title} of its own (it has {steps}); {other}")
        return *part_of_blocks(parts, file.arrays, kind), file.path
    return file.header, file.arrays, file.path


def packaged_models() -> list[str]:
    """Names of the models inside the package."""
    folder = resources.files("accord.models")
    return sorted(entry.name[: -len(_SUFFIX)] for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def model_path(name: str | Path) -> Path:
    """The file of a packaged name (``en``), of a path, or of a name that another package has a model for."""
    if not isinstance(name, (str, os.PathLike)):
        raise ModelError(f"a model is a name or a file, not {described(name)}")
    packaged = Path(str(resources.files("accord.models") / f"{name}{_SUFFIX}"))
    if isinstance(name, str) and "/" not in name and _is_file(packaged):
        return packaged
    if not _is_file(Path(name)):
        from accord.models import installed  # only those who need one look for them

        found = installed.installed_model(str(name))
        if found is not None:
            return found
        present = (*packaged_models(), *installed.installed_models())
        if name in installed.missing_models(present):
            raise ModelError(f"{name}: this model is not installed; pip install {installed.package_of(str(name))}")
        known = ", ".join(present) or "none"
        told = f"{str(name)[:200]}: no such model file, and not one of the packaged models ({known})"
        meant = _meant(str(name), present)
        raise ModelError(f"{told}; did you mean {meant!r}?" if meant else told)
    return Path(name)


def _meant(name: str, present: Iterable[str]) -> str | None:
    """The model that a misspelt name, or one of another tool or language, may stand for: ``en_core_web_sm``."""
    from difflib import get_close_matches  # only a name that is wrong needs it

    present = list(present)
    if len(name) < 100 and (near := get_close_matches(name.lower(), [one for one in present if len(one) > 3], 1, 0.8)):
        return near[0]
    first = re.split(r"[^a-z]", name.lower())[0]
    for one in present:
        if first == one:
            return one
    if len(first) < 3:
        return None
    for one in packaged_models():
        header = read_header(model_path(one))
        if header.get("kind") == "pipeline" and first == str(header.get("card", {}).get("language", "")).lower():
            return one
    return None
