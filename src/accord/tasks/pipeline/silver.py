# SPDX-License-Identifier: Apache-2.0
"""Text that networks have annotated, as training data of another network: with other typography, and mended lemmas.

Large networks read ordinary text best. A smaller one is to read texts in capitals, headlines and curly quotes too, so
a share of the sentences is written in another way after it was annotated: the trees are those of the ordinary text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord.data import Document
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError

EMOJI = "😀😂😊😍👍🎉😢😉🙏🔥"
CURLY = {"'": "’", '"': "”", "``": "“", "''": "”"}
DASHES = {"--": ("—", "–"), "-": ("–", "—")}
HYPHEN = "HYPH"  # the XPOS of a hyphen inside of a word
Lemmas = Mapping[tuple[str, str], tuple[str, ...]]  # by lower-cased form and UPOS
Row = list[str]  # form, lemma, UPOS, XPOS, FEATS, head, label


@dataclass(frozen=True)
class Variation:
    """Shares of the sentences that are written in another way; ``curly`` is one of the sentences with such marks."""

    capitals: float = 0.015
    headline: float = 0.015
    lower: float = 0.02
    curly: float = 0.25
    emoji: float = 0.005


def read_lemmas(path: str | Path) -> Lemmas:
    """A list of lemmas: form, UPOS and its lemmas, with tabs between; the first lemma is the usual one."""
    if not Path(path).is_file():
        raise ConfigError(f"{path}: there is no such file")
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    with open_input(path) as source:
        for number, line in enumerate(source, 1):
            try:
                form, upos, *lemmas = line.decode().rstrip("\r\n").split("\t")
            except (UnicodeDecodeError, ValueError):
                form, upos, lemmas = "", "", []
            if not form or not upos or not lemmas or not all(lemmas):
                raise FormatError(
                    "expected a form, its UPOS and its lemmas, with tabs between", file=str(path), line=number
                )
            key = (form.lower(), upos)
            found[key] = (*found.get(key, ()), *lemmas)
    return found


def _capitals(rows: list[Row]) -> None:
    for row in rows:
        row[0] = row[0].upper()


def _headline(rows: list[Row]) -> None:
    """Every longer word begins with a capital, and the stop at the end goes."""
    for row in rows:
        if len(row[0]) > 3 and row[0].islower():
            row[0] = row[0].capitalize()
    last = len(rows)
    if last > 3 and rows[-1][0] == "." and not any(row[5] == str(last) for row in rows):
        rows.pop()


def _lower(rows: list[Row]) -> None:
    for row in rows:
        row[0] = row[0].lower()


def _curly(rows: list[Row], draw: np.random.Generator) -> None:
    opened = False
    for row in rows:
        form = row[0]
        if form == '"':
            row[0] = "”" if opened else "“"
            row[1] = row[0] if row[1] == form else row[1]
            opened = not opened
        elif form in CURLY:
            row[0] = CURLY[form]
        elif form in DASHES and row[3] != HYPHEN:
            row[0] = DASHES[form][int(draw.random() < 0.3)]
        elif "'" in form:
            row[0] = form.replace("'", "’")
        else:
            continue
        if row[1] == form:
            row[1] = row[0]


def _emoji(rows: list[Row], draw: np.random.Generator) -> None:
    root = next((place for place, row in enumerate(rows, 1) if row[5] == "0"), 1)
    form = EMOJI[int(draw.integers(len(EMOJI)))]
    rows.append([form, form, "SYM", "NFP", "_", str(root), "discourse"])


def _varied(rows: list[Row], variation: Variation, draw: np.random.Generator) -> None:
    if any(row[0] in CURLY or row[0] in DASHES or "'" in row[0] for row in rows) and draw.random() < variation.curly:
        _curly(rows, draw)
    if draw.random() < variation.emoji:
        _emoji(rows, draw)
    chance = draw.random()
    for share, change in ((variation.capitals, _capitals), (variation.headline, _headline), (variation.lower, _lower)):
        if chance < share:
            change(rows)
            return
        chance -= share


def _mended(row: Row, lemmas: Lemmas) -> None:
    """The lemma of a list where the one that was found is none of those that the list has."""
    known = lemmas.get((row[0].lower(), row[2]))
    if known and row[1] not in known:
        row[1] = known[0]


def _sentences(document: Document) -> Iterator[list[Row]]:
    names = ("form", "lemma", "upos", "xpos", "feats")
    columns = [document.column(name) for name in names]
    rows = zip(*columns, map(str, document.heads.tolist()), document.column("deprel"), strict=True)
    for length in document.lengths.tolist():
        yield [list(next(rows)) for _ in range(length)]


def vary(document: Document, variation: Variation | None = None, lemmas: Lemmas | None = None, seed: int = 1) -> str:
    """CoNLL-U of an annotated document, a part of it in another typography, with lemmas mended by a list."""
    draw, lines = np.random.default_rng(seed), []
    for rows in _sentences(document):
        if lemmas:
            for row in rows:
                _mended(row, lemmas)
        if variation is not None:
            _varied(rows, variation, draw)
        for place, (form, lemma, upos, xpos, feats, head, label) in enumerate(rows, 1):
            lines.append(f"{place}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t{label}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"
