# SPDX-License-Identifier: Apache-2.0
"""Settings as dataclasses: one place for defaults, types, ranges and the meaning of each field.

A field is declared with :func:`setting`; values come from TOML files and ``key=value`` pairs and are checked against
the declaration, so that a misspelt name or a value outside its range is one clear :class:`~accord.errors.ConfigError`.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from accord.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

S = TypeVar("S")

LARGEST = 2**31 - 1  # of a whole number whose declaration does not say what it may be at most
LARGEST_FLOAT = 1e12  # the same of other numbers, unless their default is infinite
_NUMBERS = {int: numbers.Integral, float: numbers.Real}
_SHOWN = 60  # characters of a value in a message


def setting(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """A dataclass field that knows what it means and what it may be."""
    metadata = {"help": help, "choices": choices, "low": low, "high": high}
    return dataclasses.field(default=default, metadata=metadata)


def new_default(kind: type[Any], name: str, default: Any) -> Any:
    """A setting of another class, with another default: what a class of settings that is made from it changes."""
    return dataclasses.field(default=default, metadata=_fields(kind)[name].metadata)


def group(kind: type[Any], help: str) -> Any:
    """A field that is a settings class of its own; its settings are named ``field.name``."""
    return dataclasses.field(default_factory=kind, metadata={"help": help, "group": kind})


def _fields(kind: type[S]) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]


def _convert(field: dataclasses.Field[Any], value: Any, name: str) -> Any:
    """The value in the type of the field's default, from TOML or from text."""
    wanted: type[Any] = type(field.default)
    if isinstance(value, str) and wanted is not str:
        text = value.strip()
        try:
            if wanted is bool:
                return {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}[text.lower()]
            return wanted(text)
        except (KeyError, ValueError):
            raise ConfigError(f"{name} = {_shown(value)}: expected {wanted.__name__}") from None
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise ConfigError(f"{name} = {_shown(value)}: expected a number that is not as large") from None
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise ConfigError(f"{name} = {_shown(value)}: expected {wanted.__name__}")
    return value


def _shown(value: Any) -> str:
    """A value as messages show it: the beginning of a long one."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _check(field: dataclasses.Field[Any], value: Any, name: str) -> None:
    choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
    if choices is not None and value not in choices:
        raise ConfigError(f"{name} = {_shown(value)}: expected one of {', '.join(choices)}")
    if field.default != math.inf:
        most = LARGEST if isinstance(value, int) else LARGEST_FLOAT if isinstance(value, float) else None
        high = most if high is None else high
        low = -most if low is None and most is not None else low
    if (low is not None and value < low) or (high is not None and value > high) or value != value:
        raise ConfigError(f"{name} = {_shown(value)}: expected a value in [{low}, {'...' if high is None else high}]")


def check_settings(settings: Any) -> None:
    """Raise unless every value of a settings object is one that its declaration allows.

    None is none and passes, but not in the place of a number.
    """
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if "group" not in field.metadata and (value is not None or type(field.default) in _NUMBERS):
            _check_type(field, value)
            _check(field, value, field.name)


def _check_type(field: dataclasses.Field[Any], value: Any) -> None:
    """Raise where a number is something else, or a text stands for yes or no. Those of numpy are numbers too."""
    wanted = _NUMBERS.get(type(field.default))
    text = isinstance(value, str) and isinstance(field.default, bool)
    if text or (wanted is not None and not isinstance(value, wanted)):
        raise ConfigError(f"{field.name} = {_shown(value)}: expected {type(field.default).__name__}")


def make_settings(kind: type[S], values: Mapping[str, Any]) -> S:
    """An instance of a settings class from plain values, checked.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Oven:
    ...     heat: float = setting(180.0, "degrees", low=0)
    >>> make_settings(Oven, {"heat": "200"})
    Oven(heat=200.0)
    """
    return _make_settings(kind, values, "")


def _make_settings(kind: type[S], values: Mapping[str, Any], prefix: str) -> S:
    """The same of a group whose settings are named ``prefix`` and what stands in ``values``."""
    fields = _fields(kind)
    checked: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        head, dot, rest = name.partition(".")
        if head in fields and "group" in fields[head].metadata and (dot or isinstance(value, Mapping)):
            groups.setdefault(head, {}).update({rest: value} if dot else value)
            continue
        if name not in fields or "group" in fields[name].metadata:
            names = [prefix + known for known in _names(fields)]
            near = get_close_matches(prefix + name, names, 1)
            meant = f", perhaps {near[0]!r}" if near else ""
            raise ConfigError(f"unknown setting {prefix + name!r}{meant}; there are: {', '.join(names)}")
        checked[name] = _convert(fields[name], value, prefix + name)
        _check(fields[name], checked[name], prefix + name)
    for name, own in groups.items():
        checked[name] = _make_settings(fields[name].metadata["group"], own, f"{prefix}{name}.")
    return kind(**checked)


def _names(fields: Mapping[str, dataclasses.Field[Any]]) -> list[str]:
    return sorted(f"{name}.*" if "group" in field.metadata else name for name, field in fields.items())


def read_settings(kind: type[S], file: Path | None, pairs: Iterable[str] = ()) -> S:
    """Settings from a TOML file, overridden by ``key=value`` pairs."""
    return make_settings(kind, read_table(file, pairs))


def read_table(file: Path | None, pairs: Iterable[str] = ()) -> dict[str, Any]:
    """The values of a TOML file, overridden by ``key=value`` pairs, not yet checked."""
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values.update(tomllib.loads(file.read_text(encoding="utf-8")))
        except OSError as error:
            raise ConfigError(f"{file}: {error.strerror}") from None
        except (
            ValueError,
            RecursionError,
        ) as error:  # no TOML or UTF-8, too many digits, too deep
            raise ConfigError(f"{file}: {error}") from None
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"{pair!r}: expected key=value")
        values[name.strip()] = value
    return values


def setting_texts(kind: type[Any], prefix: str = "") -> dict[str, str]:
    """What each setting of a class means, by its full name."""
    texts: dict[str, str] = {}
    for name, field in _fields(kind).items():
        if "group" in field.metadata:
            texts.update(setting_texts(field.metadata["group"], f"{prefix}{name}."))
        elif "help" in field.metadata:
            texts[prefix + name] = field.metadata["help"]
    return texts


def to_toml(settings: Any) -> str:
    """A complete, commented TOML file of the settings."""
    lines, groups = [], []
    for name, field in _fields(type(settings)).items():
        value = getattr(settings, name)
        if "group" in field.metadata:
            groups.append(f"# {field.metadata['help']}\n[{name}]\n{to_toml(value)}")
            continue
        text = str(value).lower() if isinstance(value, bool) else repr(value)
        if isinstance(value, str):
            text = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        lines.append(f"# {field.metadata['help']}\n{name} = {text}\n")
    return "\n".join([*lines, *groups])
