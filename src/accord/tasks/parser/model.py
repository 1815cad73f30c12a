"""The parser as a user holds it: load a model, parse documents.

Reading this file top to bottom: a :class:`ParserModel` (configuration, labels, weight tables) goes to and from a model
file; a :class:`Parser` puts it to work on documents, natively and in parallel.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document, Sentence
from accord.errors import ConfigError, ModelError
from accord.inference.rules import Rule, parse_rule
from accord.inference.rules.problem import LabelledTree
from accord.models import model_path
from accord.models.blocks import blocks_of_file, join_blocks, part_of_blocks
from accord.models.file import ModelFile, write_model
from accord.settings import make_settings
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.network.config import PRECISIONS
from accord.tasks.network.model import NetworkModel
from accord.tasks.parser.config import NO_PROBABILITIES, ParserConfig
from accord.tasks.parser.given import Given, Keep, native_given, read_given
from accord.tasks.parser.ruled import RuledParser, Unkept, kept_rules
from accord.tasks.parser.search import STATUSES, Search
from accord.tasks.parser.sentence_parts import PartGraph, part_graph
from accord.tasks.weights import Arrays, Weights, tables_from_blocks, tables_to_blocks

KIND = "parser"
Tags = Literal["auto", "predict", "keep"]


@dataclass(frozen=True)
class ParserModel:
    """All that a trained parser is. ``card`` says where it comes from: data, licence, scores, training log."""

    config: ParserConfig
    single_root: bool
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    network: NetworkModel | None = None  # of a neural scorer, which has no tables
    temperature: float = 1.0
    label_temperature: float | None = None  # of labels given their arcs; None: that of the trees
    card: dict[str, Any] = dataclasses.field(default_factory=dict)

    def save(self, path: str | Path) -> None:
        write_model(path, *self.to_blocks())

    def to_blocks(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, of a model file or of a part of one."""
        about, arrays = tables_to_blocks(self.tables)
        header: dict[str, Any] = {
            "kind": KIND,
            "config": dataclasses.asdict(self.config),
            "single_root": self.single_root,
            "labels": list(self.labels),
            "templates": self.templates,
            "temperature": self.temperature,
            "label_temperature": self.label_temperature,
            "card": self.card,
            "tables": about,
        }
        if self.network is not None:
            own, arrays = join_blocks({"network": self.network.to_blocks()})
            return {**header, **own}, arrays
        return header, {"clusters": np.frombuffer(self.clusters.encode(), np.uint8), **arrays}

    @staticmethod
    def load(path: str | Path) -> ParserModel:
        """The parser of a model file, which may be that of a pipeline."""
        return ParserModel.from_blocks(*blocks_of_file(ModelFile(path), KIND))

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> ParserModel:
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a parser")
        try:
            network = None
            if "network" in header:
                network = NetworkModel.from_blocks(*part_of_blocks(header, arrays, "network"))
            config = make_settings(ParserConfig, header["config"])
            if (config.scorer == "neural") != (network is not None):
                raise ValueError(f"scorer = {config.scorer!r} {'without' if network is None else 'with'} a network")
            return ParserModel(
                config=config,
                single_root=bool(header["single_root"]),
                labels=tuple(header["labels"]),
                templates=header["templates"],
                tables=tables_from_blocks(header["tables"], arrays),
                clusters="" if network is not None else arrays["clusters"].tobytes().decode(),
                network=network,
                temperature=float(header["temperature"]),
                label_temperature=_optional(header.get("label_temperature")),
                card=dict(header["card"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, ConfigError) as error:
            raise ModelError(f"{path}: not a parser model this version understands ({error})") from None


def _optional(number: Any) -> float | None:
    return None if number is None else float(number)


def parser_settings(
    config: ParserConfig,
    templates: str,
    labels: int,
    *,
    single_root: bool,
    tree_labels: bool,
    temperature: float = 1.0,
    label_temperature: float | None = None,
) -> _tasks.ParserSettings:
    return _tasks.ParserSettings(
        templates=templates,
        labels=labels,
        mode=config.label_mode(),
        projective=config.projective,
        single_root=single_root,
        temperature=temperature,
        parts=list(config.part_names()),
        pruner_heads=config.pruner_heads,
        pruner_threshold=config.pruner_threshold,
        tree_labels=tree_labels,
        label_temperature=temperature if label_temperature is None else label_temperature,
    )


@dataclass(frozen=True)
class Trees:
    """Parses of the words of a document, sentences concatenated."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    arc_probability: NDArray[np.float64]
    label_probability: NDArray[np.float64]
    tree_log_probability: NDArray[np.float64]
    bounds: NDArray[np.float64]  # by sentence: no tree of the candidates scores more
    statuses: NDArray[np.int32]  # by sentence: number in STATUSES
    iterations: NDArray[np.int32]
    broken: Mapping[int, Mapping[Rule, int]] = dataclasses.field(default_factory=dict)  # soft rules, by sentence
    unkept: Mapping[int, tuple[Unkept, ...]] = dataclasses.field(default_factory=dict)  # hard rules, by sentence
    tags: Mapping[str, NDArray[np.int32]] = dataclasses.field(default_factory=dict)  # by task: classes, if asked for

    @property
    def status(self) -> tuple[str, ...]:
        """How each sentence's search ended.

        ``optimal``: the tree is proved best among the trees of the candidate arcs; ``fractional``: the relaxation is
        solved and has no tree, this is its rounding; ``budget``: rounds, time or nodes ran out; ``estimate``: beliefs.
        """
        return tuple(STATUSES[number] for number in self.statuses.tolist())


@dataclass(frozen=True)
class Pruning:
    """Words, candidate arcs, and words whose gold head is among the candidates."""

    words: int
    arcs: int
    gold: int

    @property
    def heads_per_word(self) -> float:
        return self.arcs / max(self.words, 1)

    @property
    def recall(self) -> float:
        return self.gold / max(self.words, 1)


@dataclass(frozen=True)
class RankedTree:
    """One of the k best trees of a sentence: heads and deprels of words 1..n, and the model's score.

    ``certified``: this tree and those before it in the list are proved the best.
    """

    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    score: float
    certified: bool = True


def _rooted(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Values of words 1..n with the root's, -1, before them."""
    return np.concatenate([np.array([-1], np.int32), values])


class Parser:
    """A parser ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: ParserModel, *, precision: str | None = None) -> None:
        """``precision``: arithmetic of a neural scorer, "float32" or "int8"; None: as its settings say."""
        if precision not in (None, *PRECISIONS):
            raise ConfigError(f"precision = {precision!r}: expected one of {', '.join(PRECISIONS)}")
        if precision == "int8" and model.network is None:
            raise ConfigError("precision = 'int8': only neural scorers have it, and this parser's scorer is linear")
        self.model = model
        self.config = model.config
        self.labels = model.labels
        tables: dict[str, object] = {name: table.native for name, table in model.tables.items()}
        try:
            settings = parser_settings(
                model.config,
                model.templates,
                len(model.labels),
                single_root=model.single_root,
                tree_labels="tree_labels" in model.tables,
                temperature=model.temperature,
                label_temperature=model.label_temperature,
            )
            if model.network is not None:
                self._native = _tasks.ParserModel(settings, model.network.native(precision))
            else:
                self._native = _tasks.ParserModel(settings, model.config.table, tables, cluster_lexicon(model.clusters))
        except (ValueError, RuntimeError) as error:
            raise ModelError(f"the model's parts do not fit together: {error}") from None
        except TypeError:  # whose message lists the signatures of native functions
            raise ModelError("the model's parts do not fit together: something is of another type") from None

    @staticmethod
    def load(model: str | Path, *, precision: str | None = None) -> Parser:
        """The parser of a packaged model or of a file."""
        return Parser(ParserModel.load(model_path(model)), precision=precision)

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
        rules = tuple(parse_rule(rule) if isinstance(rule, str) else rule for rule in constraints)
        if rules and marginals:
            raise ConfigError("marginals are those of the model without rules: ask for one of them at a time")
        if marginals:
            self._check_probabilities()
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
            return self._searched(document, trees, rules, search, given)
        return trees

    def _searched(
        self, document: Document, trees: Trees, rules: tuple[Rule, ...], search: Search, given: _tasks.Given | None
    ) -> Trees:
        """Trees of the core, replaced where they break a rule, or all by a solver that the core does not have."""
        ruled = RuledParser(
            self._native,
            self.config,
            self.labels,
            self.model.single_root,
            tree_labels="tree_labels" in self.model.tables,
            search=search,
        )
        changed = dataclasses.replace(
            trees,
            **{name: getattr(trees, name).copy() for name in ("heads", "labels", "scores", "bounds", "statuses")},
        )
        broken: dict[int, Mapping[Rule, int]] = {}
        unkept: dict[int, tuple[Unkept, ...]] = {}
        for index, words in enumerate(document.lengths.tolist()):
            if words == 0:
                continue
            first = document.native.first_word(index)
            here = slice(first, first + words)
            tree = LabelledTree(_rooted(trees.heads[here]), _rooted(trees.labels[here]))
            if not search.linear and not ruled.broken(document, index, rules, tree):
                continue
            kept = () if given is None else kept_rules(*given.sentence(index), self.labels)
            answer = ruled.parse(document, index, rules, kept)
            solution = answer.solution
            changed.heads[here] = solution.heads[1:]
            if solution.labels is not None:  # words without one keep what they have
                changed.labels[here] = np.where(trees.labels[here] < 0, -1, solution.labels[1:])
            changed.scores[index], changed.bounds[index] = solution.value, solution.bound
            changed.statuses[index] = STATUSES.index(solution.status)
            if solution.broken:
                broken[index] = solution.broken
            if answer.unkept:
                unkept[index] = answer.unkept
        return dataclasses.replace(changed, broken=broken, unkept=unkept)

    def given(self, document: Document, *, threads: int = 0) -> Given:
        """The heads and labels of a document, for ``keep``; ``problems`` tells which sentences cannot keep them all."""
        return read_given(self._native, document, self.labels, single_root=self.model.single_root, threads=threads)

    def _check_probabilities(self) -> None:
        if not self.config.has_probabilities():
            raise ConfigError(f"{NO_PROBABILITIES} have no probabilities")

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
        and of head and label together. With ``status`` each sentence gains a comment: see :attr:`Trees.status`.

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
        if tags == "keep" or not self.tasks:
            return False
        return tags == "predict" or "_" in document.column("upos" if "upos" in self.tasks else self.tasks[0])

    def tag(self, document: Document, *, keep: frozenset[str] | set[str] = frozenset(), threads: int = 0) -> Document:
        """The document with the tags that a model predicts besides trees; columns in ``keep`` stay where they are."""
        if not self.tasks:
            raise ConfigError("this parser predicts no tags")
        classes = self._native.tag(document.native, threads)
        return self._tagged(document, dict(zip(self.tasks, classes, strict=True)), keep)

    def tag_probabilities(self, document: Document, task: str, *, threads: int = 0) -> NDArray[np.float64]:
        """The probability of each word's likeliest tag in a task."""
        found: NDArray[np.float64] = self._native.tag_probabilities(document.native, self.tasks.index(task), threads)
        return found

    def tag_logs(self, sentence: Sentence, task: str) -> NDArray[np.float32]:
        """Logarithms of the probabilities of a task's tags, words x tags."""
        document = Document.from_sentences([sentence])
        logs: NDArray[np.float32] = self._native.tag_logs(document.native, 0, self.tasks.index(task))
        return logs

    def _tagged(
        self, document: Document, classes: Mapping[str, NDArray[np.int32]], keep: frozenset[str] | set[str]
    ) -> Document:
        assert self.model.network is not None
        vocabulary = self.model.network.vocabulary
        columns: dict[str, Any] = {}
        for task, numbers in classes.items():
            if task == "lemma":
                found = vocabulary.lemmas(document, numbers)
            else:
                names = vocabulary.classes[task]
                found = [names[number] for number in numbers.tolist()]
            if task in keep:
                given = document.column(task)
                found = [new if old == "_" else old for old, new in zip(given, found, strict=True)]
            columns["lemmas" if task == "lemma" else task] = found
        return document.replace(**columns)

    def annotated(self, document: Document, trees: Trees, *, status: bool = False, tags: Tags = "predict") -> Document:
        """The document with these trees, and the tags and probabilities that came with them."""
        if trees.tags:
            document = self._tagged(document, trees.tags, set(self.tasks) if tags == "auto" else set())
        entries: list[str] = []
        if trees.arc_probability.size:
            entries = [f"ArcConf={arc:.4f}" for arc in trees.arc_probability.tolist()]
            if self.config.label_mode() != "none":
                pairs = zip(entries, trees.label_probability.tolist(), strict=True)
                entries = [f"{entry}|LabelConf={label:.4f}" for entry, label in pairs]
        written = _tasks.write_trees(document.native, trees.heads, trees.labels, list(self.labels), entries)
        parsed = Document(written, format=document.format, name=document.name, on_error="keep")
        if not status:
            return parsed
        words = document.lengths.tolist()
        return parsed.with_comments(
            "accord_status", [name if count else None for name, count in zip(trees.status, words, strict=True)]
        )

    def kbest(self, sentence: Sentence, k: int, *, keep: Keep = None, search: Search | None = None) -> list[RankedTree]:
        """The k best trees of a sentence, best first; each arc carries its best label, or the one that is kept.

        Models of higher order search among the arcs that their pruner leaves; a search that ends without proof says so
        in ``certified``.
        """
        document = Document.from_sentences([sentence])
        decoder = (search or Search()).decoder(self.config)
        given = self._kept(document, keep, 1)
        kept_names = ["_"] * len(sentence) if keep is None else sentence.deprels
        return [
            RankedTree(
                tuple(heads[1:].tolist()),
                tuple(
                    self.labels[label] if label >= 0 else kept
                    for label, kept in zip(labels[1:].tolist(), kept_names, strict=True)
                ),
                score,
                certified,
            )
            for score, heads, labels, certified in self._native.kbest(document.native, 0, decoder, k, given)
        ]

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
        self._check_probabilities()
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
