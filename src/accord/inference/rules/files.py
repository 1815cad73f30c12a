# SPDX-License-Identifier: Apache-2.0
"""Rule files: TOML with a list of texts, tables, or both.

.. code-block:: toml

    rules = ["at-most-one nsubj", "max-dependents 0 of PUNCT @ 2"]

    [[rule]]
    kind = "agreement"
    label = ["nsubj", "csubj"]
    head_not = "PUNCT"
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from accord.errors import ConfigError, FormatError
from accord.inference.rules.rule import Rule
from accord.inference.rules.text import parse_rule, rule_from_table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*rule[ \t]*\]\]", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*rules[ \t]*=", re.MULTILINE)
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def read_rules(file: str | Path) -> tuple[Rule, ...]:
    """The rules of a TOML file, in its order: the list first, then the tables.

    A mistake is a :class:`~accord.errors.FormatError` with the file, the line and the reason.
    """
    return rules_from_toml(text_of_rules(file), name=str(Path(file)))


def text_of_rules(file: str | Path) -> str:
    """The text of a file of rules; a file that cannot be read is a mistake with one line."""
    path = Path(file)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: {error.reason}", file=str(path)) from None


def rules_from_toml(text: str, *, name: str | None = None) -> tuple[Rule, ...]:
    """The rules of a TOML text; ``name`` is what errors call it.

    >>> [str(rule) for rule in rules_from_toml('rules = ["no-crossing", "forbid 1->2 @ 0.5"]')]
    ['no-crossing', 'forbid 1 -> 2 @ 0.5']
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, name) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, or deep nesting
        raise FormatError(str(error), file=name) from None
    for key in content:
        if key not in ("rules", "rule"):
            raise FormatError(f"unknown key {key!r}; a rule file has rules = [...] and [[rule]]", file=name)
    return (*_listed(content.get("rules", []), text, name), *_tabled(content.get("rule", []), text, name))


def _listed(texts: Any, text: str, name: str | None) -> list[Rule]:
    start = found.end() if (found := _LIST.search(text)) else 0
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise FormatError("rules must be a list of texts", file=name, line=_line(text, start))
    rules = []
    for item in texts:
        # Best effort: a text written with escapes is not found as it reads, and the place before it is named.
        start = max(start, text.find(item, start))
        try:
            rules.append(parse_rule(item))
        except ConfigError as error:
            raise FormatError(str(error), file=name, line=_line(text, start)) from None
        start += len(item) if text.startswith(item, start) else 0
    return rules


def _tabled(tables: Any, text: str, name: str | None) -> list[Rule]:
    if not isinstance(tables, list) or not all(isinstance(item, dict) for item in tables):
        raise FormatError("rule must be an array of tables: [[rule]]", file=name)
    places = [found.start() for found in _TABLE.finditer(text)]
    rules = []
    for index, table in enumerate(tables):
        try:
            rules.append(rule_from_table(table))
        except ConfigError as error:
            line = _line(text, places[index]) if index < len(places) else None
            raise FormatError(str(error), file=name, line=line) from None
    return rules


def _syntax_error(message: str, text: str, name: str | None) -> FormatError:
    place = _PLACE.search(message)
    if place is None:
        return FormatError(message, file=name)
    line = int(place[1]) if place[1] else _line(text, len(text))
    return FormatError(_PLACE.sub("", message), file=name, line=line)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
