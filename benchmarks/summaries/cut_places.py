# SPDX-License-Identifier: Apache-2.0
"""Summaries of whole sentences, and of sentences that are cut in safe places or wherever labels allow it.

    python -m benchmarks cut_places [--topics 100] [--meetings 20] [--only FewSum]

Qian & Liu (2013) cut a word only where a comma or the like lies between it and its head, or where it comes with a
preposition or a relative word (their condition C0), and find that ROUGE is better without this condition and
readability worse. The same budgets and measures as in `summaries`: ROUGE as F1 in percent with stems, mean over
references and topics. *Cut* is the share of the sentences of summaries that are cut.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from accord.evaluation.rouge import NAMES, Rouge
from accord.tasks.summarizer import Summarizer
from benchmarks.summaries.topics import COLLECTIONS, Topic, read_topics

SYSTEMS: dict[str, dict[str, bool]] = {
    "whole sentences": {},
    "cut in safe places": {"compress": True},
    "cut in all places": {"compress": True, "safe_cuts": False},
}


def row(summarizer: Summarizer, topics: Sequence[Topic], words: int, settings: dict[str, bool], shown: int) -> str:
    found = [summarizer(topic.sources, words=words, **settings) for topic in topics]
    scores = Rouge(stems=True, combine="mean").mean_f1([t.references for t in topics], [one.text for one in found])
    sentences = [sentence for one in found for sentence in one.sentences]
    cut = [sentence for sentence in sentences if not sentence.is_whole]
    for sentence in cut[:shown]:
        print(f"    {sentence.text}")
    figures = " | ".join(f"{100 * scores[name]:.2f}" for name in NAMES)
    length = sum(one.words for one in found) / len(found)
    return f"{figures} | {length:.1f} | {100 * len(cut) / max(len(sentences), 1):.0f} %"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--topics", type=int, default=100, help="topics of each collection of reviews at most")
    asked.add_argument("--meetings", type=int, default=20, help="meetings at most")
    asked.add_argument("--only", default="", help="collections whose name has this")
    asked.add_argument("--show", type=int, default=0, help="so many sentences that were cut, to read")
    given = asked.parse_args()
    summarizer = Summarizer()
    for collection in (one for one in COLLECTIONS if given.only in one.name):
        most = given.meetings if "meetings" in collection.file else given.topics
        topics = read_topics(collection, summarizer.tokenizer, most)
        print(f"\n{collection.name}: {len(topics)} topics, at most {collection.words} words\n")
        print("| system | ROUGE-1 | ROUGE-2 | ROUGE-L | ROUGE-SU4 | words | cut |\n|---|---|---|---|---|---|---|")
        for name, settings in SYSTEMS.items():
            print(f"| {name} | {row(summarizer, topics, collection.words, settings, given.show)} |", flush=True)


if __name__ == "__main__":
    main()
