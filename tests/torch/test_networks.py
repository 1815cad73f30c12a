# SPDX-License-Identifier: Apache-2.0
"""Batches of networks give what enumeration and the solvers of the core give for each network by itself."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import itertools  # noqa: E402

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord.errors import ConfigError, ConstraintError  # noqa: E402
from accord.inference.graph import Network  # noqa: E402
from accord.torch import NetworkBatch  # noqa: E402

SHAPES = st.integers(0, 10_000)
TREE = ((2, 3, 4, 2, 3), ((0, 1), (1, 2), (3, 1), (2, 4)))
LOOP = ((3, 2, 3), ((0, 1), (1, 2), (0, 2)))


def shape(seed: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 6))
    values = tuple(int(number) for number in random.integers(1, 5, count))
    sizes = random.integers(1, min(4, count + 1), int(random.integers(0, 6)))
    scopes = tuple(tuple(int(one) for one in random.permutation(count)[:size]) for size in sizes)
    return values, tuple(scope for scope in scopes if len(scope) > 1)


def networks(
    values: tuple[int, ...], scopes: tuple[tuple[int, ...], ...], count: int, seed: int, forbidden: float = 0.0
) -> list[Network]:
    """Random networks of a shape in which the setting of all zeros is always possible."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        tables = []
        for scope in (*((one,) for one in range(len(values))), *scopes):
            table = 2 * random.normal(size=tuple(values[one] for one in scope))
            mask = random.random(table.shape) < forbidden
            mask[(0,) * len(scope)] = False
            tables.append((scope, np.where(mask, -np.inf, table)))
        found.append(Network(values, tuple(tables), float(random.normal())))
    return found


def enumerated(network: Network) -> tuple[list[tuple[int, ...]], np.ndarray]:
    every = list(itertools.product(*(range(count) for count in network.values)))
    return every, np.array([network.score(setting) for setting in every])


@settings(max_examples=60, deadline=None)
@given(seed=SHAPES, forbidden=st.sampled_from([0.0, 0.2]))
def test_exact_sums_and_maxima_are_those_of_enumeration(seed: int, forbidden: float) -> None:
    values, scopes = shape(seed)
    members = networks(values, scopes, 4, seed, forbidden)
    batch = NetworkBatch(values, scopes)
    scores = batch.scores(members)
    log_z, marginals, best = batch.log_partition(*scores), batch.marginals(*scores), batch.argmax(*scores)
    for place, network in enumerate(members):
        every, totals = enumerated(network)
        assert float(log_z[place]) == pytest.approx(np.logaddexp.reduce(totals))
        assert float(best.values[place]) == pytest.approx(totals.max()) == pytest.approx(float(best.bounds[place]))
        assert network.score(best.settings[place].tolist()) == pytest.approx(totals.max())
        chances = np.exp(totals - np.logaddexp.reduce(totals))
        for variable, count in enumerate(values):
            own = np.bincount([setting[variable] for setting in every], chances, count)
            assert np.allclose(marginals.unary[place, variable, :count].numpy(), own, atol=1e-9)
        for scope, table in zip(scopes, marginals.tables, strict=True):
            joint = np.zeros(table.shape[1:])
            for setting, chance in zip(every, chances, strict=True):
                joint[tuple(setting[one] for one in scope)] += chance
            assert np.allclose(table[place].numpy(), joint, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=SHAPES, forbidden=st.sampled_from([0.0, 0.2]), scale=st.sampled_from([1e-6, 1.0, 1e6]))
def test_no_setting_exceeds_a_bound_and_values_are_those_of_settings(seed: int, forbidden: float, scale: float) -> None:
    values, scopes = shape(seed)
    members = networks(values, scopes, 4, seed, forbidden)
    batch = NetworkBatch(values, scopes)
    unary, tables = batch.scores(members)
    found = batch.argmax(scale * unary, [scale * table for table in tables], method="dual")
    for place, network in enumerate(members):
        best = scale * enumerated(network)[1].max()
        assert float(found.bounds[place]) >= best - 1e-9 * scale
        value = scale * network.score(found.settings[place].tolist())
        assert value == float(found.values[place]) or value == pytest.approx(float(found.values[place]))
        assert value <= best + 1e-9 * scale


def test_the_dual_proves_trees() -> None:
    batch = NetworkBatch(*TREE)
    scores = batch.scores(networks(*TREE, 50, 3))
    found = batch.argmax(*scores, method="dual", rounds=500)
    assert torch.allclose(found.values, found.bounds, atol=1e-5)
    assert torch.allclose(found.values, batch.argmax(*scores).values, atol=1e-5)


