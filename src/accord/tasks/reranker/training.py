# SPDX-License-Identifier: Apache-2.0
"""Training of rerankers: lists, features, components, mixture."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.data.constituents.head_rules import HeadRules, packaged_rules
from accord.errors import ConfigError
from accord.learning import SILENT, Reporter, TrainingResult
from accord.learning.minimise import golden_section
from accord.tasks.reranker.config import DOMAINS, EDGES, LINEAR, RerankerConfig
from accord.tasks.reranker.dataset import Dataset, kept_features
from accord.tasks.reranker.features import Extractor, Floats
from accord.tasks.reranker.hidden import HiddenModel, hidden_maker, train_hidden
from accord.tasks.reranker.hidden_graphs import read_categories
from accord.tasks.reranker.kinds import kind_of
from accord.tasks.reranker.linear import TRAINERS, LinearReranker
from accord.tasks.reranker.lists import CandidateList, by_kind, write_lists
from accord.tasks.reranker.mixture import normalised, tuned
from accord.tasks.reranker.model import Reranker, RerankerModel
from accord.tasks.reranker.sources import Base
from accord.tasks.setting_files import read_setting_file, read_template_sets

Lists = Sequence[CandidateList[Any]]
_PACKAGE = "accord.tasks.reranker"


@dataclass
class Corpus:
    """Data of a base model that become lists when they are needed; or lists, where there is no base model."""

    data: Any
    base: Base | None = None
    lists: list[CandidateList[Any]] | None = None

    def made(self, config: RerankerConfig, *, jackknife: bool, reporter: Reporter = SILENT) -> Lists:
        """The lists, made once."""
        if self.lists is None:
            if self.base is None:
                self.lists = list(self.data)
            elif jackknife:
                self.lists = self.base.jackknifed(self.data, config.k, config.folds, reporter)
            else:
                self.lists = self.base.lists(self.data, config.k)
        return self.lists


def component_names(config: RerankerConfig) -> list[str]:
    """The components that the settings name; what is none raises ConfigError."""
    names = config.method.replace(" ", "").split("+")
    for name in names:
        pieces = name.split("/")
        hidden = len(pieces) == 3 and pieces[0] == "hidden" and pieces[1] in DOMAINS and pieces[2] in EDGES
        if name not in LINEAR and not hidden:
            known = f"{', '.join(LINEAR)} or hidden/DOMAIN/EDGES ({', '.join(DOMAINS)}; {', '.join(EDGES)})"
            raise ConfigError(f"method = {config.method!r}: {name!r} is none of {known}")
    if len(set(names)) < len(names):
        raise ConfigError(f"method = {config.method!r}: a component is named twice")
    return names


def template_texts(config: RerankerConfig, kind: str) -> tuple[str, str]:
    """The templates of features, and those of hidden values."""
    view = kind_of(kind).view
    auto = kind if view == "tree" else "sequences"
    features = read_template_sets(_PACKAGE, (auto if config.templates == "auto" else config.templates).split("+"))
    named = config.hidden.templates
    hidden = ("trees_hidden" if view == "tree" else "sequences_hidden") if named == "auto" else named
    return features, read_template_sets(_PACKAGE, [hidden])


def head_rule_text(name: str) -> str:
    """Head rules of a packaged name or of a file, as a text that a model file can hold; an end of line marks it."""
    packaged = packaged_rules()
    text = packaged[name] if name in packaged else read_setting_file("head_rules", name)
    HeadRules.parse(text, file=name)
    return text + "\n"


def score_scale(lists: Lists, costs: Sequence[Floats]) -> float:
    """What makes the base model's scores logarithms of probabilities: the scale at which the best are likeliest."""
    rows = [one.scores for one in lists]

    def loss(log_scale: float) -> float:
        total = 0.0
        for scores, cost in zip(rows, costs, strict=True):
            scaled = scores * np.exp(log_scale)
            best = scaled[cost == 0]
            total += _log_sum(scaled) - _log_sum(best)
        return total

    return float(np.exp(golden_section(loss, -12.0, 6.0, 30)))


def _log_sum(values: Floats) -> float:
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))


