# SPDX-License-Identifier: Apache-2.0
"""What templates say about arcs by themselves, against counts of all pairs of words."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from accord.data import Document
from accord.tasks.examples import tiny_treebank
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.linear_task import ParserTask

Pair = tuple[str, str, int]


def pairs(document: Document) -> list[tuple[Pair, bool]]:
    """Tags of head and dependent, and the distance, of each pair of words; whether it is an arc."""
    found = []
    for sentence in document.sentences:
        tags = ["<root>", *(word.upos for word in sentence.words)]
        for dependent, word in enumerate(sentence.words, 1):
            for head in range(len(tags)):
                if head != dependent:
                    apart = abs(head - dependent)
                    found.append(((tags[head], tags[dependent], apart), head == word.head))
    return found


def gain(events: list[tuple[object, bool]]) -> float:
    both, features, sides = Counter(events), Counter(e for e, _ in events), Counter(side for _, side in events)
    total = len(events)
    return sum(
        count / total * math.log2(count * total / (features[feature] * sides[side]))
        for (feature, side), count in both.items()
    )


def test_gains_are_those_of_counts(tmp_path: Path) -> None:
    document = tiny_treebank(15)
    templates = tmp_path / "templates.txt"
    templates.write_text("[arc]\nhead.upos\ndependent.upos\nhead.upos dependent.upos\n")
    config = ParserConfig(templates=str(templates), labels="none", arc_bits=8)
    trainer = ParserTask(document, None, config)._trainer
    found = dict(zip((text for _, text, _ in trainer.cells()), trainer.information_gain(), strict=True))
    events = pairs(document)
    assert found["head.upos"] == pytest.approx(gain([(pair[0], arc) for pair, arc in events]), rel=1e-9)
    assert found["dependent.upos"] == pytest.approx(gain([(pair[1], arc) for pair, arc in events]), rel=1e-9, abs=1e-12)
    together = gain([(pair[:2], arc) for pair, arc in events])
    assert found["dependent.upos head.upos"] == pytest.approx(together, rel=1e-9)
