# SPDX-License-Identifier: Apache-2.0
"""Word alignment against enumeration."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from accord.evaluation.alignment import align
from accord.evaluation.corpus import flatten
from tests.evaluation.small_treebank import sentence


def plain(*forms: str) -> list[str]:
    return [f"{form} 0 root" for form in forms]


def longest_common_subsequence_by_enumeration(left: list[str], right: list[str]) -> int:
    for size in range(min(len(left), len(right)), 0, -1):
        wanted = set(combinations(right, size))
        if any(chosen in wanted for chosen in combinations(left, size)):
            return size
    return 0


words_of_a_token = st.lists(st.sampled_from(["a", "b", "C", "c"]), min_size=2, max_size=6)


@settings(deadline=None)
@given(words_of_a_token, words_of_a_token)
def test_words_of_one_multiword_token_are_aligned_by_the_longest_common_subsequence(
    left: list[str], right: list[str]
) -> None:
    gold = flatten([sentence(*plain(*left), multiword=[(1, len(left), "xyz")])], "gold")
    system = flatten([sentence(*plain(*right), multiword=[(1, len(right), "xyz")])], "system")
    pairs = align(gold, system)
    folded = [form.lower() for form in left], [form.lower() for form in right]
    assert len(pairs) == longest_common_subsequence_by_enumeration(*folded)
    assert all(folded[0][g] == folded[1][s] for g, s in pairs)
    assert all(g < next_g and s < next_s for (g, s), (next_g, next_s) in pairwise(pairs))


cuts = st.sets(st.integers(1, 9))


@settings(deadline=None)
@given(cuts, cuts)
def test_plain_words_are_aligned_exactly_when_they_cover_the_same_characters(left: set[int], right: set[int]) -> None:
    text = "abcdefghij"

    def cut(places: set[int]) -> list[str]:
        bounds = [0, *sorted(places), len(text)]
        return [text[start:end] for start, end in pairwise(bounds)]

    gold_words, system_words = cut(left), cut(right)
    pairs = align(
        flatten([sentence(*plain(*gold_words))], "gold"), flatten([sentence(*plain(*system_words))], "system")
    )
    # no character occurs twice, so equal words are equal spans
    expected = [(g, s) for g, word in enumerate(gold_words) for s, other in enumerate(system_words) if word == other]
    assert pairs == expected
