# SPDX-License-Identifier: Apache-2.0
"""From sentences to drawings: which columns of a sentence are drawn, and how confidences are found."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import Literal

from accord.data import Sentence
from accord.data.word import misc_value
from accord.drawing.html import draw_html
from accord.drawing.svg import draw_svg
from accord.drawing.text import draw_text
from accord.drawing.tree import DrawnTree

Layer = Literal["both", "dependencies", "constituents"]


def _confidences(sentence: Sentence) -> list[float | None] | None:
    """``ArcConf`` of each word's MISC, where the parser was asked for probabilities."""
    values: list[float | None] = []
    for word in sentence.words:
        written = misc_value(word.misc, "ArcConf")
        try:
            values.append(None if written is None else float(written))
        except ValueError:
            values.append(None)
    return values if any(value is not None for value in values) else None


def tree_of(sentence: Sentence, layer: Layer = "both") -> DrawnTree:
    """What is drawn of a sentence: dependencies, constituents, or those of the two that it has."""
    words = sentence.words
    tags = [word.upos if word.upos != "_" else word.xpos for word in words]
    return DrawnTree(
        forms=sentence.forms,
        heads=[None] * len(words) if layer == "constituents" else sentence.heads,
        labels=["" if word.deprel == "_" else word.deprel for word in words],
        tags=tags if any(tag != "_" for tag in tags) else None,
        confidences=_confidences(sentence),
        constituents=sentence.constituents if layer != "dependencies" else None,
    )


def draw_sentence(
    sentence: Sentence, kind: str, *, width: int | None = None, ascii: bool = False, layer: Layer = "both"
) -> str:
    """One sentence as ``text`` or ``svg``; ``width``: columns of the text, by default those of the terminal."""
    if kind == "svg":
        return draw_svg(tree_of(sentence, layer))
    if width is None:
        width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
    return draw_text(tree_of(sentence, layer), width=width, unicode=not ascii)


def draw_page(sentences: Iterable[Sentence], title: str, layer: Layer = "both") -> str:
    """All sentences as one HTML page."""
    return draw_html((tree_of(sentence, layer) for sentence in sentences), title=title)
