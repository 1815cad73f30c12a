# SPDX-License-Identifier: Apache-2.0
"""What every trained model can do: go to a model file, or to a part of one, and come back.

A model is a dataclass with its settings (``config``) and a ``card`` that says where it comes from. A kind of model
names itself, says which fields stand in the header as they are, and adds to ``own_blocks`` and ``own_fields`` what
needs more than that. Weight tables are the same in all models: `Weights`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.errors import ConfigError, ModelError
from accord.models.file import (
    LARGEST,
    Blocks,
    ModelFile,
    blocks_of_file,
    model_path,
    part_of_blocks,
    text_of_block,
)
from accord.models.writing import write_model
from accord.settings import make_settings

HeaderFields = Mapping[str, Callable[[Any], Any]]  # the name of a field, and what reads its value
Model = TypeVar("Model", bound="StoredModel")
Settings = TypeVar("Settings")
Worker = TypeVar("Worker")
Arrays = dict[str, NDArray[Any]]


PACKED_BYTES = 1 << 14  # smaller arrays are stored as they are
PACKED_SHARE = 0.8  # of the size, which packing must fall below to be worth it
BYTE = 127  # the largest whole number of a weight that is stored in one byte
LEAST_LIMIT, LIMITS = 0.65, 20  # of weights of one byte: share of the largest, and how many are tried
MOST_BITS, MOST_WIDTH = 30, 1 << 20


class Weights(NamedTuple):
    """A frozen weight table, as the core takes it: 2^bits rows of small integers times a scale."""

    bits: int
    width: int
    scale: float
    values: NDArray[Any]
    fingerprints: NDArray[np.uint32]

    @staticmethod
    def from_native(table: tuple[int, int, float, NDArray[np.uint8], NDArray[np.uint32]], bytes: int) -> Weights:
        bits, width, scale, raw, fingerprints = table
        return Weights(bits, width, scale, raw.view(np.int8 if bytes == 1 else np.int16), fingerprints)

    def coarser(self) -> Weights:
        """The same table in one byte a weight. Few weights are large: those beyond a limit are cut to it.

        The limit is the one with the least squared error over all weights. Frequent features have the largest weights,
        so it is no less than 0.65 of the largest.
        """
        if self.values.dtype == np.int8:
            return self
        counts = np.bincount(np.abs(self.values.astype(np.int32)))
        if len(counts) <= BYTE + 1:
            return self._replace(values=self.values.astype(np.int8))
        sizes = np.arange(len(counts), dtype=np.float64)

        def error(limit: float) -> float:
            rounded = np.minimum(np.rint(sizes * (BYTE / limit)), BYTE) * (limit / BYTE)
            return float((counts * (sizes - rounded) ** 2).sum())

        limit = min(np.linspace(sizes[-1], LEAST_LIMIT * sizes[-1], LIMITS).tolist(), key=error)
        values = np.clip(np.rint(self.values * (BYTE / limit)), -BYTE, BYTE).astype(np.int8)
        return self._replace(scale=self.scale * (limit / BYTE), values=values)


# Halves of characters and NUL; what ends lines or cells.
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_NO_NAME = re.compile("[\0-\x1f\x7f\x85\u2028\u2029]")
# What Python and the core raise for values that do not fit together.
_MISFITS = (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)


@contextmanager
def understood(path: str, title: str) -> Iterator[None]:
    """What goes wrong inside is a ModelError that names the file."""
    try:
        yield
    except ModelError as error:
        if str(error).startswith(path):
            raise
        raise ModelError(f"{path}: not a {title} this version understands ({error})") from None
    except TypeError as error:  # whose message may list the signatures of native functions
        why = str(error).splitlines()[0] if str(error) else "something is of another type"
        raise ModelError(f"{path}: not a {title} this version understands ({why})") from None
    except _MISFITS as error:
        raise ModelError(f"{path}: not a {title} this version understands ({error})") from None


def stored_settings(kind: type[Settings], values: Any, older: Mapping[str, Any] = MappingProxyType({})) -> Settings:
    """Settings as a header has them, with others where it lacks them; raises ValueError where they are none."""
    if not isinstance(values, Mapping):
        raise ValueError("settings that are no table")
    try:
        return make_settings(kind, {**older, **values})
    except ConfigError as error:
        raise ValueError(str(error)) from None


def open_worker(
    make: Callable[[Any], Worker], model: type[StoredModel], path: str | Path, *, chosen: bool = False
) -> Worker:
    """The worker of a model file; a model that no worker can be made of is a ModelError.

    ``chosen``: ``make`` holds settings of the user, whose ConfigError may be about them.
    """
    stored = model.load(path)
    with understood(str(path), model.title):
        try:
            return make(stored)
        except ConfigError as error:
            if chosen:
                raise
            raise ModelError(str(error)) from None


@dataclass(frozen=True)
class StoredModel:
    """The base of trained models."""

    kind: ClassVar[str]  # what the header of a file calls it
    title: ClassVar[str]  # what messages call it
    settings: ClassVar[type[Any]]  # the class of ``config``
    in_header: ClassVar[HeaderFields] = {}  # fields that stand in the header as they are
    may_lack: ClassVar[HeaderFields] = {}  # the same, of fields that keep their default where they are null or missing
    texts: ClassVar[tuple[str, ...]] = ()  # fields that are texts beside the weight tables
    older: ClassVar[Mapping[str, Any]] = {}  # settings that older files lack, with the values that they had then
    inner_models: ClassVar[Mapping[str, Any]] = {}  # fields that are models of their own, where the header has them

    config: Any
    card: dict[str, Any] = field(default_factory=dict, kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled through its blocks: a native part needs no way of its own to be pickled."""
        return _from_pickle, (type(self), *self.to_blocks())

    def save(self, path: str | Path) -> None:
        write_model(path, *self.to_blocks())

    def to_blocks(self) -> Blocks:
        """Header and arrays, of a model file or of a part of one."""
        header, arrays = self.own_blocks()
        return {"kind": self.kind, "config": dataclasses.asdict(self.config), "card": self.card, **header}, arrays

    def own_blocks(self) -> Blocks:
        """Header and arrays of all but the settings and the card."""
        return {name: getattr(self, name) for name in self.in_header}, {}

    @classmethod
    def load(cls: type[Model], path: str | Path) -> Model:
        """The model of a file or of a packaged name; a pipeline will do where one of its steps is of this kind."""
        return cls.from_blocks(*blocks_of_file(ModelFile(model_path(path)), cls.kind, cls.title))

    @classmethod
    def from_blocks(
        cls: type[Model], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str
    ) -> Model:
        """The model of ``to_blocks``; ``path`` is for messages."""
        if header.get("kind") != cls.kind:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a {cls.title}")
        with understood(path, cls.title):
            config = stored_settings(cls.settings, header["config"], cls.older)
            return cls(config, card=dict(header["card"]), **cls.own_fields(header, arrays, path))

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        """The fields of ``own_blocks`` by name; what is missing or wrong may raise what Python raises for it."""
        found = {name: read(header[name]) for name, read in cls.in_header.items()}
        found |= {name: read(header[name]) for name, read in cls.may_lack.items() if header.get(name) is not None}
        if "tables" in cls.__dataclass_fields__:
            found["tables"] = tables_from_blocks(header["tables"], arrays)
            found |= {name: text_of_block(arrays[name]) for name in cls.texts if found["tables"]}
        for name, kind in cls.inner_models.items():
            if name in header:
                found[name] = kind.from_blocks(*part_of_blocks(header, arrays, name))
        return found


