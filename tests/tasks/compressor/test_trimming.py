# SPDX-License-Identifier: Apache-2.0
"""The Hedge Trimmer: which words go, and in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data.constituents import Constituents
from accord.inference.compression import Length
from accord.tasks.compressor.english.trimming import trimming_answer, trimming_order

SAID = (
    "(S (S (NP (DT The) (NNS rebels)) (VP (VBD agreed) (PP (TO to) (NP (NNS talks))) (NP (NNP Tuesday)))) (, ,) "
    "(NP (NNS officials)) (VP (VBD said)) (. .))"
)
NESTED = (
    "(S (PP (IN In) (NP (NNP Oslo))) (, ,) (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD fell))))) "
    "(VP (VBD bought) (NP (DT a) (NN dog)) (PP (IN for) (NP (NN money)))) (. .))"
)


def kept(text: str, length: int | None = None) -> str:
    tree, forms = Constituents.from_text(text)
    free = np.zeros(len(forms), np.bool_)
    conditions = {"costs": np.ones(len(forms), np.int32), "keep": free, "drop": free, "rules": ()}
    found = trimming_answer(tree, forms, None if length is None else Length(length, length), conditions)
    return " ".join(form for form, stays in zip(forms, found.kept, strict=True) if stays)


def test_without_a_budget_the_clause_stays_without_articles_and_times() -> None:
    assert kept(SAID) == "rebels agreed to talks ."
    assert kept(NESTED) == "In Oslo , man who fell bought dog for money ."


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (9, "In Oslo , man bought dog for money ."),  # the clause beside the noun phrase goes first
        (6, "man bought dog for money ."),  # then what stands before the subject
        (4, "man bought dog ."),  # then the last prepositional phrase
        (2, "man bought"),  # then words from the right
    ],
)
def test_with_a_budget_phrases_go_one_by_one(length: int, expected: str) -> None:
    assert kept(NESTED, length) == expected


def test_a_tree_without_a_clause_is_trimmed_as_a_whole() -> None:
    assert kept("(NP (DT the) (NN dog))") == "dog"
    assert kept("(NP (DT the))") == "the"


@given(st.integers(0, 5), st.integers(1, 4))
def test_every_word_has_a_place_in_the_order(depth: int, width: int) -> None:
    text = "(NN dog)" * width
    for level in range(depth):
        text = f"({('NP', 'VP', 'S')[level % 3]} {text} (PP (IN in) (NN house)))"
    tree, forms = Constituents.from_text(f"(S (NP {text}) (VP (VBD slept)))")
    order = trimming_order(tree, forms)
    assert len(order) == len(forms) and np.isfinite(order).all() and (order > 0).any()
