# SPDX-License-Identifier: Apache-2.0
"""Texts that settings name: feature templates and patterns inside the package or of a file, clusters, costs."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from accord._core import text as _text
from accord.errors import ConfigError


def read_setting_file(setting: str, file: str) -> str:
    """The text of the file that a setting names; nothing where it names none."""
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{setting} = {file!r}: {getattr(error, 'strerror', None) or error}") from None


def read_template_sets(package: str, names: Iterable[str]) -> str:
    """Templates by their names inside a package or from files, one after the other."""
    return "\n".join(_read_packaged("templates", package, name) for name in names)


def read_patterns(package: str, name: str) -> str:
    """Patterns by their name inside a package or from a file; nothing where there is no name."""
    if not name:
        return ""
    text = _read_packaged("patterns", package, name)
    try:
        if not _text.pattern_names(text):
            raise ConfigError(f"patterns = {name!r}: there are none in it")
    except ValueError as error:
        raise ConfigError(f"patterns = {name!r}: {error}") from None
    return text


def _read_packaged(setting: str, package: str, name: str) -> str:
    packaged = resources.files(package) / f"{name}.txt"
    if "/" not in name and packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{setting} = {name!r}: neither a packaged set nor a readable file ({reason})") from None
