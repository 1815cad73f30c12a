# SPDX-License-Identifier: Apache-2.0
"""Models of other packages are found by their names, and ``accord models`` lists and packs models."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app
from accord.app.commands.models import write_package
from accord.errors import ConfigError, ModelError
from accord.models import file, model_path, packaged_models
from accord.models.installed import SEPARATE
from tools import wheels


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packed model, installed as pip does it: its module and its entry points in a folder of the path."""
    write_package(model_path("zh"), "xx", tmp_path / "source", "1.0.0")
    site = tmp_path / "site"
    shutil.copytree(tmp_path / "source" / "accord_models_xx", site / "accord_models_xx")
    about = site / "accord_models_xx-1.0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: accord-models-xx\nVersion: 1.0.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[accord.models]\nxx = accord_models_xx:PATH\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "accord_models_xx", raising=False)
    return site


def test_a_model_of_another_package_is_loaded_by_its_name(installed: Path) -> None:
    assert accord.load("xx").tokenize("我爱北京").sentences[0].forms == ("我", "爱", "北京")


def test_the_list_names_models_and_their_packages(installed: Path) -> None:
    listed = CliRunner().invoke(make_app(["models"]), ["models"]).stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["name", *packaged_models(), "xx"]
    assert "accord-models-xx" in listed and "Chinese" in listed


def test_a_package_without_its_file_says_so(installed: Path) -> None:
    (installed / "accord_models_xx" / "xx.accord").unlink()
    with pytest.raises(ModelError, match="xx: the package of this model has no file"):
        accord.load("xx")


def test_a_name_that_nobody_has_is_an_error(installed: Path) -> None:
    known = ", ".join((*packaged_models(), "xx"))
    with pytest.raises(ModelError, match=rf"not one of the packaged models \({known}\)"):
        accord.load("nobody")


def test_a_model_that_the_wheel_leaves_out_names_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("en", "zh"):
        (tmp_path / f"{name}.accord").symlink_to(model_path(name))
    monkeypatch.setattr(file.resources, "files", lambda _package: tmp_path)
    with pytest.raises(
        ModelError, match="en-phrases: this model is not installed; pip install accord-models-en-phrases"
    ):
        accord.load("en-phrases")
    listed = CliRunner().invoke(make_app(["models"]), ["models"]).stdout.splitlines()
    assert [line.split() for line in listed[-len(SEPARATE) :]] == [
        [name, "not", "installed", f"accord-models-{name}"] for name in sorted(SEPARATE)
    ]
    write_package(tmp_path / "zh.accord", "en-phrases", tmp_path / "source", "1.0.0")
    assert (tmp_path / "source" / "accord_models_en_phrases" / "en-phrases.accord").is_file()


def test_wheels_leave_out_what_the_package_knows_to_be_separate() -> None:
    assert wheels.SEPARATE == SEPARATE
    excluded = ";".join(f"accord/models/{name}.*" for name in SEPARATE)
    assert f'"wheel.exclude" = "{excluded}"' in (wheels.ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_model_can_be_packed_by_its_name(tmp_path: Path) -> None:
    words = ["models", "--pack", "sv", "--name", "sv", "--to", str(tmp_path)]
    assert CliRunner().invoke(make_app(words), words).exit_code == 0
    assert (tmp_path / "accord_models_sv" / "sv.accord").read_bytes() == model_path("sv").read_bytes()
    assert 'text = "CC BY-SA 4.0"' in (tmp_path / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "en", "a/b", "A", "a-"])
def test_names_of_packages_are_checked(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--name"):
        write_package(model_path("en"), name, tmp_path, "1")
