# SPDX-License-Identifier: Apache-2.0
"""Training of linear constituency parsers on the common loop: one base for all, and the parser of labelled spans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError, MissingDependencyError
from accord.evaluation.parseval import Bracketing, BracketScore, parseval
from accord.learning import SILENT, Checkpoint, Learnable, Reporter, TrainingResult, UpdateReport, train
from accord.models.stored import StoredModel, Weights
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.constituents.config import ConstituentsConfig
from accord.tasks.constituents.model import ConstituencyParser, ConstituentsModel
from accord.tasks.constituents.treebank import count_labels, gold_spans, learnt_trees
from accord.tasks.setting_files import read_setting_file, read_template_sets

PAD = 1  # least width of the rows of frozen tables
CHUNK, NEURAL_CHUNK = 256, 2048  # sentences between reports of progress; a network's batches are made of one chunk


class PhraseSettings(Protocol):
    """The settings of all linear models of phrases."""

    @property
    def method(self) -> str: ...
    @property
    def cost(self) -> float: ...
    @property
    def aggressiveness(self) -> float: ...
    @property
    def step(self) -> str: ...
    @property
    def rate(self) -> float: ...
    @property
    def l2(self) -> float: ...
    @property
    def average(self) -> bool: ...
    @property
    def batch(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def clusters(self) -> str: ...
    @property
    def longest(self) -> int: ...
    @property
    def threads(self) -> int: ...


Settings = TypeVar("Settings", bound=PhraseSettings)
Model = TypeVar("Model", bound=StoredModel)


class PhraseTask(ABC, Generic[Settings, Model]):
    """A linear model of phrases being trained: what the training loop needs to know, whatever the model's parts are.

    A model says which trainer of the core it has, and what a snapshot of its tables is.
    """

    snapshot_type: type[Model]
    package: ClassVar[str] = "accord.tasks.constituents"  # where names of templates are looked for

    def __init__(self, training: Document, config: Settings, templates: str, *, bits: int) -> None:
        self.config = config
        self.templates = read_template_sets(self.package, templates.split("+"))
        self.clusters = read_setting_file("clusters", config.clusters)
        self._lengths = training.lengths
        self.settings = _tasks.PhraseTrainerSettings(
            rule=config.method,
            cost=config.cost,
            aggressiveness=config.aggressiveness,
            adagrad=config.step == "adagrad",
            rate=config.rate,
            l2=config.l2,
            bits=bits,
            batch=config.batch,
            threads=config.threads,
        )
        try:
            self._native = self.trainer(training)
        except ValueError as error:
            raise ConfigError(str(error)) from None

    @abstractmethod
    def trainer(self, training: Document) -> Any:
        """The trainer of the core, over sentences with their gold answers."""

    @abstractmethod
    def model(self, tables: Sequence[Weights]) -> Model:
        """The model that has these weights."""

    @abstractmethod
    def evaluate(self, snapshot: Model) -> dict[str, float]:
        """Dev scores."""

    def __len__(self) -> int:
        return len(self._lengths)

    def size_of(self, index: int) -> int:
        return int(self._lengths[index])

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        short = order[self._lengths[order] <= self.config.longest]
        return UpdateReport(*self._native.update(np.ascontiguousarray(short)))

    def finish_epoch(self) -> dict[str, float]:
        self._native.finish()
        return {}

    def snapshot(self) -> Model:
        frozen = self._native.freeze(self.config.average, self.config.bytes, PAD)
        return self.model([Weights.from_native(table, self.config.bytes) for table in frozen])

    def save_state(self) -> list[NDArray[np.uint8]]:
        return list(self._native.save())

    def load_state(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        try:
            self._native.load(list(blocks))
        except ValueError as error:
            raise ConfigError(f"cannot resume: {error}") from None


class ConstituentsTask(PhraseTask[ConstituentsConfig, ConstituentsModel]):
    """A linear model that finds the phrases of tagged words."""

    snapshot_type = ConstituentsModel

    def __init__(
        self, training: Document, dev: Document | None, config: ConstituentsConfig, templates: str, *, bits: int
    ) -> None:
        self._dev = dev
        super().__init__(training, config, templates, bits=bits)

    def evaluate(self, snapshot: ConstituentsModel) -> dict[str, float]:
        return {} if self._dev is None else scores(ConstituencyParser(snapshot), self._dev)


class SpanTask(ConstituentsTask):
    """Labelled spans."""

    def __init__(self, training: Document, dev: Document | None, config: ConstituentsConfig) -> None:
        super().__init__(training, dev, config, config.templates, bits=config.bits)

    def trainer(self, training: Document) -> Any:
        trees = learnt_trees(training, functions=self.config.functions)
        self.labels = count_labels(trees, self.config.least_count)
        gold = gold_spans(trees, self.labels)
        return _tasks.ConstituentTrainer(
            templates=self.templates,
            labels=len(self.labels),
            settings=self.settings,
            sequences=_text.DocumentSequences(training.native),
            gold=gold.rows.reshape(-1),
            starts=gold.starts,
            clusters=cluster_lexicon(self.clusters),
        )

    def model(self, tables: Sequence[Weights]) -> ConstituentsModel:
        return ConstituentsModel(self.config, self.labels, self.templates, {"span": tables[0]}, self.clusters)


def constituents_task(
    training: Document, dev: Document | None, config: ConstituentsConfig
) -> Learnable[ConstituentsModel]:
    """The task of a configuration; a neural scorer needs PyTorch."""
    if config.model == "tag":
        if config.scorer != "linear":
            raise ConfigError("model = 'tag' has a linear scorer: set scorer to 'linear'")
        from accord.tasks.constituents.tag.training import TagTask  # which inherits the task of this module

        return TagTask(training, dev, config)
    if config.scorer == "linear":
        return SpanTask(training, dev, config)
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError(
            "training a neural scorer needs PyTorch: pip install 'accord[neural]' (parsing does not)"
        ) from None
    from accord.torch.span_task import NeuralConstituentsTask  # only here: PyTorch is needed for nothing else

    return NeuralConstituentsTask(training, dev, config)


def train_constituents(
    training: Document,
    dev: Document | None = None,
    config: ConstituentsConfig | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[ConstituentsModel]:
    """Train on the trees of a treebank; dev data decides which epoch is best."""
    config = config or ConstituentsConfig()
    neural = config.scorer == "neural"
    return train(
        constituents_task(training, dev, config),
        epochs=config.neural.epochs if neural else config.epochs,
        patience=config.neural.patience if neural else config.patience,
        chunk=NEURAL_CHUNK if neural else CHUNK,
        seed=config.seed,
        reporter=reporter,
        checkpoint=checkpoint,
    )


def compare(parser: ConstituencyParser, gold: Document, *, threads: int = 0) -> BracketScore:
    """PARSEVAL of a parser's trees, with the tags that the document has."""
    sentences = [sentence for sentence in gold.sentences if len(sentence) > 0]
    wanted = (Bracketing(sentence.constituents, sentence.forms) for sentence in sentences)
    found = parser.trees(gold, threads=threads)
    system = (Bracketing(one.tree, sentence.forms) for one, sentence in zip(found, sentences, strict=True))
    return parseval(wanted, system)


def scores(parser: ConstituencyParser, gold: Document) -> dict[str, float]:
    """Brackets that are right, as evalb counts them."""
    found = compare(parser, gold, threads=parser.model.config.threads)
    return {"F1": found.f1, "precision": found.precision, "recall": found.recall, "complete": found.complete}
