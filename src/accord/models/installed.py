# SPDX-License-Identifier: Apache-2.0
"""Models that other packages bring: ``accord-models-pt`` makes ``accord.load("pt")`` work.

Such a package has an entry point of the group ``accord.models``, whose name is the name of the model and whose object
is the path of the file, or a function that gives it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from accord.errors import ModelError

GROUP = "accord.models"

# Models of this project that a wheel leaves to packages of their own, so that it stays small. A build from the sources
# has them all.
SEPARATE = ("en-phrases", "es", "fr", "it", "ja", "nl", "pt", "sv")


def package_of(name: str) -> str:
    """The package that brings a model."""
    return f"accord-models-{name}"


def missing_models(present: Iterable[str]) -> list[str]:
    """Models of this project that are not here."""
    return sorted(set(SEPARATE) - set(present))


def installed_models() -> dict[str, str]:
    """Names of models and the packages that bring them, sorted."""
    found = {point.name: point.dist.name if point.dist else "" for point in entry_points(group=GROUP)}
    return dict(sorted(found.items()))


def installed_model(name: str) -> Path | None:
    """The file of a name; None if no package has it. A package whose model cannot be found raises ModelError."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _file_of(point)
    return None


def _file_of(point: EntryPoint) -> Path:
    try:
        given = point.load()
        path = Path(given() if callable(given) else given)
    except Exception as error:  # code of another package
        raise ModelError(f"{point.name}: the package of this model does not work ({error})") from None
    if not path.is_file():
        raise ModelError(f"{point.name}: the package of this model has no file {path.name}")
    return path
