# SPDX-License-Identifier: Apache-2.0
"""Constituents made of dependencies: they hold the dependencies, and nothing else becomes a tree."""

from __future__ import annotations

import itertools

import pytest

from accord.data import Sentence
from accord.data.constituents.projections import phrases_of_dependencies, with_phrases_of
from accord.errors import ConfigError


def descendants(heads: tuple[int, ...], word: int) -> set[int]:
    found = {word}
    while True:
        more = found | {child for child, head in enumerate(heads, 1) if head in found}
        if more == found:
            return found
        found = more


def tree_with_one_root(heads: tuple[int, ...]) -> bool:
    return heads.count(0) == 1 and descendants(heads, heads.index(0) + 1) == set(range(1, len(heads) + 1))


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_phrases_are_the_projections_of_words_with_dependents(words: int) -> None:
    tags = [f"t{word}" for word in range(1, words + 1)]
    trees = 0
    for heads in itertools.product(range(words + 1), repeat=words):
        found = phrases_of_dependencies(heads, tags, tags)
        yields = {word: descendants(heads, word) for word in range(1, words + 1)}
        projective = all(max(inside) - min(inside) + 1 == len(inside) for inside in yields.values())
        if not (tree_with_one_root(heads) and projective):
            assert found is None
            continue
        assert found is not None and found.tags == tuple(tags)
        root = heads.index(0) + 1
        wanted = {
            (f"t{word}P", min(inside) - 1, max(inside))
            for word, inside in yields.items()
            if len(inside) > 1 or word == root
        }
        assert {(phrase.label, phrase.begin, phrase.end) for phrase in found.phrases} == wanted
        trees += 1
    assert trees == [1, 2, 7, 30, 143][words - 1]  # projective trees with one root


def test_words_without_heads_and_circles_are_no_trees() -> None:
    for heads in ([None, 1], [2, 1], [1], [3, 0], [0, 0], []):
        assert phrases_of_dependencies(heads, ["X"] * len(heads), ["X"] * len(heads)) is None


def test_phrases_are_named_after_a_column() -> None:
    sentence = Sentence.from_words(["a", "b"])
    assert with_phrases_of(sentence, "upos") is None
    with pytest.raises(ConfigError, match="form"):
        with_phrases_of(sentence, "form")
