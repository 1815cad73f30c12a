# SPDX-License-Identifier: Apache-2.0
"""From sentences to drawings: which columns of a sentence are drawn, and how confidences are found."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

from accord.app.draw import TreeColumns, draw_html, draw_svg, draw_text
from accord.data import Sentence
from accord.errors import ConfigError
from accord.evaluation.confidences import misc_value


def _confidences(sentence: Sentence) -> list[float | None] | None:
    """``ArcConf`` of each word's MISC, where the parser was asked for marginals."""
    values: list[float | None] = []
    for word in sentence.words:
        written = misc_value(word.misc, "ArcConf")
        try:
            values.append(None if written is None else float(written))
        except ValueError:
            values.append(None)
    return values if any(value is not None for value in values) else None


def columns(sentence: Sentence) -> TreeColumns:
    """What is drawn of a sentence."""
    words = sentence.words
    tags = [word.upos if word.upos != "_" else word.xpos for word in words]
    return {
        "forms": [word.form for word in words],
        "heads": [word.head for word in words],
        "labels": ["" if word.deprel == "_" else word.deprel for word in words],
        "tags": tags if any(tag != "_" for tag in tags) else None,
        "confidences": _confidences(sentence),
    }


def picture(sentence: Sentence, kind: str, *, width: int | None = None, ascii: bool = False) -> str:
    """One sentence as ``text`` or ``svg``."""
    c = columns(sentence)
    drawn = (c["forms"], c["heads"], c["labels"], c.get("tags"), c.get("confidences"))
    if kind == "svg":
        return draw_svg(*drawn)
    if width is None:
        width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
    return draw_text(*drawn, width=width, unicode=not ascii)


def page(sentences: Iterable[Sentence], title: str) -> str:
    """All sentences as one HTML page."""
    return draw_html([columns(sentence) for sentence in sentences], title=title)


def single(sentences: list[Sentence]) -> Sentence:
    """The one sentence of an SVG picture."""
    if len(sentences) != 1:
        raise ConfigError(f"svg draws one sentence, not {len(sentences)}: choose it with --sentence, or use html")
    return sentences[0]
