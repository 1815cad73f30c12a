# SPDX-License-Identifier: Apache-2.0
"""accord.sequence.CRF: checked against enumeration, as an estimator, and with the examples of sklearn-crfsuite."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import tasks as _tasks
from accord.errors import AccordError, ConfigError, ConstraintError
from accord.sequence import CRF
from accord.tasks.sequence.rows import Vocabulary

X = [
    [{"w": "the"}, {"w": "old", "big": True}, {"w": "cat", "len": 3}],
    [{"w": "she"}, {"w": "ran", "len": 3.5, "ends": ["an", "n"]}],
    [{"w": "the"}, {"w": "dog", "shape": {"x": 1.0}}],
]
Y = [["D", "A", "N"], ["P", "V"], ["D", "N"]]


def problem(seed: int, labels: int, values: bool, l2: float, all_states: bool) -> tuple[Any, list[Any], int]:
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 5, 3)
    tokens = int(lengths.sum())
    counts = random.integers(0, 4, tokens)
    features = random.integers(0, 6, int(counts.sum())).astype(np.int32)
    numbers = random.normal(size=features.size) if values else np.zeros(0)
    gold = random.integers(0, labels, tokens).astype(np.int32)
    weights = random.random(3) * 2
    rows = _tasks.SparseRows(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        features,
        numbers,
    )
    empty = np.zeros(0)
    made = _tasks.SequenceProblem(
        rows, gold, weights, features=6, labels=labels, start=empty, end=empty, follow=empty, l2=l2,
        all_states=all_states, all_transitions=True, threads=1,
    )  # fmt: skip
    return made, [lengths, counts, features, numbers, gold, weights], labels


def enumerated(made: Any, parts: list[Any], labels: int, l2: float, w: Any) -> float:
    lengths, counts, features, numbers, gold, weights = parts
    starts, columns = made.starts, made.columns
    table = made.table(w).reshape(labels, labels)
    unary = np.zeros((len(counts), labels))
    at = 0
    for token, count in enumerate(counts):
        for entry in range(at, at + count):
            value = numbers[entry] if len(numbers) else 1.0
            for k in range(starts[features[entry]], starts[features[entry] + 1]):
                unary[token, columns[k]] += value * w[k]
        at += count
    total, first = l2 / 2 * float(w @ w), 0
    for length, weight in zip(lengths, weights, strict=True):
        if length:
            local = unary[first : first + length]
            scores = [
                sum(local[i, y] for i, y in enumerate(path)) + sum(table[a, b] for a, b in itertools.pairwise(path))
                for path in itertools.product(range(labels), repeat=int(length))
            ]
            path = gold[first : first + length]
            right = sum(local[i, y] for i, y in enumerate(path)) + sum(table[a, b] for a, b in itertools.pairwise(path))
            total += weight * (np.logaddexp.reduce(scores) - right)
        first += length
    return float(total)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans(), st.booleans(), st.sampled_from([1e-6, 1.0, 30.0]))
def test_the_objective_is_that_of_enumeration(seed: int, labels: int, values: bool, every: bool, scale: float) -> None:
    made, parts, labels = problem(seed, labels, values, 0.5, every)
    w = np.random.default_rng(seed + 1).normal(size=len(made)) * scale
    value, gradient = made.evaluate(w)
    assert value == pytest.approx(enumerated(made, parts, labels, 0.5, w), rel=1e-9, abs=1e-9)
    for k in range(0, len(w), max(1, len(w) // 5)):
        step = np.zeros(len(w))
        step[k] = 1e-5
        slope = (made.evaluate(w + step)[0] - made.evaluate(w - step)[0]) / 2e-5
        assert gradient[k] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_predictions_are_those_of_enumeration() -> None:
    crf = CRF(c2=0.1, all_possible_transitions=True).fit(X, Y)
    for sequence in X:
        ranked = crf.kbest(sequence, 10_000)
        assert len(ranked) == len(crf.classes_) ** len(sequence)
        assert sum(np.exp(one.log_probability) for one in ranked) == pytest.approx(1)
        assert list(ranked[0].value) == crf.predict_single(sequence)
        table = crf.predict_proba([sequence])[0]
        for i in range(len(sequence)):
            for j, label in enumerate(crf.classes_):
                mass = sum(np.exp(one.log_probability) for one in ranked if one.value[i] == label)
                assert table[i, j] == pytest.approx(mass, abs=1e-9)


def test_the_examples_of_sklearn_crfsuite_run() -> None:
    crf = CRF(algorithm="lbfgs", c1=0.01, c2=0.01, max_iterations=100, all_possible_transitions=True)
    crf.fit(X, Y)
    assert crf.predict(X) == Y and crf.score(X, Y) == 1.0
    marginals = crf.predict_marginals_single(X[0])
    assert marginals[0]["D"] > 0.5 and sum(marginals[0].values()) == pytest.approx(1)
    assert crf.state_features_["w:the", "D"] > 0 and ("D", "N") in crf.transition_features_
    assert set(crf.classes_) == {"D", "A", "N", "P", "V"}


def test_dictionaries_are_read_as_crfsuite_reads_them() -> None:
    vocabulary, rows = Vocabulary.learn(X)
    assert {"w:the", "big", "len", "ends:an", "ends:n", "shape:x"} <= set(vocabulary.names)
    assert rows.values[rows.features == vocabulary.names.index("len")].tolist() == [3.0, 3.5]
    with pytest.raises(AccordError, match="finite"):
        CRF().fit([[{"a": float("nan")}]], [["x"]])
    with pytest.raises(AccordError, match="a token is"):
        CRF().fit([[3]], [["x"]])


def test_lists_of_names_and_unknown_features() -> None:
    crf = CRF(c2=0.01).fit([[["a", "b"], ["c"]], [["a"], ["c", "d"]]], [["X", "Y"], ["X", "Y"]])
    assert crf.predict([[["a", "new"], ["never"]]])[0][0] == "X"


def test_l1_leaves_few_weights() -> None:
    dense, sparse = CRF(c2=0.01).fit(X, Y), CRF(c1=0.3, c2=0.01).fit(X, Y)
    assert 0 < len(sparse.state_features_) < len(dense.state_features_)


def test_weights_of_sequences_count() -> None:
    data = [[["a"]], [["a"]]], [["X"], ["Y"]]
    assert CRF(c2=0.01).fit(*data, sample_weight=[3.0, 1.0]).predict_single([["a"]]) == ["X"]
    assert CRF(c2=0.01).fit(*data, sample_weight=[1.0, 3.0]).predict_single([["a"]]) == ["Y"]
    assert CRF(c2=0.01).fit(*data, sample_weight=[2, 0]).predict_proba([[["a"]]])[0].max() > 0.9


def test_constraints_hold() -> None:
    forbidden = [("D", "N"), (None, "P"), ("N", None)]
    with pytest.raises(ConstraintError, match="sequence 1"):
        CRF(constraints=forbidden, threads=1).fit(X, Y)
    crf = CRF(constraints=[("N", "N"), (None, "N")], c2=0.1).fit(X, Y)
    for one in crf.kbest([{"w": "cat"}, {"w": "cat"}], 100):
        assert one.value[0] != "N" and one.value != ("N", "N")
    with pytest.raises(ConfigError, match="no label 'Q'"):
        CRF(constraints=[("Q", "N")]).fit(X, Y)


def test_threads_change_nothing_and_models_pickle() -> None:
    one, two = CRF(threads=1).fit(X * 9, Y * 9), CRF(threads=2).fit(X * 9, Y * 9)
    assert one.state_features_ == two.state_features_
    again = pickle.loads(pickle.dumps(one))
    assert again.predict(X) == one.predict(X)
    assert np.array_equal(again.predict_proba(X)[0], one.predict_proba(X)[0])


def test_matrices_are_sequences_too() -> None:
    random = np.random.default_rng(0)
    data = [random.normal(size=(n, 3)) for n in (4, 2, 5)]
    labels = [["p" if row[0] > 0 else "n" for row in one] for one in data]
    crf = CRF(c2=0.01).fit(data, labels)
    assert crf.score(data, labels) == 1.0
    sparse = pytest.importorskip("scipy.sparse")
    same = CRF(c2=0.01).fit([sparse.csr_matrix(one) for one in data], labels)
    assert same.predict([sparse.csr_matrix(one) for one in data]) == crf.predict(data)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        CRF().fit(X, Y[:2])
    with pytest.raises(ConfigError, match="algorithm"):
        CRF("ap").fit(X, Y)
    with pytest.raises(ConfigError, match="c1"):
        CRF(c1=-1).fit(X, Y)
    with pytest.raises(Exception, match="not fitted"):
        CRF().predict(X)
    assert repr(CRF(c1=0.5)) == "CRF(c1=0.5)"


@pytest.mark.filterwarnings("ignore:Estimator CRF does not inherit")
def test_estimator_checks() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    # These ask for base classes or messages of scikit-learn itself.
    reasons = {
        "check_estimator_cloneable": "", "check_do_not_raise_errors_in_init_or_set_param": "",
    }  # fmt: skip
    failed = []
    for estimator, check in checks.estimator_checks_generator(CRF(max_iterations=30), legacy=True, mark=None):
        name = check.func.__name__ if hasattr(check, "func") else str(check)
        try:
            check(estimator)
        except Exception as error:
            if type(error).__name__ == "SkipTest" or name in reasons:
                continue
            failed.append(f"{name}: {str(error)[:100]}")
    assert not failed, "\n".join(failed)


def test_model_selection_of_sklearn_works() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    found = selection.GridSearchCV(CRF(), {"c2": [0.01, 1.0]}, cv=2, error_score="raise").fit(X * 4, Y * 4)
    assert found.best_params_["c2"] == 0.01


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["x", None], "None and texts"),
        (["x", 3], "numbers and texts"),
        ([None, None], "y has None"),
        ([("a",)] * 2, "tuple"),
    ],
)
def test_labels_of_several_kinds_are_told(labels: list[Any], reason: str) -> None:
    with pytest.raises(ValueError, match=f"labels are all texts or all numbers, and .*{reason}"):
        CRF().fit([[{"a": "b"}, {"a": "c"}]], [labels])


def test_mistakes_of_newcomers_are_told() -> None:
    X = [[{"a": "b"}, {"a": "c"}]]
    with pytest.raises(ConfigError, match="c2 = 'x': expected a number"):
        CRF(c2="x").fit(X, [["a", "b"]])  # type: ignore[arg-type]
    with pytest.raises(AccordError, match="predict_single takes one sequence"):
        CRF().fit(X, [["a", "b"]]).predict(X[0])
    assert CRF().fit(X, [[np.str_("a"), "b"]]).predict(X) == [["a", "b"]]
