# SPDX-License-Identifier: Apache-2.0
"""Figures of matplotlib, the extra ``plot``: made where they are asked for, written whole or not at all.

Matplotlib is loaded only then. The same figure always gives the same bytes: no date and no random names inside.
"""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path
from typing import Any

from accord.data import open_output
from accord.errors import ConfigError

_DATES = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}  # by suffix: what would be a date


def new_figure(width: float, height: float) -> Any:
    """An empty figure of so many inches; ConfigError when matplotlib is missing."""
    try:
        return import_module("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    except ImportError:
        raise ConfigError("plots need matplotlib: install accord[plot]") from None


def check_figure_path(path: str | Path) -> None:
    """Raise ConfigError unless a figure can be made and written under this name: a check before long work."""
    _suffix(path)
    new_figure(1, 1)


def write_figure(figure: Any, path: str | Path) -> None:
    """Write in the format of the suffix: .svg, .png or .pdf."""
    suffix = _suffix(path)
    picture = io.BytesIO()
    with import_module("matplotlib").rc_context({"svg.hashsalt": "accord"}):
        figure.savefig(picture, format=suffix[1:], metadata=_DATES[suffix])
    with open_output(path) as file:
        file.write(picture.getvalue())


def _suffix(path: str | Path) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in _DATES:
        raise ConfigError(f"{path}: a figure is written to a file that ends in {', '.join(_DATES)}")
    return suffix
