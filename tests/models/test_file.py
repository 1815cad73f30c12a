# SPDX-License-Identifier: Apache-2.0
"""Model files: what is written is read, and nothing else is accepted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import ModelError
from accord.models import model_path
from accord.models.file import ModelFile, text_block, text_of_block
from accord.models.writing import write_model
from accord.tasks.pipeline.model import Pipeline, PipelineModel

ARRAYS = {"a": np.arange(10, dtype=np.int16), "empty": np.zeros(0, np.uint32), "b": np.eye(3, dtype=np.float64)}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.accord"
    write_model(path, {"kind": "test", "text": "né"}, ARRAYS)
    return path


def test_header_and_arrays_come_back(model: Path) -> None:
    file = ModelFile(model)
    assert file.header == {"kind": "test", "text": "né"}
    for name, array in ARRAYS.items():
        assert file.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(file.arrays[name], array)
        assert not file.arrays[name].flags.writeable


def test_every_truncation_is_refused(model: Path) -> None:
    whole = model.read_bytes()
    for length in range(0, len(whole), 7):
        model.write_bytes(whole[:length])
        with pytest.raises(ModelError):
            ModelFile(model)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_no_damage_goes_unnoticed(model: Path, data: st.DataObject) -> None:
    whole = model.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[place] ^= data.draw(st.integers(1, 255))
    path = model.with_name("damaged.accord")
    path.write_bytes(bytes(damaged))
    try:
        file = ModelFile(path)
    except ModelError:
        return
    # The only bytes that may change unnoticed are the zeros between blocks.
    assert whole[place] == 0
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(file.arrays[name], array)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04" + b"x" * 100, b"\x80\x04pickle" * 20, b"ACCORD\r\n" + b"\xff" * 64]
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(ModelError):
        ModelFile(path)


def test_another_version_is_named(model: Path) -> None:
    changed = bytearray(model.read_bytes())
    changed[8] = 99
    model.write_bytes(bytes(changed))
    with pytest.raises(ModelError, match="version 99"):
        ModelFile(model)


def test_a_failed_write_leaves_the_old_file(model: Path) -> None:
    before = model.read_bytes()
    with pytest.raises(ModelError, match="complex128"):
        write_model(model, {}, {"bad": np.zeros(2, np.complex128)})
    assert model.read_bytes() == before
    assert [p.name for p in model.parent.iterdir()] == [model.name]


def test_an_unknown_name_lists_the_packaged_models() -> None:
    with pytest.raises(ModelError, match="packaged models"):
        model_path("no-such-model")


def test_a_block_of_another_type_is_refused_or_changes_nothing() -> None:
    """The core keeps arrays of a file without a copy, so an array that would have to be converted must not reach it."""
    file = ModelFile(model_path("en"))
    arrays = dict(file.arrays)
    text = "The cat sat on the mat."
    expected = Pipeline.load("en")(text).to_bytes()
    refused = 0
    for name, array in arrays.items():
        other = np.float64 if array.dtype != np.float64 else np.float32
        try:
            model = PipelineModel.from_blocks(file.header, {**arrays, name: array.astype(other)}, "changed")
            assert Pipeline(model)(text).to_bytes() == expected, name
        except ModelError:
            refused += 1
    assert refused > len(arrays) / 2


@given(st.text(max_size=40), st.integers(0, 6000))
@settings(max_examples=60, deadline=None)
def test_texts_come_back_and_long_ones_are_deflated(text: str, times: int) -> None:
    whole = text * times
    block = text_block(whole)
    assert text_of_block(block) == whole
    if len(whole.encode()) >= 1 << 16:
        assert block.nbytes < 0.5 * len(whole.encode())


def test_deflated_texts_that_are_damaged_are_refused() -> None:
    block = text_block("我们在公园里看见了一只小狗。\n" * 5000)
    for broken in (block[:-1], block[:20], np.concatenate([block[:12], block[13:]])):
        with pytest.raises(ValueError, match="text that"):
            text_of_block(broken)
