# SPDX-License-Identifier: Apache-2.0
"""What every training of a network shares as the training loop sees it (:class:`accord.learning.Learnable`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord.data import Document
from accord.errors import ConfigError
from accord.learning import UpdateReport
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.merging import with_merged_words
from accord.tasks.network.model import NetworkModel
from accord.torch.export import to_arrays
from accord.torch.training import NetworkTrainer


class Threaded(Protocol):
    """Settings that say on how many threads training runs."""

    @property
    def threads(self) -> int: ...


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


def check_given_tags(config: NeuralConfig, training: Document) -> None:
    if config.tags == "given" and set(training.column("upos")) == {"_"} == set(training.column("xpos")):
        raise ConfigError("neural.tags = 'given': the treebank has no tags")


class NetworkLearnable:
    """The half of a learnable that only needs the trainer of the network."""

    config: Threaded
    trainer: NetworkTrainer

    def __len__(self) -> int:
        return len(self.trainer.sentences)

    def size_of(self, index: int) -> int:
        return int(self.trainer.sentences.lengths[index]) - 1

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        with torch_threads(self.config.threads) if self.trainer.device.type == "cpu" else nullcontext():
            return self.trainer.update(order)

    def finish_epoch(self) -> dict[str, float]:
        return self.trainer.figures()

    def mean_network(self, labels: int, parts: tuple[str, ...] = ()) -> NetworkModel:
        """The network with the mean of its weights so far, as a model file keeps it."""
        trainer = self.trainer
        kept = trainer.use_mean()
        weights = to_arrays(trainer.network, "float32")
        trainer.restore(kept)
        network = NetworkModel(trainer.config, trainer.vocabulary, labels, parts, weights)
        return with_merged_words(network).stored(trainer.config.storage)

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
