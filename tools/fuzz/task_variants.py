# SPDX-License-Identifier: Apache-2.0
"""Models of the examples with other settings: other decoders, larger orders, other methods, learners and lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord import Document
from accord.ranked import Ranked
from accord.settings import make_settings
from accord.tasks import registry
from accord.tasks.examples import tiny_constituents, tiny_treebank
from accord.tasks.registry import Example
from accord.tasks.reranker import CandidateList
from accord.tasks.reranker.kinds import Arcs
from tests.tasks.contract import train

_TAG = {"model": "tag", "tag.bits": 10, "tag.pruner_bits": 8, "tag.pruner_epochs": 1, "tag.folds": 2, "epochs": 1}
_CHAIN = {"epochs": 1, "bits": 8}
_SMALL_LISTS = {"least_count": 1, "boosting.rounds": 20, "hidden.epochs": 1}

# What a variant is called: its task, and the settings that it has instead of those of the task's example.
SETTINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "spines": ("constituents", {**_TAG, "tag.order": 2}),
    "spines-alone": ("constituents", {**_TAG, "tag.order": 1, "tag.boundaries": False, "bytes": 2}),
    "least-risk": ("constituents", {"method": "crf", "decoding": "least_risk", "epochs": 1, "bytes": 2}),
    "segments": ("spans", {**_CHAIN, "model": "semi", "longest": 4}),
    "triples": ("spans", {**_CHAIN, "order": 2, "table": "dictionary"}),
    "characters": ("spans", {**_CHAIN, "unit": "characters", "bytes": 1}),
    "words-as-wholes": ("segmenter", {**_CHAIN, "model": "semi", "longest": 6, "jackknife": 2}),
    "tags-of-triples": ("tagger", {**_CHAIN, "order": 2, "analysis_bits": 8, "table": "dictionary"}),
    "tags-alone": ("tagger", {**_CHAIN, "order": 0, "analyses": False, "lemmas": False}),
    "parents": ("joint-constituents", {"parents": True, "epochs": 1, "beam": 4}),
    "exact": ("joint-constituents", {"beam": 0, "most_tags": 2, "longest": 5, "epochs": 1, "tied": False}),
    **{f"compressor-{one}": ("compressor", {"method": one, "epochs": 1, "bits": 8, "folds": 2, "iterations": 5})
       for one in ("relaxed", "bigram", "tree", "status", "status_bigram", "crf", "rerank")},
    "stack-of-hashes": ("cleaner", {"method": "mira", "table": "hash", "bits": 8, "legal": True, "epochs": 1}),
    "one-step": ("cleaner", {"steps": 1, "tags": "none", "epochs": 1, "folds": 2}),
    "summaries-of-structures": ("summarizer", {"learner": "structured", "epochs": 1}),
    "summaries-of-relevance": ("summarizer", {"learner": "relevance", "epochs": 1}),
    "mistakes": ("reranker", {**_SMALL_LISTS, "method": "mira+hidden/lexical/sibling"}),
}  # fmt: skip


def _trees(document: Document) -> list[CandidateList[Any]]:
    """Lists of the right tree and of one with all words below the first."""
    lists = []
    for sentence in document.sentences:
        gold = Arcs(tuple(word.head or 0 for word in sentence.words), tuple(word.deprel for word in sentence.words))
        flat = Arcs((0, *[1] * (len(sentence) - 1)), ("root", *["dep"] * (len(sentence) - 1)))
        ranked = (Ranked(flat, 0.0, -0.5), Ranked(gold, -1.0, -1.5))
        tags = tuple(word.upos for word in sentence.words)
        lists.append(CandidateList("dependencies", tuple(sentence.forms), tags, ranked, gold))
    return lists


def _phrases(document: Document) -> list[CandidateList[Any]]:
    """Lists of the right tree, and of those of other sentences of as many words."""
    trees = [sentence.constituents for sentence in document.sentences if sentence.constituents is not None]
    lists = []
    for sentence, tree in zip(document.sentences, trees, strict=True):
        others = {other.brackets(): other for other in trees if other.words == tree.words and other != tree}
        ranked = tuple(Ranked(one, -float(place), -0.5 - place) for place, one in enumerate([*others.values(), tree]))
        lists.append(CandidateList("phrases", tuple(sentence.forms), tree.tags, ranked, tree))
    return lists


LISTS: Mapping[str, Callable[[int, int], Sequence[Any]]] = {
    "lists-of-trees": lambda count, first: _trees(tiny_treebank(count, first)),
    "lists-of-phrases": lambda count, first: _phrases(tiny_constituents(count, first)),
}
NAMES = (*SETTINGS, *LISTS)


def _example(name: str) -> tuple[registry.Task, Example]:
    if name in LISTS:
        task, lists = registry.task("reranker"), LISTS[name]
        values = {**_SMALL_LISTS, "method": "boosting+maxent+hidden/highest/head", "threads": 1}
        data = {"training": lists(20, 0), "dev": lists(6, 20), "inputs": lists(3, 26)}
        return task, dataclasses.replace(task.example(), settings=make_settings(task.settings, values), **data)
    task = registry.task(SETTINGS[name][0])
    example = task.example()
    return task, dataclasses.replace(example, settings=_changed(example.settings, SETTINGS[name][1]))


def _changed(settings: Any, values: Mapping[str, Any]) -> Any:
    """Settings with other values; ``tag.order`` is the order of the group ``tag``."""
    for name, value in values.items():
        own, _, inner = name.partition(".")
        settings = dataclasses.replace(
            settings, **{own: _changed(getattr(settings, own), {inner: value}) if inner else value}
        )
    return settings


def trained_variant(name: str, path: Path) -> tuple[registry.Task, Example]:
    """The task and the example of a variant, whose model file is written."""
    task, example = _example(name)
    train(task, example).model.save(path)
    return task, example
