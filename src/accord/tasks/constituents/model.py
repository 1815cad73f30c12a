# SPDX-License-Identifier: Apache-2.0
"""The constituency parser as a user holds it.

Set:    trees of phrases over the words of a sentence; see :mod:`accord.inference.constituents`.
Score:  the sum over labelled spans of the weights of their features; phrases over the same words are one label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document, Sentence
from accord.data.constituents import Constituents
from accord.data.constituents.carriers import word_tags
from accord.errors import ConfigError, ModelError
from accord.inference.constituents import Spans
from accord.models import stored
from accord.models.file import Blocks, join_blocks, text_block
from accord.models.stored import HeaderFields, StoredModel, Weights, open_worker, tables_to_blocks
from accord.ranked import Ranked
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.constituents.config import ConstituentsConfig
from accord.tasks.constituents.pieces import cut_sentence, joined
from accord.tasks.constituents.tag.config import TagConfig
from accord.tasks.constituents.tag.grammar import SpineGrammar
from accord.tasks.constituents.treebank import tree_of_spans
from accord.tasks.network.model import NetworkModel


@dataclass(frozen=True)
class ConstituentsModel(StoredModel):
    """All that a trained constituency parser is. ``labels``: chains of phrases, the upper one first, ``→`` between."""

    kind = "constituents"
    title = "constituency parser"
    settings = ConstituentsConfig
    in_header: ClassVar[HeaderFields] = {
        "labels": stored.names,
        "templates": stored.text,
        "temperature": stored.temperature,
    }
    may_lack: ClassVar[HeaderFields] = {"grammar": stored.text}
    texts = ("clusters",)
    inner_models: ClassVar[Mapping[str, Any]] = {"network": NetworkModel}

    config: ConstituentsConfig
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    temperature: float = 1.0
    network: NetworkModel | None = None  # of a neural scorer, which has no tables
    grammar: str = ""  # of a parser of spines; see SpineGrammar.to_text

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        about, arrays = tables_to_blocks(self.tables)
        if self.network is not None:
            own, arrays = join_blocks({"network": self.network.to_blocks()})
            return {**header, "tables": about, **own}, arrays
        if self.grammar:
            header["grammar"] = self.grammar
        return {**header, "tables": about}, {**arrays, "clusters": text_block(self.clusters)}

    def native(self) -> _tasks.ConstituentModel | _tasks.NeuralConstituentModel | _tasks.TagModel:
        """The core's parser of this model."""
        try:
            if self.network is not None:
                return _tasks.NeuralConstituentModel(self.network.native(), self.temperature)
            lexicon = cluster_lexicon(self.clusters)
            if self.grammar:
                grammar = SpineGrammar.from_text(self.grammar, self.labels)
                return _tasks.TagModel(
                    templates=self.templates,
                    grammar=grammar.native,
                    tags=list(grammar.tags),
                    shape=shape_of(self.config.tag),
                    pruning=pruning_of(self.config.tag),
                    temperature=self.temperature,
                    labels=self.tables["pruner_labels"],
                    spines=self.tables["pruner_spines"],
                    parts=self.tables["parts"],
                    clusters=lexicon,
                )
            return _tasks.ConstituentModel(
                self.templates, len(self.labels), self.temperature, self.tables["span"], lexicon
            )
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelError(f"weights and settings do not fit together ({error})") from None


def shape_of(config: TagConfig) -> _tasks.SpineShape:
    """The parts that a parser of spines has."""
    return _tasks.SpineShape(order=config.order, nearest=config.grandchild == "nearest", boundaries=config.boundaries)


def pruning_of(config: TagConfig) -> _tasks.SpinePruning:
    """What its pruner leaves."""
    return _tasks.SpinePruning(alpha=config.alpha, spine_alpha=config.spine_alpha, most=config.most)


@dataclass(frozen=True)
class ParsedTree:
    """The tree of a sentence, its score, and the probabilities of tree and phrases where they were asked for.

    ``probabilities``: of the labelled spans, by (begin, end); phrases over the same words share one.
    """

    tree: Constituents
    score: float
    log_probability: float | None = None
    probabilities: Mapping[tuple[int, int], float] | None = None


