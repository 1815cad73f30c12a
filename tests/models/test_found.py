# SPDX-License-Identifier: Apache-2.0
"""Model files that fuzzers found: each ended in another exception than ModelError."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data import Document
from accord.errors import ConfigError, ModelError
from accord.models.file import ModelFile, model_path
from accord.tasks import registry
from tests.tasks.contract import trained
from tools.fuzz.model_files import Parts


def _saved(task: str, folder: Path) -> Parts:
    path = folder / "good.accord"
    trained(registry.task(task), folder).model.save(path)
    return Parts.of(str(path))


def _shape(*sides: int) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.blocks[0]["shape"] = list(sides)

    return change


def _header(key: str, value: Any) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.header[key] = value

    return change


FOUND = [
    ("segmenter", _shape(2**62, 4, 0)),
    ("segmenter", _shape(0, 2**63)),
    ("segmenter", _shape(*[1] * 70, 0)),
    ("pipeline", _header("kind", ["pipeline"])),
    ("pipeline", _header("kind", {})),
    ("tagger", _header("column", "x")),
    ("tagger", _header("column", "form")),
    ("tagger", _header("column", ["upos"])),
]


@pytest.mark.parametrize(("task", "change"), FOUND)
def test_it_is_refused_in_one_line(task: str, change: Callable[[Parts], None], tmp_path: Path) -> None:
    parts = _saved(task, tmp_path)
    change(parts)
    path = tmp_path / "found.accord"
    path.write_bytes(parts.to_bytes())
    with pytest.raises(ModelError) as told:
        accord.load(path)
    assert "\n" not in str(told.value)


def test_the_good_ones_load(tmp_path: Path) -> None:
    for task in {task for task, _ in FOUND}:
        parts = _saved(task, tmp_path)
        (tmp_path / "again.accord").write_bytes(parts.to_bytes())
        assert ModelFile(tmp_path / "again.accord").header["kind"]


@pytest.mark.parametrize("name", ["x" * 100_000, "x/" * 50_000, "\0", ""])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(ModelError) as told:
        model_path(name)
    assert len(str(told.value)) < 1000


def test_a_column_that_is_not_there() -> None:
    document = Document.from_conllu("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    for ask in (document.has_gaps, document.column):
        with pytest.raises(ConfigError, match="no column is named 'x'"):
            ask("x")
