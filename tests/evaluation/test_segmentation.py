# SPDX-License-Identifier: Apache-2.0
"""Segmentation scores: by hand, and against sets of stretches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import Score, evaluate_segmentation


def test_scores_by_hand() -> None:
    gold = [["共同", "创造", "美好", "的", "新", "世纪"], ["二〇〇一年"]]
    system = [["共同", "创造", "美", "好的", "新世纪"], ["二〇〇一年"]]
    result = evaluate_segmentation(gold, system, {"共同", "的", "新", "世纪"})
    assert result.words == Score(3, 7, 6)
    assert (result.unseen_total, result.unseen_correct) == (3, 2)
    assert result.recall_unseen == pytest.approx(200 / 3)
    assert result.recall_seen == 25
    assert result.unseen_rate == pytest.approx(300 / 7)


def test_without_a_vocabulary_there_are_no_recalls_of_unseen_words() -> None:
    result = evaluate_segmentation([["a", "b"]], [["ab"]])
    assert (result.recall_unseen, result.recall_seen, result.unseen_rate) == (None, None, None)
    assert result.words == Score(0, 2, 1)


def test_other_characters_and_missing_sentences_are_refused() -> None:
    with pytest.raises(FormatError, match="system: sentence 2 has other characters"):
        evaluate_segmentation([["a"], ["b"]], [["a"], ["c"]])
    with pytest.raises(FormatError, match="system: there is no sentence 2"):
        evaluate_segmentation([["a"], ["b"]], [["a"]])
    with pytest.raises(FormatError, match="gold: there is no sentence 2"):
        evaluate_segmentation([["a"]], [["a"], ["b"]])


def cut(text: str, cuts: list[bool]) -> list[str]:
    words = [text[0]]
    for character, here in zip(text[1:], cuts, strict=True):
        if here:
            words.append(character)
        else:
            words[-1] += character
    return words


texts = st.text("ab", min_size=1, max_size=10).flatmap(
    lambda text: st.tuples(*(st.lists(st.booleans(), min_size=len(text) - 1, max_size=len(text) - 1),) * 2).map(
        lambda cuts: (cut(text, cuts[0]), cut(text, cuts[1]))
    )
)


@given(st.lists(texts, max_size=4), st.sets(st.text("ab", min_size=1, max_size=3)))
def test_scores_are_those_of_sets_of_stretches(pairs: list[tuple[list[str], list[str]]], vocabulary: set[str]) -> None:
    def stretches(words: list[str], number: int) -> set[tuple[int, int, str]]:
        return {(number, len("".join(words[:i])), word) for i, word in enumerate(words)}

    gold = set().union(*(stretches(words, number) for number, (words, _) in enumerate(pairs)))
    system = set().union(*(stretches(words, number) for number, (_, words) in enumerate(pairs)))
    result = evaluate_segmentation([a for a, _ in pairs], [b for _, b in pairs], vocabulary)
    assert result.words == Score(len(gold & system), len(gold), len(system))
    unseen = {stretch for stretch in gold if stretch[2] not in vocabulary}
    assert (result.unseen_total, result.unseen_correct) == (len(unseen), len(unseen & system))
