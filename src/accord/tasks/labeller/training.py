"""Training of sequence labellers: log-likelihood by batches (L-BFGS), or any update rule over shuffled sequences."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.errors import ConfigError, FormatError
from accord.learning import EpochReport, LoopState, Progress, TrainingResult, UpdateReport, train
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model import Labeller
from accord.tasks.labeller.model_file import LabellerModel, Lexicon, Masks, native_settings
from accord.tasks.weights import Weights

Evaluate = Callable[[LabellerModel], dict[str, float]]
MakeSequences = Callable[[Labeller], _text.Sequences]
Carded = TypeVar("Carded", bound=Any)  # a dataclass with a card
_PAD = 1


def read_templates(names: str) -> str:
    """Templates of a name inside the package or of a file; several are joined by '+'."""
    texts = []
    for name in names.split("+"):
        packaged = resources.files("accord.tasks.labeller") / f"{name}.txt"
        if "/" not in name and packaged.is_file():
            texts.append(packaged.read_text(encoding="utf-8"))
            continue
        try:
            texts.append(Path(name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"templates {name!r}: no such name inside the package, and {error}") from None
    return "\n".join(texts)


def read_clusters(file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"clusters {file!r}: {error}") from None


def read_costs(file: str, labels: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Costs of labels from lines 'gold<TAB>label<TAB>cost' (``*``: any other label); pairs without a line cost 1."""
    if not file:
        return ()
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"costs {file!r}: {error}") from None
    index = {label: number for number, label in enumerate(labels)}
    costs = np.ones((len(labels), len(labels)))
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        known = len(fields) == 3 and all(name == "*" or name in index for name in fields[:2])
        try:
            cost = float(fields[2]) if known else -1.0
        except ValueError:
            cost = -1.0
        if not 0 <= cost < float("inf"):
            raise FormatError("expected 'gold<TAB>label<TAB>cost' with labels of the data", file=file, line=number)
        rows, columns = (slice(None) if name == "*" else index[name] for name in fields[:2])
        costs[rows, columns] = cost
    np.fill_diagonal(costs, 0.0)
    return (costs,)


@dataclass(frozen=True)
class Problem:
    """What is to be learnt: sequences, their labels (one row a token, one column a layer), and the labels' names."""

    sequences: _text.Sequences
    numbers: NDArray[np.int32]
    labels: tuple[str, ...]
    tags: tuple[str, ...] = ()
    masks: Masks = field(default_factory=Masks)
    lexicon: Lexicon = field(default_factory=Lexicon)
    costs: tuple[NDArray[np.float64], ...] = ()  # by layer: [gold][label]


def number_labels(names: Sequence[str], known: Sequence[str] = ()) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct names, sorted behind the known ones, and each name's number."""
    alphabet = (*known, *sorted(set(names) - set(known)))
    index = {name: number for number, name in enumerate(alphabet)}
    return alphabet, np.array([index[name] for name in names], np.int32)


