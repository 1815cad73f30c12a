# SPDX-License-Identifier: Apache-2.0
"""Summaries of reviews and meetings beside lead, random choice and sumy, all with the same budget of words.

    python -m benchmarks summaries [--topics 100] [--first 0] [--meetings 20] [--only meetings] [--without KL]

ROUGE as F1 in percent with stems, mean over references and topics. `bigram ILP` is close to the unsupervised programme
of Gillick & Favre (2009): pairs of words in at least three documents or sentences, weighed by their number, solved
exactly. `bigram ILP, trained` has the 100 pairs that a trained model expects most (Li, Qian & Liu 2013). Both need
HiGHS. What is trained (also Rel and MMR) is trained on FewSum training topics, and for meetings on twenty AMI training
meetings. `Rel + statuses` chooses sentences by relevance and shortens them at once (Martins & Smith 2009), and `Rel,
then shortened` takes shortened sentences by relevance; their compressors learn from Clarke & Lapata's sentences.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from accord.evaluation.rouge import NAMES, Rouge
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer import Source, Summarizer, SummarizerConfig
from accord.tasks.summarizer.topics import Topic as TrainingTopic
from accord.tasks.summarizer.training import train_summarizer
from benchmarks.summaries.baselines import Summarize, lead, shuffled, sumy_methods
from benchmarks.summaries.relevance import Numbers, by_marginal_relevance, by_relevance, learned
from benchmarks.summaries.shortened import at_once, one_after_the_other, trained_compressor
from benchmarks.summaries.topics import COLLECTIONS, Topic, read_topics, training_topics

SEEDS = 5


def of_accord(summarizer: Summarizer, **settings: object) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        return summarizer(sources, words=words, **settings).text

    return summarize


def scores(topics: Sequence[Topic], words: int, systems: Sequence[Summarize]) -> tuple[dict[str, float], float, float]:
    """Mean ROUGE of systems that are one row of the table, mean words, and milliseconds a topic."""
    rouge = Rouge(stems=True, combine="mean")
    started = time.process_time()
    texts = [[system(topic.sources, words) for topic in topics] for system in systems]
    spent = (time.process_time() - started) / len(systems) / len(topics)
    means = [rouge.mean_f1([topic.references for topic in topics], found) for found in texts]
    length = sum(len(text.split()) for found in texts for text in found) / len(systems) / len(topics)
    return {name: 100 * sum(mean[name] for mean in means) / len(means) for name in NAMES}, length, 1000 * spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=100, help="topics of each collection of reviews at most")
    parser.add_argument("--first", type=int, default=0, help="topics to leave out before the first one")
    parser.add_argument("--meetings", type=int, default=20, help="meetings at most")
    parser.add_argument("--only", default="", help="collections whose name has this")
    parser.add_argument("--without", nargs="*", default=[], help="leave out systems whose name has one of these")
    given = parser.parse_args()
    summarizer = Summarizer()
    for collection in (one for one in COLLECTIONS if given.only in one.name):
        meetings = "meetings" in collection.file
        training = [] if "trained" in given.without else training_topics(meetings, summarizer.tokenizer)
        rows = systems_of(summarizer, training, given.without)
        most = given.meetings if meetings else given.topics
        topics = read_topics(collection, summarizer.tokenizer, given.first + most)[given.first :]
        units = sum(len(source.sentences) for topic in topics for source in topic.sources) / len(topics)
        print(f"\n{collection.name}: {len(topics)} topics of {units:.0f} sentences, at most {collection.words} words\n")
        print(
            "| system | ROUGE-1 | ROUGE-2 | ROUGE-L | ROUGE-SU4 | words | ms a topic |\n|---|---|---|---|---|---|---|"
        )
        for name, systems in rows.items():
            found, length, spent = scores(topics, collection.words, systems)
            figures = " | ".join(f"{found[measure]:.2f}" for measure in NAMES)
            print(f"| {name} | {figures} | {length:.1f} | {spent:.0f} |", flush=True)


def systems_of(summarizer: Summarizer, training: Sequence[Topic], without: Sequence[str]) -> dict[str, list[Summarize]]:
    """All systems by name but those left out; several systems of one name are averaged.

    Without training topics nothing is trained, and no model whose systems are left out.
    """
    plain = dict.fromkeys(("stop_pairs", "relevance", "personal", "statement", "sentence_cost"), 0.0)
    exact = {"method": "ilp", "words_weight": 0.0, **plain}
    systems: dict[str, list[Summarize]] = {
        "lead": [lead],
        f"random, mean of {SEEDS}": [shuffled(seed) for seed in range(SEEDS)],
        **{name: [method] for name, method in sumy_methods().items()},
        "bigram ILP": [of_accord(summarizer, **exact, early=0.0, least_count=3, exponent=1.0, sentence_exponent=1.0)],
        "Accord, greedy": [of_accord(summarizer, method="greedy")],
        "Accord, graph cut (default)": [of_accord(summarizer)],
        "Accord, ILP": [of_accord(summarizer, method="ilp")],
        "Accord, --compress": [of_accord(summarizer, compress=True)],
    }
    topics = [TrainingTopic(topic.sources, topic.references) for topic in training]

    def trained(**settings: Any) -> Summarizer:
        return Summarizer(train_summarizer(topics, None, SummarizerConfig(**settings)).model)

    if training and not {"Rel", "MMR"} & set(without):
        relevance = learned(training)
        systems |= {
            "Rel, trained": [by_relevance(relevance)],
            "MMR, trained": [by_marginal_relevance(relevance)],
            **shortened(relevance),
        }
    if training:
        frequencies = trained()
        systems["bigram ILP, trained"] = [of_accord(frequencies, **exact, concepts=100)]
        systems["Accord, trained"] = [of_accord(frequencies)]
    if training and "structured" not in without:
        systems["Accord, structured"] = [of_accord(trained(learner="structured", epochs=6))]
    return {name: rows for name, rows in systems.items() if not any(part in name for part in without)}


def shortened(relevance: Numbers) -> dict[str, list[Summarize]]:
    """The pipeline and the joint models of Martins & Smith (2009)."""
    pipeline = Pipeline.load("en")
    plain, both = (trained_compressor(method, pipeline) for method in ("status", "status_bigram"))
    return {
        "Rel, then shortened": [one_after_the_other(relevance, both)],
        "Rel + statuses": [at_once(relevance, plain)],
        "Rel + statuses and bigrams": [at_once(relevance, both)],
    }


if __name__ == "__main__":
    main()
