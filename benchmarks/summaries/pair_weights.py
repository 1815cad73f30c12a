# SPDX-License-Identifier: Apache-2.0
"""Which pairs of words a summary should have, what each is worth, and in which of two programs (Li, Qian & Liu 2013).

    python -m benchmarks pair_weights [--part test] [--most 100] [--size 100]

All systems choose whole sentences of FewSum topics by pairs of words alone, solved exactly by HiGHS. *Coverage* counts
a pair once (Gillick & Favre 2009), *gain* as often as it is expected, min(target, count). Pairs are those of at least
two documents (the paper has three of ten; reviews are short, and there are eight), or those that a regression of
frequencies expects most; they are worth what the regression expects, the number of documents, or the number of times
that they occur. The regression learns from the training topics. *In
references* takes only pairs that a reference has. The oracle knows what the references say: how often they have a pair
on average (gain), and how many of them have it (coverage). The classifier tells pairs of references from others by the
same features; its pairs are worth the number of documents.

ROUGE-2 as F1 in percent with stems, mean over references and topics.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accord.evaluation.rouge import Rouge
from accord.inference.coverage import CoverageProblem, solve
from accord.learning.frequencies import Sample, fit_frequencies, frequencies
from accord.learning.lbfgs import lbfgs
from accord.tasks.summarizer import SummarizerConfig
from accord.tasks.summarizer.features import NAMES, instances
from accord.tasks.summarizer.topics import Topic as CountedTopic
from accord.tasks.summarizer.topics import reference_counts, topic_counts
from accord.tasks.summarizer.weighing import Counts, Key
from accord.tasks.tokenizer import Tokenizer
from benchmarks.inference.solver_tables import table
from benchmarks.summaries.topics import Collection, Topic, read_topics, training_topics

WORDS, LEAST_DOCUMENTS, PENALTY = 50, 2, 1e-2
COLLECTIONS = ("amazon", "yelp")
Worth = dict[Key, float]
Numbers = np.ndarray


@dataclass(frozen=True)
class Case:
    """A topic with its pairs: the features of their instances, and how often each reference has them."""

    topic: Topic
    counts: Counts
    features: Numbers
    pair_of: Numbers
    pairs: list[Key]
    references: list[Counter[Key]]

    @staticmethod
    def of(topic: Topic, tokenizer: Tokenizer) -> Case:
        counts = topic_counts(CountedTopic(topic.sources, topic.references), SummarizerConfig())
        references = [reference_counts(text, tokenizer) for text in topic.references]
        return Case(topic, counts, *instances(counts, 2), references)

    @property
    def known(self) -> set[Key]:
        """The pairs that a reference has."""
        return {key for reference in self.references for key in reference}


def learned(cases: Sequence[Case]) -> Numbers:
    """Weights of features by a regression of frequencies."""
    samples = [
        Sample(case.features, case.pair_of, observed)
        for case in cases
        for reference in case.references
        if (observed := np.array([float(reference[key]) for key in case.pairs])).any()
    ]
    return fit_frequencies(samples, PENALTY)


def classified(cases: Sequence[Case]) -> Numbers:
    """Weights of a logistic regression that tells instances of pairs of references from others, and a constant."""
    rows = np.concatenate([with_constant(case.features) for case in cases])
    right = np.concatenate([np.array([key in case.known for key in case.pairs])[case.pair_of] for case in cases])

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        scores = rows @ weights
        value = np.logaddexp(0.0, np.where(right, -scores, scores)).mean() + PENALTY / 2 * float(weights @ weights)
        slope = 1 / (1 + np.exp(-scores)) - right
        return float(value), rows.T @ slope / len(rows) + PENALTY * weights

    return lbfgs(loss, np.zeros(len(NAMES) + 1))


def with_constant(features: Numbers) -> Numbers:
    return np.hstack([features, np.ones((len(features), 1))])


def expected(case: Case, weights: Numbers) -> Worth:
    shares = frequencies(weights, case.features, case.pair_of, len(case.pairs))
    return dict(zip(case.pairs, (WORDS * shares).tolist(), strict=True))


def likely(case: Case, weights: Numbers) -> Worth:
    """The largest score of an instance of each pair."""
    scores = np.full(len(case.pairs), -np.inf)
    np.maximum.at(scores, case.pair_of, with_constant(case.features) @ weights)
    return dict(zip(case.pairs, scores.tolist(), strict=True))


def best(worth: Worth, size: int) -> list[Key]:
    return sorted(worth, key=lambda key: (-worth[key], key))[:size]


def frequent(case: Case) -> list[Key]:
    return [key for key in case.pairs if case.counts.documents[key] >= LEAST_DOCUMENTS]


def summary(case: Case, pairs: Sequence[Key], worth: Mapping[Key, float], gain: bool) -> str:
    """The sentences that are best by pairs; with ``gain`` a pair counts up to what it is worth."""
    sentences = [sentence for source in case.topic.sources for sentence in source.sentences]
    number = {key: k for k, key in enumerate(key for key in pairs if worth[key] > 0)}
    weights = np.array([worth[key] for key in number])
    rows = [
        (number[key], unit)
        for unit, found in enumerate(case.counts.keys)
        for key, *_ in (found if gain else {one[0]: one for one in found}.values())
        if key in number
    ]
    if not rows:
        return ""
    costs = [sentence.words for sentence in sentences]
    occurrences = np.array(rows, np.int64)
    if gain:
        problem = CoverageProblem(np.ones(len(number)), occurrences, costs, WORDS, caps=weights)
    else:
        problem = CoverageProblem(weights, occurrences, costs, WORDS)
    chosen = solve(problem, "ilp").assignment
    assert chosen is not None
    return " ".join(sentences[unit].text for unit in np.flatnonzero(chosen))


def mean(found: Sequence[float]) -> float:
    return float(np.mean(found)) if len(found) else 0.0


class Scores:
    """ROUGE-2 of systems on the cases of each collection."""

    def __init__(self, collections: Sequence[Sequence[Case]]) -> None:
        self.collections = collections
        self.rouge = Rouge(stems=True, combine="mean")
        self.seconds: list[float] = []

    def __call__(self, worth: Mapping[int, Worth], pairs: Mapping[int, Sequence[Key]], gain: bool) -> list[str]:
        """One figure for each collection; what is worth how much is given by the number of the case."""
        figures, number = [], 0
        for cases in self.collections:
            texts = []
            begin = time.process_time()
            for case in cases:
                texts.append(summary(case, pairs[number], worth[number], gain))
                number += 1
            self.seconds.append((time.process_time() - begin) / len(cases))
            scores = self.rouge.mean_f1([case.topic.references for case in cases], texts)
            figures.append(f"{100 * scores['rouge2']:.2f}")
        return figures


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--part", default="test")
    asked.add_argument("--most", type=int, default=1000, help="topics of each collection at most")
    asked.add_argument("--size", type=int, default=100, help="pairs that the regression keeps")
    given = asked.parse_args()
    tokenizer = Tokenizer.load("en")
    training = [Case.of(topic, tokenizer) for topic in training_topics(False, tokenizer)]
    collections = [
        [
            Case.of(topic, tokenizer)
            for topic in read_topics(
                Collection("", f"summarization/fewsum_{name}-{given.part}.jsonl.xz", WORDS), tokenizer, given.most
            )
        ]
        for name in COLLECTIONS
    ]
    cases = dict(enumerate(case for collection in collections for case in collection))
    scores = Scores(collections)
    weights = learned(training)
    estimates = {k: expected(case, weights) for k, case in cases.items()}
    many = {k: best(estimates[k], given.size) for k in cases}
    often = {k: frequent(case) for k, case in cases.items()}
    documents = {k: {key: float(case.counts.documents[key]) for key in case.pairs} for k, case in cases.items()}
    times = {k: {key: float(case.counts.times[key]) for key in case.pairs} for k, case in cases.items()}
    print(f"{len(training)} training topics; {' and '.join(str(len(one)) for one in collections)} {given.part} topics.")

    rows = []
    for set_name, pairs in ((f"{given.size} expected most", many), (f"{LEAST_DOCUMENTS} documents or more", often)):
        for name, worth in (("expected", estimates), ("documents", documents), ("times", times)):
            rows.append((set_name, name, *scores(worth, pairs, True), *scores(worth, pairs, False)))
    within = {k: [key for key in many[k] if key in cases[k].known] for k in cases}
    rows.append(
        (
            f"{given.size} expected most, in references",
            "expected",
            *scores(estimates, within, True),
            *scores(estimates, within, False),
        )
    )
    averages, holders = ({k: oracle(case, whole) for k, case in cases.items()} for whole in (False, True))
    said = {k: list(averages[k]) for k in cases}
    rows.append(("in references", "oracle", *scores(averages, said, True), *scores(holders, said, False)))
    classes = classified(training)
    classes_of = {k: best(likely(case, classes), given.size) for k, case in cases.items()}
    rows.append(
        (
            f"{given.size} by a classifier",
            "documents",
            *scores(documents, classes_of, True),
            *scores(documents, classes_of, False),
        )
    )
    heads = ("pairs", "worth", *(f"{program}, {name}" for program in ("gain", "coverage") for name in COLLECTIONS))
    table("ROUGE-2 by pairs and what they are worth", heads, rows)

    known = [
        (
            len(often[k]),
            sum(key in case.known for key in often[k]),
            sum(key in case.known for key in best(estimates[k], len(often[k]))),
            sum(key in case.known for key in many[k]),
            sum(key in case.known for key in case.pairs),
        )
        for k, case in cases.items()
    ]
    table(
        "Pairs that a reference has, mean of a topic",
        (
            f"pairs of {LEAST_DOCUMENTS} documents or more",
            "in references",
            "as many expected most",
            f"{given.size} expected most",
            "all pairs of the texts",
        ),
        [tuple(f"{mean(column):.1f}" for column in zip(*known, strict=True))],
    )

    curve = []
    for share in (8, 4, 2, 1):
        some = learned(training[::share])
        worth = {k: expected(case, some) for k, case in cases.items()}
        pairs = {k: best(worth[k], given.size) for k in cases}
        curve.append((f"{len(training[::share])}", *scores(worth, pairs, True)))
    table("ROUGE-2 by training topics, gain", ("topics", *COLLECTIONS), curve)
    print(f"\nA program took {1000 * mean(scores.seconds):.0f} ms of CPU time on average.")


def oracle(case: Case, whole: bool) -> Worth:
    """How many references have each pair that the texts also have (``whole``), or how often on average."""
    found = {
        key: float(sum(reference[key] > 0 if whole else reference[key] for reference in case.references))
        / len(case.references)
        for key in case.pairs
    }
    return {key: worth for key, worth in found.items() if worth > 0}


if __name__ == "__main__":
    main()
