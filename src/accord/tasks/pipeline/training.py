# SPDX-License-Identifier: Apache-2.0
"""Training of all steps of a pipeline, the parser on tags as it will get them."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation import evaluate
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.settings import make_settings
from accord.tasks.parser.both import train_both
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.pipeline.config import STEPS, PipelineConfig
from accord.tasks.pipeline.distillation import check as check_distillation
from accord.tasks.pipeline.distillation import given_teachers, raw_sentences, silver_text, student_data
from accord.tasks.pipeline.model import STEP_MODELS, Pipeline, PipelineModel
from accord.tasks.tagger import TaggerConfig, jackknife, train_tagger
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.gold import read_gold
from accord.tasks.tokenizer.training import train_tokenizer

#: Teachers are larger networks than the packaged parsers.
TEACHER: Mapping[str, Any] = {
    "scorer": "neural",
    "neural": {"layers": 3, "units": 400, "word_size": 200, "arc_size": 400, "label_size": 100},
}


def _over(table: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A table of settings with other values for some; tables in it may be given whole or by dotted names."""
    flat = {**_flat(table), **_flat(values)}
    nested: dict[str, Any] = {}
    for name, value in flat.items():
        inner, key = nested, name
        while "." in key:
            first, _, key = key.partition(".")
            inner = inner.setdefault(first, {})
        inner[key] = value
    return nested


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return flat


@dataclass(frozen=True)
class StepConfigs:
    """The settings of the pipeline and of its steps."""

    pipeline: PipelineConfig = field(default_factory=PipelineConfig)
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    tagger: TaggerConfig = field(default_factory=TaggerConfig)
    parser: ParserConfig = field(default_factory=lambda: ParserConfig(order=2))
    teacher: ParserConfig = field(default_factory=lambda: make_settings(ParserConfig, TEACHER))

    @staticmethod
    def read(values: Mapping[str, Any]) -> StepConfigs:
        """From one table: ``{"folds": 5, "tagger.order": 2, "parser": {"order": 3}}``.

        With ``distil`` the parser is a network, if nothing else is said.
        """
        tables: dict[str, dict[str, Any]] = {"tokenizer": {}, "tagger": {}, "parser": {}, "teacher": {}}
        own: dict[str, Any] = {}
        for name, value in values.items():
            step, dot, key = name.partition(".")
            if dot and step in tables:
                tables[step][key] = value
            elif step in tables and isinstance(value, Mapping):
                tables[step].update(value)
            else:
                own[name] = value
        if own.get("distil"):
            tables["parser"].setdefault("scorer", "neural")
        if tables["parser"].get("scorer") != "neural":  # networks gain nothing by larger parts
            tables["parser"].setdefault("order", 2)
        if tables["parser"].get("scorer") == "both":  # linear features read tags, so that there is a tagger
            network = tables["parser"].get("neural")
            if not isinstance(network, Mapping) or "tags" not in network:
                tables["parser"].setdefault("neural.tags", "given")
        parser = make_settings(ParserConfig, tables["parser"])
        teacher = _over(
            {"threads": parser.threads, "neural.device": parser.neural.device, **TEACHER}, tables["teacher"]
        )
        return StepConfigs(
            make_settings(PipelineConfig, own),
            make_settings(TokenizerConfig, tables["tokenizer"]),
            make_settings(TaggerConfig, tables["tagger"]),
            parser,
            make_settings(ParserConfig, teacher),
        )

    def parser_tags(self) -> bool:
        """Whether the parser's network predicts the tags, so that the model has no tagger of its own."""
        parser = self.parser
        return parser.scorer != "linear" and parser.neural.tags == "predict" and "parse" in self.steps()

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
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[PipelineModel]:
    """Train tokeniser, tagger and parser; the parser learns from jackknifed tags.

    Several training documents are trained on together; dev data, of the same kind as the first, decides when to stop.
    Steps of ``taken`` are taken as they are. A ``checkpoint`` keeps the steps that are finished, and the state of the
    one that is not. An interrupt goes on as KeyboardInterrupt: a pipeline without all of its steps is no pipeline.
    """
    configs = configs or StepConfigs()
    documents = list(training)
    steps = _StepTraining(documents, dev, configs, taken or PipelineModel(), reporter, checkpoint)
    model = steps.train()
    about: dict[str, Any] = {
        **(card or {}),
        "sentences": len(steps.whole),
        "words": int(steps.whole.heads.size),
    }
    if configs.pipeline.distil and (taken is None or taken.parser is None):
        about.setdefault("besides", f"words of {Path(configs.pipeline.distil).name} with the trees of larger networks")
    if taken is None or taken.parser is None:
        about["training_cpu_seconds"] = round(steps.cpu_seconds())
    scores: dict[str, float] = {}
    if dev is not None:
        scores = about["scores"] = pipeline_scores(
            Pipeline(dataclasses.replace(model, card=about)), dev, spacing=configs.tokenizer.spacing
        )
    return TrainingResult(dataclasses.replace(model, card=about), steps.log, steps.best_epoch, scores=scores)


