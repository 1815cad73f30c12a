# SPDX-License-Identifier: Apache-2.0
"""The parser as a user holds it: load a model, parse documents, natively and in parallel.

A :class:`~accord.tasks.parser.model_file.ParserModel` is what is loaded. What goes beyond the plain parse stands in
files of its own: rules in :mod:`accord.tasks.parser.ruled_trees`, lists of trees in :mod:`accord.tasks.parser.ranked`,
tags in :mod:`accord.tasks.parser.tagging`.
"""

from __future__ import annotations

import dataclasses
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document, Sentence
from accord.data.document import COLUMNS
from accord.data.native import NativeDocument
from accord.errors import ConfigError, FormatError, ModelError
from accord.models.stored import open_worker
from accord.tasks.network.config import PRECISIONS
from accord.tasks.parser.answers import Pruning, RankedTree, Trees
from accord.tasks.parser.config import parser_settings
from accord.tasks.parser.given import Given, Keep, native_given, read_given
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.options import ParseOptions, Search, Tags, parse_options

if TYPE_CHECKING:  # imported where a parse has rules, ranks trees or is a graph
    from accord.tasks.parser.ruled import RuledParser
    from accord.tasks.parser.sentence_parts import PartGraph, Parts

LONG_SENTENCE = 5000  # words; under a budget longer sentences are parsed window by window
_EMPTY_NODE = re.compile(rb"^\d+\.\d+\t.*\n", re.MULTILINE)
LEMMA_IS_FORM = "keep/0//0/"  # the lemma rule that changes nothing


