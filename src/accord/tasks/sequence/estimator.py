# SPDX-License-Identifier: Apache-2.0
"""A conditional random field as scikit-learn holds estimators: ``fit``, ``predict``, ``predict_proba``, ``score``.

Set:    one label for each token of a sequence; constraints may forbid labels at the ends and pairs of neighbours.
Score:  weights of (feature, label) and of (label, next label): a first-order chain.
Paper:  Lafferty, McCallum and Pereira (2001). Training is L-BFGS, with an L1 penalty OWL-QN (Andrew and Gao 2007).

The parameters are those of sklearn-crfsuite, whose examples run unchanged. scikit-learn itself is not needed.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.errors import AccordError, ConfigError, ConstraintError, described
from accord.ranked import Ranked
from accord.tasks.sequence.rows import Rows, Vocabulary, is_table, numeric_rows

_EMPTY = np.zeros(0)


class CRF:
    """A linear-chain conditional random field on features of the user.

    Parameters
    ----------
    c1, c2: strength of the sum of absolute weights, and of the sum of squared weights (both: an elastic net).
    max_iterations: most iterations of L-BFGS.
    all_possible_states: also weights of features with labels that they were never seen with.
    all_possible_transitions: the same for neighbouring labels.
    min_freq: features that occur less often are left out.
    num_memories, epsilon, period, delta: of L-BFGS: changes that are remembered; the gradient that ends it; it ends
        when the objective falls by less than the share ``delta`` over ``period`` iterations.
    constraints: pairs (label, next label) that may never stand side by side; None for a label means the beginning or
        the end of a sequence.
    threads: 0 means all cores; never changes the result.
    verbose: print the objective of each iteration.

    Attributes
    ----------
    classes_: the labels. state_features_, transition_features_: weights by (feature, label) and (label, label).

    A sequence is a list of tokens; a token is a dictionary or a list of names (see ``accord.tasks.sequence.rows``), or
    a row of a matrix of numpy or scipy. Where X is one matrix, each row is a sequence of one token.
    """

    def __init__(
        self,
        algorithm: str = "lbfgs",
        *,
        c1: float = 0.0,
        c2: float = 1.0,
        max_iterations: int | None = None,
        all_possible_states: bool = False,
        all_possible_transitions: bool = False,
        min_freq: float = 0,
        num_memories: int = 6,
        epsilon: float = 1e-5,
        period: int = 10,
        delta: float = 1e-5,
        constraints: Iterable[tuple[Any, Any]] | None = None,
        threads: int = 0,
        verbose: bool = False,
    ) -> None:
        self.algorithm = algorithm
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.all_possible_states = all_possible_states
        self.all_possible_transitions = all_possible_transitions
        self.min_freq = min_freq
        self.num_memories = num_memories
        self.epsilon = epsilon
        self.period = period
        self.delta = delta
        self.constraints = constraints
        self.threads = threads
        self.verbose = verbose

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in _parameters(type(self))}

    def set_params(self, **params: Any) -> CRF:
        """Other values for some parameters."""
        for name, value in params.items():
            if name not in _parameters(type(self)):
                raise ValueError(f"CRF has no parameter {name!r}; there are: {', '.join(_parameters(type(self)))}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {name: one.default for name, one in inspect.signature(CRF).parameters.items()}
        changed = {name: value for name, value in self.get_params().items() if value is not defaults.get(name)}
        return (
            f"CRF({', '.join(f'{name}={value!r}' for name, value in changed.items() if value != defaults.get(name))})"
        )

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks. No classifier: its y is no list of classes, which classifiers are checked for."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        inputs = InputTags(two_d_array=True, sparse=True)
        target = TargetTags(required=True)
        return Tags(estimator_type=None, target_tags=target, classifier_tags=ClassifierTags(), input_tags=inputs)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit(self, X: Any, y: Any, X_dev: Any = None, y_dev: Any = None, *, sample_weight: Any = None) -> CRF:
        """Learn from sequences and their labels. ``sample_weight``: one a sequence. Dev data are not used."""
        self._check_parameters()
        self._single = is_table(X)
        rows, labels = self._training_rows(X, y)
        if not labels:
            raise ValueError("Found array with 0 sample(s): there are no tokens to learn from")
        values, gold = _numbered(labels)
        if self._single and len(values) < 2:
            raise ValueError("The classifier can't train when only one class is present: y has 1 class")
        self.classes_ = values if self._single else values.tolist()
        self._names = values.tolist()
        weights = _EMPTY if sample_weight is None else _weights(sample_weight, len(rows.lengths))
        self._masks = self._mask_arrays()
        try:
            problem = _tasks.SequenceProblem(
                rows.native(),
                gold.astype(np.int32),
                weights,
                features=self._width,
                labels=len(values),
                start=self._masks["start"],
                end=self._masks["end"],
                follow=self._masks["follow"],
                l2=2 * self.c2,
                all_states=bool(self.all_possible_states),
                all_transitions=bool(self.all_possible_transitions),
                threads=self.threads,
            )
            found, self.objective_, self.n_iter_, self.converged_ = problem.minimize(
                iterations=self.max_iterations or 1000,
                l1=float(self.c1),
                history=self.num_memories,
                gradient_tolerance=float(self.epsilon),
                decrease_tolerance=float(self.delta),
                period=self.period,
                report=self._report,
            )
        except ValueError as error:
            raise ConstraintError(str(error)) from None
        self._learned: dict[str, NDArray[Any]] = {
            "starts": problem.starts,
            "columns": problem.columns,
            "weights": found[: len(problem.columns)],
            "table": problem.table(found),
        }
        self._native = self._model()
        return self

    def predict(self, X: Any) -> Any:
        """The best labels of each sequence; an array where X is one matrix."""
        rows = self._rows(X)
        numbers = self._native.best(rows.native(), self.threads)
        if (numbers < 0).any():
            raise ConstraintError("the constraints forbid all labels of a sequence")
        if self._is_single(X):
            return np.asarray(self.classes_)[numbers]
        return _tasks.named(numbers, rows.sequences, self._names)

    def predict_single(self, xseq: Any) -> Any:
        """The best labels of one sequence."""
        return self.predict([xseq])[0]

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of labels: an array (tokens x classes) for each sequence, or one array for one matrix."""
        rows = self._rows(X)
        table = self._native.probabilities(rows.native(), self.threads).reshape(-1, len(self._names))
        return table if self._is_single(X) else np.split(table, rows.sequences[1:-1])

    def predict_marginals(self, X: Any) -> list[list[dict[Any, float]]]:
        """Probabilities by label, of each token of each sequence."""
        return [[dict(zip(self._names, row, strict=True)) for row in table.tolist()] for table in self.predict_proba(X)]

    def predict_marginals_single(self, xseq: Any) -> list[dict[Any, float]]:
        return self.predict_marginals([xseq])[0]

    def kbest(self, xseq: Any, k: int) -> list[Ranked[tuple[Any, ...]]]:
        """The k best labellings of one sequence, best first, with their log-probabilities."""
        ranked = self._native_model().kbest(self._rows([xseq]).native(), 0, k)
        return [
            Ranked(tuple(self._names[number] for number in labels.tolist()), score, log)
            for score, log, labels in ranked
        ]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of tokens whose label is right."""
        found, wanted = self.predict(X), y
        if not self._is_single(X):
            lengths = [len(one) for one in found]
            if [len(one) for one in wanted] != lengths:
                raise ValueError("X and y have sequences of different lengths")
            found = [label for one in found for label in one]
            wanted = [label for one in wanted for label in one]
            sample_weight = None if sample_weight is None else np.repeat(sample_weight, lengths)
        right = np.asarray(found) == np.asarray(wanted)
        return float(np.average(right, weights=sample_weight)) if len(right) else 0.0

    @property
    def state_features_(self) -> dict[tuple[Any, Any], float]:
        """Weights by feature and label."""
        self._native_model()
        starts = self._learned["starts"]
        names = self._vocabulary.names if self._vocabulary is not None else list(range(self._width))
        features = np.repeat(np.arange(len(names)), np.diff(starts)).tolist()
        columns, weights = self._learned["columns"].tolist(), self._learned["weights"].tolist()
        pairs = zip(features, columns, weights, strict=True)
        return {(names[f], self._names[c]): w for f, c, w in pairs if w != 0}

    @property
    def transition_features_(self) -> dict[tuple[Any, Any], float]:
        """Weights by label and next label."""
        self._native_model()
        table = self._learned["table"].reshape(len(self._names), -1)
        pairs = ((a, b, float(table[i, j])) for i, a in enumerate(self._names) for j, b in enumerate(self._names))
        return {(a, b): weight for a, b, weight in pairs if weight not in (0.0, -math.inf)}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_learned" in state:
            self._native = self._model()

    def _model(self) -> _tasks.SequenceModel:
        learned, masks = self._learned, self._masks
        return _tasks.SequenceModel(
            len(self._names),
            learned["starts"],
            learned["columns"],
            learned["weights"],
            learned["table"],
            start=masks["start"],
            end=masks["end"],
            follow=masks["follow"],
        )

    def _native_model(self) -> _tasks.SequenceModel:
        if not hasattr(self, "_native"):
            raise _not_fitted()
        return self._native

    def _check_parameters(self) -> None:
        if self.algorithm != "lbfgs":
            raise ConfigError(f"algorithm {self.algorithm!r}: this CRF is trained by lbfgs")
        for name in ("c1", "c2"):
            value = getattr(self, name)
            if not isinstance(value, (int, float, np.number)) or not 0 <= value < math.inf:
                raise ConfigError(f"{name} = {value!r}: expected a number, 0 or more")

    def _training_rows(self, X: Any, y: Any) -> tuple[Rows, list[Any]]:
        if y is None:
            raise ValueError("This CRF requires y to be passed, but the target y is None")
        if self._single:
            labels = _column_of_labels(y)
            self._vocabulary = None
            rows, self._width = _matrix_rows(X)
            self.n_features_in_ = self._width
            names = getattr(X, "columns", None)
            if names is not None and all(isinstance(name, str) for name in names):
                self.feature_names_in_ = np.asarray(names, dtype=object)
            if len(labels) != len(rows.lengths):
                raise ValueError(f"{len(rows.lengths)} rows and {len(labels)} labels: X and y have different lengths")
            return rows, labels
        X, y = list(X), list(y)
        if any(map(is_table, X)):
            self._vocabulary = None
            rows, self._width = numeric_rows(X)
        else:
            self._vocabulary, rows = Vocabulary.learn(X, self.min_freq)
            self._width = len(self._vocabulary)
        if [len(one) for one in y] != rows.lengths:
            raise ValueError("X and y have sequences of different lengths: one label for each token, please")
        return rows, [label for one in y for label in one]

    def _rows(self, X: Any) -> Rows:
        self._native_model()
        if self._is_single(X):
            rows, width = _matrix_rows(X)
        elif self._vocabulary is not None:
            return self._vocabulary.rows(list(X))
        else:
            rows, width = numeric_rows(list(X))
        if width != self._width and len(rows.lengths):
            raise ValueError(f"X has {width} features, but CRF is expecting {self._width} features as input")
        return rows

    def _is_single(self, X: Any) -> bool:
        if self._single and not is_table(X):
            raise ValueError(
                "Expected 2D array, got a list instead: this CRF was fitted on one matrix. Reshape your data"
            )
        return self._single

    def _mask_arrays(self) -> dict[str, NDArray[np.float64]]:
        if not self.constraints:
            return {"start": _EMPTY, "end": _EMPTY, "follow": _EMPTY}
        number = {name: place for place, name in enumerate(self._names)}
        count = len(number)
        start, end, follow = np.zeros(count), np.zeros(count), np.zeros((count, count))
        for before, after in self.constraints:
            for label in (before, after):
                if label is not None and label not in number:
                    raise ConfigError(f"constraints: there is no label {label!r}")
            if before is None:
                start[number[after]] = -np.inf
            elif after is None:
                end[number[before]] = -np.inf
            else:
                follow[number[before], number[after]] = -np.inf
        return {"start": start, "end": end, "follow": follow.reshape(-1)}

    def _report(self, iteration: int, objective: float, gradient: float, evaluations: int) -> bool:
        if self.verbose:
            print(f"iteration {iteration}  objective {objective:.3f}  gradient {gradient:.4f}")
        return True


def _parameters(kind: type) -> list[str]:
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def _not_fitted() -> Exception:
    """The error of scikit-learn where it is installed, whose pipelines look for it."""
    message = "This CRF instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return AccordError(message)
    found: Exception = NotFittedError(message)
    return found


def _matrix_rows(X: Any) -> tuple[Rows, int]:
    """The rows of one matrix as sequences of one token."""
    rows, width = numeric_rows([X])
    count = int(rows.sequences[-1])
    if count == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={getattr(X, 'shape', None)}) while a minimum of 1 is required."
        )
    if width == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape=({count}, 0)) while a minimum of 1 is required.")
    return Rows(np.arange(count + 1, dtype=np.int64), rows.tokens, rows.features, rows.values), width


def _numbered(labels: list[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The labels that occur, in order, and the number of each label."""
    kinds = set(labels) if all(type(label) is str for label in labels) else set()
    if not kinds:
        _check_kinds(labels)
        found: tuple[NDArray[Any], NDArray[Any]] = np.unique(np.array(labels), return_inverse=True)
        return found
    names = sorted(kinds)  # the same as above, without sorting all of them
    numbers = {name: number for number, name in enumerate(names)}
    return np.array(names), np.fromiter(map(numbers.__getitem__, labels), np.int64, len(labels))


