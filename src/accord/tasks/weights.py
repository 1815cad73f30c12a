# SPDX-License-Identifier: Apache-2.0
"""Frozen weight tables, and how they stand in a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Weights:
    """A frozen weight table: 2^bits rows of small integers times a scale."""

    bits: int
    width: int
    scale: float
    values: NDArray[Any]
    fingerprints: NDArray[np.uint32]

    @property
    def native(self) -> tuple[int, int, float, NDArray[Any], NDArray[np.uint32]]:
        return self.bits, self.width, self.scale, self.values, self.fingerprints

    @staticmethod
    def from_native(table: tuple[int, int, float, NDArray[np.uint8], NDArray[np.uint32]], bytes: int) -> Weights:
        bits, width, scale, raw, fingerprints = table
        return Weights(bits, width, scale, raw.view(np.int8 if bytes == 1 else np.int16), fingerprints)


def tables_to_blocks(tables: Mapping[str, Weights]) -> tuple[dict[str, Any], Arrays]:
    """What a header says of tables, and their arrays by name."""
    about = {name: {"bits": table.bits, "width": table.width, "scale": table.scale} for name, table in tables.items()}
    arrays: Arrays = {}
    for name, table in tables.items():
        arrays[name] = table.values
        arrays[f"{name}.fingerprints"] = table.fingerprints
    return about, arrays


def tables_from_blocks(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, Weights]:
    return {
        name: Weights(
            int(one["bits"]), int(one["width"]), float(one["scale"]), arrays[name], arrays[f"{name}.fingerprints"]
        )
        for name, one in about.items()
    }
