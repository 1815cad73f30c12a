# SPDX-License-Identifier: Apache-2.0
"""Models made of models: the parts of a model file, each with a header and arrays of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ModelError
from accord.models.file import ModelFile

Blocks = tuple[dict[str, Any], dict[str, NDArray[Any]]]


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
