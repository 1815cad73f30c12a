# SPDX-License-Identifier: Apache-2.0
"""A parser with a neural scorer as the training loop sees it (:class:`accord.learning.Learnable`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord.data import Document
from accord.errors import ConfigError, FormatError
from accord.learning import UpdateReport
from accord.tasks.network.model import NetworkModel
from accord.tasks.parser import Parser, ParserModel, Trees
from accord.tasks.parser.answers import Pruning
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.treebank import has_single_roots, label_names
from accord.tasks.setting_files import read_setting_file
from accord.torch.batches import Sentences
from accord.torch.export import to_arrays
from accord.torch.training import NetworkTrainer
from accord.torch.transfer import start_from

COLUMNS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "lemma": "Lemmas"}


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """PyTorch on so many threads; 0: on all cores that this process may use. Afterwards as before."""
    before = torch.get_num_threads()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    torch.set_num_threads(threads or cores)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class NeuralTask:
    """Training on a treebank, scored on dev by the core as the finished model will be used."""

    snapshot_type = ParserModel
    started = 0.0  # the share of the weights that another network gave
    pruning: Pruning | None = None  # the network itself chooses the candidates

    def __init__(self, training: Document, dev: Document | None, config: ParserConfig) -> None:
        self.config, self.dev = config, dev
        if config.neural.tags == "given" and set(training.column("upos")) == {"_"} == set(training.column("xpos")):
            raise ConfigError("neural.tags = 'given': the treebank has no tags")
        self.single_root = has_single_roots(training) if config.single_root == "auto" else config.single_root == "true"
        self.labels = () if config.labels == "none" else label_names(training, config.blank_label)
        parts = config.part_names()
        if set(parts) - {"sibling", "grandparent"}:
            raise ConfigError("neural scorers have siblings and grandparents, no other parts larger than arcs")
        if not (training.heads >= 0).any():
            raise FormatError("no sentence with a tree to train on", file=training.name)
        self.parts = parts
        self.left_out = self.partial = 0
        self._dev_sentences: Sentences | None = None
        self.trainer = NetworkTrainer(
            training,
            config.neural,
            self.labels,
            parts=parts,
            projective=config.projective,
            single_root=self.single_root,
            pruner=(config.pruner_heads, config.threshold()),
            clusters=read_setting_file("clusters", config.clusters),
            seed=config.seed,
        )
        if config.neural.start:
            self._start(config.neural.start)

    def _start(self, path: str) -> None:
        model = ParserModel.load(path)
        if model.network is None:
            raise ConfigError(f"neural.start = {path!r}: this parser has no network")
        trainer = self.trainer
        share = start_from(trainer.network, trainer.vocabulary, self.labels, model.network, model.labels)
        trainer.mean = [parameter.detach().clone() for parameter in trainer.parameters]
        self.started = share

    def __len__(self) -> int:
        return len(self.trainer.sentences)

    def size_of(self, index: int) -> int:
        return int(self.trainer.sentences.lengths[index]) - 1

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        with torch_threads(self.config.threads) if self.trainer.device.type == "cpu" else nullcontext():
            return self.trainer.update(order)

    def finish_epoch(self) -> dict[str, float]:
        return self.trainer.figures()

    def snapshot(self) -> ParserModel:
        trainer, config = self.trainer, self.config.neural
        kept = trainer.use_mean()
        weights = to_arrays(trainer.network, config.storage)
        trainer.restore(kept)
        network = NetworkModel(config, trainer.vocabulary, len(self.labels), self.parts, weights)
        return ParserModel(self.config, self.single_root, self.labels, "", {}, network=network)

    def evaluate(self, snapshot: ParserModel) -> dict[str, float]:
        if self.dev is None:
            return {}
        parser = Parser(snapshot)
        if self.trainer.device.type == "cpu" or self.parts or self.config.projective:
            trees = parser.trees(self.dev, tags=bool(parser.columns), threads=self.config.threads)
        else:
            trees = self._predicted(parser)
        return self._shares(parser, trees)

    def _shares(self, parser: Parser, trees: Trees) -> dict[str, float]:
        """Shares of right heads, labelled heads, tags and lemmas, in percent; the words being those of the treebank."""
        assert self.dev is not None
        right = trees.heads == self.dev.heads
        scores = {"UAS": right}
        if self.labels:
            names = [self.labels[label] for label in trees.labels.tolist()]
            scores = {"LAS": right & (np.array(names) == np.array(self.dev.column("deprel"))), **scores}
        vocabulary = self.trainer.vocabulary
        for task, classes in trees.tags.items():
            if task == "lemma":
                found = vocabulary.lemmas(self.dev, classes)
            else:
                found = [vocabulary.classes[task][number] for number in classes.tolist()]
            scores[COLUMNS[task]] = np.array(found) == np.array(self.dev.column(task))
        return {name: 100.0 * float(np.mean(values)) for name, values in scores.items()}

    def _predicted(self, parser: Parser) -> Trees:
        """The dev trees by PyTorch, on a GPU faster than by the core; both agree."""
        assert self.dev is not None
        if self._dev_sentences is None:
            self._dev_sentences = self.trainer.read(self.dev)
        kept = self.trainer.use_mean()
        found = self.trainer.predict(self._dev_sentences, self.dev)
        self.trainer.restore(kept)
        nothing = np.zeros(0)
        none = np.zeros(0, np.int32)
        return Trees(
            found.heads, found.labels, nothing, nothing, nothing, nothing, nothing, none, none, tags=found.tags
        )

    def save_state(self) -> list[NDArray[np.uint8]]:
        return saved_trainer(self.trainer)

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None:
        load_trainer(self.trainer, blocks)


def saved_trainer(trainer: NetworkTrainer) -> list[NDArray[np.uint8]]:
    """All that training has changed so far, random numbers included."""
    random = [torch.get_rng_state()]
    if trainer.device.type == "cuda":
        random.append(torch.cuda.get_rng_state())
    counts = torch.tensor([trainer.steps, trainer.seen, len(random)], dtype=torch.int64)
    tensors: list[Tensor] = [counts, *random, *trainer.state()]
    return [_bytes(tensor) for tensor in tensors]


def load_trainer(trainer: NetworkTrainer, blocks: list[NDArray[np.uint8]]) -> None:
    """Go on from what :func:`saved_trainer` gave; what belongs to another network raises ConfigError."""
    try:
        trainer.steps, trainer.seen, states = blocks[0].view(np.int64).tolist()
        torch.set_rng_state(torch.from_numpy(blocks[1].copy()))
        if states > 1 and trainer.device.type == "cuda":
            torch.cuda.set_rng_state(torch.from_numpy(blocks[2].copy()))
        trainer.load([block.view(np.float32) for block in blocks[1 + states :]])
    except (ValueError, IndexError, RuntimeError) as error:
        raise ConfigError(f"cannot resume: {error}") from None


def _bytes(tensor: Tensor) -> NDArray[np.uint8]:
    array: NDArray[Any] = tensor.detach().cpu().contiguous().numpy()
    return np.frombuffer(array.tobytes(), np.uint8)
