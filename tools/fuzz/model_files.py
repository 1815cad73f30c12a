# SPDX-License-Identifier: Apache-2.0
"""Mutated model files: changed headers and blocks with the checksums made right again, flipped bits, short files."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord._core.text import checksum
from accord.models.file import DTYPES, MAGIC, VERSION, ModelFile
from tools.fuzz.json_values import ODD, places

_DTYPES = (*DTYPES, "O", "")


@dataclass
class Parts:
    """A model file taken apart."""

    header: dict[str, Any]
    blocks: list[dict[str, Any]]
    data: bytes  # from the first block on

    @staticmethod
    def of(path: str) -> Parts:
        raw = Path(path).read_bytes()
        length = int.from_bytes(raw[12:16], "little")
        header = json.loads(raw[24 : 24 + length])
        ModelFile(path)  # a good one
        return Parts(header, header.pop("blocks"), raw[-(-(24 + length) // 64) * 64 :])

    def copy(self) -> Parts:
        again = json.loads(json.dumps([self.header, self.blocks]))
        return Parts(again[0], again[1], self.data)

    def to_bytes(self) -> bytes:
        """The file, with checksums that agree where the blocks lie inside the data."""
        for block in self.blocks:
            if not isinstance(block, dict):
                continue
            try:
                length = int(np.dtype(block["dtype"]).itemsize * np.prod(block["shape"], dtype=np.int64))
                begin = block["offset"]
                raw = np.frombuffer(self.data[begin : begin + length], np.uint8)
                block["checksum"] = checksum(raw)
            except Exception:  # a block that is described by nonsense keeps its checksum
                continue
        text = json.dumps({**self.header, "blocks": self.blocks}).encode()
        prefix = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
        prefix += checksum(np.frombuffer(text, np.uint8)).to_bytes(8, "little")
        return (prefix + text).ljust(-(-(24 + len(text)) // 64) * 64, b"\0") + self.data


def mutated(parts: Parts, chance: random.Random) -> bytes:
    """One file with one to three changes."""
    found = parts.copy()
    kind = chance.random()
    if kind < 0.1:
        return _raw_damage(found.to_bytes(), chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        change = chance.choices((_change_header, _change_block, _change_data), (5, 3, 2))[0]
        change(found, chance)
    return found.to_bytes()


def _raw_damage(raw: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.5:
        return raw[: chance.randrange(len(raw))]
    changed = bytearray(raw)
    for _ in range(chance.randrange(1, 9)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _change_header(parts: Parts, chance: random.Random) -> None:
    found = places(parts.header)
    if not found:
        return
    container, key = chance.choice(found)
    how = chance.random()
    if how < 0.15:
        del container[key]
    elif how < 0.3 and isinstance(container[key], (int, float)):
        container[key] = chance.choice(
            (container[key] + 1, container[key] - 1, container[key] * 2, -container[key], str(container[key]))
        )
    elif how < 0.4 and isinstance(container, list):
        container.insert(chance.randrange(len(container) + 1), copy.deepcopy(chance.choice(container)))
    elif how < 0.45 and isinstance(container, dict):
        container["unheard-of"] = container.pop(key)
    else:
        container[key] = copy.deepcopy(chance.choice(ODD))  # lists and objects are changed by the next mutation


def _change_block(parts: Parts, chance: random.Random) -> None:
    if not parts.blocks:
        return
    block = chance.choice([block for block in parts.blocks if isinstance(block, dict)] or [{}])
    what = chance.choice(("dtype", "dtype_same_bytes", "shape", "shape", "offset", "name", "any"))
    if what == "dtype":
        block["dtype"] = chance.choice(_DTYPES)
    elif what == "dtype_same_bytes":
        _same_bytes(block, chance)
    elif what == "shape":
        _reshape(block, chance)
    elif what == "offset":
        steps = (1, 2, 4, 7, 8, 64, -8, -64)
        odd = (1, 7, 8, 64, -64, -1, 2**31, 2**63, chance.choice(parts.blocks).get("offset", 0), 0.5, None)
        block["offset"] = chance.choice(
            [*odd, *(block["offset"] + step for step in steps if type(block.get("offset")) is int)]
        )
    elif what == "name":
        block["name"] = chance.choice((chance.choice(parts.blocks).get("name"), "", "x/y", 3, None))
    elif block:
        block[chance.choice(list(block))] = copy.deepcopy(chance.choice(ODD))


def _same_bytes(block: dict[str, Any], chance: random.Random) -> None:
    """Another type over the same bytes: what a converting reader would take."""
    try:
        old = np.dtype(block["dtype"]).itemsize
        new = chance.choice([name for name in _DTYPES[:-2] if name != block["dtype"]])
        shape = list(block["shape"])
        if shape and shape[-1] * old % np.dtype(new).itemsize == 0:
            shape[-1] = shape[-1] * old // np.dtype(new).itemsize
        block["dtype"], block["shape"] = new, shape
    except (TypeError, KeyError, IndexError, ValueError):  # a type that is no type: numpy refuses surrogates so
        return


def _reshape(block: dict[str, Any], chance: random.Random) -> None:
    shape = block.get("shape")
    if not isinstance(shape, list) or not all(isinstance(side, int) for side in shape):
        return
    size = int(np.prod(shape, dtype=np.int64)) if shape else 1
    choices: list[Any] = [
        [],
        [8],
        [0],
        [size],
        [1, size],
        [size, 1],
        shape[::-1],
        [*shape, 1],
        [*shape, 0],
        [-1],
        [2**31, 2**31],
        [2**62, 4],
    ]
    if shape:
        choices += [
            [max(0, shape[0] - 1), *shape[1:]],
            [shape[0] + 1, *shape[1:]],
            [shape[0] // 2, *shape[1:]],
            [0.5],
            [True],
            [None],
        ]
    block["shape"] = chance.choice(choices)


def _change_data(parts: Parts, chance: random.Random) -> None:
    blocks = [block for block in parts.blocks if isinstance(block, dict) and isinstance(block.get("offset"), int)]
    if not blocks or not parts.data:
        return
    begin = chance.choice(blocks)["offset"]
    if not 0 <= begin < len(parts.data):
        return
    data = bytearray(parts.data)
    how = chance.random()
    begin += 4 * chance.randrange(64) if chance.random() < 0.5 else 0
    length = chance.choice((1, 2, 4, 8, 64, 4096))
    end = min(begin + length, len(data))
    if how < 0.4:
        data[begin:end] = bytes(chance.randrange(256) for _ in range(max(0, end - begin)))
    else:
        fill = chance.choice((b"\xff", b"\x7f", b"\x80", b"\x00"))
        data[begin:end] = fill * max(0, end - begin)
    parts.data = bytes(data)
