# SPDX-License-Identifier: Apache-2.0
"""Feature templates of candidates: a text that names places of a candidate and what is to be seen there.

A section ``[rule]`` names a kind of place; each line below it is a template: attributes of the place with blanks
between. A feature is the values of a template's attributes at a place, and a candidate has it as often as it has such
a place. A section ``[rule+]`` is the same once more, with labels that name their head where that is a word of a closed
class: ``PP/of``. ``#`` begins a comment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from operator import itemgetter
from typing import Any

from accord.errors import FormatError

LEXICAL = ("rule", "bigram", "trigram", "span")  # places whose labels can name closed-class heads
_KNOWN = 300_000  # places whose features are remembered


def feature_key(text: str) -> int:
    """The number that stands for a feature, the same on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Template:
    """One template: its text, and the places of its attributes among those of its kind of place."""

    name: str
    attributes: tuple[int, ...]


class Templates:
    """The templates of a text for places with these attributes.

    >>> found = Templates("[rule]\\nlabel\\nlabel parent", {"rule": ("label", "parent")})
    >>> len(found.keys("rule", ("NP", "S")))
    2
    """

    def __init__(self, text: str, places: Mapping[str, Sequence[str]], *, file: str = "<templates>") -> None:
        self.text = text
        self._places = places
        self._known: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        self.sections: dict[str, list[Template]] = {}
        self._getters: dict[str, list[tuple[str, itemgetter[Any], bool]]] = {}
        section = ""
        for number, line in enumerate(text.splitlines(), start=1):
            line = line.partition("#")[0].strip()
            if not line:
                continue
            if line.startswith("["):
                section = line.strip("[]").strip()
                if section.removesuffix("+") not in places:
                    known = ", ".join(places)
                    raise FormatError(f"there are no places {section!r}: there are {known}", file=file, line=number)
                if section.endswith("+") and section[:-1] not in LEXICAL:
                    raise FormatError(f"[{section}]: only {', '.join(LEXICAL)} can have +", file=file, line=number)
                self.sections.setdefault(section, [])
                continue
            if not section:
                raise FormatError("a template stands below its [places]", file=file, line=number)
            known_names = tuple(places[section.removesuffix("+")])
            wrong = [name for name in line.split() if name not in known_names]
            if wrong:
                raise FormatError(
                    f"{wrong[0]!r} is nothing that [{section}] has: {', '.join(known_names)}", file=file, line=number
                )
            chosen = tuple(known_names.index(name) for name in line.split())
            self.sections[section].append(Template(f"{section}: {' '.join(line.split())}", chosen))
        if not any(self.sections.values()):
            raise FormatError("there are no templates in it", file=file)
        self._prepare()

    def _prepare(self) -> None:
        for name, found in self.sections.items():
            self._getters[name] = [(one.name, itemgetter(*one.attributes), len(one.attributes) == 1) for one in found]

    def __contains__(self, section: str) -> bool:
        return bool(self.sections.get(section))

    def names(self, section: str, values: tuple[str, ...]) -> list[str]:
        """The features of a place, as text."""
        return [
            f"{name}\t{get(values) if single else chr(9).join(get(values))}"
            for name, get, single in self._getters.get(section, ())
        ]

    def keys(self, section: str, values: tuple[str, ...]) -> list[int]:
        """The features of a place."""
        found = self._known.get((section, values))
        if found is None:
            if len(self._known) > _KNOWN:
                self._known.clear()
            found = self._known[section, values] = [feature_key(name) for name in self.names(section, values)]
        return found


@lru_cache(maxsize=16)
def read_templates(text: str, places: tuple[tuple[str, tuple[str, ...]], ...], file: str) -> Templates:
    """The templates of a text, made once."""
    return Templates(text, dict(places), file=file)
