# SPDX-License-Identifier: Apache-2.0
"""A network in training begins with what another one has learnt.

Rows of tables belong to what they stand for: words, affixes and characters by their keys, tags and labels by their
names. What both networks know is copied, and so is every matrix of the same shape; all else begins as it would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.tasks.network.model import NetworkModel, Vocabulary
from accord.tasks.network.storage import restore
from accord.torch.export import named_parameters
from accord.torch.network import Network

SPECIAL = 3  # characters: unknown, begin, end
Numbers = NDArray[np.int64]


def _shared(own: Sequence[Any], others: Sequence[Any], first: int) -> tuple[Numbers, Numbers]:
    """Rows of what two lists have in common, in each; before them stand ``first`` rows that all tables have."""
    places = {name: number for number, name in enumerate(others)}
    pairs = [(number, places[name]) for number, name in enumerate(own) if name in places]
    mine, theirs = (np.array([pair[side] for pair in pairs], np.int64) + first for side in (0, 1))
    start = np.arange(first)
    return np.concatenate([start, mine]), np.concatenate([start, theirs])


def _rows(
    name: str, own: Vocabulary, other: Vocabulary, labels: tuple[str, ...], other_labels: tuple[str, ...]
) -> tuple[Numbers, Numbers] | None:
    """Which rows of an array stand for the same thing in both networks; None: all, if the shapes are the same."""
    kind, _, which = name.removesuffix("_bias").partition(".")
    if kind == "input":
        field = own.fields[int(which)]
        same = next((found for found in other.fields if found.name == field.name), None)
        return (np.zeros(0, np.int64),) * 2 if same is None else _shared(field.keys.tolist(), same.keys.tolist(), 1)
    if kind == "characters":
        return _shared(own.characters.tolist(), other.characters.tolist(), SPECIAL)
    if kind == "class":
        return _shared(own.classes[which], other.classes.get(which, ()), 0)
    return _shared(labels, other_labels, 0) if kind == "label_form" else None


@torch.no_grad()
def start_from(
    network: Network,
    vocabulary: Vocabulary,
    labels: tuple[str, ...],
    trained: NetworkModel,
    trained_labels: tuple[str, ...],
) -> float:
    """Copy what ``trained`` knows into a network; returns the share of its weights that were copied."""
    if network.given is not None:
        raise ConfigError("neural.start does not go with neural.vectors: a model file holds vectors after their map")
    arrays = restore(trained.weights)
    copied = total = 0
    for name, parameter in named_parameters(network):
        total += 0 if name.endswith("+") else parameter.numel()
        theirs = arrays.get(name.removesuffix("+"))
        if theirs is None or theirs.shape[1:] != tuple(parameter.shape[1:]):
            continue
        rows = _rows(name, vocabulary, trained.vocabulary, labels, trained_labels)
        if rows is None and theirs.shape != tuple(parameter.shape):
            continue
        if name.endswith("+"):  # the second bias of an LSTM, which a file adds to the first
            parameter.zero_()
        elif rows is None:
            parameter.copy_(torch.from_numpy(np.array(theirs)))
            copied += parameter.numel()
        else:
            own, others = rows
            parameter[torch.from_numpy(own)] = torch.from_numpy(theirs[others]).to(parameter.device)
            copied += len(own) * int(np.prod(theirs.shape[1:], dtype=np.int64))
    return copied / max(total, 1)
