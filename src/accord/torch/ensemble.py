# SPDX-License-Identifier: Apache-2.0
"""Several networks that annotate together: trees and tags for text that a smaller network then learns from.

head   the tree of largest sum of the logarithms of the probabilities that the networks give to heads
label  of an arc of this tree, and each tag: the largest sum of logarithms; UPOS, XPOS and FEATS are one reading

The networks are parsers of the same labels and tags, as runs with different seeds have them. Each may have inputs of
its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord._core import neural as _neural
from accord.data import Document
from accord.errors import ConfigError
from accord.inference.trees import argmax_batch
from accord.tasks.parser import ParserModel
from accord.torch.batches import Batch, Sentences
from accord.torch.export import network_of
from accord.torch.losses import arc_mask
from accord.torch.network import Scores

BATCH = 12000  # positions
COLUMNS = {"upos": "upos", "xpos": "xpos", "feats": "feats", "lemma": "lemmas"}


def _sum(values: Sequence[Tensor], dimension: int) -> Tensor:
    return torch.stack([torch.log_softmax(one, dimension) for one in values]).sum(0)


class Ensemble:
    """The networks of some parsers on a device."""

    def __init__(self, models: Sequence[ParserModel], device: torch.device) -> None:
        stored = [model.network for model in models if model.network is not None]
        if not models or len(stored) < len(models):
            raise ConfigError("teachers are parsers with a network; one of them has none")
        first = stored[0].vocabulary
        if any(model.labels != models[0].labels or one.vocabulary.classes != first.classes
               for model, one in zip(models, stored, strict=True)):  # fmt: skip
            raise ConfigError("teachers learnt from one treebank; these have different labels or tags")
        self.device, self.labels, self.single_root = device, models[0].labels, models[0].single_root
        self.classes, self.readings, self.guide = first.classes, first.readings, first.guide
        self._rules = first.lemmas
        self._networks = [network_of(one).to(device) for one in stored]
        self._readers = [one.vocabulary.reader for one in stored]

    @torch.no_grad()
    def annotate(self, document: Document) -> Document:
        """The document with heads, labels and all tags that the networks predict."""
        data = [Sentences(document, reader, self.device) for reader in self._readers]
        total = len(data[0].words)
        heads, labels = np.zeros(total, np.int64), np.zeros(total, np.int64)
        tags = {task: np.zeros(total, np.int64) for task in self.classes}
        forms = np.full(total, "", object)
        forms[data[0].words] = document.column("form")
        for group in data[0].batches(np.arange(len(data[0])), BATCH):
            flat = data[0].positions(group)
            batches = [one.batch(group) for one in data]
            scores = [network(batch) for network, batch in zip(self._networks, batches, strict=True)]
            found = self._heads(scores, batches[0], data[0].lengths[group].tolist())
            heads[flat] = found
            labels[flat] = self._labels(scores, batches[0], found)
            for task, values in self._tags(scores, forms[flat].tolist()).items():
                tags[task][flat] = values
        words = data[0].words
        columns = {"deprels": [self.labels[label] for label in labels[words].tolist()]}
        for task, classes in tags.items():
            names, numbers = self.classes[task], classes[words]
            columns[COLUMNS[task]] = (
                self._rules(document, numbers.astype(np.int32))
                if task == "lemma"
                else [names[number] for number in numbers.tolist()]
            )
        return document.replace(heads=heads[words], **columns)

    def _heads(self, scores: list[Scores], batch: Batch, sizes: list[int]) -> NDArray[np.int64]:
        mask = arc_mask(batch)
        arcs = _sum([one.arcs.masked_fill(~mask, -1e9) for one in scores], 1)
        table = arcs.masked_fill(~mask, float("-inf")).double().cpu().numpy()
        trees = argmax_batch([table[i, :size, :size] for i, size in enumerate(sizes)], single_root=self.single_root)
        return np.concatenate([tree.heads for tree in trees]).astype(np.int64)

    def _labels(self, scores: list[Scores], batch: Batch, heads: NDArray[np.int64]) -> NDArray[np.int64]:
        sentence, position = batch.mask.nonzero(as_tuple=True)
        head = torch.from_numpy(heads).to(self.device).clamp(min=0)
        found = _sum(
            [
                network.score_labels(one.label_head[sentence, head], one.label_dependent[sentence, position])
                for network, one in zip(self._networks, scores, strict=True)
            ],
            1,
        )
        return np.asarray(found.argmax(1).cpu().numpy())

    def _tags(self, scores: list[Scores], forms: list[str]) -> dict[str, NDArray[np.int32]]:
        sums = {task: _sum([one.tags[task] for one in scores], 1).float() for task in self.classes}
        found = {task: values.argmax(1).cpu().numpy().astype(np.int32) for task, values in sums.items()}
        if self.readings is not None:
            tasks = list(sums)[: self.readings.shape[1]]
            rows = [sums[task].cpu().contiguous().numpy() for task in tasks]
            found |= dict(zip(tasks, _neural.choose_readings(self.readings, rows).T, strict=True))
        if self.guide is not None:
            guide, rules = self.guide.native(), sums["lemma"].cpu().contiguous().numpy()
            words = zip(forms, found["upos"].tolist(), rules, strict=True)
            found["lemma"] = np.array([guide.choose(form, tag, row) for form, tag, row in words], np.int32)
        return found