class _StepTraining:
    """The steps of a pipeline, one after the other; each that is finished goes into the checkpoint."""

    def __init__(
        self,
        documents: list[Document],
        dev: Document | None,
        configs: StepConfigs,
        taken: PipelineModel,
        reporter: Reporter,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.whole = documents[0]
        if len(documents) > 1:
            self.whole = Document.from_sentences(s for d in documents for s in d.sentences)
        self.log: list[dict[str, Any]] = []
        self.best_epoch = 0
        self._documents, self._dev, self._configs = documents, dev, configs
        if configs.pipeline.distil and "parse" in configs.steps() and taken.parser is None:
            check_distillation(configs.pipeline, configs.parser, configs.teacher)
        self._reporter, self._checkpoint = reporter, checkpoint
        self._started = time.process_time()
        self._arrays: dict[str, NDArray[Any]] = {}
        self._done: dict[str, Any] = {}
        self._teachers: dict[str, ParserModel] = {}
        saved = None if checkpoint is None or self._in_first_step(checkpoint) else checkpoint.load()
        if saved is not None:
            self._started -= float(saved.state["cpu_seconds"])
            self._arrays = {name: np.array(array) for name, array in saved.arrays.items()}
            self._done = {name: saved.model(name, STEP_MODELS[name]) for name in saved.models if name in STEP_MODELS}
            teachers = {name: saved.model(name, ParserModel) for name in saved.models if name not in STEP_MODELS}
            self._teachers = {name: teacher for name, teacher in teachers.items() if teacher is not None}
        self._done |= {name: model for name in STEP_MODELS if (model := getattr(taken, name)) is not None}

    def _in_first_step(self, checkpoint: Checkpoint) -> bool:
        """Whether a run that is resumed was interrupted before any step was finished."""
        steps = [checkpoint.of_step(name, getattr(self._configs, name)) for name in STEP_MODELS]
        steps.append(checkpoint.of_step("teacher1", self._configs.teacher))
        if not checkpoint.resume:
            for step in steps:  # of an older run
                step.remove()
        return not checkpoint.exists() and any(step.exists() for step in steps)

    def cpu_seconds(self) -> float:
        return time.process_time() - self._started

    def train(self) -> PipelineModel:
        configs, steps = self._configs, self._configs.steps()
        if "tokenize" in steps:
            held_out = [self._dev] if self._dev is not None else []
            self._step("tokenizer", configs.tokenizer, lambda **how: train_tokenizer(
                self._documents, held_out, configs.tokenizer, **how
            ))  # fmt: skip
        if "tag" in steps and not self._parser_tags():
            self._step("tagger", configs.tagger, lambda **how: train_tagger(
                self.whole, self._dev, configs.tagger, **how
            ))  # fmt: skip
        if "parse" in steps and "parser" not in self._done:
            self._train_parser()
        return PipelineModel(**self._done)

    def _train_parser(self) -> None:
        config = self._configs.parser
        if self._configs.pipeline.distil:
            student = student_data(self.whole, self._silver(), self._configs.pipeline.distil_times)
            self._step("parser", config, lambda **how: train_parser(student, self._dev, config, **how))
            return
        if config.scorer == "both" and self._parser_tags():  # the network learns tags, and linear features read them
            tagged = self._jackknifed() if self._configs.pipeline.folds else None
            self._step("parser", config, lambda **how: train_both(
                self.whole, self._dev, config, tagged=tagged, **how
            ))  # fmt: skip
            return
        seen, checked = self._tagged()
        self._step("parser", config, lambda **how: train_parser(seen, checked, config, **how))

    def _silver(self) -> bytes:
        """The raw text with the trees and tags of the teachers; the checkpoint keeps it, and each finished teacher."""
        configs = self._configs.pipeline
        if "silver" not in self._arrays:
            sentences = raw_sentences(configs, self._done.get("tokenizer"))
            teachers = given_teachers(configs) or self._trained_teachers(int(configs.teachers))
            device = self._configs.teacher.neural.device
            found = silver_text(sentences, teachers, configs, device, self._reporter)
            self._arrays["silver"] = np.frombuffer(found, np.uint8)
            self._teachers.clear()
            self._keep()
        return self._arrays["silver"].tobytes()

    def _trained_teachers(self, count: int) -> list[ParserModel]:
        for number in range(count):
            name = f"teacher{number + 1}"
            if name in self._teachers:
                continue
            config = dataclasses.replace(self._configs.teacher, seed=self._configs.teacher.seed + number)
            own = None if self._checkpoint is None else self._checkpoint.of_step(name, config)
            result = train_parser(self.whole, self._dev, config, reporter=self._reporter.of_step(name), checkpoint=own)
            if result.interrupted:
                raise KeyboardInterrupt
            self._teachers[name] = result.model
            self._keep()
            if own is not None:
                own.remove()
        return [self._teachers[f"teacher{number + 1}"] for number in range(count)]

    def _parser_tags(self) -> bool:
        parser = self._done.get("parser")
        if parser is None:
            return self._configs.parser_tags()
        return parser.network is not None and bool(parser.network.tasks)

    def _step(self, name: str, settings: Any, train: Callable[..., TrainingResult[Any]]) -> None:
        """Train a step, unless it is there already; a step that the user interrupts ends the whole."""
        if name in self._done:
            return
        own = None if self._checkpoint is None else self._checkpoint.of_step(name, settings)
        result = train(reporter=self._reporter.of_step(name), checkpoint=own)
        if result.interrupted:
            raise KeyboardInterrupt
        self._done[name] = result.model
        self.log, self.best_epoch = result.log, result.best_epoch
        self._keep()
        if own is not None:
            own.remove()

    def _tagged(self) -> tuple[Document, Document | None]:
        """Training and dev data with tags as the parser will get them."""
        tagger = self._done.get("tagger")
        if tagger is None or self._configs.pipeline.folds == 0:
            return self.whole, self._dev
        checked = self._dev
        if checked is not None:
            checked = Pipeline(PipelineModel(tagger=tagger)).tag(checked, tags="predict")
        return self._jackknifed(), checked

    def _jackknifed(self) -> Document:
        """The training data with tags by taggers that did not see them; the checkpoint keeps these tags."""
        if "jackknifed" in self._arrays:
            return Document.from_conllu(self._arrays["jackknifed"].tobytes(), name=self.whole.name)
        folds = self._configs.pipeline.folds
        self._reporter.note(f"tags of the training data by {folds} taggers that did not see it")
        found = jackknife(self.whole, self._configs.tagger, folds)
        self._arrays["jackknifed"] = np.frombuffer(found.to_bytes("conllu"), np.uint8)
        self._keep()
        return found

    def _keep(self) -> None:
        if self._checkpoint is not None:
            models = {**self._done, **self._teachers}
            self._checkpoint.save({"cpu_seconds": self.cpu_seconds()}, self._arrays, models)


def raw_text(document: Document, spacing: str = "auto") -> str:
    """The text of a treebank, paragraphs apart, as its SpaceAfter marks say."""
    return "\n\n".join(paragraph.labelled()[0] for paragraph in read_gold([document], spacing=spacing))


_COLUMNS = {"Lemmas": "lemma", "BLEX": "lemma", "XPOS": "xpos", "UFeats": "feats"}


def pipeline_scores(pipeline: Pipeline, gold: Document, *, spacing: str = "auto", threads: int = 0) -> dict[str, float]:
    """CoNLL-18 F1 scores: from raw text where the pipeline tokenises, and from gold words.

    What the treebank does not say is not scored: lemmas or XPOS that are ``_`` throughout.
    """
    scores: dict[str, float] = {}
    if pipeline.tokenizer is not None:
        system = pipeline(raw_text(gold, spacing), threads=threads)
        scores.update({f"raw {name}": score.f1 for name, score in evaluate(gold, _whole(system)).items()})
    if pipeline.parser is not None:
        system = pipeline.parse(gold, tags="predict", threads=threads)
    else:
        system = pipeline.tag(gold, tags="predict", threads=threads)
    scores.update({f"words {name}": score.f1 for name, score in evaluate(gold, _whole(system)).items()})
    unknown = {metric for metric, column in _COLUMNS.items() if set(gold.column(column)) <= {"_"}}
    return {name: score for name, score in scores.items() if name.partition(" ")[2] not in unknown}


def _whole(document: Document) -> Document:
    """The document with some tree where it has none, for the metrics want trees."""
    if not (document.heads < 0).any():
        return document
    heads = [0 if i == 0 else 1 for length in document.lengths.tolist() for i in range(length)]
    return document.replace(heads=heads, deprels=["root" if head == 0 else "dep" for head in heads])
