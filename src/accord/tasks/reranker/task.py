# SPDX-License-Identifier: Apache-2.0
"""The reranker's row of the registry."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import ConfigError
from accord.learning import SILENT, Reporter, TrainingResult
from accord.ranked import Ranked
from accord.tasks.examples import tiny_tagged_words
from accord.tasks.registry import Example, Task, row
from accord.tasks.reranker import CandidateList, Reranker, RerankerConfig, RerankerModel, read_lists
from accord.tasks.reranker.config import BoostingConfig
from accord.tasks.reranker.lists import list_of_json, list_to_json, lists_of_bytes
from accord.tasks.reranker.sources import Base
from accord.tasks.reranker.training import Corpus, Lists, list_scores, train_reranker


def read(
    files: Sequence[str | Path],
    settings: RerankerConfig,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> Corpus:
    """Data of the base model; lists where the settings name none."""
    if not settings.base:
        return Corpus([one for file in files for one in read_lists(file)])
    base = Base.load(settings.base)
    how = {"format": format, "keep_going": keep_going, "reporter": reporter}
    return Corpus(base.task.read(files, base.settings, **how), base)


def train(
    training: Corpus | Lists,
    dev: Corpus | Lists | None,
    settings: RerankerConfig,
    *,
    card: Any = None,
    reporter: Reporter = SILENT,
    checkpoint: Any = None,
) -> TrainingResult[RerankerModel]:
    return train_reranker(training, dev, settings, reporter=reporter)


def evaluate(reranker: Reranker, dev: Corpus | Lists) -> dict[str, float]:
    lists = dev.made(reranker.model.config, jackknife=False) if isinstance(dev, Corpus) else dev
    return list_scores(reranker, [one for one in lists if len(one)])


def apply(reranker: Reranker, content: bytes, options: Mapping[str, Any]) -> bytes:
    """Lists of JSON lines, each with its candidates in their new order and their new scores."""
    found = []
    for one in lists_of_bytes(content, name=str(options.get("name", "<lists>"))):
        found.append(json.dumps(_reranked(reranker, one), ensure_ascii=False) + "\n")
    return "".join(found).encode("utf-8", "surrogatepass")


def _reranked(reranker: Reranker, one: CandidateList[Any]) -> dict[str, Any]:
    scores = reranker.scores(one).tolist()
    told = list_to_json(one, scores)
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    told["candidates"] = [told["candidates"][place] for place in order]
    return told


def answer(reranker: Reranker, request: Mapping[str, Any]) -> dict[str, Any]:
    """``{"list": {...}}`` gives the list with its candidates in their new order."""
    if not isinstance(request.get("list"), Mapping):
        raise ConfigError("request: expected an object 'list'")
    return {"list": _reranked(reranker, list_of_json(request["list"]))}


def _tiny_lists(count: int, first: int = 0) -> list[CandidateList[Any]]:
    """Taggings, of which the base model likes those best that take a verb for a noun."""
    lists = []
    for number, sentence in enumerate(tiny_tagged_words(count, first)):
        words, gold = zip(*sentence, strict=True)
        nouns = tuple("NOUN" if tag == "VERB" else tag for tag in gold)
        names = tuple("PROPN" if tag == "NOUN" else tag for tag in gold)
        values = list(dict.fromkeys((nouns, gold, names)))
        ranked = tuple(Ranked(value, -float(place), -0.5 - place) for place, value in enumerate(values))
        lists.append(CandidateList("labels", tuple(words), ("_",) * len(words), ranked[: 2 + number % 2], gold))
    return lists


def _predict(reranker: Reranker, lists: Sequence[CandidateList[Any]], threads: int) -> list[Any]:
    return [reranker.rank(one)[0].value for one in lists]


def example() -> Example:
    given = [list_to_json(one) for one in _tiny_lists(3, 40)]
    return Example(
        training=_tiny_lists(30),
        dev=_tiny_lists(8, 30),
        settings=RerankerConfig(
            method="maxent+boosting+hidden/tag/head", least_count=2, threads=1, boosting=BoostingConfig(rounds=50)
        ),
        inputs=_tiny_lists(5, 38),
        predict=_predict,
        request={"list": given[0]},
        applied="".join(json.dumps(one) + "\n" for one in given).encode(),
        kbest=lambda reranker, one, k: [ranked.value for ranked in reranker.rank(one)[:k]],
        resumes=False,
    )


TASK = Task(
    row("reranker"),
    settings=RerankerConfig,
    model=RerankerModel,
    worker=Reranker,
    read=read,
    train=train,
    evaluate=evaluate,
    apply=apply,
    answer=answer,
    example=example,
)