class ConstituencyParser:
    """A constituency parser ready to work: immutable, shared by any number of threads.

    Words need tags in XPOS, as the training data had them; a pipeline or a tagger fills them in.
    """

    def __init__(self, model: ConstituentsModel) -> None:
        self.model = model
        self._native: Any = model.native()

    @staticmethod
    def load(path: str | Path) -> ConstituencyParser:
        return open_worker(ConstituencyParser, ConstituentsModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return ConstituencyParser, (self.model,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that spans may have; chains of phrases over the same words have ``→`` in them."""
        return self.model.labels

    def __call__(self, sentences: Document | Sentence, *, threads: int = 0) -> Document:
        """The document with the tree of each sentence."""
        document = sentences if isinstance(sentences, Document) else Document.from_sentences([sentences])
        found = iter(self.trees(document, threads=threads))
        return document.with_constituents([next(found).tree if words else None for words in document.lengths.tolist()])

    def trees(
        self, document: Document, *, probabilities: bool = False, least_risk: bool | None = None, threads: int = 0
    ) -> list[ParsedTree]:
        """The trees of the sentences that have words.

        ``least_risk``: the tree with the fewest wrong and missing spans to be expected, instead of the best one; None:
        as the model says.
        """
        sentences = [sentence for sentence in document.sentences if len(sentence) > 0]
        if any(len(sentence) > self.model.config.longest for sentence in sentences):
            return self._trees_of_pieces(sentences, probabilities, least_risk, threads)
        return self._trees(Document.from_sentences(sentences), sentences, probabilities, least_risk, threads)

    def _trees(
        self,
        document: Document,
        sentences: Sequence[Sentence],
        probabilities: bool,
        least_risk: bool | None,
        threads: int,
    ) -> list[ParsedTree]:
        config = self.model.config
        starts, rows, chances, scores, logs = self._native.parse(
            self._input(document),
            least_risk=config.decoding == "least_risk" if least_risk is None else least_risk,
            threshold=config.threshold,
            probabilities=probabilities,
            threads=threads,
        )
        spans = [tuple(row) for row in rows.tolist()]
        found = []
        for number, sentence in enumerate(sentences):
            begin, end = int(starts[number]), int(starts[number + 1])
            tree = tree_of_spans(spans[begin:end], word_tags(sentence), self.labels)
            if probabilities:
                known = {span[:2]: float(p) for span, p in zip(spans[begin:end], chances[begin:end], strict=True)}
                found.append(ParsedTree(tree, float(scores[number]), float(logs[number]), known))
            else:
                found.append(ParsedTree(tree, float(scores[number])))
        return found

    def _trees_of_pieces(
        self, sentences: Sequence[Sentence], probabilities: bool, least_risk: bool | None, threads: int
    ) -> list[ParsedTree]:
        """Sentences that are too long are parsed in pieces, which then stand side by side in one phrase."""
        cut = [cut_sentence(sentence, self.model.config.longest) for sentence in sentences]
        pieces = [piece for each in cut for piece in each]
        parsed = iter(self._trees(Document.from_sentences(pieces), pieces, probabilities, least_risk, threads))
        found = []
        for each in cut:
            parts = [next(parsed) for _ in each]
            if len(parts) == 1:
                found.append(parts[0])
                continue
            tree = joined([part.tree for part in parts], self.labels[0].split("→")[0])
            found.append(ParsedTree(tree, sum(part.score for part in parts)))
        return found

    def kbest(self, sentence: Sentence, k: int) -> list[Ranked[Constituents]]:
        """The k best trees of a sentence, best first; fewer when there are no more.

        A sentence of more than `longest` words has one: the trees of its pieces side by side.
        """
        document = Document.from_sentences([sentence])
        if len(sentence) > self.model.config.longest:
            return [Ranked(one.tree, one.score) for one in self.trees(document)]
        tags = word_tags(sentence)
        ranked = self._native.kbest(self._input(document), 0, k)
        return [
            Ranked(tree_of_spans([tuple(row) for row in rows.tolist()], tags, self.labels), score, log_probability)
            for score, log_probability, rows in ranked
        ]

    def spans(
        self,
        sentence: Sentence,
        *,
        require: Iterable[tuple[int, int]] = (),
        uncrossed: Iterable[tuple[int, int]] = (),
        labels: Mapping[tuple[int, int], Iterable[str]] | None = None,
    ) -> Spans:
        """The distribution over the trees of a sentence, with rules about spans ``(begin, end)``.

        ``require``: spans that must be phrases. ``uncrossed``: spans that no phrase may cross. ``labels``: the labels
        (or categories of chains) that spans may have, if they are phrases.
        """
        if self.model.grammar:
            raise ConfigError("rules about spans, and scores of spans, need a model of spans: this one has spines")
        self._check_length(sentence)
        document = Document.from_sentences([sentence])
        rows = self._native.scores(self._input(document), 0) / self.model.temperature
        scores = np.full((len(sentence) + 1, len(sentence) + 1, len(self.labels)), -np.inf)
        scores[np.triu_indices(len(sentence) + 1, 1)] = rows
        forbid = np.zeros(scores.shape, bool)
        for (begin, end), names in (labels or {}).items():
            allowed = self._allowed(set(names))
            forbid[begin, end] = [number not in allowed for number in range(len(self.labels))]
        return Spans(scores, forbid=forbid, require=require, uncrossed=uncrossed)

    def parse(self, sentence: Sentence, **rules: Any) -> Constituents:
        """The best tree of a sentence that obeys rules; see :meth:`spans`."""
        return tree_of_spans(self.spans(sentence, **rules).argmax().spans, word_tags(sentence), self.labels)

    def _input(self, document: Document) -> Any:
        """What the core reads the sentences from."""
        return document.native if self.model.network is not None else _text.DocumentSequences(document.native)

    def _allowed(self, names: set[str]) -> set[int]:
        """The numbers of labels that have one of these names, whole or in their chain."""
        found = {number for number, label in enumerate(self.labels) if label in names or set(label.split("→")) & names}
        unknown = [name for name in sorted(names) if not any(name in (x, *x.split("→")) for x in self.labels)]
        if unknown:
            raise ConfigError(f"label {unknown[0]!r}: this model knows {', '.join(sorted(self.labels))}")
        return found

    def _check_length(self, sentence: Sentence) -> None:
        if len(sentence) > self.model.config.longest:
            raise ConfigError(f"a sentence of {len(sentence)} words: longest is {self.model.config.longest}")