def _check_kinds(labels: list[Any]) -> None:
    def kind(label: Any) -> str:
        if isinstance(label, str):
            return "texts"
        return "numbers" if isinstance(label, (int, float, np.number, np.bool_)) else described(label)

    found = sorted({kind(label) for label in labels})
    if len(found) > 1 or found[0] not in ("texts", "numbers"):
        raise ValueError(f"labels are all texts or all numbers, and y has {' and '.join(found)}")


def _column_of_labels(y: Any) -> list[Any]:
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        import warnings

        warnings.warn(*_column_warning(), stacklevel=4)
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            raise ValueError("Input y contains NaN or infinity.")
        if (labels != labels.astype(np.int64)).any():
            raise ValueError("Unknown label type: continuous. Labels are classes, not numbers on a scale")
    found: list[Any] = labels.tolist() if labels.dtype.kind not in "fiub" else list(labels)
    return found


def _column_warning() -> tuple[str, type[Warning]]:
    message = "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples, )"
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return message, UserWarning
    return message, DataConversionWarning


def _weights(given: Any, count: int) -> NDArray[np.float64]:
    weights = np.asarray(given, np.float64)
    if weights.shape != (count,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected ({count},): one for each sequence")
    if count and not (weights > 0).any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.ascontiguousarray(weights)
