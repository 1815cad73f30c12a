# SPDX-License-Identifier: Apache-2.0
"""The summarizer's row of the registry: a task without training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import ConfigError, FormatError
from accord.evaluation.rouge import Rouge
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import text_of, texts_of
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.model import Summarizer, SummarizerModel

Topic = tuple[Sequence[str], Sequence[str]]  # documents, and summaries that people wrote

_REVIEWS = (
    "The battery life is great. The screen is small and dark. I bought it in May.",
    "I love the battery life of this phone. Shipping was slow.",
    "The battery life is great, but the screen is small. My cat sat on the box.",
)


def read(files: Sequence[str | Path], settings: Any, **how: Any) -> list[Topic]:
    """Topics with summaries, for evaluation: JSON lines with ``documents`` and ``summaries``."""
    topics: list[Topic] = []
    for file in files:
        for number, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), start=1):
            try:
                found = json.loads(line)
                topics.append((list(found["documents"]), list(found["summaries"])))
            except (ValueError, KeyError, TypeError):
                reason = "expected an object with documents and summaries"
                raise FormatError(reason, file=str(file), line=number) from None
    return topics


def evaluate(summarizer: Summarizer, topics: Sequence[Topic]) -> dict[str, float]:
    """ROUGE with stems, as mean F1 in percent."""
    systems = [summarizer(documents).text for documents, _ in topics]
    scores = Rouge(stems=True).mean_f1([summaries for _, summaries in topics], systems)
    return {name: 100 * value for name, value in scores.items()}


def apply(summarizer: Summarizer, content: bytes, options: Mapping[str, Any]) -> bytes:
    """The summary of a plain text as one line; nothing for no text."""
    text = summarizer(content.decode("utf-8")).text
    return f"{text}\n".encode() if text else b""


def answer(summarizer: Summarizer, request: Mapping[str, Any]) -> dict[str, Any]:
    """``{"texts": [...], "words": 50, "query": "..."}`` gives the summary with all that is known of it."""
    texts = texts_of(request)
    settings = {name: request[name] for name in ("words", "characters", "sentences") if name in request}
    for name, value in settings.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise ConfigError(f"request: expected a whole number {name!r}")
    if settings and "words" not in settings:
        settings["words"] = 0
    query = text_of(request, "query") if "query" in request else ""
    found = summarizer(texts, query=query, **settings).to_json()
    del found["seconds"]
    return found


TASK = Task(
    row("summarizer"),
    settings=SummarizerConfig,
    model=SummarizerModel,
    worker=Summarizer,
    read=read,
    train=None,
    evaluate=evaluate,
    apply=apply,
    answer=answer,
    example=lambda: Example(
        training=None,
        dev=[(_REVIEWS, ["The battery life is great, but the screen is small."])],
        settings=SummarizerConfig(words=12),
        inputs=[_REVIEWS, _REVIEWS[:1], ("One sentence only, and a long one.",), ("",)],
        predict=lambda worker, topics, threads: [worker(topic) for topic in topics],
        request={"texts": list(_REVIEWS), "words": 12},
        applied=_REVIEWS[0].encode(),
        resumes=False,
    ),
)
