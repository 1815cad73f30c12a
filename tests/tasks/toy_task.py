# SPDX-License-Identifier: Apache-2.0
"""A task in less than a hundred lines, as a newcomer would write it: a truecaser.

It learns from text in ordinary spelling how each word is mostly written, and gives lower-case text its capitals back.
The row at the end is all that connects it with commands, service, ``accord.load``, ``accord info`` and documentation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.learning import EpochReport, Reporter, TrainingResult
from accord.models.file import Blocks, text_block, text_of_block
from accord.models.stored import StoredModel
from accord.settings import setting
from accord.tasks.registry import Example, Row, Task
from accord.tasks.requests import text_of


@dataclass(frozen=True)
class TruecaserConfig:
    """How a truecaser is trained."""

    least_count: int = setting(1, "rarer words stay as they are", low=1)


@dataclass(frozen=True)
class TruecaserModel(StoredModel):
    """The usual spelling of each word."""

    kind = "truecaser"
    title = "truecaser"
    settings = TruecaserConfig

    config: TruecaserConfig
    spellings: tuple[str, ...]

    def own_blocks(self) -> Blocks:
        return {}, {"spellings": text_block("\n".join(self.spellings))}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, Any], path: str) -> dict[str, Any]:
        return {"spellings": tuple(text_of_block(arrays["spellings"]).split("\n"))}


class Truecaser:
    """Gives words their usual spelling."""

    def __init__(self, model: TruecaserModel) -> None:
        self.model = model
        self._spelling = {word.lower(): word for word in model.spellings}

    def __call__(self, text: str) -> str:
        return " ".join(self._spelling.get(word.lower(), word) for word in text.split(" "))


def train(
    lines: Sequence[str], dev: Sequence[str] | None, config: TruecaserConfig, *, reporter: Reporter, **_: Any
) -> TrainingResult[TruecaserModel]:
    counts = sorted(Counter(word for line in lines for word in line.split()).items(), key=lambda item: item[::-1])
    model = TruecaserModel(config, tuple(word for word, count in counts if count >= config.least_count))
    report = EpochReport(1, 0.0, 0.0, 0.0, 0.0, {} if dev is None else scores(Truecaser(model), dev), best=True)
    reporter.epoch(report)
    return TrainingResult(model, [report.to_dict()], 1, scores=report.scores)


def scores(truecaser: Truecaser, gold: Sequence[str]) -> dict[str, float]:
    pairs = [pair for line in gold for pair in zip(line.split(), truecaser(line.lower()).split(), strict=True)]
    return {"words": 100 * sum(one == other for one, other in pairs) / max(len(pairs), 1)}


TASK = Task(
    Row("truecaser", "truecase", "truecaser", "Text.", "Give words their capitals back.", kinds=("truecaser",)),
    settings=TruecaserConfig,
    model=TruecaserModel,
    worker=Truecaser,
    read=lambda files, settings, **_: [line for file in files for line in Path(file).read_text().splitlines()],
    train=train,
    evaluate=scores,
    apply=lambda worker, data, options: "\n".join(map(worker, data.decode().split("\n"))).encode(),
    answer=lambda worker, request: {"text": worker(text_of(request))},
    example=lambda: Example(
        training=["Ana saw Rio", "Bo saw Ana in Rio", "the IBM of Rio"],
        dev=["Ana saw Bo", "the Rio of Bo"],
        settings=TruecaserConfig(),
        inputs=["ana saw bo", "IBM in rio", ""],
        predict=lambda worker, texts, threads: [worker(text) for text in texts],
        request={"text": "ana saw rio"},
        applied=b"ana saw rio\nbo\n",
        resumes=False,
    ),
)