def train_reranker(
    training: Lists | Corpus,
    dev: Lists | Corpus | None = None,
    config: RerankerConfig | None = None,
    *,
    reporter: Reporter = SILENT,
) -> TrainingResult[RerankerModel]:
    """Train on lists with gold answers, or on a base model's training data; dev lists choose and weigh."""
    config = config or RerankerConfig()
    names = component_names(config)
    began = time.perf_counter()
    lists, held_out = _lists(training, config, True, reporter), None
    if dev is not None:
        held_out = _lists(dev, config, False, reporter)
    if config.lists:
        _write(lists, held_out, config.lists)
    kind = by_kind(lists)
    features, hidden_text = template_texts(config, kind)
    head_rules = head_rule_text(config.head_rules)
    extractor = Extractor(kind, features, head_rules, 1.0, config.templates)
    scale = _calibrated(extractor, lists)
    extractor = Extractor(kind, features, head_rules, scale, config.templates)
    rows = [extractor(one) for one in lists]
    keys = kept_features(rows, config.least_count)
    data = Dataset.of(rows, keys)
    del rows
    dev_data = None if not held_out else Dataset.of([extractor(one) for one in held_out], keys)
    categories = read_setting_file("hidden.categories", config.hidden.categories)
    linear: list[LinearReranker] = []
    hidden: list[HiddenModel] = []
    components: list[dict[str, Any]] = []
    for name in names:
        found: Any
        started = time.process_time()
        if name in LINEAR:
            found = TRAINERS[name](data, dev_data, config)
            linear.append(found)
            scores = None if dev_data is None else found.scores(dev_data)
        else:
            _, domain, edges = name.split("/")
            maker = hidden_maker(extractor, hidden_text, domain, edges, config.hidden, read_categories(categories))
            found = train_hidden(name, maker, lists, data, held_out or (), dev_data, config)
            hidden.append(found)
            scores = None if dev_data is None else found.scores(maker, held_out or ()) + dev_data.numbers[:, 0]
        told = {} if dev_data is None or scores is None else {kind_of(kind).measure: dev_data.score(scores).chosen}
        seconds = time.process_time() - started
        shown = [*(f"{measure} {value:.2f}" for measure, value in told.items()), f"{seconds:.1f} CPU s"]
        reporter.note(f"{name}: {'  '.join(shown)}")
        components.append({"component": name, **_plain(found.figures), "scores": told, "cpu_seconds": seconds})
    texts = features, hidden_text, categories, head_rules
    model = _mixed(config, kind, scale, texts, data, linear, hidden)
    if dev_data is not None:
        model = dataclasses.replace(model, mixture=_mixture(model, held_out or (), dev_data, extractor))
    model = dataclasses.replace(_slim(model), card={"components": components, "seconds": time.perf_counter() - began})
    scores = {} if not held_out else list_scores(Reranker(model), held_out)
    return TrainingResult(model, [], 0, scores=scores)


def list_scores(reranker: Reranker, lists: Lists) -> dict[str, float]:
    """What is chosen, what stood first, and the oracle, in percent."""
    found = reranker.evaluate(lists)
    measure = kind_of(reranker.kind).measure
    return {measure: found.chosen, f"{measure} before": found.first, "oracle": found.oracle}


def _lists(given: Lists | Corpus, config: RerankerConfig, jackknife: bool, reporter: Reporter) -> Lists:
    lists = given.made(config, jackknife=jackknife, reporter=reporter) if isinstance(given, Corpus) else given
    lists = [one for one in lists if len(one)]
    if not lists:
        raise ConfigError("there are no lists")
    for number, one in enumerate(lists, start=1):
        if one.gold is None:
            raise ConfigError(f"list {number} has no gold answer")
    return lists


def _write(lists: Lists, dev: Lists | None, file: str) -> None:
    write_lists(lists, file)
    if dev is not None:
        path = Path(file)
        write_lists(dev, path.with_name(f"{path.stem}-dev{path.suffix}"))


def _calibrated(extractor: Extractor, lists: Lists) -> float:
    costs = []
    for one in lists:
        gold = extractor.gold_parts(one)
        costs.append(extractor.costs(one, gold))
    return score_scale(lists, costs)


def _mixed(
    config: RerankerConfig,
    kind: str,
    scale: float,
    texts: tuple[str, str, str, str],
    data: Dataset,
    linear: Sequence[LinearReranker],
    hidden: Sequence[HiddenModel],
) -> RerankerModel:
    """The model with a mixture that nobody tuned: linear ones have the base score inside, hidden ones need it."""
    base = 1.0 if hidden and not linear else 0.0
    mixture = np.array([base, *(1.0 for _ in linear), *(1.0 for _ in hidden)])
    named = dataclasses.replace(config, base=Path(config.base).name if config.base else "", lists="")
    return RerankerModel(named, kind, scale, *texts, data.keys, tuple(linear), tuple(hidden), mixture)


def _mixture(model: RerankerModel, lists: Lists, data: Dataset, extractor: Extractor) -> Floats:
    components = [data.numbers[:, 0], *(normalised(data, one.scores(data)) for one in model.linear)]
    categories = read_categories(model.categories)
    for one in model.hidden:
        maker = hidden_maker(extractor, model.hidden_templates, one.domain, one.edges, model.config.hidden, categories)
        components.append(normalised(data, one.scores(maker, lists)))
    return tuned(data, components)


def _slim(model: RerankerModel) -> RerankerModel:
    """The model without features that no component gives a weight, and without components that weigh nothing."""
    used = model.mixture[1 : 1 + len(model.linear)] != 0
    linear = [one for one, wanted in zip(model.linear, used, strict=True) if wanted]
    kept_hidden = model.mixture[1 + len(model.linear) :] != 0
    hidden = [one for one, wanted in zip(model.hidden, kept_hidden, strict=True) if wanted]
    mixture = model.mixture[np.concatenate(([True], used, kept_hidden))]
    kept = np.zeros(len(model.keys), bool)
    for one in linear:
        kept |= one.weights.astype(np.float32) != 0
    slim = [dataclasses.replace(one, weights=one.weights.astype(np.float32)[kept].astype(float)) for one in linear]
    return dataclasses.replace(model, keys=model.keys[kept], linear=tuple(slim), hidden=tuple(hidden), mixture=mixture)


def _plain(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if isinstance(value, (int, float, str, list))}