class Parser:
    """A parser ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: ParserModel, *, precision: str | None = None, lemma_is_form: bool = False) -> None:
        """``precision``: arithmetic of a neural scorer, "float32" or "int8"; None: as its settings say.

        ``lemma_is_form``: words of the language do not change, so that where tags are predicted each is its own lemma.
        """
        self.model = model
        self.lemma_is_form = lemma_is_form
        self.config = model.config
        self.labels = model.labels
        self.precision = precision
        self._native = _native_parser(model, precision)

    @staticmethod
    def load(model: str | Path, *, precision: str | None = None) -> Parser:
        """The parser of a packaged model or of a file."""
        return open_worker(
            lambda stored: Parser(stored, precision=precision), ParserModel, model, chosen=precision is not None
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _parser, (self.model, self.precision, self.lemma_is_form)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it predicts besides the tree: "upos", "xpos", "feats", "lemma" or none."""
        return () if self.model.network is None else self.model.network.tasks

    @property
    def reads_tags(self) -> bool:
        """Whether tags of a document change its trees. Networks that predict tags do not read them."""
        network = self.model.network
        return network is None or self.model.shares is not None or network.config.tags == "given"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The old name of ``columns``."""
        warnings.warn("Parser.tasks is Parser.columns now", DeprecationWarning, stacklevel=2)
        return self.columns

    def trees(self, document: Document, options: ParseOptions | None = None, **changes: Any) -> Trees:
        """Parse into arrays; for the options see :class:`~accord.tasks.parser.options.ParseOptions`.

        A rule that names words which a sentence does not have leaves that sentence alone. A kept label that the model
        does not know is -1.
        """
        return self._trees(document, parse_options(options, changes, tags="keep"))

    def _trees(self, document: Document, options: ParseOptions) -> Trees:
        rules, search = options.parsed_rules, options.search
        if search.seconds < math.inf and not rules and options.keep is None and self._too_long(document):
            from accord.tasks.parser.windows import Windows

            windows = Windows(document, LONG_SENTENCE)
            return windows.joined(self._trees(windows.document, options), self.labels)
        given = self._kept(document, options.keep, options.threads)
        tags = self.wants_tags(document, options.tags)
        if tags and self.reads_tags:  # linear features read what the network predicts
            classes = self._classes(document, options.threads)
            tagged = self._tagged(document, classes, self._kept_columns(options.tags))
            trees = self._trees(tagged, dataclasses.replace(options, tags="keep"))
            return dataclasses.replace(trees, tags=classes)
        try:
            native = self._native.parse(
                document.native, search.decoder(self.config), options.probabilities, options.threads, given, tags
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None
        trees = Trees(*native[:-1], tags=dict(zip(self.columns, native[-1], strict=False)))
        if not self.config.part_names():  # arcs alone: every tree is the best
            nothing = np.zeros(len(document), np.int32)
            trees = dataclasses.replace(trees, bounds=trees.scores, statuses=nothing, iterations=nothing)
        if rules or (search.linear and self.config.part_names()):
            from accord.tasks.parser.ruled_trees import ruled_trees

            temperatures = self.model.temperatures if options.probabilities and rules else None
            return ruled_trees(self._ruled(search), document, trees, rules, given, temperatures)
        return trees

    def _too_long(self, document: Document) -> bool:
        """Whether a sentence is too long for all pairs of its words, which models without a pruner score."""
        pruned = self.model.network is None and bool(self.config.part_names())
        return not pruned and bool(document.lengths.max(initial=0) > LONG_SENTENCE)

    def _ruled(self, search: Search) -> RuledParser:
        from accord.tasks.parser.ruled import RuledParser

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

    def parse(self, document: Document, options: ParseOptions | None = None, **changes: Any) -> Document:
        """The document with predicted HEAD and DEPREL; all else is kept as it was, but DEPS go.

        For the options see :class:`~accord.tasks.parser.options.ParseOptions`; they may be given by name. ``tags`` is
        "keep" here unless it is given: "auto" fills in what is not there and "predict" replaces all, for models that
        predict tags. Words that have a part of speech count as tagged.

        With ``probabilities`` MISC gains ``ArcConf`` and, for labelled models, ``LabelConf``: the probabilities of the
        head and of head and label together; under rules they are conditioned on these, and the comment
        ``accord_marginals`` says whether they are exact or an estimate. The comment ``accord_confidence`` says how
        probable it is that the whole tree with its labels is right, where training has fitted this. With ``status``
        each sentence gains a comment, too: see :attr:`Trees.status`. With ``k`` each sentence comes once for each of
        its k best trees, as ``kbest`` lists them, with comments that tell rank and score.

        With ``keep="given"`` heads and labels that are there stay, the rest is the best completion, and probabilities
        are conditioned on what is given. Given heads that no tree has together are dropped, as few as possible, with a
        :class:`~accord.tasks.parser.given.DroppedHeadsWarning` for each sentence.
        """
        chosen = parse_options(options, changes, tags="keep")
        if chosen.k == 1:
            return self.annotated(document, self._trees(document, chosen), chosen)
        from accord.tasks.parser.ranked import ranked_sentences

        return Document.from_sentences(
            ranked
            for sentence in document.sentences
            for ranked in (
                ranked_sentences(sentence, self._kbest(sentence, chosen)) if len(sentence) else iter((sentence,))
            )
        )

    def wants_tags(self, document: Document, tags: Tags) -> bool:
        """Whether a document gets tags: the model predicts them, and they are asked for or some word has none."""
        if tags == "keep" or not self.columns:
            return False
        first = "upos" if "upos" in self.columns else self.columns[0]
        return tags == "predict" or document.has_gaps(first)

    def tag(self, document: Document, *, keep: frozenset[str] | set[str] = frozenset(), threads: int = 0) -> Document:
        """The document with the tags that a model predicts besides trees; columns in ``keep`` stay where they are."""
        if not self.columns:
            raise ConfigError("this parser predicts no tags")
        return self._tagged(document, self._classes(document, threads), keep)

    def _classes(self, document: Document, threads: int) -> dict[str, NDArray[np.int32]]:
        """The class of each word in each column that it predicts."""
        return dict(zip(self.columns, self._native.tag(document.native, threads), strict=True))

    def _kept_columns(self, tags: Tags) -> set[str]:
        """The columns whose values stay where they are there."""
        return {*self.columns, "lemma"} if tags == "auto" else set()

    def _tagged(
        self, document: Document, classes: Mapping[str, NDArray[np.int32]], keep: frozenset[str] | set[str]
    ) -> Document:
        """The document with the classes of each column as tags; columns in ``keep`` stay where they are."""
        assert self.model.network is not None
        names = self.model.network.vocabulary.classes
        native = document.native
        try:
            for column, numbers in classes.items():
                if column != "lemma":
                    native = native.with_names(COLUMNS.index(column), numbers, list(names[column]), column in keep)
                elif not self.lemma_is_form:
                    native = native.with_lemmas(numbers, list(names[column]), column in keep)
            if self.lemma_is_form:
                numbers = np.zeros(native.total_words, np.int32)
                native = native.with_lemmas(numbers, [LEMMA_IS_FORM], "lemma" in keep)
        except ValueError as error:
            raise FormatError(str(error), file=document.name) from None
        return document.with_native(native)

    def tag_probabilities(self, document: Document, column: str, *, threads: int = 0) -> NDArray[np.float64]:
        """The probability of each word's likeliest tag in a column."""
        number = self.columns.index(column)
        found: NDArray[np.float64] = self._native.tag_probabilities(document.native, number, threads)
        return found

    def tag_logs(self, sentence: Sentence, column: str, *, alone: bool = False) -> NDArray[np.float32]:
        """Logarithms of the probabilities of a column's tags, words x tags.

        ``alone``: of the column by itself, whatever tags of other columns they go with.
        """
        document = Document.from_sentences([sentence])
        logs: NDArray[np.float32] = self._native.tag_logs(document.native, 0, self.columns.index(column), alone)
        return logs

    def tree_confidence(self, trees: Trees) -> NDArray[np.float64]:
        """How probable it is that a whole tree with its labels is right, by sentence; trees come with probabilities.

        The probability of a tree by the model is too low for that: where one arc of a tree is right, the others more
        often are. So dev data fit a temperature for whole trees. A model without one gives its own probability.
        """
        found: NDArray[np.float64] = np.exp(trees.tree_log_probability / (self.model.whole_temperature or 1.0))
        return found

    def arc_confidences(self, trees: Trees) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How probable it is that heads, and heads with their labels, are right; trees come with probabilities.

        Dev data fit how often arcs of a probability are right. A model without that gives its own probabilities.
        """
        fitted = self.model.confidences
        arcs = fitted[0].of(trees.arc_probability) if fitted else trees.arc_probability
        if len(fitted) < 2:
            return arcs, trees.label_probability
        return arcs, np.minimum(fitted[1].of(trees.label_probability), arcs)

    def annotated(self, document: Document, trees: Trees, options: ParseOptions | None = None) -> Document:
        """The document with these trees, and the tags and probabilities that came with them.

        The enhanced graph in DEPS belongs to the tree in HEAD and DEPREL, so it goes; under ``keep`` it stays where the
        tree is the one that was given. Comments say whether probabilities under rules are exact, and with ``status``
        how each search ended.
        """
        options = options or ParseOptions(tags="predict")
        if trees.tags:
            document = self._tagged(document, trees.tags, self._kept_columns(options.tags))
        arcs, labelled = self.arc_confidences(trees)
        if self.config.label_mode() == "none":
            labelled = np.zeros(0)
        has_graph = document.has_values("deps")
        try:
            native = document.native.with_trees(trees.heads, trees.labels, list(self.labels), arcs, labelled)
        except ValueError as error:
            raise FormatError(str(error), file=document.name) from None
        if options.keep is None and has_graph:
            native = _without_graph(native)
        parsed = document.with_native(native)
        if trees.ruled_probabilities:
            kinds = [trees.ruled_probabilities.get(index) for index in range(len(document))]
            parsed = parsed.with_comments("accord_marginals", kinds)
        if self.model.whole_temperature is not None and len(trees.tree_log_probability) == len(document) > 0:
            sure = zip(self.tree_confidence(trees).tolist(), document.lengths.tolist(), strict=True)
            parsed = parsed.with_comments("accord_confidence", [f"{one:.4f}" if words else None for one, words in sure])
        if not options.status:
            return parsed
        ends = zip(trees.status, document.lengths.tolist(), strict=True)
        return parsed.with_comments("accord_status", [name if words else None for name, words in ends])

    def kbest(
        self, sentence: Sentence, k: int | None = None, options: ParseOptions | None = None, **changes: Any
    ) -> list[RankedTree]:
        """The k best trees of a sentence, best first; each arc carries its best label, or the one that is kept.

        Under rules they are the k best that keep the hard ones, by the score less the costs of the soft ones.

        Models of higher order search among the arcs that their pruner leaves; a search that ends without proof says so
        in ``certified``. For the options see :class:`~accord.tasks.parser.options.ParseOptions`.
        """
        if k is not None:
            changes["k"] = k
        return self._kbest(sentence, parse_options(options, changes, tags="keep"))

    def _kbest(self, sentence: Sentence, options: ParseOptions) -> list[RankedTree]:
        from accord.tasks.parser.ranked import ranked_trees, ruled_ranking

        document = Document.from_sentences([sentence])
        given = self._kept(document, options.keep, 1)
        kept = None if options.keep is None else sentence
        if rules := options.parsed_rules:
            return ruled_ranking(self._ruled(options.search), document, rules, options.k, given, kept)
        found = self._native.kbest(document.native, 0, options.search.decoder(self.config), options.k, given)
        return ranked_trees(found, self.labels, kept)

    def part_graph(self, sentence: Sentence) -> PartGraph:
        """The sentence's candidate arcs and larger parts as a factor graph, for any solver and further factors."""
        from accord.tasks.parser.sentence_parts import part_graph

        document = Document.from_sentences([sentence])
        return part_graph(self._native, self.config, document, 0, single_root=self.model.single_root)

    def scored_parts(self, sentence: Sentence) -> tuple[NDArray[np.float64], Parts]:
        """Scores of arcs by [head, dependent], ``-inf`` where the pruner leaves none, and the parts of several arcs."""
        from accord.tasks.parser.sentence_parts import scored_parts

        return scored_parts(self._native, self.config, Document.from_sentences([sentence]), 0)

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
        self, documents: Iterable[Document], options: ParseOptions | None = None, **changes: Any
    ) -> Iterator[Document]:
        """Parse a stream of documents, each for itself; memory stays flat."""
        chosen = parse_options(options, changes, tags="keep")
        for document in documents:
            yield self.parse(document, chosen)

    def __call__(self, text: str | Document | Sentence | Sequence[Sentence]) -> Document:
        """Parse tagged sentences. Raw text needs a pipeline with a tokeniser, which this model does not have."""
        if isinstance(text, str):
            raise ConfigError(
                "this model parses tagged sentences: pass a Document, for example accord.Document.from_conllu(text)"
            )
        if isinstance(text, Sentence):
            text = [text]
        return self.parse(text if isinstance(text, Document) else Document.from_sentences(text))