class LabellerTask:
    """A labeller being trained by an update rule: what the training loop needs to know."""

    def __init__(self, problem: Problem, config: LabellerConfig, evaluate: Evaluate | None) -> None:
        self.problem = problem
        self.config = config
        self.templates = read_templates(config.templates)
        self.clusters = read_clusters(config.clusters)
        self._evaluate = evaluate
        self._settings = _settings(problem, config, self.templates)
        count = len(self._settings.blocks)
        settings = _tasks.LabellerTrainerSettings(
            rule=config.method,
            cost=config.cost,
            aggressiveness=config.aggressiveness,
            adagrad=config.step == "adagrad",
            rate=config.rate,
            l2=config.l2 if config.method in ("crf", "softmax_margin", "svm") else 0.0,
            table=config.table,
            bits=[config.bits] * count,
            batch=config.batch,
            threads=config.threads,
            dual_c=config.dual_c,
        )
        self._native = _native(
            lambda: _tasks.LabellerTrainer(
                self._settings,
                settings,
                problem.sequences,
                np.ascontiguousarray(problem.numbers, np.int32).reshape(-1),
                [cost.reshape(-1).tolist() for cost in problem.costs],
                cluster_lexicon(self.clusters),
            )
        )
        self._lengths = problem.sequences.lengths()

    def __len__(self) -> int:
        return len(self.problem.sequences)

    def size_of(self, index: int) -> int:
        return int(self._lengths[index])

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        return UpdateReport(*self._native.update(order))

    def finish_epoch(self) -> dict[str, float]:
        primal, dual = self._native.finish()
        return {"primal": primal, "dual": dual, "gap": primal - dual} if self.config.method == "m3n" else {}

    def snapshot(self) -> LabellerModel:
        tables = self._native.freeze(self.config.average, self.config.bytes, _PAD, self.config.prune)
        return _model(self.problem, self.config, self.templates, self.clusters, self._settings, tables)

    def evaluate(self, snapshot: LabellerModel) -> dict[str, float]:
        return self._evaluate(snapshot) if self._evaluate else {}

    def save_state(self) -> list[NDArray[np.uint8]]:
        return list(self._native.save())

    def load_state(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        self._native.load(list(blocks))


def _native(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _settings(problem: Problem, config: LabellerConfig, templates: str) -> Any:
    return _native(lambda: native_settings(config, len(problem.labels), len(problem.tags), templates, problem.masks))


def _model(
    problem: Problem, config: LabellerConfig, templates: str, clusters: str, settings: Any, tables: list[Any]
) -> LabellerModel:
    named = {
        name: Weights.from_native(table, config.bytes) for (name, _), table in zip(settings.blocks, tables, strict=True)
    }
    return LabellerModel(
        config=config,
        labels=problem.labels,
        tags=problem.tags,
        templates=templates,
        tables=named,
        masks=problem.masks,
        lexicon=problem.lexicon,
        clusters=clusters,
    )


def fit_temperature(model: LabellerModel, make: MakeSequences, numbers: NDArray[np.int32]) -> LabellerModel:
    """The model with the temperature under which the gold labels of dev data are most probable, token by token."""
    gold = np.ascontiguousarray(numbers, np.int64).reshape(len(numbers), -1)[:, :1]

    def loss(log_temperature: float) -> float:
        labeller = Labeller(dataclasses.replace(model, temperature=float(np.exp(log_temperature))))
        table = labeller.label(make(labeller), posteriors=True, threads=model.config.threads).posteriors
        return float(-np.log(np.maximum(np.take_along_axis(table, gold, axis=1), 1e-12)).mean())

    low, high = -5.0, 3.0
    ratio = (np.sqrt(5.0) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(12):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = loss(right)
    return dataclasses.replace(model, temperature=float(np.exp((low + high) / 2)))


@dataclass(frozen=True)
class BatchReport:
    """One iteration of L-BFGS."""

    iteration: int
    objective: float
    gradient_norm: float
    evaluations: int


def train_labeller(
    problem: Problem,
    config: LabellerConfig,
    evaluate: Evaluate | None = None,
    *,
    on_epoch: Callable[[EpochReport, LoopState, LabellerModel], None] = lambda *_: None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_iteration: Callable[[BatchReport], bool] = lambda _: True,
) -> TrainingResult[LabellerModel]:
    """Train; ``evaluate`` gives dev scores of a model, the first of which decides when to stop."""
    if len(problem.sequences) == 0 or problem.sequences.total() == 0:
        raise ConfigError("there is nothing to train on")
    if config.costs and not problem.costs:
        if problem.tags:
            raise ConfigError("costs: labels of two layers take their costs from Problem.costs")
        problem = dataclasses.replace(problem, costs=read_costs(config.costs, problem.labels))
    if config.method == "lbfgs":
        return _train_batch(problem, config, evaluate, on_epoch, on_iteration)
    task = LabellerTask(problem, config, evaluate)
    return train(
        task,
        epochs=config.epochs,
        patience=config.patience,
        seed=config.seed,
        on_epoch=on_epoch,
        on_progress=on_progress,
    )


def _train_batch(
    problem: Problem,
    config: LabellerConfig,
    evaluate: Evaluate | None,
    on_epoch: Callable[[EpochReport, LoopState, LabellerModel], None],
    on_iteration: Callable[[BatchReport], bool],
) -> TrainingResult[LabellerModel]:
    templates, clusters = read_templates(config.templates), read_clusters(config.clusters)
    settings = _settings(problem, config, templates)
    native = _native(
        lambda: _tasks.BatchTrainer(
            settings,
            problem.sequences,
            np.ascontiguousarray(problem.numbers, np.int32).reshape(-1),
            cluster_lexicon(clusters),
            l2=config.l2,
            least_count=config.least_count,
            unseen=config.unseen,
            unseen_constant=config.unseen_transitions,
            threads=config.threads,
        )
    )
    interrupted = False
    last = BatchReport(0, 0.0, 0.0, 0)

    def report(iteration: int, objective: float, gradient_norm: float, evaluations: int) -> bool:
        nonlocal interrupted, last
        last = BatchReport(iteration, objective, gradient_norm, evaluations)
        try:
            return bool(on_iteration(last))
        except KeyboardInterrupt:
            interrupted = True
            return False

    native.minimize(
        iterations=config.iterations,
        l1=config.l1,
        history=6,
        gradient_tolerance=1e-5,
        decrease_tolerance=config.tolerance,
        period=10,
        goal=-1e300,
        report=report,
    )
    tables = native.freeze(config.bytes, _PAD, config.prune)
    model = _model(problem, config, templates, clusters, settings, tables)
    scores = evaluate(model) if evaluate else {}
    state = LoopState(epoch=last.iteration, best_epoch=last.iteration)
    figures = {"iterations": float(last.iteration), "features": float(native.features)}
    line = EpochReport(last.iteration, last.objective, 0.0, 0.0, 0.0, scores, figures, best=True)
    state.log.append(line.to_dict())
    on_epoch(line, state, model)
    return TrainingResult(model, state.log, last.iteration, interrupted)


def marked(model: Carded, result: TrainingResult[LabellerModel]) -> Carded:
    """A model made of a labeller, its card saying so where the user interrupted the training."""
    if not result.interrupted:
        return model
    return dataclasses.replace(model, card={**model.card, "interrupted": True})
