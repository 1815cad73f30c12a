# SPDX-License-Identifier: Apache-2.0
"""Topics with summaries that people wrote, which every learner of summaries takes, and what they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.errors import FormatError
from accord.tasks.summarizer.concepts import count_concepts, mentioned
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.sources import Source, source_of_text, sources_of_object
from accord.tasks.summarizer.stop_words import stop_words
from accord.tasks.summarizer.weighing import Counts, Key
from accord.tasks.tokenizer import Tokenizer


@dataclass(frozen=True)
class Topic:
    """The documents of a topic, and summaries of them that people wrote; a query where there is one."""

    sources: Sequence[Source]
    summaries: Sequence[str]
    query: str = ""


def topic_of_object(known: Any, tokenizer: Tokenizer, file: str, number: int) -> Topic:
    """The topic that an object describes; ``file`` and ``number`` say where it comes from."""
    try:
        summaries, query = known["summaries"], known.get("query", "")
        if not isinstance(summaries, list) or not all(isinstance(one, str) for one in summaries):
            raise TypeError
        return Topic(list(sources_of_object(known, tokenizer, f"{file}:{number}")), summaries, str(query))
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = "expected an object with documents (or text, or sentences) and summaries"
        raise FormatError(reason, file=file, line=number) from None


def topics_of(given: Iterable[Topic | Mapping[str, Any]], tokenizer: Tokenizer, name: str) -> list[Topic]:
    """Topics, or objects that describe them as lines of a file do."""
    return [
        one if isinstance(one, Topic) else topic_of_object(one, tokenizer, name, number)
        for number, one in enumerate(given, start=1)
    ]


def topic_counts(topic: Topic, config: SummarizerConfig) -> Counts:
    """Where the concepts of a topic occur, and how often."""
    lowered = [[token.lower() for token in s.tokens] for source in topic.sources for s in source.sentences]
    return count_concepts(topic.sources, stop_words(lowered, config.stop_words))


def reference_counts(text: str, tokenizer: Tokenizer) -> Counter[Key]:
    """How often a summary has each concept."""
    source = source_of_text(text, tokenizer)
    tokens = [[token.lower() for token in sentence.tokens] for sentence in source.sentences]
    return Counter(key for sentence in tokens for key, *_ in mentioned(sentence))
