# SPDX-License-Identifier: Apache-2.0
"""Stacks: folds that keep a level from its own answers, costs, columns and the chain against enumeration."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from accord.errors import ConfigError, ModelError
from accord.tasks.labeller import Labeller, LabellerConfig
from accord.tasks.labeller.problem import Problem
from accord.tasks.labeller.training import train_labeller
from accord.tasks.stack import (
    Columns,
    Decisions,
    Level,
    Stack,
    StackedLabeller,
    miss_costs,
    numbered_templates,
    run_labels,
)

TEMPLATES = "[state]\nbias\nhere.word\nhere-1.word here.word\nhere.marks\n[pair]\nbias\n"
LABELS = ("O", "B", "I", "E", "S")
TRAINER = LabellerConfig(method="m3n", epochs=6, dual_c=0.3, table="dictionary", bits=8, threads=1)


@dataclasses.dataclass(frozen=True)
class Words:
    """Words as numbers."""

    lengths: NDArray[np.int64]
    words: NDArray[np.uint64]


def drawn(count: int, seed: int = 0) -> tuple[Words, NDArray[np.int32]]:
    """Sequences of few words in which words 1 and 2 are mostly inside."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 7, count)
    words = random.integers(0, 5, int(lengths.sum()))
    inside = ((words == 1) | (words == 2)) ^ (random.random(len(words)) < 0.1)
    return Words(lengths.astype(np.int64), words.astype(np.uint64)), run_labels(inside, lengths)


def plain_view(tokens: Words, decisions: Decisions) -> Columns:
    return Columns(tokens.lengths, {"word": tokens.words}, {"odd": tokens.words % 2 == 1})


def second_view(tokens: Words, decisions: Decisions) -> Columns:
    return Columns(tokens.lengths, {"word": tokens.words, "first": decisions["first"].astype(np.uint64)})


def levels(cost: NDArray[np.float64] | None = None) -> list[Level]:
    second = TEMPLATES.replace("here.marks", "here.first")
    return [
        Level("first", LABELS, plain_view, TEMPLATES, TRAINER),
        Level("second", LABELS, second_view, second, TRAINER, cost),
    ]


def test_decisions_come_from_models_that_did_not_see_the_sequence() -> None:
    words, gold = drawn(23)
    result = Stack(levels(), folds=4).train(words, words.lengths, {"first": gold, "second": gold})
    assert sorted(set(result.folds.tolist())) == [0, 1, 2, 3]
    for fold, seen in enumerate(result.seen["first"]):
        assert not set(seen.tolist()) & set(np.flatnonzero(result.folds == fold).tolist())
        assert len(seen) + int((result.folds == fold).sum()) == 23
    assert set(result.decisions) == {"first"}, "nobody reads the decisions of the last level"


def test_changing_the_answers_of_a_fold_does_not_change_its_decisions() -> None:
    words, gold = drawn(20)
    stack = Stack(levels(), folds=5)
    before = stack.train(words, words.lengths, {"first": gold, "second": gold})
    own = np.repeat(before.folds == 2, words.lengths)
    other = np.where(own, 0, gold).astype(np.int32)
    after = stack.train(words, words.lengths, {"first": other, "second": gold})
    assert np.array_equal(before.decisions["first"][own], after.decisions["first"][own])


def test_equal_costs_and_no_costs_give_the_same_model() -> None:
    words, gold = drawn(15)
    answers = {"first": gold, "second": gold}
    plain = Stack(levels(), folds=3).train(words, words.lengths, answers).models["second"]
    equal = Stack(levels(miss_costs(LABELS, 1.0)), folds=3).train(words, words.lengths, answers).models["second"]
    dear = Stack(levels(miss_costs(LABELS, 3.0)), folds=3).train(words, words.lengths, answers).models["second"]
    assert np.array_equal(plain.tables["state"].values, equal.tables["state"].values)
    assert not np.array_equal(plain.tables["state"].values, dear.tables["state"].values)


