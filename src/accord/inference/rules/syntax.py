# SPDX-License-Identifier: Apache-2.0
"""A rule's text form, written once and used to read, to print and to explain it.

``"require {head:number} -> {dependent:number} [{label}]"`` is a sequence of words; braces are fields (a number, or a
name without spaces), brackets may be left out. The form is a regular expression in disguise.

>>> form = Syntax("max-dependents {count:number} [of {of}]")
>>> form.match("max-dependents 3 of VERB")
{'count': 3, 'of': 'VERB'}
>>> form.write({"count": 3, "of": None}), form.usage
('max-dependents 3', 'max-dependents COUNT [of OF]')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

_WORD = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")
_FIELD = re.compile(r"\{(\w+)(:number)?\}")


@dataclass(frozen=True)
class Syntax:
    """The text form of one kind of rule."""

    form: str

    @property
    def kind(self) -> str:
        """The word by which rules of this kind are known: the first, or none where a field comes first."""
        first = self.form.split()[0]
        return "" if _FIELD.search(first) else first

    @property
    def usage(self) -> str:
        """The form as help texts show it."""
        return _FIELD.sub(lambda field: field[1].upper().replace("_", "-"), self.form)

    def match(self, text: str) -> dict[str, int | str] | None:
        """The fields of a text whose words are one space apart; None when it has another form."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        return {
            name: int(value) if name in self._numbers else value
            for name, value in found.groupdict().items()
            if value is not None
        }

    def write(self, fields: Mapping[str, object]) -> str:
        """The text of these fields; brackets around a field that is None are left out."""
        words = []
        for word in _WORD.findall(self.form):
            if word.startswith("[") and any(fields[name] is None for name, _ in _FIELD.findall(word)):
                continue
            words.append(_FIELD.sub(lambda field: str(fields[field[1]]), word.strip("[]")))
        return " ".join(words)

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(name for name, number in _FIELD.findall(self.form) if number)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = []
        for position, word in enumerate(_WORD.findall(self.form)):
            space = " " if position > 0 else ""
            inside = space + _expression(word.strip("[]"))
            pieces.append(f"(?:{inside})?" if word.startswith("[") else inside)
        return re.compile("".join(pieces))


def _expression(text: str) -> str:
    """A piece of the form as a regular expression: fields are groups, the rest stands for itself."""
    pieces = []
    end = 0
    for field in _FIELD.finditer(text):
        kind = r"\d{1,18}" if field[2] else r"\S+"
        pieces += [re.escape(text[end : field.start()]), f"(?P<{field[1]}>{kind})"]
        end = field.end()
    return "".join([*pieces, re.escape(text[end:])])
