# SPDX-License-Identifier: Apache-2.0
"""Training of a network on the common loop: batches of similar sentences, AdamW, a running mean of the weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord._core import neural as _neural
from accord.data import Document
from accord.errors import ConfigError
from accord.inference.trees import argmax_batch
from accord.learning import UpdateReport
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.model import Vocabulary
from accord.tasks.network.raw_text import read_words
from accord.tasks.network.vectors import read_vectors
from accord.tasks.network.vocabulary import UNKNOWN, collect_with_counts, counts_of, gold_classes
from accord.torch.batches import IGNORED, Batch, Sentences
from accord.torch.losses import arc_mask, check_loss, total_loss
from accord.torch.network import Network
from accord.torch.pretraining import Pretraining, pretrain
from accord.torch.sizes import Sizes

assert UNKNOWN == IGNORED
OFTEN = 10**9  # words seen so often are never taken for unknown ones
MOMENTS = ("exp_avg", "exp_avg_sq")  # of AdamW, as PyTorch names them


def choose_device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device = 'cuda': PyTorch finds no GPU here")
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)


@dataclass(frozen=True)
class Predicted:
    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    tags: dict[str, NDArray[np.int32]]


class NetworkTrainer:
    """A network, its optimiser and the mean of its weights."""

    raw: Sentences | None = None  # text without trees that the network learns from first

    def __init__(
        self,
        training: Document,
        config: NeuralConfig,
        labels: tuple[str, ...],
        *,
        parts: tuple[str, ...] = (),
        projective: bool = False,
        single_root: bool = True,
        pruner: tuple[int, float] = (10, 0.015),
        clusters: str = "",
        seed: int = 1,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        """``vocabulary``: what the network knows, where the training data are not to say."""
        check_loss(config.loss, parts)
        if config.keep_vocabulary and vocabulary is None:
            raise ConfigError("neural.keep_vocabulary is for parsers of dependencies")
        self.config, self.labels = config, labels
        self.projective, self.single_root, self.pruner = projective, single_root, pruner
        self.device = choose_device(config.device)
        torch.manual_seed(seed)
        if self.device.type == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = True
            torch.backends.cudnn.allow_tf32 = True
        vectors = read_vectors(config.vectors, training, config.vectors_most) if config.vectors else None
        raw = read_words(config.raw_text) if config.raw_text else None
        if vocabulary is None:
            self.vocabulary, counts = collect_with_counts(training, config, clusters, vectors, raw)
        elif vectors is None:  # it has learnt of unknown words before, so that none is taken for one
            self.vocabulary = vocabulary
            counts = [np.full(len(field.keys) + 1, OFTEN, np.int64) for field in vocabulary.fields]
        else:  # words are taken for unknown ones, so that it learns to read their vectors
            counts = counts_of(training, vocabulary)
            self.vocabulary = vocabulary.with_vectors(vectors.attribute, vectors.keys)
        sizes = Sizes.of(self.vocabulary, len(labels), parts)
        self.network = Network(config, sizes, counts, None if vectors is None else vectors.table).to(self.device)
        self.parameters = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        self.mean = [parameter.detach().clone() for parameter in self.parameters]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=config.rate, betas=(0.9, 0.95), weight_decay=config.weight_decay, eps=1e-8
        )
        self.sentences = self.read(training)
        self.words = int(self.sentences.lengths.sum()) - len(self.sentences)
        self.raw = None if raw is None else Sentences(raw, self.vocabulary.reader, self.device)
        self.seed = seed
        self.seen = 0  # words
        self.steps = 0
        self._losses: dict[str, float] = {}

    def read(self, document: Document) -> Sentences:
        numbers = {name: number for number, name in enumerate(self.labels)}
        names = document.column("deprel")
        labels = np.fromiter(map(numbers.get, names, repeat(UNKNOWN)), np.int64, len(names))
        tags = {task: gold_classes(self.vocabulary, document, task) for task in self.vocabulary.classes}
        return Sentences(document, self.vocabulary.reader, self.device, labels, tags)

    def pretrain(self, report: Callable[[float, float], None] = lambda share, loss: None) -> None:
        """Learn to guess the words of the text without trees, where there is one."""
        if self.raw is None:
            return
        config = self.config
        settings = Pretraining(config.raw_epochs, config.raw_batch_words, config.rate, seed=self.seed)
        pretrain(self.network, self.raw, self.vocabulary.reader.rows[0], settings, report)
        self.mean = [parameter.detach().clone() for parameter in self.parameters]
        self.raw = None  # its memory is needed no more

    def _share(self) -> float:
        """How much of training is over."""
        return min(self.seen / max(self.words * self.config.epochs, 1), 1.0)

    def _rate(self) -> float:
        config, share = self.config, self._share()
        if share < config.warm_up:
            return config.rate * share / config.warm_up
        return config.rate * 0.5 * (1 + math.cos(math.pi * (share - config.warm_up) / max(1 - config.warm_up, 1e-9)))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch per word, and its pieces."""
        return total_loss(
            self.network,
            batch,
            self.config,
            projective=self.projective,
            single_root=self.single_root,
            heads=self.pruner[0],
            threshold=self.pruner[1],
            local=self._share() < self.config.local_start,
        )

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        config = self.config
        if self.steps == 0:
            self.pretrain()
        self.network.train()
        losses: list[Tensor] = []
        kept: list[dict[str, Tensor]] = []
        mixed = config.mixed_precision == "true"
        for group in self.sentences.batches(order, config.batch_words):
            batch = self.sentences.batch(group)
            for settings in self.optimizer.param_groups:
                settings["lr"] = max(self._rate(), 1e-6)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=mixed):
                loss, pieces = self.loss(batch)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            if config.clip:
                torch.nn.utils.clip_grad_norm_(self.parameters, config.clip, foreach=True)
            self.optimizer.step()
            self.steps += 1
            decay = min(config.averaging, self.steps / (self.steps + 10))
            torch._foreach_lerp_(self.mean, [p.detach() for p in self.parameters], 1 - decay)
            self.seen += int(batch.lengths.sum()) - len(batch.lengths)
            losses.append(loss.detach() * len(group))
            kept.append({name: piece.detach() for name, piece in pieces.items()})
        for one in kept:
            for name, piece in {**one, "steps": 1.0}.items():
                self._losses[name] = self._losses.get(name, 0.0) + float(piece)
        return UpdateReport(float(torch.stack(losses).sum()) if losses else 0.0, 0.0, float(len(losses)))

    def figures(self) -> dict[str, float]:
        """The mean losses of a word since the last call."""
        figures, self._losses = self._losses, {}
        steps = figures.pop("steps", 1.0)
        return {f"{name} loss": value / steps for name, value in figures.items()}

    def state(self) -> list[Tensor]:
        """Weights, their mean, and of the optimiser how many steps it has made with each, and its moments.

        Weights that nothing has been learnt of yet (of parts, while words choose their heads on their own) have none.
        """
        slots = [self.optimizer.state.get(parameter, {}) for parameter in self.parameters]
        steps = torch.tensor([float(slot.get("step", 0.0)) for slot in slots])
        moments = [
            slot.get(name, torch.zeros_like(parameter))
            for parameter, slot in zip(self.parameters, slots, strict=True)
            for name in MOMENTS
        ]
        return [*(parameter.detach() for parameter in self.parameters), *self.mean, steps, *moments]

    def load(self, arrays: list[NDArray[np.float32]]) -> None:
        """What ``state`` gave; ValueError where it belongs to another network."""
        count = len(self.parameters)
        like = [*self.parameters, *self.mean, torch.zeros(count), *(p for p in self.parameters for _ in MOMENTS)]
        if len(arrays) != len(like) or any(a.size != target.numel() for a, target in zip(arrays, like, strict=True)):
            raise ValueError("the checkpoint belongs to another network")
        values = [
            torch.from_numpy(array.copy()).reshape(target.shape).to(target.device)
            for array, target in zip(arrays, like, strict=True)
        ]
        self.restore(values[:count])
        self.mean = values[count : 2 * count]
        steps, moments = values[2 * count].tolist(), values[2 * count + 1 :]
        for index, (parameter, made) in enumerate(zip(self.parameters, steps, strict=True)):
            if made:
                own = dict(zip(MOMENTS, moments[index * len(MOMENTS) :], strict=False))
                self.optimizer.state[parameter] = {"step": torch.tensor(made), **own}

    def use_mean(self) -> list[Tensor]:
        """Put the mean of the weights in place; returns what was there, for ``restore``."""
        kept = [parameter.detach().clone() for parameter in self.parameters]
        self.restore(self.mean)
        return kept

    def restore(self, values: list[Tensor]) -> None:
        with torch.no_grad():
            torch._foreach_copy_(self.parameters, values)

    def _tags(self, scores: dict[str, Tensor], forms: list[str]) -> dict[str, NDArray[np.int32]]:
        """The classes of each task, those of one reading together, and lemma rules that the forms may follow."""
        found = {task: values.argmax(1).cpu().numpy().astype(np.int32) for task, values in scores.items()}
        readings = self.vocabulary.readings
        if readings is not None:
            tasks = list(scores)[: readings.shape[1]]
            rows = [scores[task].float().cpu().contiguous().numpy() for task in tasks]
            found |= dict(zip(tasks, _neural.choose_readings(readings, rows).T, strict=True))
        if self.vocabulary.guide is not None:
            guide, rules = self.vocabulary.guide.native(), scores["lemma"].float().cpu().contiguous().numpy()
            words = zip(forms, found["upos"].tolist(), rules, strict=True)
            found["lemma"] = np.array([guide.choose(form, tag, row) for form, tag, row in words], np.int32)
        return found

    @torch.no_grad()
    def predict(self, sentences: Sentences, document: Document, most: int = 10000) -> Predicted:
        """Trees and tags by PyTorch, of first order: for checks; ``accord.tasks.parser`` does the same without it.

        ``document``: what the sentences were read from.
        """
        self.network.eval()
        total = int(sentences.lengths.sum())
        heads, labels = np.full(total, -1, np.int32), np.full(total, -1, np.int32)
        tags = {task: np.full(total, -1, np.int32) for task in self.vocabulary.classes}
        forms = np.full(total, "", object)
        forms[sentences.words] = document.column("form")
        for group in sentences.batches(np.arange(len(sentences)), most):
            batch = sentences.batch(group)
            scores = self.network(batch)
            arcs = scores.arcs.float().masked_fill(~arc_mask(batch), float("-inf")).cpu().double().numpy()
            sizes = sentences.lengths[group].tolist()
            found_trees = argmax_batch(
                [arcs[row, :size, :size] for row, size in enumerate(sizes) if size > 1], single_root=self.single_root
            )
            trees = iter(found_trees)
            for sentence, size in zip(group.tolist(), sizes, strict=True):
                if size > 1:
                    start = int(sentences.starts[sentence])
                    heads[start : start + size] = next(trees).heads
            flat = sentences.positions(group)
            found = torch.zeros_like(batch.heads)
            found[batch.mask] = torch.from_numpy(heads[flat].astype(np.int64)).to(self.device)
            words = batch.mask.clone()
            words[:, 0] = False
            sentence_index, dependent = words.nonzero(as_tuple=True)
            if self.labels and len(dependent):
                head = found[sentence_index, dependent]
                best_labels = self.network.score_labels(
                    scores.label_head[sentence_index, head], scores.label_dependent[sentence_index, dependent]
                ).argmax(1)
                place = torch.full_like(found, -1)
                place[sentence_index, dependent] = best_labels
                labels[flat] = place[batch.mask].cpu().numpy()
            for task, classes in self._tags(scores.tags, [forms[place] for place in flat.tolist()]).items():
                tags[task][flat] = classes
        keep = sentences.words
        return Predicted(heads[keep], labels[keep], {task: values[keep] for task, values in tags.items()})
