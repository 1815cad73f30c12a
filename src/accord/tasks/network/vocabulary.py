# SPDX-License-Identifier: Apache-2.0
"""What a network is to know of its treebank, collected: rows of its embedding tables and classes of its predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import repeat, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import neural as _neural
from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.model import TASKS, Field, LemmaGuide, Vocabulary
from accord.tasks.network.vectors import WordVectors

TAG_INPUTS = ("upos", "xpos", "feats")
OFTEN = 6  # so many forms follow a rule with a part of speech before other forms may
UNKNOWN = -100  # the class of a value that is not learnt
Counted = tuple[NDArray[np.uint64], NDArray[Any]]


def collect_vocabulary(document: Document, config: NeuralConfig, clusters: str = "") -> Vocabulary:
    """From a training treebank."""
    return collect_with_counts(document, config, clusters)[0]


def collect_with_counts(
    document: Document,
    config: NeuralConfig,
    clusters: str = "",
    vectors: WordVectors | None = None,
    raw: Document | None = None,
) -> tuple[Vocabulary, list[NDArray[np.int64]]]:
    """The same, and how often each row of each field was seen, the unknown one counting as never.

    Words with given vectors are the last of the word fields; they are not counted. What is frequent in ``raw``, text
    without trees, has rows too; of these words the treebank may have none.
    """
    words = config.input_names(clusters=bool(clusters))
    names = [*words, *(TAG_INPUTS if config.tags == "given" else ())]
    try:
        lexicon = cluster_lexicon(clusters)
        found = _neural.count_values(document.native, names, lexicon)
        beside = [] if raw is None else _neural.count_values(raw.native, words, lexicon)
    except ValueError as error:
        raise ConfigError(f"inputs = {config.inputs!r}: {error}") from None
    frequent = [values[seen >= config.raw_least_count] for values, seen in beside]
    found = [_with(one, more) for one, more in zip_longest(found, frequent)]
    fields, counts = [], []
    for place, (name, (values, seen)) in enumerate(zip(names, found, strict=True)):
        kept = seen >= (1 if name in TAG_INPUTS else config.least_count)
        if place < len(frequent):
            kept |= np.isin(values, frequent[place])
        fields.append(Field(name, values[kept]))
        counts.append(np.concatenate([[0], seen[kept].astype(np.int64)]))
    if vectors is not None:
        fields.insert(len(words), Field(vectors.attribute, vectors.keys))
        counts.insert(len(words), np.zeros(0, np.int64))
    points, seen = _neural.count_characters(document.native)
    characters = points[seen >= config.least_count].astype(np.uint32)
    if raw is not None:
        points, seen = _neural.count_characters(raw.native)
        characters = np.union1d(characters, points[seen >= config.raw_least_count].astype(np.uint32))
    classes = _classes(document) if config.tags == "predict" else {}
    summed = len(words) + (vectors is not None)
    readings = collect_readings(document, classes)
    guide = collect_guide(document, classes, config.lemma_count)
    return Vocabulary(tuple(fields), summed, characters, classes, clusters, readings, guide), counts


def counts_of(document: Document, vocabulary: Vocabulary) -> list[NDArray[np.int64]]:
    """How often a treebank has each row of each field of a vocabulary, the unknown one counting as never."""
    names = [field.name for field in vocabulary.fields]
    found = _neural.count_values(document.native, names, cluster_lexicon(vocabulary.clusters))
    counts = []
    for field, (values, seen) in zip(vocabulary.fields, found, strict=True):
        count = np.zeros(len(field.keys) + 1, np.int64)
        known = np.isin(values, field.keys)
        count[np.searchsorted(field.keys, values[known]) + 1] = seen[known]
        counts.append(count)
    return counts


def _with(counted: Counted, more: NDArray[np.uint64] | None) -> Counted:
    """Values with how often they were seen, and further ones that were not, in the order of the values."""
    values, seen = counted
    new = np.setdiff1d(more, values) if more is not None else values[:0]
    joined = np.concatenate([values, new])
    order = np.argsort(joined, kind="stable")
    return joined[order], np.concatenate([seen, np.zeros(len(new), seen.dtype)])[order]


def collect_guide(document: Document, classes: Mapping[str, tuple[str, ...]], least: int = 1) -> LemmaGuide | None:
    """Which lemma rules forms follow in a treebank; None for networks that predict no lemmas, or no parts of speech.

    ``least``: how often a form has to be seen with a tag and a rule.
    """
    if not {"upos", "lemma"} <= set(classes):
        return None
    rules, tags = ({name: number for number, name in enumerate(classes[task])} for task in ("lemma", "upos"))
    found: dict[int, set[int]] = {}
    forms: dict[tuple[int, int], set[str]] = {}
    columns = (document.column("form"), document.column("upos"), _values(document, "lemma"))
    for (form, upos, value), count in Counter(zip(*columns, strict=True)).items():
        rule, tag = rules.get(value), tags.get(upos)
        if rule is None or tag is None or count < least:
            continue
        for shown in (form, form.lower()):
            found.setdefault(_neural.LemmaGuide.key(shown, tag), set()).add(rule)
        forms.setdefault((tag, rule), set()).add(form.lower())
    often = np.zeros((len(tags), len(rules)), np.uint8)
    for (tag, rule), seen in forms.items():
        often[tag, rule] = len(seen) >= OFTEN
    keys = sorted(found)
    lists = [sorted(found[key]) for key in keys]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.uint32)
    flat = np.array([rule for one in lists for rule in one], np.uint16)
    return LemmaGuide(np.array(keys, np.uint64), starts, flat, often)


def collect_readings(document: Document, classes: Mapping[str, tuple[str, ...]]) -> NDArray[np.int32] | None:
    """UPOS, XPOS and FEATS that a treebank has together, by the numbers of their classes; None where it has only one.

    Words some of whose values are no class of the network have no reading.
    """
    tasks = [task for task in TAG_INPUTS if task in classes]
    if len(tasks) < 2:
        return None
    columns = [document.column(task) for task in tasks]
    numbers = [{name: number for number, name in enumerate(classes[task])} for task in tasks]
    found = {
        tuple(known[value] for known, value in zip(numbers, values, strict=True))
        for values in set(zip(*columns, strict=True))
        if all(value in known for known, value in zip(numbers, values, strict=True))
    }
    return np.array(sorted(found), np.int32).reshape(-1, len(tasks)) if found else None


def gold_classes(vocabulary: Vocabulary, document: Document, task: str) -> NDArray[np.int64]:
    """The class of each word of a document in a task; UNKNOWN where it has none that is known."""
    numbers = {name: number for number, name in enumerate(vocabulary.classes[task])}
    values = _values(document, task)
    return np.fromiter(map(numbers.get, values, repeat(UNKNOWN)), np.int64, len(values))


def _values(document: Document, task: str) -> list[str]:
    if task != "lemma":
        return document.column(task)
    pairs = list(zip(document.column("form"), document.column("lemma"), strict=True))
    known = {pair: "_" if pair[1] == "_" else _tasks.derive_lemma_rule(*pair) for pair in set(pairs)}
    return [known[pair] for pair in pairs]


def _classes(document: Document) -> dict[str, tuple[str, ...]]:
    """The classes of each task that the treebank annotates; lemma rules seen once are not learnt."""
    found: dict[str, tuple[str, ...]] = {}
    for task in TASKS:
        counts = Counter(_values(document, task))
        if task == "lemma":
            counts = Counter({rule: count for rule, count in counts.items() if count > 1 and rule != "_"})
        if len(counts) > 1:
            found[task] = tuple(sorted(counts))
    return found
