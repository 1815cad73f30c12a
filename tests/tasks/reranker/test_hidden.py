# SPDX-License-Identifier: Apache-2.0
"""Hidden values: sums and best values by enumeration, gradients by differences, symmetry, what they can learn."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import learn as _learn
from accord._core import tasks as _tasks
from accord.learning.lbfgs import lbfgs

SCALES = (1e-9, 1e-3, 1.0, 30.0, 1e4)


def random_lists(
    seed: int, values: int = 4, scale: float = 1.0, lists: int = 2, words: int = 5, spread: float = 1.0
) -> dict[str, Any]:
    """Arrays of lists with random forests, features and weights; words of a list have the same numbers of values."""
    draw = np.random.default_rng(seed)
    found: dict[str, list[Any]] = {name: [] for name in ("node_counts", "nodes", "parents", "edges", "costs")}
    starts: dict[str, list[int]] = {
        name: [0] for name in ("lists", "node_rows", "edge_rows", "node_starts", "edge_starts", "words")
    }
    node_entries: list[int] = []
    edge_entries: list[int] = []
    weights = draw.normal(0, scale, 200)
    for _ in range(lists):
        count = int(draw.integers(1, words + 1))
        base = len(found["node_counts"])
        sizes = draw.integers(1, values + 1, count)
        for size in sizes.tolist():
            found["node_counts"].append(size)
            for _ in range(int(draw.integers(1, 4))):
                begin = int(draw.integers(0, size))
                node_entries += [int(draw.integers(0, 100)), begin, size - begin]
            starts["node_starts"].append(len(node_entries) // 3)
        for _ in range(int(draw.integers(1, 4))):  # candidates: the same words in other forests
            order = draw.permutation(count)
            parents = [-1] * count
            for place in range(1, count):
                if draw.random() < 0.85:
                    parents[order[place]] = int(order[draw.integers(0, place)])
            for word, parent in enumerate(parents):
                found["nodes"].append(base + word)
                found["parents"].append(parent)
                if parent < 0 or draw.random() < 0.1:
                    found["edges"].append(-1)
                    continue
                found["edges"].append(len(starts["edge_starts"]) - 1)
                for _ in range(int(draw.integers(0, 3))):
                    row, column = int(draw.integers(0, sizes[parent])), int(draw.integers(0, sizes[word]))
                    edge_entries += [int(draw.integers(100, 180)), row, int(sizes[parent]) - row]
                    edge_entries += [column, int(sizes[word]) - column]
                starts["edge_starts"].append(len(edge_entries) // 5)
            starts["words"].append(len(found["nodes"]))
            found["costs"].append(float(draw.integers(0, 3)))
        first = starts["lists"][-1]
        found["costs"][first] = 0.0
        starts["lists"].append(len(found["costs"]))
        starts["node_rows"].append(len(found["node_counts"]))
        starts["edge_rows"].append(len(starts["edge_starts"]) - 1)
    return {
        **{name: np.array(value, np.int64) for name, value in starts.items()},
        **{name: np.array(found[name], np.int32) for name in ("node_counts", "nodes", "parents", "edges")},
        "node_entries": np.array(node_entries, np.int32),
        "edge_entries": np.array(edge_entries, np.int32),
        "costs": np.array(found["costs"]),
        "offsets": draw.normal(0, spread, len(found["costs"])),
        "weights": weights,
    }


def tables(data: dict[str, Any], candidate: int) -> tuple[list[np.ndarray], list[tuple[int, int, np.ndarray]]]:
    """Scores of words and of edges of a candidate, straight from the entries."""
    begin, end = data["words"][candidate : candidate + 2].tolist()
    nodes = []
    for row in data["nodes"][begin:end].tolist():
        scores = np.zeros(data["node_counts"][row])
        for entry in range(*data["node_starts"][row : row + 2].tolist()):
            offset, first, count = data["node_entries"][3 * entry : 3 * entry + 3].tolist()
            scores[first : first + count] += data["weights"][offset : offset + count]
        nodes.append(scores)
    edges = []
    for word, (parent, row) in enumerate(zip(data["parents"][begin:end], data["edges"][begin:end], strict=True)):
        if parent < 0:
            continue
        scores = np.zeros((len(nodes[parent]), len(nodes[word])))
        for entry in range(*data["edge_starts"][row : row + 2].tolist()) if row >= 0 else ():
            offset, a, rows, b, columns = data["edge_entries"][5 * entry : 5 * entry + 5].tolist()
            block = data["weights"][offset : offset + rows * columns].reshape(rows, columns)
            scores[a : a + rows, b : b + columns] += block
        edges.append((int(parent), word, scores))
    return nodes, edges


def enumerated(data: dict[str, Any], candidate: int) -> dict[tuple[int, ...], float]:
    nodes, edges = tables(data, candidate)
    return {
        choice: sum(scores[value] for scores, value in zip(nodes, choice, strict=True))
        + sum(scores[choice[parent], choice[word]] for parent, word, scores in edges)
        for choice in product(*(range(len(scores)) for scores in nodes))
    }


def log_sum(values: Any) -> float:
    every = np.array(list(values))
    return float(every.max() + np.log(np.exp(every - every.max()).sum()))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SCALES))
def test_sums_and_marginals_are_those_of_enumeration(seed: int, scale: float) -> None:
    data = random_lists(seed, scale=scale)
    native = _tasks.HiddenReranker(**data)
    for candidate in range(len(data["costs"])):
        every = enumerated(data, candidate)
        total = log_sum(every.values())
        found, node_beliefs, edge_beliefs = native.beliefs(candidate)
        assert found == pytest.approx(total, rel=1e-9, abs=1e-9)
        nodes, edges = tables(data, candidate)
        expected = [np.zeros(len(scores)) for scores in nodes]
        pairs = [np.zeros(scores.shape) for _, _, scores in edges]
        for choice, score in every.items():
            share = np.exp(score - total)
            for word, value in enumerate(choice):
                expected[word][value] += share
            for place, (parent, word, _) in enumerate(edges):
                pairs[place][choice[parent], choice[word]] += share
        assert node_beliefs == pytest.approx(np.concatenate(expected), abs=1e-8)
        assert edge_beliefs == pytest.approx(np.concatenate([np.zeros(0), *(p.ravel() for p in pairs)]), abs=1e-8)
        best = native.best_values(candidate).tolist()
        assert every[tuple(best)] == pytest.approx(max(every.values()), rel=1e-9, abs=1e-12)


@settings(deadline=None)
@given(st.integers(0, 2_000))
def test_the_gradient_is_that_of_the_loss(seed: int) -> None:
    data = random_lists(seed, scale=0.5)
    native = _tasks.HiddenReranker(**data)
    _, gradient = native.objective()
    used = np.flatnonzero(gradient)[:25]
    for place in used.tolist():
        values = []
        for step in (1e-5, -1e-5):
            moved = data["weights"].copy()
            moved[place] += step
            native.set_weights(moved)
            values.append(native.objective()[0])
        assert gradient[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-5)


def test_one_value_for_each_word_is_an_ordinary_log_linear_reranker() -> None:
    for seed in range(10):
        data = random_lists(seed, values=1, spread=0.0)
        native = _tasks.HiddenReranker(**data)
        rows: list[np.ndarray] = []
        for candidate in range(len(data["costs"])):
            row = np.zeros(len(data["weights"]))
            begin, end = data["words"][candidate : candidate + 2].tolist()
            for node, edge in zip(data["nodes"][begin:end], data["edges"][begin:end], strict=True):
                for entry in range(*data["node_starts"][node : node + 2].tolist()):
                    row[data["node_entries"][3 * entry]] += 1
                for entry in range(*data["edge_starts"][edge : edge + 2].tolist()) if edge >= 0 else ():
                    row[data["edge_entries"][5 * entry]] += 1
            rows.append(row)
        table = np.stack(rows)
        owners, places = np.nonzero(table)
        lists = _learn.CandidateLists(
            width=table.shape[1],
            lists=data["lists"],
            starts=np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=len(table))))).astype(np.int64),
            features=places.astype(np.int32),
            values=table[owners, places].astype(np.float32),
            costs=data["costs"],
        )
        value, gradient = lists.objective(data["weights"], "likelihood", 0.0)
        found, slopes = native.objective()
        assert found == pytest.approx(value, rel=1e-9) and slopes == pytest.approx(gradient, abs=1e-9)


def two_valued(lists: int, values: int, spread: float, seed: int) -> dict[str, Any]:
    """Words of six forms in pairs; the right candidate joins forms of one hidden class, which no feature names."""
    draw = np.random.default_rng(seed)
    forms, classes = 6, [0, 1, 0, 1, 0, 1]
    node_offset, edge_offset = 0, forms * values
    count = forms * values + values * values
    arrays: dict[str, list[int]] = {
        name: [] for name in ("node_counts", "node_entries", "edge_entries", "nodes", "parents", "edges")
    }
    starts: dict[str, list[int]] = {
        name: [0] for name in ("lists", "node_rows", "edge_rows", "node_starts", "edge_starts", "words")
    }
    for _ in range(lists):
        first = int(draw.integers(0, forms))
        same = [one for one in range(forms) if classes[one] == classes[first] and one != first]
        other = [one for one in range(forms) if classes[one] != classes[first]]
        chosen = [first, int(draw.choice(same)), int(draw.choice(other))]
        base = len(arrays["node_counts"])
        for form in chosen:
            arrays["node_counts"].append(values)
            arrays["node_entries"] += [node_offset + form * values, 0, values]
            starts["node_starts"].append(len(arrays["node_entries"]) // 3)
        edge = len(starts["edge_starts"]) - 1
        arrays["edge_entries"] += [edge_offset, 0, values, 0, values]
        starts["edge_starts"].append(len(arrays["edge_entries"]) // 5)
        for third in (1, 2):  # the first word with one of its class, or with one of the other
            arrays["nodes"] += [base, base + third]
            arrays["parents"] += [-1, 0]
            arrays["edges"] += [-1, edge]
            starts["words"].append(len(arrays["nodes"]))
        starts["lists"].append(starts["lists"][-1] + 2)
        starts["node_rows"].append(len(arrays["node_counts"]))
        starts["edge_rows"].append(len(starts["edge_starts"]) - 1)
    return {
        **{name: np.array(value, np.int64) for name, value in starts.items()},
        **{name: np.array(value, np.int32) for name, value in arrays.items()},
        "costs": np.tile([0.0, 1.0], lists),
        "offsets": np.zeros(2 * lists),
        "weights": draw.normal(0, spread, count) if spread else np.zeros(count),
    }


def trained_loss(values: int, spread: float, seed: int = 5) -> tuple[float, np.ndarray]:
    native = _tasks.HiddenReranker(**two_valued(60, values, spread, seed))
    losses = [native.run(np.arange(60), 0.3, 0.0) for _ in range(60)]
    assert losses[-1] <= losses[0] + 1e-6
    return native.objective()[0] / 60, native.weights()


def test_two_hidden_values_learn_what_one_cannot() -> None:
    single, _ = trained_loss(1, 0.1)
    double = min(trained_loss(2, 0.3, seed)[0] for seed in (5, 6, 7))
    assert single > 0.6 and double < 0.1


def right_choices(weights: np.ndarray, seed: int) -> float:
    """The share of new lists whose right candidate scores most."""
    native = _tasks.HiddenReranker(**{**two_valued(200, 2, 0.0, seed), "weights": weights})
    scores = np.asarray(native.scores()).reshape(-1, 2)
    return float((scores[:, 0] > scores[:, 1]).mean())


def test_passes_by_steps_and_lbfgs_learn_the_same() -> None:
    """The loss falls from pass to pass; by either learner the best one of three starts is right about new lists."""
    stepwise, whole = [], []
    for seed in (5, 6, 7):
        data = two_valued(60, 2, 0.3, seed)
        native = _tasks.HiddenReranker(**data)
        losses = [native.objective()[0]]
        for _ in range(60):
            native.run(np.arange(60), 0.3, 0.0)
            losses.append(native.objective()[0])
        assert all(later <= before + 0.02 * losses[0] for before, later in pairwise(losses))
        stepwise.append((losses[-1], native.weights()))

        def objective(weights: np.ndarray, native: _tasks.HiddenReranker = native) -> tuple[float, np.ndarray]:
            native.set_weights(weights)
            value, gradient = native.objective()
            return value + 0.005 * float(weights @ weights), gradient + 0.01 * weights

        found = lbfgs(objective, data["weights"], iterations=200)
        whole.append((objective(found)[0], found))
    for learnt in (stepwise, whole):
        _, best = min(learnt, key=lambda one: one[0])
        assert right_choices(best, 11) == 1.0


def test_values_that_begin_alike_stay_alike() -> None:
    _, weights = trained_loss(2, 0.0)
    forms = weights[:12].reshape(6, 2)
    assert forms[:, 0] == pytest.approx(forms[:, 1], abs=1e-12)


def test_other_names_of_values_change_nothing() -> None:
    data = two_valued(20, 2, 0.5, 3)
    scores = _tasks.HiddenReranker(**data).scores()
    swapped = data["weights"].copy()
    swapped[:12] = swapped[:12].reshape(6, 2)[:, ::-1].ravel()
    swapped[12:] = swapped[12:].reshape(2, 2)[::-1, ::-1].ravel()
    assert _tasks.HiddenReranker(**{**data, "weights": swapped}).scores() == pytest.approx(scores)


def test_the_number_of_threads_changes_nothing() -> None:
    native = _tasks.HiddenReranker(**random_lists(3, lists=20))
    assert native.scores(1).tobytes() == native.scores(2).tobytes()


def test_circles_and_entries_that_reach_too_far_are_refused() -> None:
    data = two_valued(1, 2, 0.1, 1)
    with pytest.raises(ValueError, match="circle"):
        _tasks.HiddenReranker(**{**data, "parents": np.array([1, 0, -1, 0], np.int32)}).scores()
    with pytest.raises(ValueError, match="reaches too far"):
        _tasks.HiddenReranker(**{**data, "weights": data["weights"][:-1]})
