# SPDX-License-Identifier: Apache-2.0
"""Topics with summaries that people wrote: reviews (Opinosis, FewSum) and meetings (AMI)."""

from __future__ import annotations

import json
import lzma
import re
from dataclasses import dataclass

from accord.tasks.summarizer import Source
from accord.tasks.summarizer.sources import source_of_text
from accord.tasks.tokenizer import Tokenizer
from benchmarks.places import DATA


@dataclass(frozen=True)
class Topic:
    sources: list[Source]
    references: list[str]


@dataclass(frozen=True)
class Collection:
    """Topics, and the budget of words.

    The budget is the mean length of references, rounded: of training and validation data for FewSum (50.5 to 52.7) and
    of training data for AMI (167.3). Opinosis has no split, so that its budget is the mean over all its topics (16.7).
    """

    name: str
    file: str
    words: int


COLLECTIONS = (
    Collection("Opinosis", "summarization/opinosis.jsonl.xz", 17),
    Collection("FewSum Amazon test", "summarization/fewsum_amazon-test.jsonl.xz", 50),
    Collection("FewSum Yelp test", "summarization/fewsum_yelp-test.jsonl.xz", 50),
    Collection("AMI meetings test", "meetings/ami-test.jsonl.xz", 170),
)


_TRAINING = {
    False: ("summarization/fewsum_amazon-train.jsonl.xz", "summarization/fewsum_yelp-train.jsonl.xz"),
    True: ("meetings/ami-train.jsonl.xz",),
}


def training_topics(meetings: bool, tokenizer: Tokenizer) -> list[Topic]:
    """Topics to train on: reviews, or twenty meetings."""
    most = 20 if meetings else 1000
    return [t for file in _TRAINING[meetings] for t in read_topics(Collection("", file, 0), tokenizer, most)]


def read_topics(collection: Collection, tokenizer: Tokenizer, most: int) -> list[Topic]:
    """The first topics of a collection."""
    with lzma.open(DATA / collection.file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(most), lines, strict=False)]
    return [_topic(row, tokenizer) for row in rows]


def _topic(row: dict[str, list[str]], tokenizer: Tokenizer) -> Topic:
    if "documents" in row:
        return Topic([source_of_text(text, tokenizer) for text in row["documents"]], row["summaries"])
    if "utterances" in row:
        lines = [_spoken(str(utterance[-1])) for utterance in row["utterances"]]
        references = [" ".join(sentence for sentence, _ in row["abstractive"]["abstract"])]  # type: ignore[call-overload]
    else:
        lines, references = [" ".join(sentence.split()) for sentence in row["sentences"]], row["summaries"]
    return Topic([source_of_text("\n".join(filter(None, lines)), tokenizer, lines=True)], references)


def _spoken(text: str) -> str:
    """An utterance without marks such as {vocalsound}."""
    return " ".join(re.sub(r"\{[^}]*\}", " ", text).split())
