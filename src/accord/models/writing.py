# SPDX-License-Identifier: Apache-2.0
"""Writing model files; :mod:`accord.models.file` says what is in them and reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core.text import checksum
from accord.data.files import open_output
from accord.errors import ModelError
from accord.models.file import MAGIC, PREFIX, VERSION, Array, aligned, block_kind


def _bytes_of(array: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def write_model(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a model file that can be read again; either all of it appears under ``path`` or nothing does."""
    for name, array in arrays.items():
        if problem := block_kind(name).problem(array):
            raise ModelError(f"{path}: block {name!r} ({block_kind(name).title}) {problem}")
    write_blocks(path, header, arrays)


def write_blocks(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """The same without a look at the arrays."""
    blocks: list[dict[str, Any]] = []
    offset = 0  # from the end of the header, made absolute when the header's length is known
    for name, array in arrays.items():
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
        offset = aligned(offset + raw.size)
    text = json.dumps({**header, "blocks": blocks}, ensure_ascii=False, sort_keys=True).encode()
    start = aligned(PREFIX.size + len(text))
    with open_output(path) as out:
        out.write(PREFIX.pack(MAGIC, VERSION, len(text), checksum(np.frombuffer(text, np.uint8))))
        out.write(text)
        written = PREFIX.size + len(text)
        for block, array in zip(blocks, arrays.values(), strict=True):
            out.write(b"\0" * (start + block["offset"] - written))
            raw = _bytes_of(array)
            out.write(raw.tobytes())
            written = start + block["offset"] + raw.size
