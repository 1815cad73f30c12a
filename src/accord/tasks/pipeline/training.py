# SPDX-License-Identifier: Apache-2.0
"""Training of all steps of a pipeline, the parser on tags as it will get them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation import evaluate
from accord.learning import EpochReport, TrainingResult
from accord.settings import make_settings
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.training import train_parser
from accord.tasks.pipeline.config import STEPS, PipelineConfig
from accord.tasks.pipeline.model import Pipeline, PipelineModel
from accord.tasks.tagger import TaggerConfig, jackknife, train_tagger
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.gold import read_gold
from accord.tasks.tokenizer.training import train_tokenizer

Say = Callable[[str], None]
Snapshot = TypeVar("Snapshot")


@dataclass(frozen=True)
class StepConfigs:
    """The settings of the pipeline and of its steps."""

    pipeline: PipelineConfig = field(default_factory=PipelineConfig)
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    tagger: TaggerConfig = field(default_factory=TaggerConfig)
    parser: ParserConfig = field(default_factory=lambda: ParserConfig(order=2))

    @staticmethod
    def read(values: Mapping[str, Any]) -> StepConfigs:
        """From one table: ``{"folds": 5, "tagger.order": 2, "parser": {"order": 3}}``."""
        tables: dict[str, dict[str, Any]] = {"tokenizer": {}, "tagger": {}, "parser": {"order": 2}}
        own: dict[str, Any] = {}
        for name, value in values.items():
            step, dot, key = name.partition(".")
            if dot and step in tables:
                tables[step][key] = value
            elif step in tables and isinstance(value, Mapping):
                tables[step].update(value)
            else:
                own[name] = value
        return StepConfigs(
            make_settings(PipelineConfig, own),
            make_settings(TokenizerConfig, tables["tokenizer"]),
            make_settings(TaggerConfig, tables["tagger"]),
            make_settings(ParserConfig, tables["parser"]),
        )

    def parser_tags(self) -> bool:
        """Whether the parser's network predicts the tags, so that no tagger is trained."""
        parser = self.parser
        return parser.scorer == "neural" and parser.neural.tags == "predict" and "parse" in self.steps()

    def steps(self) -> tuple[str, ...]:
        named = tuple(step.strip() for step in self.pipeline.steps.split(",") if step.strip())
        for step in named:
            if step not in STEPS:
                raise ConfigError(f"steps = {self.pipeline.steps!r}: {step!r} is none of {', '.join(STEPS)}")
        if not named:
            raise ConfigError("a pipeline has at least one step")
        return named


def treebank_files(folder: Path) -> dict[str, Path]:
    """The ``*-ud-train.conllu``, ``*-ud-dev.conllu`` and ``*-ud-test.conllu`` of a folder, compressed or not."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: no such folder")
    found: dict[str, Path] = {}
    for part in ("train", "dev", "test"):
        names = sorted(path for path in folder.iterdir() if f"-{part}.conllu" in path.name)
        if len(names) > 1:
            raise ConfigError(f"{folder}: more than one file of {part} data: {', '.join(p.name for p in names)}")
        if names:
            found[part] = names[0]
    if "train" not in found:
        raise ConfigError(f"{folder}: no file is named *-train.conllu")
    return found


def train_pipeline(
    training: Iterable[Document],
    dev: Document | None,
    configs: StepConfigs | None = None,
    *,
    taken: PipelineModel | None = None,
    card: Mapping[str, Any] | None = None,
    say: Say = lambda _: None,
) -> PipelineModel:
    """Train tokeniser, tagger and parser; the parser learns from jackknifed tags.

    Steps of ``taken`` are taken as they are.

    Several training documents are trained on together; dev data, of the same kind as the first, decides when to stop.
    """
    configs = configs or StepConfigs()
    documents = list(training)
    steps = configs.steps()
    whole = documents[0] if len(documents) == 1 else Document.from_sentences(s for d in documents for s in d.sentences)
    started = time.process_time()
    taken = taken or PipelineModel()
    tokenizer, tagger, parser = taken.tokenizer, taken.tagger, taken.parser

    def told(step: str) -> Callable[..., None]:
        def report(report: EpochReport, *_: Any) -> None:
            scores = "  ".join(f"{name} {value:.2f}" for name, value in report.scores.items())
            say(f"{step}: pass {report.epoch}  {scores}")

        return report

    if "tokenize" in steps and tokenizer is None:
        held_out = [dev] if dev is not None else []
        tokenizer = _finished(train_tokenizer(documents, held_out, configs.tokenizer, on_epoch=told("tokenizer")))
    tagged = configs.parser_tags() if parser is None else parser.network is not None and bool(parser.network.tasks)
    if "tag" in steps and tagger is None and not tagged:
        tagger = train_tagger(whole, dev, configs.tagger, on_epoch=told("tagger"))
    if "parse" in steps and parser is None:
        seen, checked = whole, dev
        if tagger is not None and configs.pipeline.folds > 0:
            say(f"tags of the training data by {configs.pipeline.folds} taggers that did not see it")
            seen = jackknife(whole, configs.tagger, configs.pipeline.folds)
            if dev is not None:
                checked = Pipeline(PipelineModel(tagger=tagger)).tag(dev, tags="predict")
        parser = _finished(train_parser(seen, checked, configs.parser, on_epoch=told("parser")))
    model = PipelineModel(tokenizer, tagger, parser)
    about: dict[str, Any] = {
        **(card or {}),
        "sentences": len(whole),
        "words": int(whole.heads.size),
    }
    if taken.parser is None:
        about["training_cpu_seconds"] = round(time.process_time() - started)
    if dev is not None:
        about["scores"] = pipeline_scores(Pipeline(model), dev, spacing=configs.tokenizer.spacing)
    return PipelineModel(tokenizer, tagger, parser, card=about)


def _finished(result: TrainingResult[Snapshot]) -> Snapshot:
    """What was trained; a step that the user interrupted ends the whole."""
    if result.interrupted:
        raise KeyboardInterrupt
    return result.snapshot


def raw_text(document: Document, spacing: str = "auto") -> str:
    """The text of a treebank, paragraphs apart, as its SpaceAfter marks say."""
    return "\n\n".join(paragraph.labelled()[0] for paragraph in read_gold([document], spacing=spacing))


def pipeline_scores(pipeline: Pipeline, gold: Document, *, spacing: str = "auto", threads: int = 0) -> dict[str, float]:
    """CoNLL-18 F1 scores: from raw text where the pipeline tokenises, and from gold words."""
    scores: dict[str, float] = {}
    if pipeline.tokenizer is not None:
        system = pipeline(raw_text(gold, spacing), threads=threads)
        scores.update({f"raw {name}": score.f1 for name, score in evaluate(gold, _whole(system)).items()})
    if pipeline.parser is not None:
        system = pipeline.parse(gold, tags="predict", threads=threads)
    else:
        system = pipeline.tag(gold, tags="predict", threads=threads)
    scores.update({f"words {name}": score.f1 for name, score in evaluate(gold, _whole(system)).items()})
    return scores


def _whole(document: Document) -> Document:
    """The document with some tree where it has none, for the metrics want trees."""
    if not (document.heads < 0).any():
        return document
    heads = [0 if i == 0 else 1 for length in document.lengths.tolist() for i in range(length)]
    return document.replace(heads=heads, deprels=["root" if head == 0 else "dep" for head in heads])
