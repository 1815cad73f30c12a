# SPDX-License-Identifier: Apache-2.0
"""Higher-order projective trees: every answer equals enumeration with parts counted in plain Python."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import charts, trees
from tests.inference.enumerated_trees import Space, all_trees, log_sum

MODELS: tuple[charts.Model, ...] = ("full", "model0", "model1", "model2", "carreras")
Tuples = dict[str, set[tuple[int, ...]]]


def side(heads: tuple[int, ...], head: int, right: bool) -> list[int]:
    """The modifiers of a head on one side, outwards."""
    words = range(head + 1, len(heads)) if right else range(head - 1, 0, -1)
    return [word for word in words if heads[word] == head]


def parts_of(heads: tuple[int, ...], model: str) -> Tuples:
    """The parts of a tree that a model scores."""
    found: Tuples = {name: set() for name in charts.FAMILIES}
    for head, right in itertools.product(range(len(heads)), (False, True)):
        modifiers = side(heads, head, right)
        if not modifiers:
            continue
        row = [head, *modifiers, head]
        found["sibling"] |= {(head, s, m) for s, m in itertools.pairwise(row)}
        if len(modifiers) > 1:
            found["tri_sibling"] |= {(head, t, s, m) for t, s, m in zip(row, row[1:], row[2:], strict=False)}
        if head == 0:
            continue
        above = heads[head]
        grand = {"model2": modifiers[-2:], "carreras": modifiers[-1:]}.get(model, modifiers)
        found["grandparent"] |= {(above, head, m) for m in grand}
        pairs = list(itertools.pairwise(row))[-2:] if model == "model2" else itertools.pairwise(row)
        found["grand_sibling"] |= {(above, head, s, m) for s, m in pairs}
    unused = {"model0": ("sibling", "grand_sibling", "tri_sibling"), "model1": ("tri_sibling",)}
    unused["carreras"] = ("grand_sibling", "tri_sibling")
    for name in unused.get(model, ()):
        found[name] = set()
    return found


class Enumerated:
    """All trees of candidate arcs with their scores, and which parts each has."""

    def __init__(self, arcs: NDArray[np.float64], dense: dict[str, NDArray[np.float64]], single: bool, model: str):
        self.trees: list[tuple[int, ...]] = []
        self.parts: list[Tuples] = []
        values = []
        for heads in all_trees(len(arcs) - 1, Space(True, single)):
            value = sum(arcs[heads[m], m] for m in range(1, len(heads)))
            found = parts_of(heads, model)
            value += sum(dense[name][part] for name in dense for part in found[name])
            if value > -math.inf:
                self.trees.append(heads)
                self.parts.append(found)
                values.append(value)
        self.values = np.array(values)

    def probability(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = np.exp(self.values - log_sum(self.values))
        return weights


@st.composite
def instances(draw: st.DrawFn) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    words = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = draw(st.sampled_from([0.5, 5.0, 300.0]))
    arcs = rng.normal(size=(words + 1, words + 1)) * scale
    arcs[rng.random(arcs.shape) < draw(st.sampled_from([0.0, 0.3, 0.5]))] = -np.inf
    arcs[:, 0] = np.nan
    names = draw(st.sets(st.sampled_from(sorted(charts.FAMILIES))))
    dense = {name: rng.normal(size=(words + 1,) * charts.FAMILIES[name]) * scale for name in sorted(names)}
    for scores in dense.values():
        scores[rng.random(scores.shape) < draw(st.sampled_from([0.0, 0.1]))] = -np.inf
    return arcs, dense


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=60, deadline=None)
@given(instance=instances(), single_root=st.booleans())
def test_every_answer_equals_enumeration(
    model: charts.Model, instance: tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]], single_root: bool
) -> None:
    arcs, dense = instance
    expected = Enumerated(arcs, dense, single_root, model)
    scores: dict[str, Any] = dict(dense)
    t = charts.HigherOrder(arcs, **scores, single_root=single_root, model=model)
    if not expected.trees:
        for question in (t.argmax, t.log_partition, t.marginals, t.entropy, lambda: t.kbest(3), lambda: t.sample(2)):
            with pytest.raises(ConstraintError, match="no projective tree"):
                question()
        return
    best = t.argmax()
    assert best.score == pytest.approx(expected.values.max(), abs=1e-9)
    assert best.score == pytest.approx(t.score(best.heads), abs=1e-9)
    assert t.log_partition() == pytest.approx(log_sum(expected.values), abs=1e-9)
    probability = expected.probability()
    surprise = log_sum(expected.values) - expected.values
    assert t.entropy() == pytest.approx((probability * surprise).sum(), abs=1e-8)
    assert math.exp(t.log_probability(expected.trees[0])) == pytest.approx(probability[0], abs=1e-9)
    marginals = t.marginals()
    arc_sums = np.zeros_like(arcs)
    sums = {name: np.zeros_like(table) for name, table in dense.items()}
    for heads, found, weight in zip(expected.trees, expected.parts, probability, strict=True):
        for word in range(1, len(heads)):
            arc_sums[heads[word], word] += weight
        for name, table in sums.items():
            for part in found[name]:
                table[part] += weight
    np.testing.assert_allclose(marginals.arcs, arc_sums, atol=1e-9)
    for name in charts.FAMILIES:
        answer = getattr(marginals, name)
        if name in dense:
            np.testing.assert_allclose(answer, sums[name], atol=1e-9)
        else:
            assert answer is None
    ranked = t.kbest(9)
    np.testing.assert_allclose([tree.score for tree in ranked], np.sort(expected.values)[::-1][:9], atol=1e-9)
    assert len({tuple(tree.heads) for tree in ranked}) == len(ranked)


@settings(max_examples=60, deadline=None)
@given(instance=instances())
def test_tuples_say_the_same_as_arrays(instance: tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]) -> None:
    arcs, dense = instance
    candidates = arcs > -np.inf
    np.fill_diagonal(candidates, False)
    candidates[:, 0] = False
    tuples: dict[str, Any] = {}
    arrays: dict[str, Any] = dict(dense)
    for name, table in dense.items():
        listed = charts.parts(candidates, name)
        tuples[name] = (listed, table[tuple(listed.T)])
    try:
        expected = charts.HigherOrder(arcs, **arrays).marginals()
    except ConstraintError:
        return
    given_tuples = charts.HigherOrder(arcs, **tuples)
    assert given_tuples.log_partition() == charts.HigherOrder(arcs, **arrays).log_partition()
    for name, (listed, _) in tuples.items():
        np.testing.assert_array_equal(getattr(given_tuples.marginals(), name), getattr(expected, name)[tuple(listed.T)])


def test_listed_parts_are_those_of_some_tree() -> None:
    full = ~np.eye(5, dtype=bool)
    full[:, 0] = False
    for name in charts.FAMILIES:
        in_trees = set().union(*(parts_of(heads, "full")[name] for heads in all_trees(4, Space(True, False))))
        assert in_trees <= {tuple(row) for row in charts.parts(full, name).tolist()}


def test_arcs_alone_are_first_order() -> None:
    scores = np.random.default_rng(3).normal(size=(31, 31))
    ours, first_order = charts.HigherOrder(scores, single_root=True), trees.Projective(scores, single_root=True)
    assert ours.argmax().heads.tolist() == first_order.argmax().heads.tolist()
    assert ours.log_partition() == pytest.approx(first_order.log_partition(), abs=1e-9)
    np.testing.assert_allclose(ours.marginals().arcs, first_order.marginals(), atol=1e-10)


def test_a_long_sentence_scores_what_its_tree_says() -> None:
    rng = np.random.default_rng(4)
    arcs = np.full((301, 301), -np.inf)
    for word in range(1, 301):
        near = np.clip(word + rng.integers(-6, 7, size=4), 0, 300)
        arcs[near[near != word], word] = rng.normal(size=int((near != word).sum()))
        arcs[word - 1, word] = rng.normal()
    candidates = arcs > -np.inf
    given_parts: dict[str, Any] = {}
    for name in charts.FAMILIES:
        listed = charts.parts(candidates, name)
        given_parts[name] = (listed, rng.normal(size=len(listed)))
    t = charts.HigherOrder(arcs, **given_parts, single_root=True)
    best, second = t.kbest(2)
    assert t.argmax().heads.tolist() == best.heads.tolist()
    expected = parts_of(tuple(best.heads.tolist()), "full")
    value = sum(arcs[best.heads[m], m] for m in range(1, 301))
    for name, (listed, scores) in given_parts.items():
        by_tuple = dict(zip(map(tuple, listed.tolist()), scores, strict=True))
        value += sum(by_tuple[part] for part in expected[name])
    assert best.score == pytest.approx(value, abs=1e-8)
    assert best.score > second.score
    assert trees.is_projective(best.heads)
    np.testing.assert_allclose(t.marginals().arcs[:, 1:].sum(axis=0), 1.0, atol=1e-9)


def test_samples_follow_the_marginals() -> None:
    rng = np.random.default_rng(5)
    t = charts.HigherOrder(rng.normal(size=(4, 4)), sibling=rng.normal(size=(4, 4, 4)))
    drawn = t.sample(20_000, seed=3)
    assert (drawn[:5] == t.sample(5, seed=3)).all()
    for word in (1, 2, 3):
        shares = np.bincount(drawn[:, word], minlength=4) / len(drawn)
        np.testing.assert_allclose(shares, t.marginals().arcs[:, word], atol=0.02)


def test_tuples_of_pruned_arcs_change_nothing_and_repeated_ones_add_up() -> None:
    arcs = np.zeros((3, 3))
    arcs[2, 1] = -np.inf
    t = charts.HigherOrder(arcs, grandparent=([[0, 2, 1], [0, 1, 2], [0, 1, 2]], [50.0, 1.0, 2.0]))
    assert [tree.score for tree in t.kbest(5)] == [3.0, 0.0]
    np.testing.assert_allclose(t.marginals().grandparent, [0.0, *[math.exp(3) / (1 + math.exp(3))] * 2])  # type: ignore[arg-type]
    empty: list[list[int]] = []
    assert charts.HigherOrder(arcs, tri_sibling=(empty, [])).argmax().score == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sibling": np.zeros((3, 3))}, r"sibling must be an array of shape \(3, 3, 3\)"),
        ({"grandparent": ([[0, 1]], [1.0])}, r"shape \(count, 3\)"),
        ({"grandparent": ([[0, 1, 9]], [1.0])}, r"words in 0..2"),
        ({"grandparent": ([[0, 1, 2]], [1.0, 2.0])}, "one score a tuple"),
        ({"grandparent": ([[0, 1, 2]], [np.nan])}, "NaN"),
        ({"grandparent": ([[0, 1, 2]],)}, r"\(tuples, scores\)"),
        ({"model": "model3"}, "model must be one of"),
    ],
)
def test_mistakes_have_one_clear_message(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        charts.HigherOrder(np.zeros((3, 3)), **arguments)


def test_mistakes_in_questions() -> None:
    t = charts.HigherOrder(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="at least 1"):
        t.kbest(0)
    with pytest.raises(ValueError, match="3 integers"):
        t.score([0, 1])
    with pytest.raises(ValueError, match=r"0\.\.2"):
        t.score([-1, 0, 7])
    with pytest.raises(ValueError, match="family"):
        charts.parts(np.zeros((3, 3), dtype=bool), "cousin")
    with pytest.raises(ValueError, match="boolean"):
        charts.parts(np.zeros((3, 3)), "sibling")