def _from_pickle(kind: type[Model], header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    return kind.from_blocks(header, arrays, "<pickle>")


def tables_to_blocks(tables: Mapping[str, Weights]) -> tuple[dict[str, Any], Arrays]:
    """What a header says of tables, and their arrays by name."""
    about: dict[str, Any] = {}
    arrays: Arrays = {}
    for name, table in tables.items():
        about[name] = {"bits": table.bits, "width": table.width, "scale": table.scale}
        values = table.values
        if values.dtype == np.int16 and np.abs(values.astype(np.int32)).max(initial=0) <= BYTE:
            values = values.astype(np.int8)
            about[name]["wide"] = True
        if values.nbytes >= PACKED_BYTES and (columns := _used_columns(values, table.width)) < table.width:
            values = np.ascontiguousarray(values.reshape(-1, table.width)[:, :columns]).reshape(-1)
            about[name]["columns"] = columns
        arrays |= _packed(name, values)
        arrays |= _packed(f"{name}.fingerprints", table.fingerprints)
    return about, arrays


def _used_columns(values: NDArray[Any], width: int) -> int:
    """How many columns there are up to the last that is not zero: rows are padded for vectors."""
    used = values.reshape(-1, width).any(axis=0)
    return max(int(np.flatnonzero(used).max(initial=0)) + 1, _least_columns(width))


def _least_columns(width: int) -> int:
    """No fewer are stored of a row, so that a small file never asks for a large table."""
    return -(-width // 8)


def _packed(name: str, array: NDArray[Any]) -> Arrays:
    """An array by its name, or, where that is much smaller, its items that are not zero and a bit for each item.

    Most weights of a label for a feature are zero, and so is much of a hash table.
    """
    if array.nbytes < PACKED_BYTES:
        return {name: array}
    there = array != 0
    if array.size / 8 + np.count_nonzero(there) * array.itemsize > PACKED_SHARE * array.nbytes:
        return {name: array}
    return {name: array[there], f"{name}.present": np.packbits(there, bitorder="little")}


def _unpacked(name: str, items: int, arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    present = arrays.get(f"{name}.present")
    array = arrays[name]
    if present is None:
        return array
    if present.dtype != np.uint8 or present.shape != (-(-items // 8),) or array.ndim != 1:
        raise ValueError(f"block {name!r} has not a bit for each of {items} items")
    return _text.expand(present, array.view(np.uint8), items, array.itemsize).view(array.dtype)


def tables_from_blocks(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, Weights]:
    return {name: _table(one, name, arrays) for name, one in about.items()}


def _table(about: Mapping[str, Any], name: str, arrays: Mapping[str, NDArray[Any]]) -> Weights:
    """One table, whose arrays have the sizes and types that its header promises."""
    bits, width = whole(0, MOST_BITS)(about["bits"]), whole(1, MOST_WIDTH)(about["width"])
    scale = number(0)(about["scale"])
    columns = whole(_least_columns(width), width)(about.get("columns", width))
    values = _unpacked(name, columns << bits, arrays)
    if columns < width and values.shape == (columns << bits,):
        values = np.pad(values.reshape(-1, columns), ((0, 0), (0, width - columns))).reshape(-1)
    if flag(about.get("wide", False)):
        values = values.astype(np.int16)
    fingerprints = _unpacked(f"{name}.fingerprints", 1 << bits, arrays)
    if values.dtype not in (np.int8, np.int16) or values.ndim != 1 or fingerprints.dtype != np.uint32:
        raise ValueError(f"block {name!r} is no table of weights")
    if values.size != width << bits or fingerprints.size not in (0, 1 << bits):
        raise ValueError(f"table {name!r} has not 2^{bits} rows of {width}")
    return Weights(bits, width, scale, values, fingerprints)


# Readers of single values of a header: they return the value, or raise a ValueError that says what belongs there.


def row(arrays: Mapping[str, NDArray[Any]], name: str, kind: type[Any], size: int) -> NDArray[Any]:
    """An array of one dimension, of this type and size."""
    array = arrays[name]
    if array.dtype != kind or array.shape != (size,):
        raise ValueError(f"block {name!r} is not a row of {size} {np.dtype(kind).name}")
    return array


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_shown(value)} where true or false belongs")
    return value


def text(value: Any) -> str:
    """A text that can be written: no halves of characters, no NUL."""
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} where a text belongs")
    if _UNWRITABLE.search(value):
        raise ValueError(f"a text that cannot be written: {_shown(value)}")
    return value


def name(value: Any) -> str:
    """A name that may stand in a column of a table: not empty, without blanks that end lines or cells."""
    if not text(value) or _NO_NAME.search(value):
        raise ValueError(f"{_shown(value)} where a name belongs")
    return str(value)


def names(value: Any, *, distinct: bool = True) -> tuple[str, ...]:
    """Names, by default different ones."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{_shown(value)} where a list of names belongs")
    found = tuple(map(name, value))
    if distinct and len(set(found)) < len(found):
        raise ValueError(f"a name that stands twice among {len(found)}")
    return found


def choice(*among: str) -> Callable[[Any], str]:
    """One of some names."""

    def read(value: Any) -> str:
        if value not in among:
            raise ValueError(f"{_shown(value)} where one of {', '.join(among)} belongs")
        return str(value)

    return read


def whole(low: int, high: int) -> Callable[[Any], int]:
    """A reader of whole numbers in a range."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{_shown(value)} where a whole number from {low} to {high} belongs")
        return value

    return read


def number(low: float = -LARGEST, high: float = LARGEST) -> Callable[[Any], float]:
    """A reader of numbers in a range."""

    def read(value: Any) -> float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
        if not fits or not math.isfinite(value):
            raise ValueError(f"{_shown(value)} where a number from {low:g} to {high:g} belongs")
        return float(value)

    return read


temperature = number(1e-6, 1e6)


def temperatures(value: Any) -> tuple[float, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{_shown(value)} where a list of temperatures belongs")
    return tuple(map(temperature, value))


def _shown(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) < 40 else f"{shown[:36]}..."
