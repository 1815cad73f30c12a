"""Training a parser: treebank -> instances -> weights -> model, on the common loop."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, resources
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError, FormatError, MissingDependencyError
from accord.learning import (
    EpochReport,
    Learnable,
    LoopState,
    Progress,
    TrainingResult,
    UpdateReport,
    epoch_order,
    train,
)
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.parser.answers import Pruning
from accord.tasks.parser.config import NO_PROBABILITIES, ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel, parser_settings
from accord.tasks.parser.search import Search
from accord.tasks.weights import Weights

BELIEF_SENTENCES = 1000  # at most so many dev sentences fit the temperature of a model of higher order
CHUNK, NEURAL_CHUNK = 256, 2048  # sentences between reports of progress; a network's batches are made of one chunk
NEURAL_SENTENCES = 500  # the same for a neural scorer
HEAD_PARTS = ("sibling", "grandparent", "grand_sibling", "tri_sibling")
DUAL_RULES = ("eg_margin", "eg_crf")


@dataclass(frozen=True)
class AttachmentScores:
    """Share of words with the right head, and with the right head and label, in percent."""

    uas: float
    las: float


def attachment_scores(gold: Document, trees_heads: NDArray[np.int32], labels: list[str] | None) -> AttachmentScores:
    right = gold.heads == trees_heads
    if labels is None:
        return AttachmentScores(100.0 * float(right.mean()), 100.0 * float(right.mean()))
    same = np.fromiter((a == b for a, b in zip(gold.column("deprel"), labels, strict=True)), bool, len(labels))
    return AttachmentScores(100.0 * float(right.mean()), 100.0 * float((right & same).mean()))


def read_templates(names: list[str]) -> str:
    """Templates by package name (``first_order``) or from files, one after the other."""
    return "\n".join(_read_templates(name) for name in names)


def _read_templates(name: str) -> str:
    packaged = resources.files("accord.tasks.parser") / f"{name}.txt"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError:
        raise ConfigError(f"templates = {name!r}: neither a packaged set nor a readable file") from None


def read_clusters(path: str) -> str:
    """The text of a file of word clusters; nothing for no path."""
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"clusters = {path!r}: {error.strerror}") from None


def has_single_roots(document: Document) -> bool:
    """Whether every sentence has exactly one word that depends on the root, or may get it where heads are unknown."""
    ends = np.cumsum(document.lengths)
    starts = ends - document.lengths

    def per_sentence(words: NDArray[np.bool_]) -> NDArray[np.int64]:
        totals = np.concatenate([[0], np.cumsum(words)])
        counts: NDArray[np.int64] = totals[ends] - totals[starts]
        return counts

    roots, unknown = per_sentence(document.heads == 0), per_sentence(document.heads < 0)
    single = (roots == 1) | ((roots == 0) & (unknown > 0)) | (document.lengths == 0)
    return bool(np.all(single))


def label_names(document: Document, blank_label: str = "unknown") -> tuple[str, ...]:
    """The labels of a treebank; ``_`` is one of them as the setting says, and where there are no others."""
    found = set(document.column("deprel"))
    if blank_label == "label" or (blank_label == "auto" and has_blank_label(document)):
        return tuple(sorted(found))
    return tuple(sorted(found - {"_"} or found))


def has_blank_label(document: Document) -> bool:
    """Whether ``_`` stands as a label on complete trees only, beside other labels."""
    labels = document.column("deprel")
    if len({"_", *labels}) < 2:
        return False
    blank = np.fromiter((label == "_" for label in labels), bool, len(labels))
    sentences = np.repeat(np.arange(len(document)), document.lengths)
    return bool(blank.any()) and not np.isin(sentences[document.heads < 0], sentences[blank]).any()


def _weights(frozen: tuple[int, int, float, NDArray[np.uint8], NDArray[np.uint32]], kind: type[Any]) -> Weights:
    bits, width, scale, values, fingerprints = frozen
    return Weights(bits, width, scale, values.view(kind), fingerprints)


def _check_answers(config: ParserConfig) -> None:
    """Raise where the answers that updates are made from do not fit the model or the rule."""
    others = [name for name in config.part_names() if name not in HEAD_PARTS]
    if config.answers == "heads" and others:
        raise ConfigError(f"answers = heads: {others[0]!r} parts are not of one side of a head")
    if config.answers == "relaxed" and config.projective:
        raise ConfigError("answers = relaxed: projective models have exact charts; this is for non-projective ones")
    if config.answers == "relaxed" and not config.has_probabilities():
        raise ConfigError(f"answers = relaxed: {NO_PROBABILITIES} have no relaxed parts")
    if config.rule in ("crf", "softmax_margin") and not config.has_probabilities():
        raise ConfigError(f"rule = {config.rule!r} needs probabilities, which {NO_PROBABILITIES} do not have")
    if not config.unsupported and config.rule in DUAL_RULES:
        raise ConfigError(f"rule {config.rule!r} needs weights for unsupported features")


class ParserTask:
    """The parser as the training loop sees it (:class:`accord.learning.Learnable`)."""

    def __init__(self, training: Document, dev: Document | None, config: ParserConfig) -> None:
        self.config = config
        self.dev = dev
        config.check_solver()
        self.parts = config.part_names()
        self.pruned = False
        _check_answers(config)
        self.templates = read_templates(config.template_names())
        self.tree_labels = config.labels_given_tree(self.templates)
        self.clusters = read_clusters(config.clusters)
        self.single_root = has_single_roots(training) if config.single_root == "auto" else config.single_root == "true"
        self.labels = () if config.labels == "none" else label_names(training, config.blank_label)
        try:
            self._trainer = _tasks.ParserTrainer(
                parser_settings(
                    config,
                    self.templates,
                    len(self.labels),
                    single_root=self.single_root,
                    tree_labels=self.tree_labels,
                ),
                self._trainer_settings(),
                list(self.labels),
                cluster_lexicon(self.clusters),
            )
            self.left_out = self._trainer.add(training.native)
            self.partial = self._trainer.partial()
        except ValueError as error:
            raise ConfigError(f"templates {config.templates!r}: {error}") from None
        if len(self._trainer) == 0:
            raise FormatError("no sentence with a tree to train on", file=training.name)

    def _trainer_settings(self) -> _tasks.TrainerSettings:
        c = self.config
        return _tasks.TrainerSettings(
            rule=c.rule,
            kind=c.table,
            arc_bits=c.arc_bits,
            label_bits=c.label_bits,
            cost=c.cost,
            label_cost=c.label_cost,
            aggressiveness=c.aggressiveness,
            adagrad=c.step == "adagrad",
            rate=c.rate,
            l2=c.l2,
            dual_c=c.dual_c,
            batch=c.batch,
            part_bits=c.part_table_bits(),
            pruner_bits=c.pruner_bits,
            second_pruner_bits=c.second_pruner_bits,
            pruner_rate=c.pruner_rate,
            tree_label_bits=c.tree_label_bits,
            pair_bits=c.pair_bits,
            decoder=Search(iterations=c.training_iterations, nodes=c.training_nodes).decoder(
                c, search_nodes=c.training_search_nodes
            ),
            sharpness=c.sharpness,
            answers=c.answers,
            unsupported=c.unsupported,
            partial=c.partial == "complete",
        )

    def prepare_pruner(self, *, train: bool = True) -> Pruning:
        """Train the pruner and let it choose the candidate arcs of the training sentences."""
        config, count = self.config, len(self)
        everything = np.arange(count, dtype=np.int64)
        folds = [everything] if config.pruner_folds < 2 else list(np.array_split(everything, config.pruner_folds))
        learners = 1 if config.pruner_folds < 2 else 1 + len(folds)
        for pruner in range(learners if train else 0):
            seen = everything if pruner == 0 else np.setdiff1d(everything, folds[pruner - 1])
            for stage, epoch in product(range(config.pruner_stages), range(config.pruner_epochs)):
                self._trainer.learn_pruner(pruner, stage, seen[epoch_order(len(seen), config.seed + pruner, epoch)])
        totals = np.zeros(3, dtype=np.int64)
        for number, fold in enumerate(folds):
            totals += self._trainer.prune(0 if learners == 1 else number + 1, fold, config.threads)
        self.pruned = True
        return Pruning(*totals.tolist())

    def __len__(self) -> int:
        return len(self._trainer)

    def size_of(self, index: int) -> int:
        return self._trainer.words(index)

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        if self.parts and not self.pruned:
            self.prepare_pruner()
        return UpdateReport(*self._trainer.update(order, self.config.threads))

    def finish_epoch(self) -> dict[str, float]:
        primal, dual, rate = self._trainer.finish_pass()
        if self.config.rule not in DUAL_RULES:
            return {}
        return {"primal": primal, "dual": dual, "gap": primal - dual, "rate": rate}

    def snapshot(self) -> ParserModel:
        average = self.config.average
        tables = {
            "arcs": _weights(self._trainer.freeze_arcs(average), np.int16),
            "labels": _weights(self._trainer.freeze_labels(average), np.int8),
        }
        if self.tree_labels:
            tables["tree_labels"] = _weights(self._trainer.freeze_tree_labels(average), np.int8)
            tables["label_pairs"] = _weights(self._trainer.freeze_label_pairs(average), np.int16)
        if self.parts:
            tables["parts"] = _weights(self._trainer.freeze_parts(average), np.int16)
            tables["pruner"] = _weights(self._trainer.freeze_pruner(0), np.int16)
            if self.config.pruner_stages == 2:
                tables["second_pruner"] = _weights(self._trainer.freeze_pruner(1), np.int16)
        return ParserModel(
            config=self.config,
            single_root=self.single_root,
            labels=self.labels,
            templates=self.templates,
            tables=tables,
            clusters=self.clusters,
        )

    def evaluate(self, snapshot: ParserModel) -> dict[str, float]:
        if self.dev is None:
            return {}
        parser = Parser(snapshot)
        trees = parser.trees(self.dev, threads=self.config.threads)
        if self.config.label_mode() == "none":
            return {"UAS": attachment_scores(self.dev, trees.heads, None).uas}
        names = [self.labels[label] for label in trees.labels.tolist()]
        scores = attachment_scores(self.dev, trees.heads, names)
        return {"LAS": scores.las, "UAS": scores.uas}

    def save_state(self) -> list[NDArray[np.uint8]]:
        return list(self._trainer.save())

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None:
        try:
            self._trainer.load(blocks)
        except ValueError as error:
            raise ConfigError(f"cannot resume: {error}") from None
        if self.parts:
            self.prepare_pruner(train=False)


class TrainableParser(Learnable[ParserModel], Protocol):
    """A parser in training, whatever its scorer."""

    config: ParserConfig
    left_out: int  # sentences that are not trained on
    partial: int  # sentences with unknown heads or labels

    def save_state(self) -> list[NDArray[np.uint8]]: ...

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None: ...


def parser_task(training: Document, dev: Document | None, config: ParserConfig) -> TrainableParser:
    """The task of a configuration; a neural scorer needs PyTorch."""
    if config.scorer == "linear":
        return ParserTask(training, dev, config)
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError(
            "training a neural scorer needs PyTorch: pip install 'accord[neural]' (parsing does not)"
        ) from None
    from accord.torch.task import NeuralTask  # only here: PyTorch is needed for nothing else

    return NeuralTask(training, dev, config)


def fit_temperature(model: ParserModel, dev: Document, *, threads: int = 0, steps: int | None = None) -> ParserModel:
    """The model with the temperatures under which the labels of the dev trees, and then these trees, are most probable.

    Online learners fix the scales of the scores of arcs and labels only up to what decisions need; confidences need the
    right ones. Sums over trees of higher order are dearer, so these models take fewer steps and look at no more than
    1,000 sentences; neural ones look at 500. Trees without probabilities have no temperature.
    """
    most = (
        NEURAL_SENTENCES if model.network is not None else BELIEF_SENTENCES if model.config.part_names() else len(dev)
    )
    if len(dev) > most:
        dev = Document.from_sentences(dev.sentences[:most], name=dev.name)

    def tree_loss(temperature: float) -> float:
        tried = dataclasses.replace(model, temperature=temperature)
        return -Parser(tried).gold_log_likelihood(dev, threads=threads)

    def label_loss(temperature: float) -> float:
        tried = dataclasses.replace(model, label_temperature=temperature)
        return -Parser(tried).gold_label_log_likelihood(dev, threads=threads)

    if model.config.label_mode() != "none":
        model = dataclasses.replace(model, label_temperature=_best_temperature(label_loss, steps or 10))
    if not model.config.has_probabilities():
        return model
    default = 7 if model.config.part_names() else 10
    return dataclasses.replace(model, temperature=_best_temperature(tree_loss, steps or default))


def _best_temperature(loss: Callable[[float], float], steps: int) -> float:
    """Golden section search over the logarithm of the temperature: likelihoods are unimodal in it in practice."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = math.log(0.01), math.log(100.0)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    left_loss, right_loss = loss(math.exp(left)), loss(math.exp(right))
    for _ in range(steps):
        if left_loss < right_loss:
            high, right, right_loss = right, left, left_loss
            left = high - ratio * (high - low)
            left_loss = loss(math.exp(left))
        else:
            low, left, left_loss = left, right, right_loss
            right = low + ratio * (high - low)
            right_loss = loss(math.exp(right))
    return math.exp((low + high) / 2)