def _without_graph(native: Any) -> Any:
    """A document of the core without the enhanced graphs of its sentences: DEPS and empty nodes."""
    plain = native.edited(None, [(COLUMNS.index("deps"), ["_"] * native.total_words)], None)
    data = bytes(plain.whole())
    if plain.problems or not _EMPTY_NODE.search(data):  # what could not be read stays as it is
        return plain
    return NativeDocument.parse(_EMPTY_NODE.sub(b"", data), plain.layout)


def _parser(model: ParserModel, precision: str | None, lemma_is_form: bool = False) -> Parser:
    return Parser(model, precision=precision, lemma_is_form=lemma_is_form)


def _native_parser(model: ParserModel, precision: str | None) -> _tasks.ParserModel:
    """The core's parser of a model; ``precision``: arithmetic of a neural scorer, None: as its settings say."""
    config, network = model.config, model.network
    if precision not in (None, *PRECISIONS):
        raise ConfigError(f"precision = {precision!r}: expected one of {', '.join(PRECISIONS)}")
    if precision == "int8" and network is None:
        raise ConfigError("precision = 'int8': only neural scorers have it, and this parser's scorer is linear")
    if (config.scorer != "linear") != (network is not None):
        raise ModelError(f"scorer = {config.scorer!r} {'without' if network is None else 'with'} a network")
    if (config.scorer == "both") != (model.shares is not None):
        raise ModelError(f"scorer = {config.scorer!r} {'without' if model.shares is None else 'with'} shares of two")
    try:
        settings = parser_settings(
            config,
            model.templates,
            len(model.labels),
            single_root=model.single_root,
            tree_labels="tree_labels" in model.tables,
            temperature=model.temperature,
            label_temperature=model.label_temperature,
            patterns=model.patterns,
            tag_temperatures=model.tag_temperatures,
        )
        if network is not None and model.shares is None:
            return _tasks.ParserModel(settings, network.native(precision))
        clusters = _text.ClusterLexicon.read(model.clusters.encode())
        if network is None or model.shares is None:
            return _tasks.ParserModel(settings, config.table, dict(model.tables), clusters)
        shares = _tasks.ScorerShares(**model.shares._asdict())
        return _tasks.ParserModel(
            settings, config.table, dict(model.tables), clusters, network.native(precision), shares
        )
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"the model's parts do not fit together: {error}") from None
    except TypeError:  # whose message lists the signatures of native functions
        raise ModelError("the model's parts do not fit together: something is of another type") from None
