# SPDX-License-Identifier: Apache-2.0
"""The cleaner's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import ConfigError
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.gold import GoldTranscript, GoldWord, read_gold
from accord.tasks.cleaner.model import CleanerModel
from accord.tasks.cleaner.scoring import label_scores
from accord.tasks.cleaner.training import train_cleaner
from accord.tasks.cleaner.worker import Cleaner
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import text_of

# Words with their tags; (edited) words stand in brackets, fillers between stars.
_SAMPLE = (
    "(we/PRP) we/PRP saw/VBD the/DT dog/NN",
    "*uh/UH* they/PRP have/VBP a/DT cat/NN",
    "(the/DT) *uh/UH* the/DT cat/NN saw/VBD us/PRP",
    "(i/PRP) i/PRP have/VBP *um/UH* two/CD dogs/NNS",
    "they/PRP saw/VBD (a/DT cat/NN) *uh/UH* a/DT dog/NN",
    "we/PRP have/VBP the/DT cat/NN",
    "(they/PRP have/VBP) they/PRP have/VBP *uh/UH* dogs/NNS",
    "the/DT dog/NN saw/VBD the/DT cat/NN",
)


def read(files: Sequence[str | Path], settings: CleanerConfig, *, format: str = "auto", **how: Any) -> GoldTranscript:
    """Transcripts in which fillers and edits are marked."""
    return read_gold(files, format=format, fillers=settings.fillers)


def apply(cleaner: Cleaner, content: bytes, options: Mapping[str, Any]) -> bytes:
    """A plain text with one utterance in each line, cleaned."""
    found = cleaner(content.decode("utf-8"), threads=options.get("threads", 0))
    return "".join(f"{one.text}\n" for one in found.utterances).encode()


def answer(cleaner: Cleaner, request: Mapping[str, Any]) -> dict[str, Any]:
    """``{"text": "...", "lookahead": 2}`` gives the clean text and the label of each word."""
    text = text_of(request)
    lookahead = request.get("lookahead")
    if lookahead is not None and (not isinstance(lookahead, int) or isinstance(lookahead, bool) or lookahead < 0):
        raise ConfigError("request: expected a number of words 'lookahead'")
    return cleaner(text, lookahead=lookahead).to_json()


def _sample(lines: Sequence[str]) -> GoldTranscript:
    utterances = []
    for line in lines:
        words, edit, filler = [], False, False
        for piece in line.split():
            edit |= piece.startswith("(")
            filler |= piece.startswith("*")
            form, _, tag = piece.strip("()*").partition("/")
            words.append(GoldWord(form, tag, filler, edit))
            edit &= not piece.endswith(")")
            filler &= not piece.endswith("*")
        utterances.append(words)
    return GoldTranscript.of(utterances)


def _texts(cleaner: Cleaner, texts: Sequence[str], threads: int) -> list[str]:
    return [cleaner(text, threads=threads).marked for text in texts]


TASK = Task(
    row("cleaner"),
    settings=CleanerConfig,
    model=CleanerModel,
    worker=Cleaner,
    read=read,
    train=train_cleaner,
    evaluate=label_scores,
    apply=apply,
    answer=answer,
    example=lambda: Example(
        training=_sample(_SAMPLE * 3),
        dev=_sample(_SAMPLE[:6]),
        settings=CleanerConfig(epochs=5, folds=2, dual_c=1.0),
        inputs=["I I have uh a dog", "They have, they have, um, cats.", "yes", "wh- we saw\nus", ""],
        predict=_texts,
        request={"text": "we we saw uh a cat", "lookahead": 1},
        applied=b"we we saw uh a cat\n",
        resumes=False,
    ),
    sizes=lambda training: {"utterances": len(training), "words": len(training.edits)},
)
