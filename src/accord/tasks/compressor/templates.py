# SPDX-License-Identifier: Apache-2.0
"""Templates of compressors, compiled: from the words of a sentence to the keys of the features of all parts at once.

The key of a feature is a sum: each unit of a template gives its anchor's word a number, and a part adds the numbers of
its words. So the keys of all n² pairs of words cost one addition for each pair and template, on whole arrays. A key is
cut to an index of a weight table. Salts are odd numbers drawn from the text of the template and the number of the
unit, so that a file of templates gives the same keys everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.tasks.compressor.analysis import ATTRIBUTES, PAIR_ATTRIBUTES, Analysis, number_of

Keys = NDArray[np.uint64]
Places = NDArray[np.intp]

REACH = 2  # how far from an anchor a unit may look
ANCHORS = {"word": ("here",), "bigram": ("left", "right"), "arc": ("head", "dependent"), "status": ("here",)}
_BETWEEN = "between"


@dataclass(frozen=True)
class _Unit:
    anchor: str  # an anchor of the section, "between", or "" for a unit of the whole part
    offset: int
    attribute: str


@dataclass(frozen=True)
class Section:
    """The templates of one kind of part, as arrays for all units.

    ``words``: for each anchor (and for the words between) which rows of atoms, shifted how far, times which salt, are
    added to which template. ``pairs``: salts of units of the whole part, templates × attributes.
    """

    name: str
    templates: tuple[str, ...]
    bag: tuple[str, ...]  # templates with a word between
    _words: Mapping[str, tuple[Places, Places, Keys, Places]]
    _bag_words: Mapping[str, tuple[Places, Places, Keys, Places]]
    pairs: Keys
    bag_pairs: Keys
    salts: Keys
    bag_salts: Keys

    def anchor_keys(self, atoms: Keys, anchor: str, *, bag: bool = False) -> Keys:
        """What the words 0..n+1 add to each template when they stand at an anchor: templates × (n + 2)."""
        rows, offsets, salts, owners = (self._bag_words if bag else self._words)[anchor]
        count = len(self.bag if bag else self.templates)
        length = atoms.shape[1] - 2 * REACH
        found = np.zeros((count, length), np.uint64)
        if len(rows):
            places = REACH + offsets[:, None] + np.arange(length)
            np.add.at(found, owners, atoms[rows[:, None], places] * salts[:, None])
        return found


@dataclass(frozen=True)
class Templates:
    """The templates of a text, section by section."""

    sections: Mapping[str, Section]

    def __getitem__(self, name: str) -> Section:
        return self.sections[name]


@cache
def compile_templates(text: str) -> Templates:
    """The templates of a text; a mistake raises ConfigError with its line."""
    found: dict[str, list[tuple[str, list[_Unit]]]] = {name: [] for name in ANCHORS}
    section = ""
    conjoined = [""]
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            section, conjoined = line[1:-1], [""]
            if section not in ANCHORS:
                raise ConfigError(f"line {number}: unknown section [{section}]; known: {', '.join(ANCHORS)}")
        elif not section:
            raise ConfigError(f"line {number}: a template before the first section")
        elif line.startswith("with:"):
            conjoined = [part.strip().removeprefix("-").strip() for part in line[5:].split(";")]
        else:
            for more in conjoined:
                whole = f"{line} {more}".strip()
                found[section].append((whole, [_unit(one, section, number) for one in whole.split()]))
    return Templates({name: _section(name, each) for name, each in found.items()})


def _unit(text: str, section: str, number: int) -> _Unit:
    anchor, dot, attribute = text.partition(".")
    if not dot:
        if text != "bias" and (ANCHORS[section] == ("here",) or text not in PAIR_ATTRIBUTES):
            raise ConfigError(f"line {number}: unknown unit {text!r}")
        return _Unit("", 0, text)
    name, offset = anchor, 0
    for sign in "+-":
        if sign in anchor:
            name, _, shift = anchor.partition(sign)
            if shift not in ("1", "2"):
                raise ConfigError(f"line {number}: {text!r}: an offset is 1 or 2")
            offset = int(sign + shift)
    known = (*ANCHORS[section], *((_BETWEEN,) if ANCHORS[section] != ("here",) else ()))
    if name not in known:
        raise ConfigError(f"line {number}: unknown anchor {name!r}; known: {', '.join(known)}")
    if attribute not in ATTRIBUTES:
        raise ConfigError(f"line {number}: unknown attribute {attribute!r}")
    return _Unit(name, offset, attribute)


def _section(name: str, templates: Sequence[tuple[str, list[_Unit]]]) -> Section:
    plain = [(text, units) for text, units in templates if not any(unit.anchor == _BETWEEN for unit in units)]
    bag = [(text, units) for text, units in templates if any(unit.anchor == _BETWEEN for unit in units)]
    return Section(
        name,
        tuple(text for text, _ in plain),
        tuple(text for text, _ in bag),
        {anchor: _anchored(plain, anchor) for anchor in ANCHORS[name]},
        {anchor: _anchored(bag, anchor) for anchor in (*ANCHORS[name], _BETWEEN)},
        _pair_salts(plain),
        _pair_salts(bag),
        np.array([number_of(f"template {text}") for text, _ in plain], np.uint64),
        np.array([number_of(f"template {text}") for text, _ in bag], np.uint64),
    )


def _salt(text: str, position: int) -> int:
    return number_of(f"unit {position} of {text}") | 1


def _anchored(templates: Sequence[tuple[str, list[_Unit]]], anchor: str) -> tuple[Places, Places, Keys, Places]:
    units = [
        (ATTRIBUTES.index(unit.attribute), unit.offset, _salt(text, position), owner)
        for owner, (text, found) in enumerate(templates)
        for position, unit in enumerate(found)
        if unit.anchor == anchor
    ]
    rows, offsets, salts, owners = zip(*units, strict=True) if units else ((), (), (), ())
    return np.array(rows, np.intp), np.array(offsets, np.intp), np.array(salts, np.uint64), np.array(owners, np.intp)


def _pair_salts(templates: Sequence[tuple[str, list[_Unit]]]) -> Keys:
    salts = np.zeros((len(templates), len(PAIR_ATTRIBUTES)), np.uint64)
    for owner, (text, units) in enumerate(templates):
        for position, unit in enumerate(units):
            if unit.anchor == "" and unit.attribute != "bias":
                salts[owner, PAIR_ATTRIBUTES.index(unit.attribute)] = _salt(text, position)
    return salts


def atoms_of(analysis: Analysis) -> Keys:
    """The numbers of all attributes of all words: attributes × (n + 2 and what lies around)."""
    columns = analysis.attributes()
    pad = REACH + 1  # the artificial words 0 and n + 1, and what lies beyond them
    rows = [
        [f"<{k}>" for k in range(pad)] + list(columns[name]) + [f"</{k}>" for k in range(pad)] for name in ATTRIBUTES
    ]
    return np.array([[number_of(value) for value in row] for row in rows], np.uint64)
