# SPDX-License-Identifier: Apache-2.0
"""What it costs that concepts must not be worth less than nothing (Qian & Liu 2013).

    python -m benchmarks signs [--part test] [--epochs 5]

Whole sentences of FewSum topics are chosen by pairs of words whose worth is linear in features that are 0 or 1 (those
of structured learning). An averaged perceptron learns the weights of the features from the training topics, with exact
inference: as they come, or set to zero where they are below after each step, so that no pair is worth less than nothing
and graph cuts can decode. The right answer of a topic covers most of the pairs of its references. The order of topics
is drawn by five seeds. ROUGE as F1 in percent with stems, mean over references, topics and seeds.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.evaluation.rouge import Rouge
from accord.inference.coverage import CoverageProblem, solve
from accord.tasks.summarizer import SummarizerConfig
from accord.tasks.summarizer.features import concept_features
from accord.tasks.summarizer.topics import Topic as CountedTopic
from accord.tasks.summarizer.topics import reference_counts, topic_counts
from accord.tasks.summarizer.weighing import Key
from accord.tasks.tokenizer import Tokenizer
from benchmarks.inference.solver_tables import table
from benchmarks.summaries.topics import Collection, Topic, read_topics, training_topics

WORDS, SEEDS = 50, 5
COLLECTIONS = ("amazon", "yelp")
MEASURES = ("rouge1", "rouge2", "rougeSU4")


@dataclass(frozen=True)
class Case:
    """A topic: features of its pairs, in which sentences they are, and how often its references have them."""

    topic: Topic
    features: np.ndarray
    rows: np.ndarray
    costs: np.ndarray
    wanted: np.ndarray

    @staticmethod
    def of(topic: Topic, tokenizer: Tokenizer) -> Case:
        counts = topic_counts(CountedTopic(topic.sources, topic.references), SummarizerConfig())
        features, keys = concept_features(counts)
        number: dict[Key, int] = {key: k for k, key in enumerate(key for key in keys if len(key) == 2)}
        pairs = np.array([len(key) == 2 for key in keys])
        rows = {(number[key], unit) for unit, found in enumerate(counts.keys) for key, *_ in found if key in number}
        said = sum((reference_counts(text, tokenizer) for text in topic.references), Counter[Key]())
        costs = [sentence.words for source in topic.sources for sentence in source.sentences]
        wanted = np.array([float(said[key]) for key in number])
        return Case(topic, features[pairs], np.array(sorted(rows), np.int64), np.array(costs, np.float64), wanted)

    def best(self, worth: np.ndarray, method: str = "ilp") -> np.ndarray:
        """The sentences that are best by what pairs are worth."""
        found = solve(CoverageProblem(worth, self.rows, self.costs, WORDS), method).assignment
        return np.zeros(len(self.costs), np.bool_) if found is None else found

    def covered(self, chosen: np.ndarray) -> np.ndarray:
        """The sum of the features of the pairs that some sentences have."""
        pairs = np.unique(self.rows[chosen[self.rows[:, 1]], 0])
        return np.asarray(self.features[pairs].sum(axis=0))

    def text(self, chosen: np.ndarray) -> str:
        sentences = [sentence for source in self.topic.sources for sentence in source.sentences]
        return " ".join(sentences[unit].text for unit in np.flatnonzero(chosen))


def learned(cases: Sequence[Case], right: Sequence[np.ndarray], signed: bool, epochs: int, seed: int) -> np.ndarray:
    """The mean of the weights of an averaged perceptron over all topics and passes."""
    random = np.random.default_rng(seed)
    weights, total, steps = np.zeros(cases[0].features.shape[1]), 0.0, 0
    for _ in range(epochs):
        for k in random.permutation(len(cases)):
            found = cases[k].covered(cases[k].best(cases[k].features @ weights))
            weights = weights + right[k] - found
            if not signed:
                weights = np.maximum(weights, 0.0)
            total, steps = total + weights, steps + 1
    return np.asarray(total / steps)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--part", default="test")
    asked.add_argument("--epochs", type=int, default=5)
    given = asked.parse_args()
    tokenizer = Tokenizer.load("en")
    training = [Case.of(topic, tokenizer) for topic in training_topics(False, tokenizer)]
    right = [case.covered(case.best(case.wanted)) for case in training]
    files = [f"summarization/fewsum_{name}-{given.part}.jsonl.xz" for name in COLLECTIONS]
    collections = [
        [Case.of(topic, tokenizer) for topic in read_topics(Collection("", file, WORDS), tokenizer, 1000)]
        for file in files
    ]
    rouge = Rouge(stems=True, combine="mean")
    rows = []
    models = {
        signed: [learned(training, right, signed, given.epochs, seed) for seed in range(SEEDS)]
        for signed in (True, False)
    }
    for name, signed, method in (
        ("of either sign, ILP", True, "ilp"),
        ("not negative, ILP", False, "ilp"),
        ("not negative, graph cut", False, "graph_cut"),
    ):
        figures = []
        for cases in collections:
            references = [case.topic.references for case in cases]
            found = [
                rouge.mean_f1(references, [case.text(case.best(case.features @ weights, method)) for case in cases])
                for weights in models[signed]
            ]
            figures += [f"{100 * float(np.mean([one[measure] for one in found])):.2f}" for measure in MEASURES]
        rows.append((name, *figures))
    sizes = " and ".join(str(len(one)) for one in collections)
    print(f"{len(training)} training topics; {sizes} {given.part} topics; {SEEDS} seeds.")
    heads = [f"{measure}, {name}" for name in COLLECTIONS for measure in ("R-1", "R-2", "SU4")]
    table("Worth of pairs", ("worth", *heads), rows)


if __name__ == "__main__":
    main()
