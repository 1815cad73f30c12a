# SPDX-License-Identifier: Apache-2.0
"""Derivations of spines: worked examples, and the way from trees to derivations and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from accord.data import read
from accord.data.constituents import Constituents, plain
from accord.data.constituents.head_rules import HeadRules
from accord.data.constituents.spines import Adjunction, Derivation, Relation
from accord.errors import FormatError
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import Bracketing, parseval
from tests.data.constituents.random_trees import constituents, forms_of

COLLINS = HeadRules.load("collins")


def head_words(tree: Constituents, heads: tuple[int, ...]) -> list[int]:
    """The word of each node whose head is outside of it."""
    return [
        next(word for word in range(node.begin + 1, node.end + 1) if not node.begin < heads[word - 1] <= node.end)
        for node in tree.nodes
    ]


def test_sister_and_regular_adjunction_make_the_two_trees_of_the_cake() -> None:
    tags, spines = ("NNP", "VBD", "NN"), (("NP",), ("VP", "S"), ("NP",))
    john = Adjunction(2, 1, False)
    root = Adjunction(0, 0, False)
    sister = Derivation(tags, spines, (john, root, Adjunction(2, 0, False)))
    regular = Derivation(tags, spines, (john, root, Adjunction(2, 0, True)))
    assert sister.tree().brackets() == "(S (NP (NNP 1)) (VP (VBD 2) (NP (NN 3))))"
    assert regular.tree().brackets() == "(S (NP (NNP 1)) (VP (VP (VBD 2)) (NP (NN 3))))"
    assert sister.relation(3) == Relation("VP", "VBD", "NP", False)
    assert regular.relation(3) == Relation("VP", "VP", "NP", True)
    assert sister.relation(1) == Relation("S", "VP", "NP", False)
    assert sister.relation(2) == Relation("*", "*", "S", False)


def test_levels_of_both_sides_are_laid_over_each_other() -> None:
    """John luckily ate cake today quickly."""
    derivation = Derivation(
        ("NNP", "RB", "VBD", "NN", "NN", "RB"),
        (("NP",), ("ADVP",), ("VP", "S"), ("NP",), ("NP",), ("ADVP",)),
        (
            Adjunction(3, 1, False),
            Adjunction(3, 0, True),
            Adjunction(0, 0, False),
            Adjunction(3, 0, False),
            Adjunction(3, 0, True),
            Adjunction(3, 0, True),
        ),
    )
    words = ["John", "luckily", "ate", "cake", "today", "quickly"]
    assert derivation.tree().brackets(words) == (
        "(S (NP (NNP John)) (VP (VP (ADVP (RB luckily)) (VP (VBD ate) (NP (NN cake))) (NP (NN today))) "
        "(ADVP (RB quickly))))"
    )
    assert derivation.after_regular(6) and not derivation.after_regular(5) and not derivation.after_regular(2)
    assert Derivation.from_tree(derivation.tree(), COLLINS) == derivation


@settings(deadline=None)
@given(constituents(empties=False, labels=["S", "NP", "VP"]))
def test_a_derivation_survives_its_tree(tree: Constituents) -> None:
    for rules in ("collins", "left", "right"):
        derivation = Derivation.from_tree(tree, HeadRules.load(rules))
        made = derivation.tree()
        assert made.words == tree.words and made.tags == tree.tags
        assert Derivation.from_tree(made, head_words(made, derivation.heads)) == derivation


@settings(deadline=None)
@given(constituents(empties=False, labels=["S", "NP", "VP"]))
def test_dependencies_are_those_of_the_head_rules(tree: Constituents) -> None:
    assert list(Derivation.from_tree(tree, COLLINS).heads) == COLLINS.heads(tree)


@pytest.mark.parametrize("name", ["ptb_sample/wsj-dev", "constituency/en_gumfree-dev"])
def test_treebanks_come_back_but_for_few_brackets(shared_data: Path, name: str) -> None:
    gold, system = [], []
    for sentence in read(shared_data / f"{name}.mrg.xz"):
        assert sentence.constituents is not None
        tree = plain(sentence.constituents)
        assert tree is not None
        gold.append(Bracketing(tree, sentence.forms))
        system.append(Bracketing(Derivation.from_tree(tree, COLLINS).tree(), sentence.forms))
    score = parseval(gold, system, BracketParameters.load("plain"))
    assert score.precision > 99.9 and score.recall > 99.4


def test_what_is_no_derivation_is_refused() -> None:
    tags, spines = ("A", "B", "C"), (("X",), ("Y", "Z"), ("X",))
    root = Adjunction(0, 0, False)
    with pytest.raises(FormatError, match="has no node 2"):
        Derivation(tags, spines, (Adjunction(2, 2, False), root, Adjunction(2, 0, False)))
    with pytest.raises(FormatError, match="one word hangs from the root"):
        Derivation(tags, spines, (root, root, Adjunction(2, 0, False)))
    with pytest.raises(FormatError, match="move down its spine"):
        Derivation(("A", "B", "C"), (("Y", "Z"), (), ()), (root, Adjunction(1, 1, False), Adjunction(1, 0, False)))
    with pytest.raises(FormatError, match="cycle"):
        Derivation(tags, (("X",), ("X",), ("X",)), (Adjunction(2, 0, False), Adjunction(1, 0, False), root)).tree()


def test_deep_trees_are_no_trouble() -> None:
    text = "(X " * 2000 + "(A a)" + " (A a))" * 2000
    tree, _ = Constituents.from_text(text)
    assert Derivation.from_tree(tree, HeadRules.load("left")).tree() == tree
    assert forms_of(tree)[-1] == "w2001"
