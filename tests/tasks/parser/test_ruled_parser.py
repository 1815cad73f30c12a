# SPDX-License-Identifier: Apache-2.0
"""Rules and solvers inside the parser of every order: as enumeration says, and the plain parser where none is asked."""

from __future__ import annotations

import dataclasses
import random
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord import Document, Parser, Sentence
from accord._core import tasks as _tasks
from accord.errors import ConfigError
from accord.inference import trees
from accord.inference.rules import MaxDependents, Require, Rule
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel, Search
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document
from tests.inference.enumerated_trees import SPACES, Space, all_trees
from tests.inference.rules.obeyed_rules import LABELS, Case, Labelled
from tests.inference.rules.random_rules import some_rules

ORDERS = (1, 2, 3)
SINGLE = Space(projective=False, single_root=True)
TOLERANCE = 1e-4
SMALL = {
    "arc_bits": 14,
    "label_bits": 10,
    "part_bits": 14,
    "pruner_bits": 12,
    "pruner_epochs": 2,
    "epochs": 1,
    "tree_labels": "false",
}
EVERY_ARC = {"pruner_heads": 20, "pruner_threshold": 0.0}  # of short sentences
MERGED = {"nsubj": "nsubj", "obj": "obj", "root": "obj", "det": "nsubj:pass", "punct": "nsubj:pass"}


@cache
def toy_model(order: int, labels: str = "joint") -> ParserModel:
    """Trained on the toy language with three labels, so that labelled trees can be enumerated."""
    document = toy_document(80, 1)
    merged = document.replace(deprels=[MERGED.get(label, "nsubj") for label in document.column("deprel")])
    config = make_settings(ParserConfig, {**SMALL, "order": order, "labels": labels, "threads": 1})
    return train_parser(merged, None, config).snapshot


def parser(order: int, *, space: Space = SINGLE, labels: str = "joint", **config: Any) -> Parser:
    model = toy_model(order, labels)
    changed = dataclasses.replace(model.config, projective=space.projective, **config)
    return Parser(dataclasses.replace(model, config=changed, single_root=space.single_root))


def scrambled(seed: int, words: int) -> Document:
    """Words of the toy language in no order, so that models are torn."""
    source = random.Random(seed)
    known = [word for sentence in toy_document(10, 5).sentences for word in sentence.words]
    drawn = [source.choice(known) for _ in range(words)]
    forms, tags = [word.form for word in drawn], [word.upos for word in drawn]
    return Document.from_sentences([Sentence.from_words(forms, lemmas=forms, upos=tags, xpos=tags)])


class ParserCase(Case):
    """A sentence under a model, its larger parts asked tree by tree; every arc is a candidate."""

    def __init__(self, using: Parser, document: Document) -> None:
        words = len(document.sentences[0])
        everything = np.ones((words + 1) ** 2, np.uint8)
        space = Space(using.config.projective, using.model.single_root)
        self.parts = _tasks.sentence_parts(
            using._native, document.native, 0, everything, everything, prune=False, projective=space.projective
        )
        assert self.parts is not None and len(self.parts.heads) == words**2
        order = [using.labels.index(label) for label in LABELS]
        scores = np.full((words + 1, words + 1, len(LABELS)), -np.inf)
        labels = self.parts.label_scores.astype(float)
        if using.config.labels == "separate":
            labels -= labels.max(axis=1, keepdims=True)
        scores[self.parts.heads, self.parts.dependents] = self.parts.arc_scores[:, None] + labels[:, order]
        super().__init__(scores, [word.upos for word in document.sentences[0].words], space)

    def score(self, tree: Labelled) -> float:
        return super().score(tree) + self.parts.larger_score(np.array(tree[0], np.int32))

    def best_unruled(self) -> float:
        """Labels do not see each other: each arc has its best."""
        dependents = np.arange(1, self.words + 1)
        best = self.scores.max(axis=2)
        return max(
            float(best[list(heads[1:]), dependents].sum()) + self.parts.larger_score(np.array(heads, np.int32))
            for heads in all_trees(self.words, self.space)
        )


