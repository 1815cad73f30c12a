# SPDX-License-Identifier: Apache-2.0
"""Two layers of labels in one chain: every answer equals enumeration, and that of the cross-product chain."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.chains import Chain, JointChain
from accord.inference.joint import clique_shape
from tests.inference.enumerated_chains import Floats, drawn_table, log_sum

Pair = tuple[tuple[int, ...], tuple[int, ...]]


class Scores:
    """Random clique tables of l elements, and the score of labels by the definition."""

    def __init__(
        self, seed: int, length: int, first: int, second: int, shared: bool, scale: float, hole: float
    ) -> None:
        rng = np.random.default_rng(seed)

        def table(*shape: int) -> Floats:
            return drawn_table(rng, shape, scale, hole, ties=False)

        lead = () if shared else (length - 1,)
        self.layers, self.length = (first, second), length
        self.phi, self.psi = table(*lead, first, second, first), table(*lead, second, first, second)
        self.unary = (table(length, first), table(length, second))
        self.joint = table(length, first, second)

    def chain(self) -> JointChain:
        return JointChain(self.layers, self.phi, self.psi, unary=self.unary, joint=self.joint)

    def score(self, s: tuple[int, ...], t: tuple[int, ...]) -> float:
        total = 0.0
        for i in range(self.length):
            total += self.unary[0][i, s[i]] + self.unary[1][i, t[i]] + self.joint[i, s[i], t[i]]
            if i:
                phi, psi = (table if table.ndim == 3 else table[i - 1] for table in (self.phi, self.psi))
                total += phi[s[i - 1], t[i - 1], s[i]] + psi[t[i - 1], s[i], t[i]]
        return float(total)

    def all(self) -> dict[Pair, float]:
        rows = [list(itertools.product(range(size), repeat=self.length)) for size in self.layers]
        found = {(s, t): self.score(s, t) for s in rows[0] for t in rows[1]}
        return {pair: value for pair, value in sorted(found.items(), key=lambda item: -item[1]) if value > -np.inf}


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    length=st.integers(1, 3),
    first=st.integers(1, 4),
    second=st.integers(1, 3),
    shared=st.booleans(),
    scale=st.sampled_from([1.0, 100.0]),
    hole=st.sampled_from([0.0, 0.2]),
)
def test_every_answer_equals_enumeration(
    seed: int, length: int, first: int, second: int, shared: bool, scale: float, hole: float
) -> None:
    scores = Scores(seed, length, first, second, shared, scale, hole)
    chain, ranked = scores.chain(), scores.all()
    if not ranked:
        with pytest.raises(ConstraintError):
            chain.argmax()
        return
    values = np.array(list(ranked.values()))
    shares = dict(zip(ranked, np.exp(values - log_sum(values)), strict=True))
    assert chain.log_partition() == pytest.approx(log_sum(values), abs=1e-9)
    best = chain.argmax()
    assert best.score == chain.score(best.layers) == pytest.approx(values[0], abs=1e-9)
    found = chain.kbest(50)
    np.testing.assert_allclose([each.score for each in found], values[:50], atol=1e-9)
    assert len({each.layers.tobytes() for each in found}) == len(found)
    for each in found:
        s, t = (tuple(layer.tolist()) for layer in each.layers)
        assert scores.score(s, t) == pytest.approx(each.score, abs=1e-9)
        assert chain.probability([s, t]) == pytest.approx(shares[s, t], abs=1e-9)
    by_layer = np.zeros((length, first)), np.zeros((length, second))
    joint = np.zeros((length, first, second))
    cliques = np.zeros((length - 1, first, second, first)), np.zeros((length - 1, second, first, second))
    for (s, t), share in shares.items():
        for i in range(length):
            by_layer[0][i, s[i]] += share
            by_layer[1][i, t[i]] += share
            joint[i, s[i], t[i]] += share
            if i:
                cliques[0][i - 1, s[i - 1], t[i - 1], s[i]] += share
                cliques[1][i - 1, t[i - 1], s[i], t[i]] += share
    for mine, wanted in zip(
        (*chain.marginals(), chain.joint_marginals(), *chain.clique_marginals()),
        (*by_layer, joint, *cliques),
        strict=True,
    ):
        np.testing.assert_allclose(mine, wanted, atol=1e-9)
    drawn = chain.sample(5, seed=3)
    assert drawn.shape == (5, 2, length)
    assert all((tuple(s), tuple(t)) in ranked for s, t in drawn.tolist())


class LayeredScores:
    """Random scores of m layers, and the score of labels (one tuple an element) by the definition."""

    def __init__(self, seed: int, sizes: tuple[int, ...], length: int, shared: bool, scale: float, hole: float) -> None:
        rng = np.random.default_rng(seed)
        self.sizes, self.length = sizes, length

        def table(*shape: int) -> Floats:
            return drawn_table(rng, shape, scale, hole, ties=False)

        lead = () if shared else (length - 1,)
        self.cliques = [table(*lead, *clique_shape(sizes, layer)) for layer in range(len(sizes))]
        self.unary = [table(length, size) if rng.random() < 0.7 else None for size in sizes]
        self.joint = table(length, *sizes)

    def chain(self) -> JointChain:
        return JointChain(self.sizes, *self.cliques, unary=self.unary, joint=self.joint, length=self.length)

    def score(self, labels: tuple[tuple[int, ...], ...]) -> float:
        total = 0.0
        for i, here in enumerate(labels):
            total += float(self.joint[(i, *here)])
            for layer, row in enumerate(self.unary):
                total += 0.0 if row is None else float(row[i, here[layer]])
                if i:
                    clique = self.cliques[layer]
                    at = (*labels[i - 1][layer:], *here[: layer + 1])
                    total += float(clique[at] if clique.ndim == len(at) else clique[(i - 1, *at)])
        return total

    def all(self) -> dict[tuple[tuple[int, ...], ...], float]:
        tuples = list(itertools.product(*(range(size) for size in self.sizes)))
        found = {labels: self.score(labels) for labels in itertools.product(tuples, repeat=self.length)}
        return {one: value for one, value in sorted(found.items(), key=lambda item: -item[1]) if value > -np.inf}


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.integers(1, 4).flatmap(
        lambda m: st.tuples(st.integers(1, 3 if m < 4 else 2), *[st.integers(1, 3 if m < 3 else 2)] * (m - 1))
    ),
    length=st.integers(1, 2),
    shared=st.booleans(),
    scale=st.sampled_from([1e-9, 1.0, 100.0]),
    hole=st.sampled_from([0.0, 0.2]),
)
def test_one_to_four_layers_equal_enumeration(
    seed: int, sizes: tuple[int, ...], length: int, shared: bool, scale: float, hole: float
) -> None:
    scores = LayeredScores(seed, sizes, length + (len(sizes) < 3), shared, scale, hole)
    chain, ranked = scores.chain(), scores.all()
    if not ranked:
        with pytest.raises(ConstraintError):
            chain.argmax()
        return
    values = np.array(list(ranked.values()))
    total = log_sum(values)
    assert chain.log_partition() == pytest.approx(total, abs=1e-9)
    best = chain.argmax()
    assert best.score == chain.score(best.layers) == pytest.approx(values[0], abs=1e-9)
    found = chain.kbest(30)
    np.testing.assert_allclose([each.score for each in found], values[:30], atol=1e-9)
    assert len({each.layers.tobytes() for each in found}) == len(found)
    for each in found:
        assert ranked[tuple(map(tuple, each.layers.T.tolist()))] == pytest.approx(each.score, abs=1e-9)
    layers = [np.zeros((scores.length, size)) for size in sizes]
    joint = np.zeros((scores.length, *sizes))
    cliques = [np.zeros((scores.length - 1, *clique_shape(sizes, layer))) for layer in range(len(sizes))]
    for labels, value in ranked.items():
        share = np.exp(value - total)
        for i, here in enumerate(labels):
            joint[(i, *here)] += share
            for layer in range(len(sizes)):
                layers[layer][i, here[layer]] += share
                if i:
                    cliques[layer][(i - 1, *labels[i - 1][layer:], *here[: layer + 1])] += share
    mine = (*chain.marginals(), chain.joint_marginals(), *chain.clique_marginals())
    for got, wanted in zip(mine, (*layers, joint, *cliques), strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-9)
    shares = np.exp(values - total)
    assert chain.entropy() == pytest.approx(float(-(shares * (values - total)).sum()), abs=1e-8)
    assert all(tuple(map(tuple, drawn.T.tolist())) in ranked for drawn in chain.sample(5, seed=seed))


def test_a_cross_product_chain_embeds() -> None:
    """phi and psi that add up to the transitions of a chain over pairs (s, t) give the same distribution."""
    rng = np.random.default_rng(1)
    first, second, length = 4, 3, 6
    phi, psi = rng.normal(size=(first, second, first)), rng.normal(size=(second, first, second))
    states = rng.normal(size=(length, first, second))
    # [s', t', s, t]
    transitions = phi[:, :, :, None] + psi[None, :, :, :]
    product = Chain(states.reshape(length, -1), transitions.reshape(first * second, first * second))
    hybrid = JointChain([first, second], phi, psi, joint=states)
    assert hybrid.log_partition() == pytest.approx(product.log_partition(), rel=1e-12)
    np.testing.assert_allclose(hybrid.joint_marginals().reshape(length, -1), product.marginals(), atol=1e-10)
    assert hybrid.entropy() == pytest.approx(product.entropy(), rel=1e-10)
    best = product.argmax()
    assert hybrid.argmax().score == pytest.approx(best.score, rel=1e-12)
    assert hybrid.score([best.labels // second, best.labels % second]) == pytest.approx(best.score, rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(length=st.integers(1, 20), first=st.integers(1, 8), second=st.integers(1, 12))
def test_operations_follow_the_formula(length: int, first: int, second: int) -> None:
    hybrid = JointChain(
        [first, second], np.zeros((first, second, first)), np.zeros((second, first, second)), length=length
    )
    each = first * first * second + first * second * second
    assert hybrid.operations == first * second + (length - 1) * each
    product = Chain(np.zeros((length, first * second)), np.zeros((first * second,) * 2))
    assert product.operations == (length - 1) * (first * second) ** 2


def test_layers_that_keep_a_tag_inside_a_segment_never_break_it() -> None:
    """Hard consistency: inside a segment (s = 1) the tag stays."""
    rng = np.random.default_rng(2)
    psi = np.zeros((3, 2, 3))
    psi[:, 1, :] = np.where(np.eye(3) > 0, 0.0, -np.inf)
    hybrid = JointChain([2, 3], np.zeros((2, 3, 2)), psi, unary=(rng.normal(size=(8, 2)), rng.normal(size=(8, 3)) * 3))
    for s, t in hybrid.sample(200, seed=1).tolist() + [each.layers.tolist() for each in hybrid.kbest(200)]:
        assert all(t[i] == t[i - 1] for i in range(1, 8) if s[i] == 1)


def test_an_empty_interleaved_chain_has_one_labelling() -> None:
    empty = JointChain([2, 3], np.zeros((2, 3, 2)), np.zeros((3, 2, 3)), length=0)
    assert empty.log_partition() == 0.0 and empty.argmax().layers.shape == (2, 0)
    assert [table.shape for table in (*empty.marginals(), empty.joint_marginals())] == [(0, 2), (0, 3), (0, 2, 3)]
    assert empty.sample(3).shape == (3, 2, 0)


def test_wrong_arguments_are_one_clear_error() -> None:
    phi, psi = np.zeros((2, 3, 2)), np.zeros((3, 2, 3))
    wrong: list[tuple[Any, str]] = [
        (lambda: JointChain([], length=2), "numbers of labels"),
        (lambda: JointChain([2, 0], phi, psi, length=2), "numbers of labels"),
        (lambda: JointChain([2, 3], phi, length=2), "as many cliques"),
        (lambda: JointChain([2, 3], phi, psi, unary=[np.zeros((2, 2))]), "one entry a layer"),
        (lambda: JointChain([2, 3], psi, psi, length=2), r"cliques\[0\] must be"),
        (lambda: JointChain([2, 3], phi, psi), "give length="),
        (lambda: JointChain([2, 3], phi, psi, length=-1), "length"),
        (lambda: JointChain([2, 3], phi, psi, joint=np.zeros((2, 2, 3)), length=3), "different lengths"),
        (lambda: JointChain([2, 3], phi, psi, unary=(np.zeros((2, 3)), None)), r"unary\[0\] must be"),
        (lambda: JointChain([2, 3], phi + math.nan, psi, length=3), "NaN"),
        (lambda: JointChain([2, 3], phi, psi, length=2).score([[0, 0]]), r"shape \(2, 2\)"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()
