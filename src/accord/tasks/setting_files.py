"""Texts that settings name: feature templates inside the package or of a file, clusters, costs."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

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
    return "\n".join(_read_templates(package, name) for name in names)


def _read_templates(package: str, name: str) -> str:
    packaged = resources.files(package) / f"{name}.txt"
    if "/" not in name and packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"templates = {name!r}: neither a packaged set nor a readable file ({reason})") from None
