# SPDX-License-Identifier: Apache-2.0
"""The summarizer's row of the registry. A summarizer works without training, and can be trained on summaries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data.files import open_input
from accord.errors import ConfigError
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import flag_of, text_of, texts_of
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.model import Summarizer, SummarizerModel
from accord.tasks.summarizer.sources import source_of_text
from accord.tasks.summarizer.topics import Topic, topic_of_object
from accord.tasks.summarizer.training import rouge, train_summarizer
from accord.tasks.tokenizer import Tokenizer

BUDGETS = ("words", "characters", "sentences")
_REVIEWS = (
    "The battery life is great. The screen is small and dark. I bought it in May.",
    "I love the battery life of this phone. Shipping was slow.",
    "The battery life is great, but the screen is small. My cat sat on the box.",
)


def read(files: Sequence[str | Path], settings: Any, **how: Any) -> list[Topic]:
    """Topics with summaries: JSON lines with ``documents`` or ``sentences``, ``summaries``, and ``query`` or not."""
    tokenizer = Tokenizer.load("en")
    topics: list[Topic] = []
    for file in files:
        with open_input(str(file)) as source:
            content = source.read()
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                topics.append(_topic(line, tokenizer, str(file), number))
    return topics


def _topic(line: bytes, tokenizer: Tokenizer, file: str, number: int) -> Topic:
    try:
        found = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        found = None
    return topic_of_object(found, tokenizer, file, number)


def evaluate(summarizer: Summarizer, topics: Sequence[Topic]) -> dict[str, float]:
    """ROUGE with stems, as mean F1 in percent."""
    return rouge(summarizer, topics)


def apply(summarizer: Summarizer, content: bytes, options: Mapping[str, Any]) -> bytes:
    """The summary of a plain text as one line; nothing for no text."""
    text = summarizer(content.decode("utf-8")).text
    return f"{text}\n".encode() if text else b""


def answer(summarizer: Summarizer, request: Mapping[str, Any]) -> dict[str, Any]:
    """``{"texts": [...], "words": 50, "query": "..."}`` gives the summary with all that is known of it.

    ``"earlier": [...]`` are texts that the reader knows, and ``"compress": true`` shortens sentences.
    """
    texts = texts_of(request)
    settings: dict[str, Any] = {name: request[name] for name in BUDGETS if name in request}
    for name, value in settings.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise ConfigError(f"request: expected a whole number {name!r}")
    if settings and "words" not in settings:
        settings["words"] = 0
    if "compress" in request:
        settings["compress"] = flag_of(request, "compress")
    query = text_of(request, "query") if "query" in request else ""
    earlier = texts_of(request, "earlier") if "earlier" in request else ()
    found = summarizer(texts, query=query, earlier=earlier, **settings).to_json()
    del found["seconds"]
    return found


def _example_topic() -> Topic:
    tokenizer = Tokenizer.load("en")
    sources = [source_of_text(text, tokenizer) for text in _REVIEWS]
    return Topic(sources, ["The battery life is great, but the screen is small."])


TASK = Task(
    row("summarizer"),
    settings=SummarizerConfig,
    model=SummarizerModel,
    worker=Summarizer,
    read=read,
    train=train_summarizer,
    evaluate=evaluate,
    apply=apply,
    answer=answer,
    example=lambda: Example(
        training=[_example_topic()],
        dev=[_example_topic()],
        settings=SummarizerConfig(words=12),
        inputs=[_REVIEWS, _REVIEWS[:1], ("One sentence only, and a long one.",), ("",)],
        predict=lambda worker, topics, threads: [worker(topic) for topic in topics],
        request={"texts": list(_REVIEWS), "words": 12},
        applied=_REVIEWS[0].encode(),
        resumes=False,
    ),
    sizes=lambda topics: {"topics": len(topics)},
)
