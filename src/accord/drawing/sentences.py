# SPDX-License-Identifier: Apache-2.0
"""From sentences to drawings: which columns of a sentence are drawn, and how confidences are found."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Literal

from accord.data import Sentence
from accord.data.word import Range, Word, enhanced_arcs, misc_value
from accord.drawing.html import draw_html, draw_notebook
from accord.drawing.style import Look
from accord.drawing.svg import draw_svg
from accord.drawing.text import draw_text
from accord.drawing.tree import DrawnTree
from accord.errors import AccordError, ConfigError, FormatError, described

KINDS = ("text", "svg")
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


def tree_of(
    sentence: Sentence, layer: Layer = "both", *, gold: Sentence | None = None, enhanced: bool = False
) -> DrawnTree:
    """What is drawn of a sentence: dependencies, constituents, or those of the two that it has.

    ``gold``: the same words with another tree, drawn beside the first. ``enhanced``: with the enhanced graph.
    """
    if enhanced:
        return _enhanced_tree(sentence)
    words = sentence.words
    tags = [word.upos if word.upos != "_" else word.xpos for word in words]
    if gold is not None and gold.forms != sentence.forms:
        raise FormatError(f"the words of gold differ from {sentence.text!r}", line=sentence.line)
    return DrawnTree(
        forms=sentence.forms,
        heads=[None] * len(words) if layer == "constituents" else sentence.heads,
        labels=["" if word.deprel == "_" else word.deprel for word in words],
        tags=tags if any(tag != "_" for tag in tags) else None,
        confidences=_confidences(sentence),
        gold_heads=None if gold is None else gold.heads,
        gold_labels=None if gold is None else ["" if word.deprel == "_" else word.deprel for word in gold.words],
        caption=sentence.text,
        tokens=[(one.first, one.last, one.form) for one in sentence.ranges],
        constituents=sentence.constituents if layer != "dependencies" and gold is None else None,
    )


def _enhanced_tree(sentence: Sentence) -> DrawnTree:
    """The tree with empty nodes among the words, and the arcs of DEPS that are not in it below."""
    rows = [row for row in sentence.rows() if not isinstance(row, Range)]
    place = {str(row.id): number for number, row in enumerate(rows, 1)}
    heads = [place.get(str(row.head), 0) if isinstance(row, Word) and row.head is not None else None for row in rows]
    more = []
    for number, row in enumerate(rows, 1):
        for head, label in enhanced_arcs(row.deps):
            above = place.get(head, 0)
            if not (isinstance(row, Word) and heads[number - 1] == above and row.deprel == label):
                more.append((above, number, label))
    tags = [row.upos if row.upos != "_" else row.xpos for row in rows]
    return DrawnTree(
        forms=[row.form for row in rows],
        heads=heads,
        labels=["" if row.deprel == "_" else row.deprel for row in rows],
        tags=tags if any(tag != "_" for tag in tags) else None,
        caption=sentence.text,
        tokens=[(place[str(one.first)], place[str(one.last)], one.form) for one in sentence.ranges],
        more_arcs=more,
        empty=frozenset(number for number, row in enumerate(rows, 1) if not isinstance(row, Word)),
    )


def draw_sentence(
    sentence: Sentence,
    kind: str = "text",
    *,
    width: int | None = None,
    ascii: bool = False,
    layer: Layer = "both",
    gold: Sentence | None = None,
    enhanced: bool = False,
    look: Look | None = None,
) -> str:
    """One sentence as ``text`` or ``svg``; ``width``: columns of the text, by default those of the terminal."""
    if kind not in KINDS:
        raise ConfigError(f"a drawing is one of {', '.join(KINDS)}, not {kind!r}; draw_page makes a page of HTML")
    if not isinstance(sentence, Sentence):
        raise AccordError(f"draw_sentence draws one sentence, not {described(sentence)}; draw_page draws all of them")
    tree = tree_of(sentence, layer, gold=gold, enhanced=enhanced)
    if kind == "svg":
        return draw_svg(tree, look)
    if width is None:
        width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
    return draw_text(tree, width=width, unicode=not ascii)


def draw_page(
    sentences: Iterable[Sentence],
    title: str,
    layer: Layer = "both",
    *,
    gold: Iterable[Sentence] | None = None,
    enhanced: bool = False,
    look: Look | None = None,
) -> str:
    """All sentences as one HTML page."""
    if gold is None:
        trees = [tree_of(sentence, layer, enhanced=enhanced) for sentence in sentences]
    else:
        trees = [tree_of(one, gold=other) for one, other in zip(sentences, gold, strict=False)]
    return draw_html(trees, title, look)


def draw_document(sentences: Sequence[Sentence], name: str, most: int = 10) -> str:
    """What a notebook shows of a document: its first trees, and the texts of the other sentences."""
    shown = [sentence for sentence in sentences[:most] if len(sentence)]
    listed = [one.text for one in sentences[most : most + 500]]
    return draw_notebook([tree_of(one) for one in shown], listed, name, len(sentences) - most)
