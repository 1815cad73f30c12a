# SPDX-License-Identifier: Apache-2.0
"""The registry of tasks: names, kinds, and that looking at it imports nothing that trains."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import accord
from accord.app.reference import reference_page
from accord.errors import ConfigError, ModelError
from accord.models.writing import write_model
from accord.tasks import registry

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"


def test_every_name_old_or_new_finds_its_task() -> None:
    assert registry.task("ner") is registry.task("spans")
    assert registry.task("virtual").name == "joint"
    with pytest.raises(ConfigError, match=r"expected one of parser, tagger"):
        registry.task("nothing")


def test_every_kind_of_model_file_has_one_task() -> None:
    for task in registry.tasks():
        assert task.row.kinds and all(registry.task_of_kind(kind) is task for kind in task.row.kinds)


def test_a_file_of_an_unknown_kind_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    write_model(tmp_path / "odd.accord", {"kind": "oracle"}, {})
    with pytest.raises(ModelError, match=r"odd\.accord: a model of kind 'oracle'; this Accord knows parser, tagger"):
        accord.load(tmp_path / "odd.accord")
    write_model(tmp_path / "half.checkpoint", {"kind": "checkpoint"}, {})
    with pytest.raises(ModelError, match="--resume"):
        accord.load(tmp_path / "half.checkpoint")


def test_looking_at_the_registry_imports_no_training() -> None:
    code = "import sys, accord.app.cli as c; c.make_app(['parse']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "accord.tasks.registry" in loaded
    assert not [name for name in loaded if name.startswith("accord.learning") or name.endswith((".task", ".training"))]


@pytest.mark.parametrize("name", [row.name for row in registry.rows()])
def test_reference_pages_are_up_to_date(name: str) -> None:
    """Write them again by ``python -m accord.app.reference docs/reference``."""
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == reference_page(registry.task(name))
