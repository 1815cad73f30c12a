# SPDX-License-Identifier: Apache-2.0
"""The reranking that joint models are compared with: with all segmentations it is the exact best of both models."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from accord._core import text as _text
from accord.tasks.joint import Layers, Segment, segments_of_words
from accord.tasks.labeller import Labeller
from benchmarks.chains.virtual_nodes import Bench, Corpus, word_document

SENTENCES = [
    [("我", "r"), ("喜欢", "v"), ("小", "a"), ("猫", "n")],
    [("小猫", "n"), ("喜欢", "v"), ("我", "r")],
    [("猫", "n"), ("喜", "v"), ("小", "a"), ("我", "r")],
] * 3


def _corpus(sentences: list[list[tuple[str, str]]]) -> Corpus:
    return Corpus(
        ["".join(form for form, _ in one) for one in sentences], [segments_of_words(one) for one in sentences]
    )


def _probability_of_places(segmenter: Labeller, text: str, wanted: list[int]) -> float:
    """By the sum over all labellings, not by the list of the best."""
    ranked = segmenter.kbest(_text.CharacterSequences([text.encode()]), 0, 6 ** len(text))
    return next((one.log_probability for one in ranked if one.value[:, 0].tolist() == wanted), -np.inf)


def _places(bench: Bench, words: list[Segment], length: int) -> list[int]:
    return Layers(bench.scheme, ["?"], outside=False).encode(words, length)[:, 0].tolist()


def test_with_all_segmentations_reranking_is_the_best_product() -> None:
    test = _corpus([[("小猫喜", "n"), ("我", "r")], [("喜欢小猫", "n")]])
    bench = Bench("words", _corpus(SENTENCES), test, ["l2=0.3", "iterations=30"])
    answers = bench.rerank([1, 2**4])
    segmenter, tagger = bench.segmenter()[0], bench.word_tagger()[0]
    totals = dict.fromkeys(answers, 0.0)
    for number, text in enumerate(map(str, test.elements)):
        scores: dict[tuple[Segment, ...], float] = {}
        for ends in product((False, True), repeat=len(text) - 1):
            cuts = [0, *(place for place, end in enumerate(ends, 1) if end), len(text)]
            words = [Segment(begin, end, "?") for begin, end in pairwise(cuts)]
            of_places = _probability_of_places(segmenter, text, _places(bench, words, len(text)))
            document = word_document([[text[one.start : one.end] for one in words]])
            for one in tagger.kbest(tagger.words(document), 0, 4 ** len(words)):
                tags = tagger.names(one.value)
                segments = tuple(Segment(w.start, w.end, tag) for w, tag in zip(words, tags, strict=True))
                scores[segments] = of_places + (one.log_probability or 0.0)
        assert scores[tuple(answers[2**4].segments[number])] == pytest.approx(max(scores.values()), abs=1e-6)
        for size, answer in answers.items():
            totals[size] += scores[tuple(answer.segments[number])]
    assert totals[2**4] >= totals[1]
