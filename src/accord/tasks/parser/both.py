# SPDX-License-Identifier: Apache-2.0
"""Parsers with both scorers: a linear one and a network, whose scores of parts are added.

Model:   score = (1 - w) / T * linear score + w / U * score of the network, where T and U are the temperatures that make
         each of the two honest by itself, and w is the share of the network. Labels of the network count ``f`` times as
         much. With w = 0 the parser is the linear one, with w = 1 the network, each with its own scores.
Tuning:  w, then f, by LAS on dev data; then the temperature of the sum. All three are a few numbers, so the dev data
         that chose the two models may choose them, too.
Tags:    linear features read the tags of the text. Where the network predicts tags, they are the network's at run
         time. Training data then have tags of taggers that did not see the sentence (``tagged``), and dev data those
         of the network.
Parts:   those of the linear parser, on the sum of arcs. A network with siblings and grandparents adds its scores of
         them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.data import Document
from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.parser.config import BothConfig, ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel, Shares
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.parser.temperature import fit_temperature
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores

HALVES = ("neural", "linear")  # in the order of their training
WEIGHTS = tuple(step / 10 for step in range(11))  # that are tried
LABEL_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
TUNING_WORDS = 25_000  # at most so many words of dev data choose the weight


def train_both(
    training: Document,
    dev: Document | None,
    config: ParserConfig,
    *,
    tagged: Document | None = None,
    card: Mapping[str, Any] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[ParserModel]:
    """Train the two scorers one after the other, unless files of them are named, and join them.

    ``tagged``: the training data with tags as the linear scorer will get them, for a network that predicts tags; dev
    data are tagged by the network then. An interrupt goes on as KeyboardInterrupt: half of the sum is none.
    ``checkpoint`` keeps the half that is finished.
    """
    config.both.fixed_weight(), config.both.fixed_label_factor()  # a wrong one is told before hours of training
    halves = {name: _taken(name, getattr(config.both, name)) for name in HALVES if getattr(config.both, name)}
    log: list[dict[str, Any]] = []
    best_epoch = 0
    halves |= _finished(checkpoint, config)
    for name in HALVES:
        if name in halves:
            continue
        own = _half_config(config, name)
        step = None if checkpoint is None else _step(checkpoint, name, own)
        seen, checked = training, dev
        if name == "linear" and tagged is not None:
            seen, checked = tagged, _tagged_by(halves["neural"], dev)
        result = train_parser(seen, checked, own, reporter=reporter.of_step(name), checkpoint=step)
        if result.interrupted:
            raise KeyboardInterrupt
        halves[name] = result.model
        log, best_epoch = [*log, *result.log], result.best_epoch
        if checkpoint is not None and step is not None:
            checkpoint.save({}, {}, halves)
            step.remove()
    checked = dev if tagged is None else _tagged_by(halves["neural"], dev)
    model, scores = tuned(halves["linear"], halves["neural"], checked, config, reporter=reporter)
    about = {**(card or {}), "halves": {name: one.card for name, one in halves.items()}, "both": scores}
    return TrainingResult(dataclasses.replace(model, card=about), log, best_epoch, scores=scores.get("scores", {}))


def _tagged_by(network: ParserModel, dev: Document | None) -> Document | None:
    """Dev data with the tags of the network."""
    return None if dev is None else NetworkTagger(Parser(network))(dev, threads=network.config.threads)


def _step(checkpoint: Checkpoint, name: str, settings: ParserConfig) -> Checkpoint:
    return dataclasses.replace(checkpoint.of_step(name, settings), free=checkpoint.free)


def _finished(checkpoint: Checkpoint | None, config: ParserConfig) -> dict[str, ParserModel]:
    """The halves that an earlier run has finished."""
    if checkpoint is None:
        return {}
    steps = [_step(checkpoint, name, _half_config(config, name)) for name in HALVES]
    if not checkpoint.resume:
        for step in steps:  # of an older run
            step.remove()
        return {}
    if not checkpoint.exists() and any(step.exists() for step in steps):
        return {}
    saved = checkpoint.load()
    found = {} if saved is None else {name: saved.model(name, ParserModel) for name in saved.models}
    return {name: model for name, model in found.items() if model is not None}


def _half_config(config: ParserConfig, scorer: str) -> ParserConfig:
    """The settings of one of the two. The network scores arcs: higher orders are those of the linear scorer."""
    if scorer == "linear":
        return dataclasses.replace(config, scorer=scorer)
    return dataclasses.replace(config, scorer=scorer, order=1, parts="auto", patterns="")


def _taken(scorer: str, path: str) -> ParserModel:
    model = ParserModel.load(path)
    if model.config.scorer != scorer:
        raise ConfigError(f"both.{scorer} = {path!r}: its scorer is {model.config.scorer}")
    return model


def joined(linear: ParserModel, network: ParserModel, weight: float, label_factor: float = 1.0) -> ParserModel:
    """The sum of two parsers, with this share of the network.

    The two must have the same labels and the same kind of trees. At 0 and 1 the temperatures are those of the one
    parser that counts; otherwise scores are log-probabilities already and they are 1 until they are fitted.
    """
    _check_pair(linear, network)
    how = BothConfig(weight=f"{weight:g}", label_factor=f"{label_factor:g}")
    config = dataclasses.replace(linear.config, scorer="both", neural=network.config.neural, both=how)
    common = dataclasses.replace(linear, config=config, network=network.network, card={})
    if weight == 0:
        return dataclasses.replace(common, shares=Shares(1.0, 0.0, 0.0, 0.0))
    if weight == 1:
        t, u = network.temperature, network.label_temperature
        return dataclasses.replace(
            common, shares=Shares(0.0, 1.0, label_factor, 1.0), temperature=t, label_temperature=u
        )
    tree, arcs, labels = linear.temperature, network.temperature, network.temperatures.labels
    shares = Shares((1 - weight) / tree, weight / arcs, label_factor * weight / labels, weight)
    return dataclasses.replace(common, shares=shares, temperature=1.0, label_temperature=1.0)


def _check_pair(linear: ParserModel, network: ParserModel) -> None:
    if linear.labels != network.labels:
        raise ConfigError("the linear and the neural parser have other labels: train both on the same treebank")
    for name in ("single_root", "projective"):
        one, other = (getattr(model if name == "single_root" else model.config, name) for model in (linear, network))
        if one != other:
            raise ConfigError(f"{name} is {one} in the linear and {other} in the neural parser")
    lacking = set(network.config.part_names()) - set(linear.config.part_names())
    if lacking:
        raise ConfigError(f"the network scores {', '.join(sorted(lacking))} parts, which the linear parser has not")


def tuned(
    linear: ParserModel,
    network: ParserModel,
    dev: Document | None,
    config: ParserConfig,
    *,
    reporter: Reporter = SILENT,
) -> tuple[ParserModel, dict[str, Any]]:
    """The sum with the shares that the settings name, or those that are best on dev data; and what was found there."""
    weight, factor = config.both.fixed_weight(), config.both.fixed_label_factor()
    found: dict[str, Any] = {}
    if dev is not None:
        some = _some(dev)
        if weight is None:
            reporter.note(f"trying shares of the network on {len(some)} sentences")
            tried = {w: _score(joined(linear, network, w, factor or 1.0), some, config.threads) for w in WEIGHTS}
            weight = _best(tried, 0.5)
            found["weights"] = {f"{w:g}": round(score, 2) for w, score in tried.items()}
        if factor is None and weight > 0 and linear.labels:
            tried = {f: _score(joined(linear, network, weight, f), some, config.threads) for f in LABEL_FACTORS}
            factor = _best(tried, 1.0)
            found["label_factors"] = {f"{f:g}": round(score, 2) for f, score in tried.items()}
    weight = 0.5 if weight is None else weight
    factor = 1.0 if factor is None else factor
    model = joined(linear, network, weight, factor)
    if dev is not None and 0 < weight < 1:
        model = fit_temperature(model, dev, threads=config.threads, reporter=reporter)
    reporter.note(f"share of the network {weight:g}, its labels times {factor:g}")
    found |= {"weight": weight, "label_factor": factor}
    if dev is not None:
        found["scores"] = {"LAS" if linear.labels else "UAS": _score(model, dev, config.threads)}
    return model, found


def _best(tried: Mapping[float, float], middle: float) -> float:
    """The value with the best score; of equal ones that nearest to the middle."""
    return max(tried, key=lambda value: (tried[value], -abs(value - middle)))


def _some(dev: Document) -> Document:
    """The first sentences of the dev data, as many as choosing a number takes."""
    ends = np.cumsum(dev.lengths)
    if not len(ends) or ends[-1] <= TUNING_WORDS:
        return dev
    return Document.from_sentences(dev.sentences[: int(np.searchsorted(ends, TUNING_WORDS)) + 1], name=dev.name)


def _score(model: ParserModel, dev: Document, threads: int) -> float:
    """LAS, or UAS of parsers without labels, in percent. Tags are those of the dev data."""
    parser = Parser(model)
    trees = parser.trees(dev, threads=threads)
    if not model.labels:
        return attachment_scores(dev, trees.heads, None).uas
    return attachment_scores(dev, trees.heads, [model.labels[label] for label in trees.labels.tolist()]).las