def labelled(using: Parser, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Labelled:
    names = [using.labels[label] for label in labels.tolist()]
    return (-1, *heads.tolist()), (-1, *(LABELS.index(name) for name in names))


def check(using: Parser, document: Document, rules: list[Rule], search: Search | None = None) -> str:
    """The contract of a parse under rules, by enumeration; returns the status."""
    case = ParserCase(using, document)
    found = using.trees(document, threads=1, constraints=rules, search=search)
    tree = labelled(using, found.heads, found.labels)
    speaking = [rule for rule in rules if rule.last_word <= case.words]
    unkept = {rule for group in found.unkept.get(0, ()) for rule in group.rules}
    kept = [rule for rule in speaking if rule not in unkept]
    assert bool(unkept) == (case.best(speaking) == -np.inf)
    for group in found.unkept.get(0, ()):
        assert case.best(group.rules) == -np.inf
        assert all(case.best([other for other in group.rules if other != rule]) > -np.inf for rule in group.rules)
    best = case.best(kept)
    assert trees.is_tree(np.array(tree[0]), single_root=case.space.single_root)
    assert found.scores[0] == pytest.approx(case.value(tree, kept), abs=TOLERANCE)
    assert found.scores[0] <= best + TOLERANCE and best <= found.bounds[0] + TOLERANCE
    if found.status[0] == "optimal":
        assert found.scores[0] == pytest.approx(best, abs=TOLERANCE)
    times = {rule: case.times_broken(rule, tree) for rule in kept}
    assert dict(found.broken.get(0, {})) == {rule: count for rule, count in times.items() if count}
    return found.status[0]


@settings(max_examples=60, deadline=None)
@given(
    order=st.sampled_from(ORDERS),
    seed=st.integers(0, 10_000),
    words=st.integers(1, 3),
    space=st.sampled_from(SPACES),
    labels=st.sampled_from(["joint", "separate"]),
    data=st.data(),
)
def test_random_rules_equal_enumeration(
    order: int, seed: int, words: int, space: Space, labels: str, data: st.DataObject
) -> None:
    using, document = parser(order, space=space, labels=labels, **EVERY_ARC), scrambled(seed, words)
    rules = data.draw(some_rules(words))
    check(using, document, rules)
    assert check(using, document, rules, Search(solver="branch_and_bound")) == "optimal"


@pytest.mark.parametrize("order", ORDERS)
def test_rules_that_many_trees_break(order: int) -> None:
    using = parser(order, **EVERY_ARC)
    broken = 0
    for seed in range(6):
        document = scrambled(seed, 4)
        rules: list[Rule] = [MaxDependents(1), Require(1, 3, weight=0.5)]
        plain = using.trees(document, threads=1)
        broken += ParserCase(using, document).times_broken(rules[0], labelled(using, plain.heads, plain.labels)) > 0
        assert check(using, document, rules, Search(solver="branch_and_bound")) == "optimal"
    assert broken > 0


@pytest.mark.parametrize("solver", ["auto", "ad3", "subgradient", "bp", "branch_and_bound", "lp", "ilp"])
@pytest.mark.parametrize("order", ORDERS)
def test_every_solver_keeps_the_contract(order: int, solver: str) -> None:
    if solver in ("lp", "ilp"):
        pytest.importorskip("highspy")
    using = parser(order, **EVERY_ARC)
    for seed in range(4):
        for rules in ([], [MaxDependents(1), MaxDependents(0, of="PUNCT", weight=0.5)]):
            check(using, scrambled(seed, 3), rules, Search(solver=solver))


@pytest.mark.parametrize("order", [2, 3])
def test_ilp_branch_and_bound_and_enumeration_agree(order: int) -> None:
    pytest.importorskip("highspy")
    using = parser(order, **EVERY_ARC)
    for seed in range(12):
        document = scrambled(100 + seed, 3 + seed % 3)
        best = ParserCase(using, document).best_unruled()
        for solver in ("ilp", "branch_and_bound"):
            found = using.trees(document, threads=1, search=Search(solver=solver))
            assert found.status == ("optimal",)
            assert found.scores[0] == pytest.approx(best, abs=TOLERANCE)
        for solver in ("ad3", "lp", "subgradient"):
            found = using.trees(document, threads=1, search=Search(solver=solver))
            assert found.scores[0] <= best + TOLERANCE and best <= found.bounds[0] + TOLERANCE
        # With rounds enough, steps towards a level end in the relaxation's value.
        relaxed = using.trees(document, threads=1, search=Search(solver="lp")).bounds[0]
        levelled = Search(solver="subgradient", step_rule="level", iterations=20_000)
        assert using.trees(document, threads=1, search=levelled).bounds[0] == pytest.approx(relaxed, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("order", [2, 3])
class TestPrunedArcs:
    def test_required_arcs_come_back(self, order: int) -> None:
        using = parser(order, pruner_heads=1, pruner_threshold=1.0)
        document = toy_document(1, 9)
        words = len(document.sentences[0])
        plain = using.trees(document).heads
        for dependent in range(1, words + 1):
            head = next(h for h in range(1, words + 1) if h not in (dependent, plain[dependent - 1]))
            found = using.trees(document, constraints=[Require(head, dependent)])
            assert found.heads[dependent - 1] == head and not found.unkept
            costly = using.trees(document, constraints=[Require(head, dependent, weight=1000.0)])
            assert costly.heads[dependent - 1] == head and not costly.broken

    def test_rules_that_the_candidates_cannot_keep_get_all_arcs(self, order: int) -> None:
        using = parser(order, pruner_heads=1, pruner_threshold=1.0)
        stuck = 0
        for seed in range(6):
            document = scrambled(seed, 4)
            stuck += int(np.bincount(using.trees(document).heads).max()) > 1
            for solver in ("ad3", "branch_and_bound"):
                found = using.trees(document, constraints=["max-dependents 1"], search=Search(solver=solver))
                assert np.bincount(found.heads).max() == 1 and not found.unkept
                assert found.status == ("optimal",) or solver == "ad3"
        assert stuck > 0


@pytest.mark.parametrize("order", ORDERS)
def test_sentences_that_no_rule_touches_stay_as_they_are(order: int, toy_dev: Document) -> None:
    using = parser(order)
    plain = using.trees(toy_dev)
    ruled = using.trees(toy_dev, constraints=["max-dependents 3", "require 1 -> 40"])
    lengths = toy_dev.lengths
    changed = touched = 0
    for index, first in enumerate(np.cumsum(lengths) - lengths):
        here = slice(first, first + lengths[index])
        most = int(np.bincount(plain.heads[here]).max())
        touched += most > 3
        if most <= 3:
            assert (plain.heads[here] == ruled.heads[here]).all() and (plain.labels[here] == ruled.labels[here]).all()
            assert plain.scores[index] == ruled.scores[index]
        else:
            changed += bool((plain.heads[here] != ruled.heads[here]).any())
            assert np.bincount(ruled.heads[here]).max() <= 3
    assert 0 < touched < len(lengths) and changed == touched


@pytest.mark.parametrize("order", ORDERS)
def test_conflicts_are_named_and_the_rest_is_kept(order: int, toy_dev: Document) -> None:
    rules = ["require 2 -> 1", "require 3 -> 1", "forbid 0 -> 2"]
    found = parser(order).trees(toy_dev, constraints=rules)
    assert set(found.unkept) == set(range(len(toy_dev)))
    expected = "no tree keeps these rules together: 'require 2 -> 1', 'require 3 -> 1'"
    assert {str(group) for groups in found.unkept.values() for group in groups} == {expected}
    starts = np.cumsum(toy_dev.lengths) - toy_dev.lengths
    assert (found.heads[starts + 1] != 0).all()


@pytest.mark.parametrize("order", ORDERS)
def test_labels_chosen_together_keep_rules_on_labels(order: int, toy_dev: Document) -> None:
    config = make_settings(ParserConfig, {**SMALL, "order": order, "threads": 1, "tree_labels": "true"})
    using = Parser(train_parser(toy_document(80, 1), None, config).snapshot)
    plain = using.parse(toy_dev)
    assert "det" in plain.column("deprel")
    ruled = using.parse(toy_dev, constraints=["forbid-label det", "require-label 1 obj", "max-dependents 3"])
    assert "det" not in ruled.column("deprel")
    assert all(sentence.words[0].deprel == "obj" for sentence in ruled.sentences)


@pytest.mark.parametrize("order", ORDERS)
def test_rules_go_with_given_heads_and_give_way_to_them(order: int) -> None:
    using, document = parser(order), toy_document(20, 11)
    half = document.replace(
        heads=[head if index % 3 else None for index, head in enumerate(document.heads.tolist())],
        deprels=["obj" if index % 5 == 0 else "_" for index in range(len(document.heads))],
    )
    rules = ["max-dependents 2", "at-most-one nsubj"]
    found = using.parse(half, keep="given", constraints=rules)
    for before, after in zip(half.sentences, found.sentences, strict=True):
        for old, new in zip(before.words, after.words, strict=True):
            assert old.head in (None, new.head) and old.deprel in ("_", new.deprel)
    trees = using.trees(half, keep="given", constraints=rules)
    assert trees.unkept, "some words have three dependents given"
    assert all(str(rule) in rules for groups in trees.unkept.values() for group in groups for rule in group.rules)
    for index, sentence in enumerate(found.sentences):
        if index not in trees.unkept:
            assert np.bincount([word.head for word in sentence.words if word.head]).max() <= 2


def test_mistakes_are_one_error(toy_dev: Document) -> None:
    using = parser(2)
    with pytest.raises(ConfigError, match="there is no label nsubjj"):
        using.trees(toy_dev, constraints=["at-most-one nsubjj"])
    with pytest.raises(ConfigError, match="no rule begins so"):
        using.parse(toy_dev, constraints=["at-most nsubj"])
    unlabelled = parser(2, labels="none")
    with pytest.raises(ConfigError, match="the scores have no labels"):
        unlabelled.trees(toy_dev, constraints=["at-most-one nsubj"])
    assert unlabelled.parse(toy_dev, constraints=["max-dependents 2"]).column("deprel") == toy_dev.column("deprel")
    for wrong in ({"solver": "magic"}, {"iterations": 0}, {"seconds": 0.0}, {"nodes": 0}):
        with pytest.raises(ConfigError):
            Search(**wrong)  # type: ignore[arg-type]


def test_missing_highs_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ConfigError, match=r"pip install 'accord\[ilp\]'"):
        Search(solver="ilp")


def test_statuses_are_written_as_comments(toy_dev: Document) -> None:
    using = parser(3)
    parsed = using.parse(toy_dev, status=True)
    assert [sentence.comment("accord_status") for sentence in parsed.sentences] == list(using.trees(toy_dev).status)
    again = using.parse(parsed, status=True)
    assert again.to_bytes() == parsed.to_bytes()
    assert b"accord_status" not in using.parse(toy_dev).to_bytes()


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("solver", ["ad3", "subgradient", "bp", "branch_and_bound"])
def test_a_spent_budget_leaves_a_tree(order: int, solver: str) -> None:
    document = scrambled(3, 80)
    found = parser(order).trees(document, search=Search(solver=solver, seconds=1e-9))
    assert trees.is_tree(np.array([-1, *found.heads.tolist()]), single_root=True)
    assert found.scores[0] <= found.bounds[0] or found.status[0] == "estimate"
    assert found.status[0] in ("budget", "estimate")
