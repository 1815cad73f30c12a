# SPDX-License-Identifier: Apache-2.0
"""The temperatures that make a parser's probabilities honest."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.learning import SILENT, Reporter, golden_section, spread
from accord.tasks.parser.answers import Trees
from accord.tasks.parser.confidence import fit_confidence
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel

BELIEF_SENTENCES = 300  # at most so many dev sentences fit the temperature of a model of higher order
TAG_STEPS = 20
SURE = 1e-6  # no tree is taken to be surer than this
IMPOSSIBLE = -1e4  # the logarithm of the probability of a tag that no reading has
NEURAL_SENTENCES = 500  # the same for a neural scorer


def fit_temperature(
    model: ParserModel,
    dev: Document,
    *,
    threads: int = 0,
    steps: int | None = None,
    reporter: Reporter = SILENT,
) -> ParserModel:
    """The model with the temperatures under which the labels of the dev trees, and then these trees, are most probable.

    Online learners fix the scales of the scores of arcs and labels only up to what decisions need; confidences need the
    right ones. Sums over trees of higher order are dearer, so these models take fewer steps and look at no more than
    300 sentences; neural ones look at 500.
    """
    most = (
        NEURAL_SENTENCES if model.network is not None else BELIEF_SENTENCES if model.config.part_names() else len(dev)
    )
    if len(dev) > most:
        dev = Document.from_sentences(spread(dev.sentences, most), name=dev.name)
    reporter.note(f"fitting the temperature on {len(dev)} sentences")

    def tree_loss(temperature: float) -> float:
        tried = dataclasses.replace(model, temperature=temperature)
        return -Parser(tried).gold_log_likelihood(dev, threads=threads)

    def label_loss(temperature: float) -> float:
        tried = dataclasses.replace(model, label_temperature=temperature)
        return -Parser(tried).gold_label_log_likelihood(dev, threads=threads)

    if model.config.label_mode() != "none":
        model = dataclasses.replace(model, label_temperature=_best_temperature(label_loss, steps or 10))
    default = 7 if model.config.part_names() else 10
    model = dataclasses.replace(model, temperature=_best_temperature(tree_loss, steps or default))
    return fit_confidences(fit_tag_temperatures(model, dev), dev, threads=threads)


def fit_confidences(model: ParserModel, dev: Document, *, threads: int = 0) -> ParserModel:
    """The model that is right about dev data as often as it says: of heads, of labelled arcs and of whole trees.

    Whole trees get a temperature, single arcs a slope and a shift; see :mod:`accord.tasks.parser.confidence`.
    """
    trees = Parser(model).trees(dev, probabilities=True, threads=threads)
    heads = trees.heads == dev.heads
    arcs = heads
    if model.labels:
        arcs = heads & (np.array(model.labels)[trees.labels] == np.array(dev.column("deprel")))
    fitted = [fit_confidence(trees.arc_probability, heads)]
    if model.config.label_mode() != "none":
        fitted.append(fit_confidence(trees.label_probability, arcs))
    return _with_whole_temperature(dataclasses.replace(model, confidences=tuple(fitted)), dev, trees, arcs)


def _with_whole_temperature(model: ParserModel, dev: Document, trees: Trees, arcs: NDArray[np.bool_]) -> ParserModel:
    words = dev.lengths > 0
    wrong = np.concatenate([[0], np.cumsum(~arcs)])
    ends = np.cumsum(dev.lengths)
    right = (wrong[ends] == wrong[ends - dev.lengths])[words]
    logs = np.minimum(trees.tree_log_probability[words], -SURE)
    if not right.any() or not np.isfinite(logs).all():
        return model

    def loss(temperature: float) -> float:
        return -float(np.where(right, logs / temperature, np.log1p(-np.exp(logs / temperature))).sum())

    return dataclasses.replace(model, whole_temperature=_best_temperature(loss, TAG_STEPS))


def fit_tag_temperatures(model: ParserModel, dev: Document) -> ParserModel:
    """The model with the temperatures under which a network finds the tags of dev words most probable, by column.

    Gold tags that the network does not know are left out, and lemmas keep a temperature of 1. No choice changes: within
    a word, a temperature leaves the order of tags as it is.
    """
    parser = Parser(dataclasses.replace(model, tag_temperatures=()))
    if not parser.columns:
        return model
    assert model.network is not None
    sentences = [sentence for sentence in dev.sentences if len(sentence)]
    fitted = []
    for column in parser.columns:
        classes = () if column == "lemma" else model.network.vocabulary.classes[column]
        known = {tag: number for number, tag in enumerate(classes)}
        gold = np.array([known.get(tag, -1) for tag in dev.column(column)], np.int64)
        if not (gold >= 0).any():
            fitted.append(1.0)
            continue
        logs = np.concatenate([parser.tag_logs(sentence, column) for sentence in sentences]).astype(np.float64)
        logs, gold = logs[gold >= 0], gold[gold >= 0]

        def loss(temperature: float, logs: NDArray[np.float64] = logs, gold: NDArray[np.int64] = gold) -> float:
            tempered = np.maximum(logs, IMPOSSIBLE) / temperature
            return float((np.log(np.exp(tempered).sum(axis=1)) - tempered[np.arange(len(gold)), gold]).sum())

        fitted.append(_best_temperature(loss, TAG_STEPS))
    return dataclasses.replace(model, tag_temperatures=tuple(fitted))


def _best_temperature(loss: Callable[[float], float], steps: int) -> float:
    """The search is over the logarithm of the temperature, in which likelihoods are unimodal in practice."""
    return math.exp(golden_section(lambda log: loss(math.exp(log)), math.log(0.01), math.log(100.0), steps))
