# SPDX-License-Identifier: Apache-2.0
"""Ends of sentences by a network: which words of a paragraph are the last ones of sentences.

A chain over characters sees a few characters to either side of a place. A network over words sees the whole of both
sentences, which tells more where nothing marks an end: titles, lists, posts without full stops.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document
from accord.evaluation import Score
from accord.learning import SILENT, Reporter
from accord.tasks.labeller import LabellerConfig, LabellerModel, Problem, train_labeller
from accord.tasks.labeller.model import Labeller
from accord.tasks.network.raw_text import document_of_words
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.gold import END_LABELS, GoldParagraph, GoldToken
from accord.tasks.tokenizer.variation import vary

JOINED = 0.7  # share of the paragraphs of the training data that go on with the next one
SHORTEST, LONGEST = 30, 120  # words of a piece of text that is trained on

Words = list[str]


def train_ends(
    paragraphs: Sequence[GoldParagraph],
    dev: Sequence[GoldParagraph],
    config: TokenizerConfig,
    *,
    reporter: Reporter = SILENT,
) -> LabellerModel:
    """The network and its chain; the F1 of sentences of ``dev``, with and without paragraphs, decides when to stop."""
    source = random.Random(config.seed)
    copies = vary(paragraphs, config.vary, config.seed) if config.vary else []
    document, numbers = labelled([*pieces(paragraphs, source), *pieces(copies, source)])
    settings = LabellerConfig(order=1, clusters=config.clusters, seed=config.seed, threads=config.threads)
    problem = Problem(
        _text.DocumentSequences(document.native), numbers, END_LABELS, neural=config.neural, document=document
    )
    evaluate = None
    if dev:
        texts = [[_words(sentence) for sentence in paragraph.sentences] for paragraph in dev]
        whole = [sentence for text in texts for sentence in text]
        unmarked = [whole[begin : begin + config.piece] for begin in range(0, len(whole), config.piece)]
        evaluate = DevEnds(texts, unmarked)
    return train_labeller(problem, settings, evaluate, reporter=reporter).model


def _words(sentence: Iterable[GoldToken]) -> Words:
    return [word for token in sentence for word in token.words]


def pieces(paragraphs: Sequence[GoldParagraph], source: random.Random) -> list[list[Words]]:
    """Runs of sentences of some length; most paragraphs go on with the next one, as where nothing marks them."""
    found: list[list[Words]] = []
    run: list[Words] = []
    enough = 0
    for paragraph in paragraphs:
        for sentence in paragraph.sentences:
            if not run:
                enough = source.randint(SHORTEST, LONGEST)
            run.append(_words(sentence))
            if sum(map(len, run)) >= enough:
                found.append(run)
                run = []
        if run and source.random() >= JOINED:
            found.append(run)
            run = []
    return [*found, run] if run else found


def labelled(texts: Iterable[Sequence[Words]]) -> tuple[Document, NDArray[np.int32]]:
    """Texts as sequences of words, and whether each word ends a sentence."""
    texts = list(texts)
    document = document_of_words([word for sentence in text for word in sentence] for text in texts)
    numbers = np.zeros(int(document.lengths.sum()), np.int32)
    lengths = [len(sentence) for text in texts for sentence in text]
    numbers[np.cumsum(lengths) - 1] = 1
    return document, numbers


class DevEnds:
    """F1 of sentences of texts whose paragraphs are given, and of texts without paragraphs."""

    def __init__(self, marked: Sequence[Sequence[Words]], unmarked: Sequence[Sequence[Words]]) -> None:
        self._texts = {"marked": labelled(marked), "unmarked": labelled(unmarked)}

    def __call__(self, model: LabellerModel) -> dict[str, float]:
        labeller = Labeller(model)
        scores = {}
        for name, (document, gold) in self._texts.items():
            found = labeller.label(labeller.words(document)).numbers.reshape(-1).copy()
            found[np.cumsum(document.lengths) - 1] = 1  # a text ends with a sentence
            right, own = _sentences(gold), _sentences(found)
            scores[name] = Score(len(right & own), len(right), len(own)).f1
        return {"sentences": sum(scores.values()) / len(scores), **scores}


def _sentences(ends: NDArray[np.int32]) -> set[tuple[int, int]]:
    behind = np.flatnonzero(ends) + 1
    return set(zip([0, *behind[:-1].tolist()], behind.tolist(), strict=True))
