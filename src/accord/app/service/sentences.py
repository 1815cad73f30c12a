# SPDX-License-Identifier: Apache-2.0
"""A sentence as an answer: its rows as JSON, its text, and its picture where that is asked for."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from accord.data import Sentence
from accord.data.jsonlines import sentence_to_json
from accord.drawing import tree_of
from accord.drawing.svg import render_svg
from accord.errors import FormatError


def answer_of_sentence(sentence: Sentence, draw: bool) -> dict[str, Any]:
    """The text and rows of a sentence; with ``draw`` its picture, where its heads are a tree."""
    answer: dict[str, Any] = {"text": sentence.text, **json.loads(sentence_to_json(sentence))}
    if draw:
        answer["svg"] = picture(sentence)
    return answer


def picture(sentence: Sentence, other: Sentence | None = None) -> str | None:
    """A picture without a style sheet, whose arcs and words say which they are; with what differs in another tree."""
    try:
        tree = tree_of(sentence)
        if other is not None:
            against = tree_of(other)
            tree = dataclasses.replace(tree, gold_heads=against.heads, gold_labels=against.labels)
        return render_svg(tree, style=None, handles=True) if len(sentence) else None
    except FormatError:
        return None


def finite(value: float) -> float | None:
    """The number, or None for one that JSON cannot write."""
    return float(value) if math.isfinite(value) else None
