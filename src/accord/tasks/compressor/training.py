# SPDX-License-Identifier: Apache-2.0
"""Training of compressors: linear models on the common loop, chains by L-BFGS, rerankers on jack-knifed lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from accord.errors import ConfigError
from accord.evaluation import evaluate_compression
from accord.learning import SILENT, Checkpoint, EpochReport, Reporter, TrainingResult, train
from accord.tasks.compressor.budget import Budget
from accord.tasks.compressor.calibration import calibrated
from accord.tasks.compressor.chain import ChainCompressor, RankedCompression, train_chain_compressor
from accord.tasks.compressor.choosing import ChoiceWeights
from accord.tasks.compressor.config import CHAIN_METHODS, UNTRAINED_METHODS, CompressorConfig
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.learning import CompressorTask
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.pairs import Pair
from accord.tasks.compressor.preparing import Instance, prepare
from accord.tasks.compressor.reranking import candidate_features, training_lists
from accord.tasks.compressor.worker import Compressor
from accord.tasks.labeller import LabellerConfig, LabellerModel
from accord.tasks.pipeline import Pipeline
from accord.tasks.setting_files import read_template_sets

Lists = tuple[list[list[RankedCompression]], list[list[dict[str, float]]]]  # candidates, and their features


@dataclasses.dataclass(frozen=True)
class Corpus:
    """Pairs and their instances: what is parsed once and learnt from or judged by many times."""

    pairs: Sequence[Pair]
    instances: Sequence[Instance]


def prepared(pairs: Sequence[Pair] | Corpus, config: CompressorConfig, pipeline: Pipeline | None = None) -> Corpus:
    """Pairs with trees; a corpus as it is."""
    if isinstance(pairs, Corpus):
        return pairs
    nlp = pipeline or Pipeline.load(config.parser)
    references = "first" if config.method in CHAIN_METHODS else config.references
    return Corpus(pairs, prepare(pairs, nlp, references=references, threads=config.threads))


def train_compressor(
    training: Sequence[Pair] | Corpus,
    dev: Sequence[Pair] | Corpus | None,
    config: CompressorConfig,
    *,
    card: Mapping[str, Any] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[CompressorModel]:
    """Train a compressor; F1 of kept words at the rate of the dev data decides which epoch is best.

    In the end compressions without a budget are made as long as those of the dev data, or of the training data.
    """
    if config.method in UNTRAINED_METHODS:
        raise ConfigError(f"method = {config.method!r}: there is nothing to train")
    pipeline = Pipeline.load(config.parser)
    corpus = prepared(training, config, pipeline)
    if not corpus.instances:
        raise ConfigError("there is nothing to train on: no sentence has a compression with a word")
    held_out = None if dev is None else prepared(dev, dataclasses.replace(config, references="first"), pipeline)
    known = (held_out or corpus).instances
    if config.method in CHAIN_METHODS:
        return _calibrated(_train_chain(corpus, held_out, config, reporter, checkpoint), known)
    text = read_template_sets("accord.tasks.compressor", [config.templates or "features"])
    scores = None if held_out is None else partial(corpus_scores, corpus=held_out)
    short = [one for one in corpus.instances if len(one.analysis) <= config.longest]
    if len(short) < len(corpus.instances):
        reporter.note(
            f"{len(corpus.instances) - len(short)} sentences of more than {config.longest} words are left out"
        )
    task = CompressorTask(short, config, text, scores)
    result = train(
        task,
        epochs=config.epochs,
        patience=config.patience,
        seed=config.seed,
        reporter=reporter,
        checkpoint=checkpoint,
    )
    return _calibrated(result, known)


def _calibrated(
    result: TrainingResult[CompressorModel], instances: Sequence[Instance]
) -> TrainingResult[CompressorModel]:
    return dataclasses.replace(result, model=calibrated(result.model, instances))


def corpus_scores(model: CompressorModel | Compressor, corpus: Corpus) -> dict[str, float]:
    """F1 of kept words, micro and macro, where every sentence is compressed at the rate of the corpus."""
    compressor = model if isinstance(model, Compressor) else Compressor(model)
    words = sum(len(one.kept) for one in corpus.instances)
    rate = sum(int(one.kept.sum()) for one in corpus.instances) / max(words, 1)
    found = [compressor.kept(one.analysis, Budget(rate=rate or 1.0)).kept for one in corpus.instances]
    figures = evaluate_compression(
        [one.kept.tolist() for one in corpus.instances], [kept.tolist() for kept in found]
    ).figures()
    return {"F1": figures["micro_f1"], "macro F1": figures["macro_f1"], "accuracy": figures["accuracy"]}


def _train_chain(
    corpus: Corpus, dev: Corpus | None, config: CompressorConfig, reporter: Reporter, checkpoint: Checkpoint | None
) -> TrainingResult[CompressorModel]:
    """The chain, its language model and, to rerank, the weights of lists that other folds made."""
    chain = ChainTraining(corpus, config)
    result = chain.train_all(reporter=reporter, checkpoint=checkpoint)
    model = CompressorModel(config, chain=result.model, language_model=chain.language_model)
    if config.method == "rerank" and not result.interrupted:
        model = dataclasses.replace(model, reranker=chain.reranker(config.references, reporter))
    scores = {} if dev is None else corpus_scores(model, dev)
    report = EpochReport(result.best_epoch, 0.0, 0.0, 0.0, 0.0, scores, best=True)
    return TrainingResult(model, [*result.log, report.to_dict()], result.best_epoch, result.interrupted, scores)


class ChainTraining:
    """A chain in training, with the folds that keep a sentence from seeing itself."""

    def __init__(self, corpus: Corpus, config: CompressorConfig) -> None:
        self.config = config
        self.corpus = corpus
        self.instances = corpus.instances
        self.settings = LabellerConfig(
            templates="compress" if config.features == "expanded" else "compress_basic",
            method="lbfgs",
            l2=config.smoothing,
            iterations=config.iterations,
            tolerance=1e-4,
            table="dictionary",
            bits=16,
            threads=config.threads,
        )
        folds = min(config.folds, len(self.instances))
        self.fold = [number % folds for number in range(len(self.instances))]
        self._lists: Lists | None = None
        self.language_model: LanguageModel | None = None
        self._of_folds: list[LanguageModel | None] = [None] * folds
        if config.features == "expanded" or config.method == "rerank":
            self.language_model = self._language_model(-1)
            self._of_folds = [self._language_model(fold) for fold in range(folds)]

    def _language_model(self, without: int) -> LanguageModel:
        """Of the compressions of all folds but one."""
        return LanguageModel.train(
            [form for form, kept in zip(one.analysis.forms, one.kept, strict=True) if kept]
            for one, fold in zip(self.instances, self.fold, strict=True)
            if fold != without
        )

    def train_all(
        self, *, reporter: Reporter = SILENT, checkpoint: Checkpoint | None = None
    ) -> TrainingResult[LabellerModel]:
        """The chain of all sentences."""
        return self.train(range(len(self.instances)), reporter=reporter, checkpoint=checkpoint)

    def train(
        self, members: Sequence[int], *, reporter: Reporter = SILENT, checkpoint: Checkpoint | None = None
    ) -> TrainingResult[LabellerModel]:
        return train_chain_compressor(
            [self.instances[k].analysis for k in members],
            [self.instances[k].kept for k in members],
            self.settings,
            labels=self.config.labels,
            features=self.config.features,
            models=[self._of_folds[self.fold[k]] for k in members],
            reporter=reporter,
            checkpoint=checkpoint,
        )

    def lists(self, reporter: Reporter = SILENT) -> Lists:
        """For each sentence the best compressions of a chain that did not see it, and their features."""
        if self._lists is None:
            self._lists = self._made_lists(reporter)
        return self._lists

    def _made_lists(self, reporter: Reporter) -> Lists:
        lists: dict[int, list[RankedCompression]] = {}
        for fold in range(len(self._of_folds)):
            model = self.train([k for k, own in enumerate(self.fold) if own != fold]).model
            chain = ChainCompressor(model, self.config.features, self._of_folds[fold])
            for k, own in enumerate(self.fold):
                if own == fold:
                    lists[k] = chain.nbest(self.instances[k].analysis, self.config.candidates)
            reporter.note(f"lists of fold {fold + 1} of {len(self._of_folds)}")
        ranked = [lists[k] for k in range(len(self.instances))]
        features = [
            candidate_features(one.analysis, candidates, self._of_folds[fold])
            for one, candidates, fold in zip(self.instances, ranked, self.fold, strict=True)
        ]
        return ranked, features

    def reranker(self, references: str, reporter: Reporter = SILENT) -> ChoiceWeights:
        """Weights learnt from these lists, with the first or all compressions of a sentence as right ones."""
        ranked, features = self.lists(reporter)
        samples = list(training_lists(ranked, _references(self.corpus, references)))
        return ChoiceWeights.fit(
            [[features[number][k] for k in members] for number, members, _ in samples],
            [positive for _, _, positive in samples],
            l2=self.config.rerank_l2,
            least_count=2,
        )


def _references(corpus: Corpus, which: str) -> list[list[tuple[bool, ...]]]:
    """The compressions that count as right for each instance: its own, or all of its sentence."""
    own: dict[tuple[str, ...], list[tuple[bool, ...]]] = {}
    for pair in corpus.pairs if which == "all" else ():
        own.setdefault(pair.words, []).extend(pair.masks)
    return [list(dict.fromkeys(own.get(one.analysis.forms, [tuple(one.kept.tolist())]))) for one in corpus.instances]