def train_parser(
    training: Document,
    dev: Document | None = None,
    config: ParserConfig | None = None,
    *,
    task: TrainableParser | None = None,
    state: LoopState | None = None,
    best: ParserModel | None = None,
    card: dict[str, Any] | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_epoch: Callable[[EpochReport, LoopState, ParserModel], None] = lambda *_: None,
) -> TrainingResult[ParserModel]:
    """Train a parser; the result holds the best model by dev score (the last one without dev data)."""
    config = config or ParserConfig()
    task = task or parser_task(training, dev, config)
    neural = config.scorer == "neural"
    result = train(
        task,
        epochs=config.neural.epochs if neural else config.epochs,
        patience=config.neural.patience if neural else config.patience,
        chunk=NEURAL_CHUNK if neural else CHUNK,
        seed=config.seed,
        state=state,
        best=best,
        on_progress=on_progress,
        on_epoch=on_epoch,
    )
    about = {
        **(card or {}),
        "log": result.log,
        "best_epoch": result.best_epoch,
        "left_out": task.left_out,
        "partial": task.partial,
    }
    best_model = dataclasses.replace(result.snapshot, card=about)
    if dev is not None and not result.interrupted:
        try:
            best_model = fit_temperature(best_model, dev, threads=config.threads)
        except KeyboardInterrupt:  # the weights are there
            result = dataclasses.replace(result, interrupted=True)
    return dataclasses.replace(result, snapshot=best_model)
