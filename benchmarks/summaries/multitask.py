# SPDX-License-Identifier: Apache-2.0
"""Compressive summaries learned alone, together with extracts and compressions, and in parts (Almeida & Martins 2013).

    python -m benchmarks multitask [--sentences 400] [--epochs 5] [--part test]

Four systems have the same features of concepts, sentences and cuts, the same budget of 50 words and the same decoder:

- extractive: learned from oracle extracts, whole sentences only;
- post-combined: concepts learned from extracts, cuts from compressions that people wrote, each alone;
- single-task: concepts and cuts learned from oracle compressive summaries;
- multi-task: all three together, with shared weights.

Compressive oracles are of the training topics of FewSum, extracts of these and of fifteen topics of Opinosis from the
21st on, compressions from Google's training sentences. ROUGE with stems in percent, F1 and recall, means over
references and topics of the FewSum part named.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.evaluation.rouge import Rouge
from accord.learning.multitask import SharedWeights, SharingTask, train_together
from accord.tasks.compressor import read_pairs
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer import Summarizer, SummarizerConfig
from accord.tasks.summarizer.concepts import find_concepts
from accord.tasks.summarizer.extraction import ALL, CUTS, NON_NEGATIVE, SENTENCES, Extraction
from accord.tasks.summarizer.features import CONCEPT_FEATURES
from accord.tasks.summarizer.model import SummarizerModel
from accord.tasks.summarizer.parsing import with_pieces
from accord.tasks.summarizer.pruning import Pruning
from accord.tasks.summarizer.topics import Topic as TrainingTopic
from accord.tasks.tokenizer import Tokenizer
from benchmarks.places import DATA
from benchmarks.summaries.topics import COLLECTIONS, Collection, Topic, read_topics

STYLE = dict.fromkeys(("relevance", "personal", "statement", "sentence_cost"), 0.0)
CONFIG = SummarizerConfig(words=50, concepts=100_000, cut_cost=0.2, **STYLE)
APART = float("inf")
Weights = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Data:
    compressive: Extraction
    extracts: Extraction
    compressions: Pruning


def fewsum(part: str, tokenizer: Tokenizer) -> list[Topic]:
    files = [f"summarization/fewsum_{name}-{part}.jsonl.xz" for name in ("amazon", "yelp")]
    return [topic for file in files for topic in read_topics(Collection("", file, 0), tokenizer, 1000)]


def parsed(topic: Topic, pipeline: Pipeline) -> Topic:
    """The topic with pieces for all sentences."""
    concepts = find_concepts(topic.sources, CONFIG)
    return Topic(with_pieces(topic.sources, concepts, pipeline, 100_000), topic.references)


def read_data(sentences: int, pipeline: Pipeline, tokenizer: Tokenizer) -> Data:
    topics = fewsum("train", tokenizer)
    more = read_topics(COLLECTIONS[0], tokenizer, 1000)[20:35]
    short = dataclasses.replace(CONFIG, words=COLLECTIONS[0].words)
    whole = Extraction([TrainingTopic(t.sources, t.references) for t in topics], CONFIG)
    whole.extend(Extraction([TrainingTopic(t.sources, t.references) for t in more], short))
    cut = [parsed(topic, pipeline) for topic in topics]
    pairs = read_pairs([DATA / "compression" / "google-train.jsonl.xz"])[:sentences]
    trees = pipeline("\n".join(" ".join(pair.words) for pair in pairs), input="tokens").sentences
    kept = [(tree, pair.masks[0]) for tree, pair in zip(trees, pairs, strict=True)]
    return Data(Extraction([TrainingTopic(t.sources, t.references) for t in cut], CONFIG), whole, Pruning(kept))


def learned(data: Data, system: str, penalty: float, rate: float, epochs: int) -> Weights:
    """Weights of concepts and cuts."""

    def train(tasks: Sequence[SharingTask], shared: float, own: Sequence[float]) -> SharedWeights:
        return train_together(
            tasks, ALL, shared_penalty=shared, own_penalties=own, non_negative=NON_NEGATIVE, epochs=epochs, rate=rate
        )

    if system == "multi-task":
        return train([data.compressive, data.extracts, data.compressions], penalty, [penalty] * 3).of(0)
    if system == "single-task":
        return train([data.compressive], penalty, [APART]).of(0)
    weights = train([data.extracts], penalty, [APART]).of(0)
    if system == "post-combined":
        weights[CUTS] = train([data.compressions], penalty, [APART]).of(0)[CUTS]
    return weights


SYSTEMS = ("extractive", "post-combined", "single-task", "multi-task")


def evaluate(weights: Weights, topics: Sequence[Topic]) -> tuple[dict[str, float], dict[str, float]]:
    """F1 and recall of summaries; words; share of sentences with cuts."""
    parts = {"linear": weights[:CONCEPT_FEATURES], "cuts": weights[CUTS], "sentences": weights[SENTENCES]}
    model = SummarizerModel(CONFIG, **{name: tuple(values.tolist()) for name, values in parts.items()})
    summarizer = Summarizer(model)
    summaries = [summarizer(topic.sources) for topic in topics]
    rouge = Rouge(stems=True, combine="mean")
    scores = [rouge.score(topic.references, one.text) for topic, one in zip(topics, summaries, strict=True)]
    figures = {
        f"{name} {kind}": 100 * float(np.mean([getattr(one[name], kind) for one in scores]))
        for name in ("rouge1", "rouge2", "rougeSU4")
        for kind in ("f1", "recall")
    }
    cut = [not sentence.is_whole for one in summaries for sentence in one.sentences]
    more = {"words": float(np.mean([one.words for one in summaries])), "cut": 100 * float(np.mean(cut or [False]))}
    return figures, more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=400, help="compressions to learn from at most")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--part", default="test", choices=("val", "test"))
    parser.add_argument("--rates", type=float, nargs="*", default=[1.0])
    parser.add_argument("--penalties", type=float, nargs="*", default=[1e-2])
    given = parser.parse_args()
    pipeline, tokenizer = Pipeline.load("en"), Tokenizer.load("en")
    data = read_data(given.sentences, pipeline, tokenizer)
    whole = fewsum(given.part, tokenizer)
    cut = [parsed(topic, pipeline) for topic in whole]
    sizes = f"{len(data.compressive)} compressive summaries, {len(data.extracts)} extracts, {len(data.compressions)}"
    print(f"\nLearned from {sizes} compressions; {len(whole)} topics of FewSum {given.part}.\n")
    print("| system | ROUGE-1 F1 | recall | ROUGE-2 F1 | recall | SU4 F1 | recall | words | sentences cut, % |")
    print("|---" * 9 + "|")
    for penalty in given.penalties:
        for rate in given.rates:
            for system in SYSTEMS:
                weights = learned(data, system, penalty, rate, given.epochs)
                figures, more = evaluate(weights, whole if system == "extractive" else cut)
                row = [f"{value:.2f}" for value in figures.values()] + [f"{value:.1f}" for value in more.values()]
                name = system if len(given.penalties) * len(given.rates) == 1 else f"{system} {penalty} {rate}"
                print(f"| {name} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
