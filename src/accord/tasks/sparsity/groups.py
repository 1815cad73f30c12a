# SPDX-License-Identifier: Apache-2.0
"""Groups of templates: single ones, kinds of them, and orders from coarse to fine.

A template is a list of units such as ``here-1.upos``: a place and an attribute of the word there. Template *a* is
coarser than template *b* when *b* has a unit at each place of *a* that says at least as much: nothing, then the part of
speech, then the word. A coarse-to-fine group is a template with all finer ones, so that a fine template stays only
where all coarser ones do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

WORD_ATTRIBUTES = ("lower", "lemma", "upos", "xpos", "shape", "type", "length", "prefix", "suffix", "cluster")
_SIZED = re.compile(r"(prefix|suffix|cluster)(\d+)")


class Cell(NamedTuple):
    """A template of a trainer: its section, its units in order, and whether it looks at no word."""

    section: str
    text: str
    constant: bool


def _units(template: str) -> list[tuple[str, str]]:
    """The place and the attribute of each unit; a relation such as ``distance`` is a place of its own."""
    pairs = (unit.partition(".") for unit in template.split())
    return [(place, attribute) for place, _, attribute in pairs]


def _says_more(attribute: str, coarse: str) -> bool:
    """Whether an attribute of a word determines a coarser one, or stands below it in the usual order."""
    if attribute == coarse:
        return True
    if attribute == "form":
        return coarse.rstrip("0123456789") in WORD_ATTRIBUTES
    if attribute in ("lower", "lemma", "xpos"):
        return coarse == "upos" or (attribute == "lower" and coarse == "lemma")
    fine_size, coarse_size = _SIZED.fullmatch(attribute), _SIZED.fullmatch(coarse)
    if fine_size and coarse_size and fine_size[1] == coarse_size[1]:
        return int(fine_size[2]) > int(coarse_size[2])
    return False


def finer(template: str, coarse: str) -> bool:
    """Whether a template is at least as fine as another one.

    >>> finer("here.form here-1.upos", "here.upos")
    True
    >>> finer("here.upos", "here.form")
    False
    """
    units = _units(template)
    return all(
        any(place == other and _says_more(attribute, wanted) for other, attribute in units)
        for place, wanted in _units(coarse)
    )


def cell_groups(cells: Sequence[Cell], kind: str) -> list[list[int]]:
    """The groups of a kind, as numbers of cells; cells that look at no word are in none.

    The first groups stand for the templates, in order; groups that hold several kinds of templates follow.
    """
    free = [number for number, cell in enumerate(cells) if not cell.constant]
    if kind == "templates":
        return [[number] for number in free]
    if kind == "kinds":
        kinds: dict[tuple[str, ...], list[int]] = {}
        for number in free:
            attributes = {attribute for _, attribute in _units(cells[number].text) if attribute}
            kinds.setdefault((cells[number].section, *sorted(attributes)), []).append(number)
        return [[number] for number in free] + [members for members in kinds.values() if len(members) > 1]
    if kind == "coarse_to_fine":
        return [
            [
                fine
                for fine in free
                if cells[fine].section == cells[coarse].section and finer(cells[fine].text, cells[coarse].text)
            ]
            for coarse in free
        ]
    return []
