# SPDX-License-Identifier: Apache-2.0
"""A network in training begins with what another one has learnt.

Rows of tables belong to what they stand for: words, affixes and characters by their keys, tags and labels by their
names. What both networks know is copied, and so is every matrix of the same shape; all else begins as it would have.
Inputs of the encoder that only one of the networks has (given tags, predicted tags) stand behind the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.models import model_path
from accord.models.file import read_header
from accord.tasks.constituents.model import ConstituentsModel
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.model import NetworkModel, Vocabulary
from accord.tasks.network.storage import restore
from accord.tasks.parser import ParserModel
from accord.torch.export import named_parameters
from accord.torch.network import Network
from accord.torch.training import NetworkTrainer

SPECIAL = 3  # characters: unknown, begin, end
SCORERS = ("arc_", "label_")  # what scores arcs in a parser, and spans in a parser of phrases
WORD_SIZES = (("input.0", 1), ("filters", 0))  # arrays whose axis has the size of a part of a word's vector
Numbers = NDArray[np.int64]


def _shared(own: Sequence[Any], others: Sequence[Any], first: int) -> tuple[Numbers, Numbers]:
    """Rows of what two lists have in common, in each; before them stand ``first`` rows that all tables have."""
    places = {name: number for number, name in enumerate(others)}
    pairs = [(number, places[name]) for number, name in enumerate(own) if name in places]
    mine, theirs = (np.array([pair[side] for pair in pairs], np.int64) + first for side in (0, 1))
    start = np.arange(first)
    return np.concatenate([start, mine]), np.concatenate([start, theirs])


def _place_there(which: str, own: Vocabulary, other: Vocabulary) -> int | None:
    """The place of a field of this network in the other one; words may stand in both a learnt and a given table."""
    names, there = [field.name for field in own.fields], [field.name for field in other.fields]
    place = int(which)
    same = [number for number, name in enumerate(there) if name == names[place]]
    nth = names[:place].count(names[place])
    return same[nth] if nth < len(same) else None


def _rows(
    name: str, own: Vocabulary, other: Vocabulary, labels: tuple[str, ...], other_labels: tuple[str, ...]
) -> tuple[Numbers, Numbers] | None:
    """Which rows of an array stand for the same thing in both networks; None: all, if the shapes are the same."""
    kind, _, which = name.removesuffix("_bias").partition(".")
    if kind == "input":
        place = _place_there(which, own, other)
        keys = own.fields[int(which)].keys.tolist()
        return None if place is None else _shared(keys, other.fields[place].keys.tolist(), 1)
    if kind == "characters":
        return _shared(own.characters.tolist(), other.characters.tolist(), SPECIAL)
    if kind == "class":
        return _shared(own.classes[which], other.classes.get(which, ()), 0)
    return _shared(labels, other_labels, 0) if kind == "label_form" else None


def begin_with(trainer: NetworkTrainer, path: str, labels: tuple[str, ...], *, spans: bool = False) -> float:
    """Let training begin with the network of a model; returns the share of the weights that it gave.

    The model is a parser or a parser of phrases. ``spans``: what is trained scores spans, and ``labels`` are theirs.
    """
    kind = read_header(model_path(path)).get("kind")
    own = kind == ConstituentsModel.kind
    model: ConstituentsModel | ParserModel = ConstituentsModel.load(path) if own else ParserModel.load(path)
    if model.network is None:
        raise ConfigError(f"neural.start = {path!r}: this parser has no network")
    same = spans == own
    network, vocabulary = trainer.network, trainer.vocabulary
    share: float = start_from(network, vocabulary, labels, model.network, model.labels, scorers=same)
    trainer.mean = [parameter.detach().clone() for parameter in trainer.parameters]
    return share


def started_vocabulary(config: NeuralConfig) -> tuple[tuple[str, ...], Vocabulary]:
    """Labels and vocabulary of the parser that training begins with."""
    if not config.start:
        raise ConfigError("neural.keep_vocabulary goes with neural.start, which names the model whose words are kept")
    if config.raw_text:
        raise ConfigError("neural.keep_vocabulary does not go with neural.raw_text, which adds words")
    model = ParserModel.load(config.start)
    if model.network is None:
        raise ConfigError(f"neural.start = {config.start!r}: this parser has no network")
    return model.labels, model.network.vocabulary


def _same_words(network: Network, arrays: Mapping[str, NDArray[np.float32]]) -> bool:
    """Whether embeddings and characters of words, which are the first inputs of the encoder, have the same sizes."""
    own = dict(named_parameters(network))
    sides = [[found[name].shape[axis] if name in found else 0 for name, axis in WORD_SIZES] for found in (own, arrays)]
    return sides[0] == sides[1]


def _shared_columns(name: str, parameter: torch.Tensor, theirs: NDArray[np.float32]) -> int:
    """Copy the inputs that both encoders have; returns how many weights these are."""
    if not name.startswith("encoder.") or not name.endswith(".input") or len(theirs) != len(parameter):
        return 0
    columns = min(int(theirs.shape[1]), int(parameter.shape[1]))
    parameter[:, :columns] = torch.from_numpy(np.array(theirs[:, :columns])).to(parameter.device)
    return len(theirs) * columns


@torch.no_grad()
def start_from(
    network: Network,
    vocabulary: Vocabulary,
    labels: tuple[str, ...],
    trained: NetworkModel,
    trained_labels: tuple[str, ...],
    *,
    scorers: bool = True,
) -> float:
    """Copy what ``trained`` knows into a network; returns the share of its weights that were copied.

    ``scorers``: what scores arcs or spans, too.
    """
    arrays = restore(trained.weights)
    given = vocabulary.words - 1 if network.given is not None else None
    copied = total = 0
    for name, parameter in named_parameters(network):
        total += 0 if name.endswith("+") else parameter.numel()
        kind, _, which = name.partition(".")
        if name == f"input.{given}":
            continue  # a model file holds vectors after their map, which begins anew
        place = _place_there(which, vocabulary, trained.vocabulary) if kind == "input" else None
        theirs = arrays.get(name.removesuffix("+") if kind != "input" else f"input.{place}")
        if theirs is None or (not scorers and name.startswith(SCORERS)):
            continue
        if theirs.shape[1:] != tuple(parameter.shape[1:]):
            copied += _shared_columns(name, parameter, theirs) if _same_words(network, arrays) else 0
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
