# SPDX-License-Identifier: Apache-2.0
"""``accord models``: the models that ``--model`` knows by name, and packages of new ones."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from accord.errors import ConfigError
from accord.models import model_path, packaged_models
from accord.models.file import read_header
from accord.models.installed import GROUP, SEPARATE, installed_models, missing_models, package_of

_NAME = re.compile(r"[a-z][a-z0-9_]*(-[a-z0-9_]+)*")


def models(
    pack: Annotated[
        Path | None,
        typer.Option("--pack", help="Instead: make a Python package of this model file.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the packed model, e.g. pt.")] = "",
    to: Annotated[Path, typer.Option("--to", "-o", help="Folder of the packed model.")] = Path(),
    version: Annotated[str, typer.Option("--version", help="Version of the packed model.")] = "1.0.0",
) -> None:
    """List the models that can be loaded by name, or make a package of a model file.

    Example: accord models --pack portuguese.accord --name pt --to accord-models-pt
    """
    if pack is not None:
        write_package(model_path(str(pack)), name, to, version)
        return
    table = Table(box=None, pad_edge=False)
    for column in ("name", "kind", "language", "size", "package"):
        table.add_column(column)
    present = {**installed_models(), **dict.fromkeys(packaged_models(), "accord")}
    for known, package in sorted(present.items(), key=lambda item: (item[1] != "accord", item)):
        path = model_path(known)
        header = read_header(path)
        language = str(header.get("card", {}).get("language", ""))
        table.add_row(known, str(header.get("kind")), language, f"{path.stat().st_size / 1e6:.1f} MB", package)
    for known in missing_models(present):
        table.add_row(known, "not installed", "", "", package_of(known))
    Console(highlight=False).print(table)


def write_package(file: Path, name: str, folder: Path, version: str) -> None:
    """Write the sources of a package ``accord-models-NAME`` that brings a model file."""
    if not _NAME.fullmatch(name):
        raise ConfigError(f"--name {name!r}: expected small letters, e.g. pt")
    if name in packaged_models() and name not in SEPARATE:
        raise ConfigError(f"--name {name!r}: there is a packaged model of this name")
    module = package_of(name).replace("-", "_")
    card = read_header(file).get("card", {})
    (folder / module).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / module / f"{name}.accord")
    path = f'PATH = Path(__file__).with_name("{name}.accord")'
    source = f'"""The model {name} of Accord."""\n\nfrom pathlib import Path\n\n{path}\n'
    (folder / module / "__init__.py").write_text(source, encoding="utf-8")
    lines = [
        "[build-system]",
        'requires = ["setuptools>=68"]',
        'build-backend = "setuptools.build_meta"',
        "",
        "[project]",
        f'name = "{package_of(name)}"',
        f'version = "{version}"',
        f'description = "The model {name} of Accord: {_plain(card.get("language", "a trained model"))}"',
        f'license = {{text = "{_plain(card.get("licence", "see the card of the model"))}"}}',
        'dependencies = ["accord"]',
        "",
        f'[project.entry-points."{GROUP}"]',
        f'{name} = "{module}:PATH"',
        "",
        "[tool.setuptools.package-data]",
        f'{module} = ["*.accord"]',
    ]
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _plain(text: object) -> str:
    return re.sub(r'["\\\n]', " ", str(text))