@pytest.mark.parametrize("method", ["m3n", "mira", "svm", "softmax_margin"])
def test_dear_misses_raise_recall(method: str) -> None:
    words, gold = drawn(60)
    recall = []
    for miss in (0.3, 5.0):
        config = dataclasses.replace(TRAINER, method=method, epochs=8, l2=0.0)
        level = Level("only", LABELS, plain_view, TEMPLATES, config, miss_costs(LABELS, miss))
        result = Stack([level], folds=2).train(words, words.lengths, {"only": gold})
        found = StackedLabeller(result.models, {"only": plain_view}).label(words, threads=1).decisions["only"]
        recall.append(float((found != 0)[gold != 0].mean()))
    assert recall[0] < recall[1]


def test_best_labels_and_costly_labels_are_those_of_enumeration() -> None:
    """The chain with its costs added finds the labelling that a search of all labellings finds."""
    words, gold = drawn(12)
    columns = plain_view(words, {})
    text = numbered_templates(TEMPLATES, ["word"])
    problem = Problem(columns.sequences(["word"]), gold, LABELS, templates=text)
    labeller = Labeller(train_labeller(problem, TRAINER).model)
    costs = miss_costs(LABELS, 2.0)
    for bonus in (np.zeros((len(gold), 5)), costs[gold]):
        best = labeller.label(columns.sequences(["word"]), bonus=bonus, threads=1)
        first = 0
        for number, length in enumerate(words.lengths.tolist()):
            own = columns.some(np.array([number]))
            if length <= 4:
                scores = _all_scores(labeller, own, bonus[first : first + length])
                found = tuple(best.numbers[first : first + length, 0].tolist())
                assert scores[found] == pytest.approx(max(scores.values()), abs=1e-9)
            first += length


def _all_scores(labeller: Labeller, own: Columns, bonus: NDArray[np.float64]) -> dict[tuple[int, ...], float]:
    """The score of every labelling of one sequence: all labels are given, and the chain only adds up."""
    found = {}
    for labels in itertools.product(range(5), repeat=int(own.lengths[0])):
        known = np.array(labels, np.int32)
        answer = labeller.label(own.sequences(["word"]), known=known, bonus=bonus, threads=1)
        found[labels] = float(answer.score[0])
    return found


def test_the_dual_never_falls_and_the_gap_closes() -> None:
    words, gold = drawn(20)
    config = dataclasses.replace(TRAINER, epochs=150, average=False)
    level = Level("only", LABELS, plain_view, TEMPLATES, config, miss_costs(LABELS, 2.0))
    log = Stack([level], folds=2).train(words, words.lengths, {"only": gold}).logs["only"]
    duals = [line["figures"]["dual"] for line in log]
    gaps = [line["figures"]["gap"] for line in log]
    assert all(later >= earlier - 1e-4 for earlier, later in itertools.pairwise(duals))
    assert min(gaps) > -1e-4 and gaps[-1] < 0.02 * gaps[0]


def test_mistakes_are_told() -> None:
    words, gold = drawn(5)
    with pytest.raises(ConfigError, match="two folds"):
        Stack(levels(), folds=1).train(words, words.lengths, {"first": gold, "second": gold})
    nothing = Words(np.zeros(3, np.int64), np.zeros(0, np.uint64))
    with pytest.raises(ConfigError, match="nothing to train on"):
        Stack(levels()).train(nothing, nothing.lengths, {"first": gold[:0], "second": gold[:0]})
    with pytest.raises(ModelError, match="columns that are not there: colour"):
        plain_view(words, {}).sequences(["word", "colour"])
    broken = dataclasses.replace(levels()[0], templates="[state]\nhere.colour\n")
    with pytest.raises(ConfigError, match="unknown attribute 'colour'"):
        Stack([broken]).train(words, words.lengths, {"first": gold})


def test_finished_levels_can_be_given() -> None:
    words, gold = drawn(16)
    answers = {"first": gold, "second": gold}
    whole = Stack(levels(), folds=3).train(words, words.lengths, answers)
    del whole.models["second"]
    again = Stack(levels(), folds=3).train(words, words.lengths, answers, given=whole)
    anew = Stack(levels(), folds=3).train(words, words.lengths, answers)
    assert again.models["first"] is whole.models["first"]
    assert np.array_equal(again.models["second"].tables["state"].values, anew.models["second"].tables["state"].values)
    with pytest.raises(ConfigError, match="other folds"):
        Stack(levels(), folds=4).train(words, words.lengths, answers, given=whole)
