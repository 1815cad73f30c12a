# SPDX-License-Identifier: Apache-2.0
"""How weights lie in a model file: float32, float16, or bytes with a scale a row.

``int8`` rounds every row of a table or matrix to multiples of its largest magnitude / 127, as parsing in bytes does
anyway; vectors, which weigh nothing, stay float16.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float32]
SCALES = ".scales"


def store(weights: Mapping[str, Floats], storage: str) -> dict[str, Array]:
    """Arrays of a model file, by name; those of bytes come with their scales."""
    stored: dict[str, Array] = {}
    for name, values in weights.items():
        if storage == "int8" and values.ndim > 1:
            rows = values.reshape(-1, values.shape[-1])
            scales = (np.abs(rows).max(axis=1) / 127.0).astype(np.float32)
            safe = np.where(scales > 0, scales, np.float32(1))
            stored[name] = np.rint(rows / safe[:, None]).astype(np.int8).reshape(values.shape)
            stored[name + SCALES] = scales
        else:
            stored[name] = np.ascontiguousarray(values, np.float32 if storage == "float32" else np.float16)
    return stored


def restore(stored: Mapping[str, Array]) -> dict[str, Floats]:
    """The weights of a model file as float32, by name."""
    weights: dict[str, Floats] = {}
    for name, values in stored.items():
        if name.endswith(SCALES):
            continue
        if values.dtype == np.int8:
            scales = stored[name + SCALES]
            rows = values.reshape(-1, values.shape[-1]).astype(np.float32) * scales[:, None]
            weights[name] = rows.reshape(values.shape)
        else:
            weights[name] = np.asarray(values, np.float32)
    return weights
