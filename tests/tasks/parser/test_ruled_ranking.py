# SPDX-License-Identifier: Apache-2.0
"""The k best trees under rules, in the parser of every order: as enumeration says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser
from accord.inference.rules import MaxDependents, Require, Rule, Subtree, parse_rule
from accord.tasks.parser import RankedTree, Search
from tests.conftest import toy_document
from tests.inference.enumerated_trees import SPACES, Space
from tests.inference.rules.obeyed_rules import LABELS
from tests.inference.rules.random_rules import some_rules
from tests.tasks.parser.test_ruled_parser import EVERY_ARC, ORDERS, TOLERANCE, ParserCase, parser, scrambled

EXACT = Search(solver="branch_and_bound")


class HeadsCase(ParserCase):
    """Where no rule asks for labels: each arc has its best, and trees of five words can be enumerated."""

    def __init__(self, using: Parser, document: Document) -> None:
        super().__init__(using, document)
        self.scores = self.scores.max(axis=2, keepdims=True)


def values_by_heads(case: ParserCase, rules: Sequence[Rule]) -> dict[tuple[int, ...], float]:
    """The value of each tree with its best labels, of those that keep the hard rules."""
    found: dict[tuple[int, ...], float] = defaultdict(lambda: -np.inf)
    for tree in case.labelled_trees():
        found[tree[0][1:]] = max(found[tree[0][1:]], case.value(tree, rules))
    return {heads: value for heads, value in found.items() if value > -np.inf}


def check_list(ranked: list[RankedTree], case: ParserCase, rules: Sequence[Rule], k: int) -> None:
    """Sorted, distinct, each with its value, and the best ones as far as they are certified."""
    unkept = {rule for tree in ranked for group in tree.unkept for rule in group.rules}
    kept = [rule for rule in rules if rule.last_word <= case.words and rule not in unkept]
    values = values_by_heads(case, kept)
    best = sorted(values.values(), reverse=True)
    assert len(ranked) == min(k, len(best)) and len({tree.heads for tree in ranked}) == len(ranked)
    for place, tree in enumerate(ranked):
        assert tree.score == pytest.approx(values[tree.heads], abs=TOLERANCE)
        assert place == 0 or tree.score <= ranked[place - 1].score + TOLERANCE or not tree.certified
        assert not tree.certified or tree.score == pytest.approx(best[place], abs=TOLERANCE)
        if case.scores.shape[2] == len(LABELS):
            labelled = (-1, *tree.heads), (-1, *(LABELS.index(name) for name in tree.deprels))
            assert case.value(labelled, kept) == pytest.approx(tree.score, abs=TOLERANCE)
            times = {rule: case.times_broken(rule, labelled) for rule in kept}
            assert dict(tree.broken) == {rule: count for rule, count in times.items() if count}


@settings(max_examples=20, deadline=None)
@given(
    order=st.sampled_from(ORDERS),
    seed=st.integers(0, 10_000),
    words=st.integers(1, 3),
    space=st.sampled_from(SPACES),
    labels=st.sampled_from(["joint", "separate"]),
    k=st.integers(1, 20),
    data=st.data(),
)
def test_random_rules_equal_enumeration(
    order: int, seed: int, words: int, space: Space, labels: str, k: int, data: st.DataObject
) -> None:
    using, document = parser(order, space=space, labels=labels, **EVERY_ARC), scrambled(seed, words)
    rules = data.draw(some_rules(words))
    case = ParserCase(using, document)
    check_list(using.kbest(document.sentences[0], k, constraints=rules), case, rules, k)
    ranked = using.kbest(document.sentences[0], k, constraints=rules, search=EXACT)
    check_list(ranked, case, rules, k)
    assert all(tree.certified for tree in ranked)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("space", [Space(False, True), Space(True, True)], ids=str)
def test_five_words_by_rules_on_heads(order: int, space: Space) -> None:
    rules = [MaxDependents(2), Require(1, 3, weight=0.5), Subtree(4, 5, weight=0.3), MaxDependents(1, weight=0.2)]
    using, document = parser(order, space=space, **EVERY_ARC), scrambled(1, 5)
    ranked = using.kbest(document.sentences[0], 20, constraints=rules, search=EXACT)
    check_list(ranked, HeadsCase(using, document), rules, 20)
    assert all(tree.certified for tree in ranked)
    assert any(tree.broken for tree in ranked)


@pytest.mark.parametrize("order", ORDERS)
def test_without_rules_that_bite_the_list_is_the_plain_one(order: int) -> None:
    using = parser(order, **EVERY_ARC)
    for seed in range(3):
        sentence = scrambled(seed, 6).sentences[0]
        plain = using.kbest(sentence, 8, search=EXACT)
        ruled = using.kbest(sentence, 8, search=EXACT, constraints=["max-dependents 6", "forbid 2 -> 99"])
        assert [tree.score for tree in ruled] == pytest.approx([tree.score for tree in plain], abs=TOLERANCE)
        assert ruled[0].heads == plain[0].heads and ruled[0].deprels == plain[0].deprels


@pytest.mark.parametrize("order", ORDERS)
def test_the_first_is_the_parse_and_given_heads_stay(order: int) -> None:
    using, document = parser(order), toy_document(6, 11)
    half = document.replace(
        heads=[head if index % 3 else None for index, head in enumerate(document.heads.tolist())],
        deprels=["strange" if index % 4 == 1 else "_" for index in range(len(document.heads))],
    )
    rules = [parse_rule("max-dependents 2"), parse_rule("at-most-one nsubj")]
    for sentence in half.sentences:
        alone = Document.from_sentences([sentence])
        parsed = using.trees(alone, keep="given", constraints=rules, search=EXACT)
        ranked = using.kbest(sentence, 4, keep="given", constraints=rules, search=EXACT)
        assert ranked[0].score == pytest.approx(parsed.scores[0], abs=TOLERANCE)
        assert [str(group) for group in ranked[0].unkept] == [str(group) for group in parsed.unkept.get(0, ())]
        for tree in ranked:
            for word, head, deprel in zip(sentence.words, tree.heads, tree.deprels, strict=True):
                assert word.head in (None, head) and word.deprel in ("_", deprel)


@pytest.mark.parametrize("order", ORDERS)
def test_a_spent_budget_leaves_a_list_without_proof(order: int) -> None:
    using, document = parser(order), scrambled(3, 30)
    ranked = using.kbest(document.sentences[0], 5, constraints=["max-dependents 2"], search=Search(seconds=1e-6))
    assert ranked and (len(ranked) == 1 or not ranked[-1].certified)
    assert all(np.bincount(tree.heads).max() <= 2 for tree in ranked if not tree.unkept)
