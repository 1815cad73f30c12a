# SPDX-License-Identifier: Apache-2.0
"""Model files, and the models inside the package."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from accord.errors import ModelError

__all__ = ["model_path", "packaged_models"]

_SUFFIX = ".accord"


def packaged_models() -> list[str]:
    """Names of the models inside the package."""
    folder = resources.files("accord.models")
    return sorted(entry.name[: -len(_SUFFIX)] for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))


def model_path(name: str | Path) -> Path:
    """The file of a packaged name (``en``) or of a path."""
    packaged = Path(str(resources.files("accord.models") / f"{name}{_SUFFIX}"))
    if isinstance(name, str) and "/" not in name and packaged.is_file():
        return packaged
    if not Path(name).is_file():
        known = ", ".join(packaged_models()) or "none"
        raise ModelError(f"{name}: no such model file, and not one of the packaged models ({known})")
    return Path(name)
