# SPDX-License-Identifier: Apache-2.0
"""The parser as a user holds it: load a model, parse documents, natively and in parallel.

A :class:`~accord.tasks.parser.model_file.ParserModel` is what is loaded. What goes beyond the plain parse stands in
files of its own: rules in :mod:`accord.tasks.parser.ruled_trees`, lists of trees in :mod:`accord.tasks.parser.ranked`,
tags in :mod:`accord.tasks.parser.tagging`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.inference.rules import Rule
from accord.inference.rules.text import listed_rules
from accord.models import model_path
from accord.tasks.parser.answers import Pruning, RankedTree, Trees
from accord.tasks.parser.given import Given, Keep, native_given, read_given
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.native import native_parser
from accord.tasks.parser.ranked import ranked_trees, ruled_ranking
from accord.tasks.parser.ruled import RuledParser
from accord.tasks.parser.ruled_trees import ruled_trees
from accord.tasks.parser.search import Search
from accord.tasks.parser.sentence_parts import PartGraph, part_graph
from accord.tasks.parser.tagging import Tags, tagged_document, wants_tags
from accord.tasks.parser.writing import annotated_document


class Parser:
    """A parser ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: ParserModel, *, precision: str | None = None) -> None:
        """``precision``: arithmetic of a neural scorer, "float32" or "int8"; None: as its settings say."""
        self.model = model
        self.config = model.config
        self.labels = model.labels
        self.precision = precision
        self._native = native_parser(model, precision)

    @staticmethod
    def load(model: str | Path, *, precision: str | None = None) -> Parser:
        """The parser of a packaged model or of a file."""
        return Parser(ParserModel.load(model_path(model)), precision=precision)

    def __reduce__(self) -> tuple[Any, ...]:
        return _parser, (self.model, self.precision)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The columns that it predicts besides the tree: "upos", "xpos", "feats", "lemma" or none."""
        return () if self.model.network is None else self.model.network.tasks

    def trees(
        self,
        document: Document,
        *,
        marginals: bool = False,
        keep: Keep = None,
        threads: int = 0,
        constraints: Iterable[Rule | str] = (),
        search: Search | None = None,
        tags: bool = False,
    ) -> Trees:
        """Parse into arrays, by rules (:mod:`accord.inference.rules`) and a search other than the model's own if asked.

        A rule that names words which a sentence does not have leaves that sentence alone. A kept label that the model
        does not know is -1.
        """
        rules = listed_rules(constraints)
        search = Search() if search is None else search
        given = self._kept(document, keep, threads)
        try:
            native = self._native.parse(document.native, search.decoder(self.config), marginals, threads, given, tags)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        trees = Trees(*native[:-1], tags=dict(zip(self.tasks, native[-1], strict=False)))
        if not self.config.part_names():  # arcs alone: every tree is the best
            nothing = np.zeros(len(document), np.int32)
            trees = dataclasses.replace(trees, bounds=trees.scores, statuses=nothing, iterations=nothing)
        if rules or (search.linear and self.config.part_names()):
            temperatures = self.model.temperatures if marginals and rules else None
            return ruled_trees(self._ruled(search), document, trees, rules, given, temperatures)
        return trees

    def _ruled(self, search: Search) -> RuledParser:
        return RuledParser(
            self._native,
            self.config,
            self.labels,
            self.model.single_root,
            tree_labels="tree_labels" in self.model.tables,
            search=search,
        )

    def given(self, document: Document, *, threads: int = 0) -> Given:
        """The heads and labels of a document, for ``keep``; ``problems`` tells which sentences cannot keep them all."""
        return read_given(self._native, document, self.labels, single_root=self.model.single_root, threads=threads)

    def _kept(self, document: Document, keep: Keep, threads: int) -> _tasks.Given | None:
        if keep is None:
            return None
        return native_given(keep if isinstance(keep, Given) else self.given(document, threads=threads), keep)

    def pruning(self, document: Document, *, threads: int = 0) -> Pruning:
        """What the pruner leaves of a document, and how many of its gold heads."""
        return Pruning(*self._native.prune(document.native, threads))

    def parse(
        self,
        document: Document,
        *,
        marginals: bool = False,
        keep: Keep = None,
        threads: int = 0,
        constraints: Iterable[Rule | str] = (),
        search: Search | None = None,
        status: bool = False,
        tags: Tags = "keep",
    ) -> Document:
        """The document with predicted HEAD and DEPREL; all else is kept as it was.

        ``tags``, for models that predict them: "keep" leaves all columns alone, "auto" fills in what is not there,
        "predict" replaces all. Words that have a part of speech count as tagged.

        With ``marginals`` MISC gains ``ArcConf`` and, for labelled models, ``LabelConf``: the probabilities of the head
        and of head and label together; under rules they are conditioned on these, and the comment ``accord_marginals``
        says whether they are exact or an estimate. With ``status`` each sentence gains a comment, too: see
        :attr:`Trees.status`.

        With ``keep="given"`` heads and labels that are there stay, the rest is the best completion, and probabilities
        are conditioned on what is given. Given heads that no tree has together are dropped, as few as possible, with a
        :class:`~accord.tasks.parser.given.DroppedHeadsWarning` for each sentence.
        """
        wanted = self.wants_tags(document, tags)
        trees = self.trees(
            document,
            marginals=marginals,
            keep=keep,
            threads=threads,
            constraints=constraints,
            search=search,
            tags=wanted,
        )
        return self.annotated(document, trees, status=status, tags=tags)

    def wants_tags(self, document: Document, tags: Tags) -> bool:
        """Whether a document gets tags: the model predicts them, and they are asked for or some word has none."""
        return wants_tags(document, tags, self.tasks)

    def tag(self, document: Document, *, keep: frozenset[str] | set[str] = frozenset(), threads: int = 0) -> Document:
        """The document with the tags that a model predicts besides trees; columns in ``keep`` stay where they are."""
        if not self.tasks:
            raise ConfigError("this parser predicts no tags")
        classes = self._native.tag(document.native, threads)
        assert self.model.network is not None
        found = dict(zip(self.tasks, classes, strict=True))
        return tagged_document(self.model.network.vocabulary, document, found, keep)

    def tag_probabilities(self, document: Document, task: str, *, threads: int = 0) -> NDArray[np.float64]:
        """The probability of each word's likeliest tag in a task."""
        found: NDArray[np.float64] = self._native.tag_probabilities(document.native, self.tasks.index(task), threads)
        return found

    def tag_logs(self, sentence: Sentence, task: str) -> NDArray[np.float32]:
        """Logarithms of the probabilities of a task's tags, words x tags."""
        document = Document.from_sentences([sentence])
        logs: NDArray[np.float32] = self._native.tag_logs(document.native, 0, self.tasks.index(task))
        return logs

    def annotated(self, document: Document, trees: Trees, *, status: bool = False, tags: Tags = "predict") -> Document:
        """The document with these trees, and the tags and probabilities that came with them."""
        if trees.tags:
            assert self.model.network is not None
            keep = set(self.tasks) if tags == "auto" else set()
            document = tagged_document(self.model.network.vocabulary, document, trees.tags, keep)
        labelled = self.config.label_mode() != "none"
        return annotated_document(document, trees, self.labels, labelled=labelled, status=status)

    def kbest(
        self,
        sentence: Sentence,
        k: int,
        *,
        keep: Keep = None,
        search: Search | None = None,
        constraints: Iterable[Rule | str] = (),
    ) -> list[RankedTree]:
        """The k best trees of a sentence, best first; each arc carries its best label, or the one that is kept.

        Under rules they are the k best that keep the hard ones, by the score less the costs of the soft ones.

        Models of higher order search among the arcs that their pruner leaves; a search that ends without proof says so
        in ``certified``.
        """
        document = Document.from_sentences([sentence])
        search = search or Search()
        given = self._kept(document, keep, 1)
        kept = None if keep is None else sentence
        if rules := listed_rules(constraints):
            return ruled_ranking(self._ruled(search), document, rules, k, given, kept)
        found = self._native.kbest(document.native, 0, search.decoder(self.config), k, given)
        return ranked_trees(found, self.labels, kept)

    def part_graph(self, sentence: Sentence) -> PartGraph:
        """The sentence's candidate arcs and larger parts as a factor graph, for any solver and further factors."""
        document = Document.from_sentences([sentence])
        return part_graph(self._native, self.config, document, 0, single_root=self.model.single_root)

    def arc_scores(self, sentence: Sentence) -> NDArray[np.float64]:
        """Scores by [head, dependent], shape (n+1, n+1), for use with :mod:`accord.inference.trees`."""
        scores: NDArray[np.float64] = self._native.arc_scores(Document.from_sentences([sentence]).native, 0)
        return scores

    def gold_log_likelihood(self, document: Document, *, threads: int = 0) -> float:
        """Log-probability of the document's own labelled trees under the model.

        Models of higher order: the sum over gold arcs that the pruner leaves of the logarithms of their beliefs.
        """
        return float(self._native.gold_log_likelihood(document.native, list(self.labels), threads))

    def gold_label_log_likelihood(self, document: Document, *, threads: int = 0) -> float:
        """Log-probability of the document's own labels, given its heads."""
        return float(self._native.gold_label_log_likelihood(document.native, list(self.labels), threads))

    def pipe(
        self,
        documents: Iterable[Document],
        *,
        marginals: bool = False,
        keep: Literal["given"] | None = None,
        threads: int = 0,
    ) -> Iterator[Document]:
        """Parse a stream of documents; memory stays flat."""
        for document in documents:
            yield self.parse(document, marginals=marginals, keep=keep, threads=threads)

    def __call__(self, text: str | Document | Sentence | Sequence[Sentence]) -> Document:
        """Parse tagged sentences. Raw text needs a pipeline with a tokeniser, which this model does not have."""
        if isinstance(text, str):
            raise ConfigError(
                "this model parses tagged sentences: pass a Document, for example accord.Document.from_conllu(text)"
            )
        if isinstance(text, Sentence):
            text = [text]
        return self.parse(text if isinstance(text, Document) else Document.from_sentences(text))


def _parser(model: ParserModel, precision: str | None) -> Parser:
    return Parser(model, precision=precision)
