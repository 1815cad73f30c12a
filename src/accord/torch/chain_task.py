# SPDX-License-Identifier: Apache-2.0
"""Chains whose labels a network scores, as the training loop sees them.

Score: the sum of what the network says of each word's label, and of a weight for each pair of neighbouring labels.
Loss:  the negative log-likelihood of the gold labels, over all labellings that the masks allow (a CRF layer).
The model is a labeller with this network and a table of pairs; everything that chains can do works with it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError
from accord.learning import UpdateReport
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.problem import PAD, PreparedProblem, Problem
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.model import CHAIN
from accord.tasks.network.vectors import read_vectors
from accord.tasks.network.vocabulary import collect_with_counts
from accord.torch.batches import IGNORED, Batch, Sentences
from accord.torch.chains import chain_log_partition
from accord.torch.learnable import NetworkLearnable
from accord.torch.network import Network
from accord.torch.sizes import Sizes
from accord.torch.training import NetworkTrainer, choose_device
from accord.torch.transfer import begin_with

# A chain needs a row of scores for each word, so one feature looks at words; its weights are all zero.
TEMPLATES = "[state]\nhere.length\n[pair]\nbias\n"
ALWAYS_RARE = 1 << 30


class ChainTrainer(NetworkTrainer):
    """A network with weights of pairs of labels, its optimiser and the mean of both."""

    def __init__(self, document: Document, problem: Problem, config: NeuralConfig, clusters: str, seed: int) -> None:
        if config.tags != "none":
            raise ConfigError(f"neural.tags = {config.tags!r}: networks of chains read words alone")
        self.config = config
        self.device = choose_device(config.device)
        torch.manual_seed(seed)
        vectors = read_vectors(config.vectors, document, config.vectors_most) if config.vectors else None
        vocabulary, counts = collect_with_counts(document, config, clusters, vectors)
        self.vocabulary = dataclasses.replace(vocabulary, classes={CHAIN: problem.labels})
        table = None if vectors is None else vectors.table
        self.network = Network(config, Sizes.of(self.vocabulary, 0), counts, table).to(self.device)
        count = len(problem.labels)
        self.pairs = nn.Parameter(torch.zeros(count, count, device=self.device))
        self.parameters = [p for p in self.network.parameters() if p.requires_grad] + [self.pairs]
        self.mean = [parameter.detach().clone() for parameter in self.parameters]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=config.rate, betas=(0.9, 0.95), weight_decay=config.weight_decay, eps=1e-8
        )
        gold = {CHAIN: problem.numbers.reshape(-1).astype(np.int64)}
        self.sentences = Sentences(document, self.vocabulary.reader, self.device, None, gold)
        self.words = int(self.sentences.lengths.sum()) - len(self.sentences)
        self.seen = self.steps = 0
        self._losses = {}
        masks = problem.masks
        self._start, self._end = (self._mask(mask, (count,)) for mask in (masks.start, masks.end))
        self._follow = self._mask(masks.follow, (count, count))

    def _mask(self, values: NDArray[np.float64], shape: tuple[int, ...]) -> Tensor:
        array = np.zeros(shape) if not values.size else values.reshape(shape)
        return torch.from_numpy(array.astype(np.float32)).to(self.device)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The mean over words of the negative log-likelihood."""
        flat = self.network.encode(batch).tags[CHAIN]
        gold_flat = batch.tags[CHAIN]
        none = len(gold_flat)
        unary = torch.cat([flat, flat.new_zeros(1, flat.shape[1])])[batch.rows.clamp(max=none)][:, 1:]
        gold = torch.cat([gold_flat, gold_flat.new_full((1,), IGNORED)])[batch.rows.clamp(max=none)][:, 1:]
        inside = gold != IGNORED
        chosen = gold.clamp(min=0)
        lengths = (batch.lengths - 1).numpy()
        value = (unary.gather(2, chosen[:, :, None])[:, :, 0] * inside).sum(1)
        if gold.shape[1] > 1:
            value = value + (self.pairs[chosen[:, :-1], chosen[:, 1:]] * inside[:, 1:]).sum(1)
        last = functional.one_hot((batch.lengths - 2).clamp(min=0), gold.shape[1]).bool().to(self.device)
        masked = torch.cat([unary[:, :1] + self._start, unary[:, 1:]], 1)
        masked = torch.where(last[:, :, None], masked + self._end, masked)
        total = chain_log_partition(masked, self.pairs + self._follow, lengths, threads=1)
        loss = (total - value).sum() / max(int(lengths.sum()), 1)
        return loss, {"chain": loss}


class NeuralChainTask(NetworkLearnable):
    """Training of such a chain; ``evaluate`` scores the finished model on dev data."""

    config: LabellerConfig
    snapshot_type = LabellerModel

    def __init__(
        self,
        problem: Problem,
        config: LabellerConfig,
        evaluate: Callable[[LabellerModel], dict[str, float]] | None,
    ) -> None:
        if problem.document is None or problem.neural is None or problem.tags or problem.segments:
            raise ConfigError("a network scores chains of one layer of labels over words")
        self.config, self._evaluate = config, evaluate
        plain = dataclasses.replace(problem, templates=TEMPLATES, neural=None)
        self._prepared = PreparedProblem(plain, config)
        self.trainer = ChainTrainer(problem.document, problem, problem.neural, self._prepared.clusters, config.seed)
        if problem.neural.start:
            begin_with(self.trainer, problem.neural.start, ())
        self._tables = _tasks.BatchTrainer(
            self._prepared.settings,
            problem.sequences,
            self._prepared.numbers,
            self._prepared.cluster_lexicon,
            l2=0.0,
            least_count=ALWAYS_RARE,
            unseen=False,
            unseen_constant=True,
            threads=1,
        )

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        return super().update(order[self.trainer.sentences.lengths[order] > 1])

    def snapshot(self) -> LabellerModel:
        # Of all parameters, the weights of pairs stand last.
        self._tables.evaluate(self.trainer.mean[-1].cpu().double().numpy().reshape(-1).copy())
        model = self._prepared.model(self._tables.freeze(self.config.bytes, PAD, 0.0))
        return dataclasses.replace(model, clusters="", network=self.mean_network(0))  # which has the clusters itself

    def evaluate(self, snapshot: LabellerModel) -> dict[str, float]:
        return self._evaluate(snapshot) if self._evaluate else {}
