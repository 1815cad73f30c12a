# SPDX-License-Identifier: Apache-2.0
"""Compression figures: counted by hand, and identities that hold for all masks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import evaluate_compression, kept_relations

GOLD = [[True, True, False, True], [False, True]]
SYSTEM = [[True, False, False, True], [True, True]]


def test_counted_by_hand() -> None:
    found = evaluate_compression(GOLD, SYSTEM)
    assert (found.kept.correct, found.kept.gold_total, found.kept.system_total) == (3, 4, 4)
    assert found.kept.f1 == 75
    assert found.macro_f1 == pytest.approx((80 + 200 / 3) / 2)
    assert (found.deleted.correct, found.deleted.gold_total, found.deleted.system_total) == (1, 2, 2)
    assert found.accuracy == pytest.approx(100 * 4 / 6)
    assert found.rate == found.gold_rate == pytest.approx(100 * 4 / 6)
    assert "relation_f1" not in found.figures()


def test_relations_are_compared_by_places_in_the_source() -> None:
    """Source: the the cat sat; gold keeps the first article, the system the second."""
    gold, system = [True, False, True, True], [False, True, True, True]
    heads, labels = [2, 3, 0], ["det", "nsubj", "root"]
    one, other = kept_relations(gold, heads, labels), kept_relations(system, heads, labels)
    assert one == {(0, 2, "det"), (2, 3, "nsubj"), (3, -1, "root")}
    found = evaluate_compression([gold], [system], gold_relations=[one], system_relations=[other])
    assert found.figures()["relation_f1"] == pytest.approx(100 * 2 / 3)


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=6), max_size=5))
def test_identities(pairs: list[list[tuple[bool, bool]]]) -> None:
    gold = [[one for one, _ in sentence] for sentence in pairs]
    system = [[other for _, other in sentence] for sentence in pairs]
    found = evaluate_compression(gold, system)
    turned = evaluate_compression([[not z for z in one] for one in gold], [[not z for z in one] for one in system])
    assert (found.kept, found.deleted, found.accuracy) == (turned.deleted, turned.kept, turned.accuracy)
    assert evaluate_compression(system, gold).kept.f1 == found.kept.f1
    words = [z == y for sentence in pairs for z, y in sentence]
    assert found.accuracy == pytest.approx(100 * np.mean(words) if words else 0)
    assert found.exact == sum(one == other for one, other in zip(gold, system, strict=True))


def test_other_sentences_are_refused() -> None:
    with pytest.raises(FormatError, match="1 sentences where gold has 2"):
        evaluate_compression(GOLD, SYSTEM[:1])
    with pytest.raises(FormatError, match="sentence 2: 1 words where gold has 2"):
        evaluate_compression(GOLD, [SYSTEM[0], [True]])
    with pytest.raises(FormatError, match="a tree of 1 words for 2 kept words"):
        kept_relations([True, True], [0], ["root"])
