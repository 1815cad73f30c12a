# SPDX-License-Identifier: Apache-2.0
"""The compressor's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import ConfigError
from accord.tasks.compressor.config import CompressorConfig
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.pairs import Pair, align, read_pairs
from accord.tasks.compressor.training import Corpus, corpus_scores, prepared, train_compressor
from accord.tasks.compressor.worker import Compressor
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import text_of, texts_of

_SENTENCES = (
    ("The old man , who was tired , bought a dog in Rio .", "The man bought a dog ."),
    ("The tall woman , who was late , saw a cat in Oslo .", "The woman saw a cat ."),
    ("Yesterday the young girl quickly found a small key .", "the girl found a key ."),
    ("Today the old boy slowly opened a big door .", "the boy opened a door ."),
    ("Ana bought a cat , officials said on Tuesday .", "Ana bought a cat ."),
    ("Bo found a key , police said on Monday .", "Bo found a key ."),
)


def read(files: Sequence[str | Path], settings: CompressorConfig, **how: Any) -> list[Pair]:
    """Sentences with the words that were kept."""
    return read_pairs(files)


def evaluate(compressor: Compressor, pairs: Sequence[Pair] | Corpus) -> dict[str, float]:
    """F1 of kept words in percent, at the rate of the data."""
    config = compressor.model.config
    return corpus_scores(compressor, prepared(pairs, config, compressor.pipeline))


def apply(compressor: Compressor, content: bytes, options: Mapping[str, Any]) -> bytes:
    """A plain text with its sentences compressed, one in each line."""
    found = compressor(content.decode("utf-8"), threads=options.get("threads", 0))
    return "".join(f"{sentence.text}\n" for sentence in found.sentences).encode()


def answer(compressor: Compressor, request: Mapping[str, Any]) -> dict[str, Any]:
    """``{"text": "...", "rate": 0.6}`` gives the compressed sentences with all that is known of them.

    ``"keep"``, ``"drop"`` and ``"rules"`` are lists of words that stay or go and of rules about what may be deleted.
    """
    text = text_of(request)
    budget = {name: request[name] for name in ("rate", "words", "characters") if name in request}
    for name, value in budget.items():
        if not isinstance(value, (int, float) if name == "rate" else int) or isinstance(value, bool):
            raise ConfigError(f"request: expected a number {name!r}")
    conditions: dict[str, Any] = {
        name: texts_of(request, name) for name in ("keep", "drop", "rules") if name in request
    }
    return compressor(text, **budget, **conditions).to_json()


def _pairs(rows: Sequence[tuple[str, str]]) -> list[Pair]:
    pairs = []
    for source, compression in rows:
        words = tuple(source.split())
        mask = align(words, compression.split())
        assert mask is not None
        pairs.append(Pair(words, (mask,)))
    return pairs


def _texts(compressor: Compressor, texts: Sequence[str], threads: int) -> list[str]:
    return [compressor(text, threads=threads).text for text in texts]


TASK = Task(
    row("compressor"),
    settings=CompressorConfig,
    model=CompressorModel,
    worker=Compressor,
    read=read,
    train=train_compressor,
    evaluate=evaluate,
    apply=apply,
    answer=answer,
    example=lambda: Example(
        training=_pairs(_SENTENCES),
        dev=_pairs(_SENTENCES[::2]),
        settings=CompressorConfig(epochs=3, bits=12),
        inputs=["The old man, who was late, saw a key in Oslo.", "Bo bought a dog, police said.", "Yes.", ""],
        predict=_texts,
        request={"text": "The young man saw a cat, officials said.", "rate": 0.6},
        applied=b"The young man saw a cat, officials said.\n",
    ),
    sizes=lambda training: {"sentences": len(training), "words": sum(len(pair.words) for pair in training)},
)