@pytest.mark.parametrize("forbidden", [0.0, 0.2])
def test_messages_are_exact_on_trees(forbidden: float) -> None:
    batch = NetworkBatch(*TREE)
    scores = batch.scores(networks(*TREE, 50, 4, forbidden))
    exact, passed = batch.marginals(*scores, method="exact"), batch.marginals(*scores, method="bp")
    assert torch.allclose(exact.unary, passed.unary, atol=1e-9)
    assert all(torch.allclose(one, other, atol=1e-9) for one, other in zip(exact.tables, passed.tables, strict=True))
    assert torch.allclose(batch.log_partition(*scores), batch.log_partition(*scores, method="bp"), atol=1e-9)
    best = batch.argmax(*scores)
    assert torch.allclose(best.values, batch.argmax(*scores, method="bp").values, atol=1e-9)


def test_damped_messages_of_loopy_networks_settle_near_the_marginals() -> None:
    batch = NetworkBatch(*LOOP)
    unary, tables = batch.scores(networks(*LOOP, 100, 5))
    tables = [0.25 * table for table in tables]
    exact = batch.marginals(unary, tables).unary
    passed = batch.marginals(unary, tables, method="bp", damping=0.3).unary
    assert float((exact - passed).abs().max()) < 0.02
    plain, damped = (batch.marginals(unary, tables, method="bp", damping=share).unary for share in (0.0, 0.5))
    assert torch.allclose(plain, damped, atol=1e-6)  # one fixed point, by two ways


def test_each_network_of_a_batch_has_the_answer_of_its_factor_graph() -> None:
    members = networks(*LOOP, 10, 6)
    batch = NetworkBatch.of(members[0])
    scores = batch.scores(members)
    log_z, marginals, best = batch.log_partition(*scores), batch.marginals(*scores), batch.argmax(*scores)
    for place, network in enumerate(members):
        solved = network.graph.solve("enumerate")
        assert float(log_z[place]) == pytest.approx(solved.log_partition)
        assert best.settings[place].tolist() == network.setting(solved)
        for variable, own in enumerate(network.marginals(solved)):
            assert np.allclose(marginals.unary[place, variable, : own.size].numpy(), own, atol=1e-9)


def test_gradients_are_right_once_and_twice() -> None:
    batch = NetworkBatch(*LOOP)
    unary, tables = batch.scores(networks(*LOOP, 2, 7))
    inputs = tuple(scores.clone().requires_grad_() for scores in (unary, *tables))
    assert torch.autograd.gradcheck(lambda own, *rest: batch.log_partition(own, rest), inputs)
    assert torch.autograd.gradgradcheck(lambda own, *rest: batch.log_partition(own, rest), inputs)
    assert torch.autograd.gradcheck(lambda own, *rest: batch.marginals(own, rest).unary, inputs)
    assert torch.autograd.gradcheck(
        lambda own, *rest: batch.log_partition(own, rest, method="bp", rounds=5, tolerance=0.0), inputs
    )


def test_gradients_beside_forbidden_values_are_finite() -> None:
    batch = NetworkBatch(*LOOP)
    unary, tables = batch.scores(networks(*LOOP, 20, 8, forbidden=0.3))
    for method in ("exact", "bp"):
        own = unary.clone().requires_grad_()
        batch.marginals(own, tables, method=method).unary.square().sum().backward()
        assert own.grad is not None and bool(torch.isfinite(own.grad).all())


def test_shared_scores_and_stacked_tables_mean_the_same() -> None:
    batch = NetworkBatch((3, 3, 3), ((0, 1), (1, 2)))
    unary, pairs = torch.randn(5, 3, 3, dtype=torch.float64), torch.randn(1, 2, 3, 3, dtype=torch.float64)
    whole = [pairs[:, place].expand(5, 3, 3) for place in range(2)]
    assert torch.equal(batch.log_partition(unary, pairs), batch.log_partition(unary, whole))
    assert torch.equal(batch.argmax(unary, pairs).settings, batch.argmax(unary, whole).settings)


def test_wrong_shapes_and_impossible_networks_are_refused() -> None:
    batch = NetworkBatch((2, 2), ((0, 1),))
    table, unary = torch.zeros(1, 2, 2), torch.zeros(1, 2, 2)
    with pytest.raises(ValueError, match="1 tables"):
        batch.log_partition(unary, [])
    with pytest.raises(ValueError, match="table 0"):
        batch.log_partition(unary, [torch.zeros(1, 2, 3)])
    with pytest.raises(ValueError, match="unary"):
        batch.log_partition(torch.zeros(1, 2, 3), [table])
    with pytest.raises(ValueError, match="variables"):
        NetworkBatch((2, 2), ((0, 2),))
    with pytest.raises(ConfigError, match="method"):
        batch.argmax(unary, [table], method="simplex")
    with pytest.raises(ConstraintError, match="network 1"):
        batch.log_partition(unary, [torch.tensor([0.0, -torch.inf])[:, None, None].expand(2, 2, 2)])
