# SPDX-License-Identifier: Apache-2.0
"""Stored models: fields come back from files, and files of other kinds or without a field are refused by name."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from accord.errors import ModelError
from accord.models.file import Blocks
from accord.models.stored import HeaderFields, StoredModel, Weights, tables_from_blocks, tables_to_blocks
from accord.models.writing import write_model
from accord.settings import setting


@dataclass(frozen=True)
class OvenConfig:
    heat: float = setting(180.0, "degrees", low=0)


@dataclass(frozen=True)
class Oven(StoredModel):
    kind = "oven"
    title = "kitchen oven"
    settings = OvenConfig
    in_header: ClassVar[HeaderFields] = {"trays": tuple, "fan": bool}

    config: OvenConfig
    trays: tuple[str, ...]
    clock: Any
    fan: bool = False

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        return header, {"clock": self.clock}

    @classmethod
    def own_fields(cls, header: Any, arrays: Any, path: str) -> dict[str, Any]:
        return {**super().own_fields(header, arrays, path), "clock": arrays["clock"]}


OVEN = Oven(OvenConfig(200.0), ("upper", "lower"), np.arange(3), fan=True, card={"data": "none"})


def test_fields_come_back_from_a_file(tmp_path: Path) -> None:
    OVEN.save(tmp_path / "oven.accord")
    loaded = Oven.load(tmp_path / "oven.accord")
    assert loaded.clock.tolist() == [0, 1, 2]
    assert dataclasses.replace(loaded, clock=None) == dataclasses.replace(OVEN, clock=None)


def test_a_model_may_be_a_part_of_a_pipeline(tmp_path: Path) -> None:
    header, arrays = OVEN.to_blocks()
    named = {f"oven/{name}": array for name, array in arrays.items()}
    write_model(tmp_path / "all.accord", {"kind": "pipeline", "parts": {"oven": header}}, named)
    assert Oven.load(tmp_path / "all.accord").trays == OVEN.trays
    write_model(tmp_path / "none.accord", {"kind": "pipeline", "parts": {"stove": {}}}, {})
    with pytest.raises(ModelError, match=r"without a kitchen oven of its own \(it has stove\)"):
        Oven.load(tmp_path / "none.accord")


def test_settings_that_an_older_file_does_not_have_take_their_defaults() -> None:
    header, arrays = OVEN.to_blocks()
    assert Oven.from_blocks({**header, "config": {}}, arrays, "x").config == OvenConfig()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "stove"}, "x: a model of kind 'stove', not a kitchen oven"),
        ({"trays": None}, "x: not a kitchen oven this version understands"),
        ({"card": 3}, "x: not a kitchen oven this version understands"),
        ({"config": {"heat": -1.0}}, "x: not a kitchen oven this version understands"),
    ],
)
def test_foreign_and_torn_models_are_refused(change: dict[str, Any], message: str) -> None:
    header, arrays = OVEN.to_blocks()
    with pytest.raises(ModelError, match=message):
        Oven.from_blocks({**header, **change}, arrays, "x")
    with pytest.raises(ModelError, match="understands"):
        Oven.from_blocks(header, {}, "x")


@pytest.mark.parametrize("kind", [np.int8, np.int16])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 1.0])
def test_tables_of_mostly_zeros_are_packed_and_come_back_bit_for_bit(kind: type, share: float) -> None:
    random = np.random.default_rng(7)
    values = (random.integers(1, 100, 5 << 14) * (random.random(5 << 14) < share)).astype(kind)
    marks = (random.integers(1, 1 << 31, 1 << 14) * (random.random(1 << 14) < share)).astype(np.uint32)
    before = Weights(14, 5, 0.25, values, marks)
    about, arrays = tables_to_blocks({"one": before})
    after = tables_from_blocks(about, arrays)["one"]
    assert after.values.tobytes() == values.tobytes() and after.values.dtype == values.dtype
    assert after.fingerprints.tobytes() == marks.tobytes()
    assert sum(array.nbytes for array in arrays.values()) <= values.nbytes + marks.nbytes
    if share <= 0.3:
        assert sum(array.nbytes for array in arrays.values()) < 0.6 * (values.nbytes + marks.nbytes)


@pytest.mark.parametrize("hurt", ["one", "one.present", "one.fingerprints.present"])
def test_a_packed_table_whose_parts_do_not_fit_is_refused(hurt: str) -> None:
    values = np.zeros(1 << 16, np.int16)
    values[::50] = 3
    marks = np.zeros(1 << 16, np.uint32)
    marks[::50] = 5
    about, arrays = tables_to_blocks({"one": Weights(16, 1, 0.5, values, marks)})
    for damaged in (arrays[hurt][:-1], np.concatenate([arrays[hurt], arrays[hurt][:1]])):
        with pytest.raises(ValueError, match=r"packed array|has not a bit"):
            tables_from_blocks(about, {**arrays, hurt: damaged})


@pytest.mark.parametrize(("field", "value"), [("bits", 0), ("bits", 64), ("width", -1), ("width", 1 << 40)])
def test_a_table_of_an_impossible_size_is_refused(field: str, value: int) -> None:
    about, arrays = tables_to_blocks({"one": Weights(4, 1, 0.5, np.ones(16, np.int8), np.ones(16, np.uint32))})
    with pytest.raises(ValueError, match=r"belongs|has not"):
        tables_from_blocks({"one": {**about["one"], field: value}}, arrays)


def sample(values: NDArray[Any]) -> Weights:
    return Weights(12, 2, 0.5, np.asarray(values, np.int16), np.ones(1 << 12, np.uint32))


def test_weights_that_fit_into_a_byte_are_stored_in_one_and_read_as_two() -> None:
    random = np.random.default_rng(3)
    tables = {
        "fine": sample(random.integers(-32767, 32767, 1 << 13)),
        "small": sample(random.integers(-127, 128, 1 << 13)),
    }
    about, arrays = tables_to_blocks(tables)
    assert arrays["fine"].dtype == np.int16 and arrays["small"].dtype == np.int8
    for name, table in tables_from_blocks(about, arrays).items():
        assert table.values.dtype == np.int16
        assert table.values.tobytes() == tables[name].values.tobytes() and table.scale == tables[name].scale


def test_weights_of_one_byte_stay_so() -> None:
    random = np.random.default_rng(4)
    for values in (random.integers(-32767, 32768, 1 << 13), random.integers(-127, 128, 1 << 13), np.zeros(1 << 13)):
        fine = sample(values)
        coarse = fine.coarser()
        assert coarse.values.dtype == np.int8 and coarse.coarser() is coarse
        assert np.abs(fine.values * fine.scale - coarse.values * coarse.scale).max() <= 0.51 * coarse.scale
        (table,) = tables_from_blocks(*tables_to_blocks({"coarse": coarse})).values()
        assert table.values.dtype == np.int8 and (table.values == coarse.values).all() and table.scale == coarse.scale


@pytest.mark.parametrize(("width", "used"), [(1, 1), (8, 8), (8, 5), (8, 1), (8, 0), (64, 50), (64, 3)])
@pytest.mark.parametrize("share", [0.05, 1.0])
def test_columns_without_weights_take_no_space(width: int, used: int, share: float) -> None:
    random = np.random.default_rng(6)
    values = np.zeros((1 << 12, width), np.int8)
    values[:, :used] = random.integers(-127, 128, (1 << 12, used)) * (random.random((1 << 12, used)) < share)
    values[5, :used] = 1
    table = Weights(12, width, 0.5, values.reshape(-1), np.zeros(0, np.uint32))
    about, arrays = tables_to_blocks({"table": table})
    assert sum(array.nbytes for array in arrays.values()) <= max(used, width // 8, 1) << 12
    (again,) = tables_from_blocks(about, arrays).values()
    assert again.values.dtype == np.int8 and again.values.tobytes() == table.values.tobytes()


@pytest.mark.parametrize("columns", [0, 9, 4, True, "5"])
def test_columns_that_do_not_fit_are_refused(columns: object) -> None:
    values = np.zeros((1 << 12, 8), np.int8)
    values[:, :5] = 1
    about, arrays = tables_to_blocks({"t": Weights(12, 8, 0.5, values.reshape(-1), np.zeros(0, np.uint32))})
    assert about["t"]["columns"] == 5
    about["t"]["columns"] = columns
    with pytest.raises(ValueError):
        tables_from_blocks(about, arrays)


def test_a_small_file_asks_for_no_large_table() -> None:
    about = {"t": {"bits": 10, "width": 1 << 20, "scale": 1.0, "columns": 1}}
    with pytest.raises(ValueError, match="whole number from 131072"):
        tables_from_blocks(about, {"t": np.ones(1 << 10, np.int8), "t.fingerprints": np.zeros(0, np.uint32)})


def test_rare_large_weights_are_cut_where_that_makes_the_others_finer() -> None:
    values = np.random.default_rng(5).laplace(0, 900, 1 << 18).astype(np.int16)
    fine = Weights(18, 1, 0.5, values, np.zeros(0, np.uint32))
    coarse = fine.coarser()
    exact = fine.values.astype(np.float64)

    def error(limit: float) -> float:
        rounded = np.clip(np.rint(exact * (127 / limit)), -127, 127) * (limit / 127)
        return float(((exact - rounded) ** 2).sum())

    largest = float(np.abs(exact).max())
    found = float(((exact - coarse.values * (coarse.scale / fine.scale)) ** 2).sum())
    assert found < 0.8 * error(largest)
    assert found <= 1.02 * min(error(limit) for limit in np.linspace(0.65 * largest, largest, 500))
