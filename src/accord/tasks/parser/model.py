"""The parser as a user holds it: load a model, parse documents.

Reading this file top to bottom: a :class:`ParserModel` (configuration, labels, weight tables) goes to and from a model
file; a :class:`Parser` puts it to work on documents, natively and in parallel.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document, Sentence
from accord.errors import ConfigError, FormatError, ModelError
from accord.models.file import ModelFile, write_model
from accord.settings import make_settings
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.given import Given, Keep, native_given, read_given

KIND = "parser"


@dataclass(frozen=True)
class Weights:
    """A frozen weight table: 2^bits rows of small integers times a scale."""

    bits: int
    width: int
    scale: float
    values: NDArray[Any]
    fingerprints: NDArray[np.uint32]


@dataclass(frozen=True)
class ParserModel:
    """All that a trained parser is. ``card`` says where it comes from: data, licence, scores, training log."""

    config: ParserConfig
    single_root: bool
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    temperature: float = 1.0
    label_temperature: float | None = None  # of labels given their arcs; None: that of the trees
    card: dict[str, Any] = dataclasses.field(default_factory=dict)

    def save(self, path: str | Path) -> None:
        header = {
            "kind": KIND,
            "config": dataclasses.asdict(self.config),
            "single_root": self.single_root,
            "labels": list(self.labels),
            "templates": self.templates,
            "temperature": self.temperature,
            "label_temperature": self.label_temperature,
            "card": self.card,
            "tables": {
                name: {"bits": table.bits, "width": table.width, "scale": table.scale}
                for name, table in self.tables.items()
            },
        }
        arrays: dict[str, NDArray[Any]] = {"clusters": np.frombuffer(self.clusters.encode(), np.uint8)}
        for name, table in self.tables.items():
            arrays[name] = table.values
            arrays[f"{name}.fingerprints"] = table.fingerprints
        write_model(path, header, arrays)

    @staticmethod
    def load(path: str | Path) -> ParserModel:
        return ParserModel.from_file(ModelFile(path))

    @staticmethod
    def from_file(file: ModelFile) -> ParserModel:
        header = file.header
        if header.get("kind") != KIND:
            raise ModelError(f"{file.path}: a model of kind {header.get('kind')!r}, not a parser")
        try:
            tables = {
                name: Weights(
                    int(about["bits"]),
                    int(about["width"]),
                    float(about["scale"]),
                    file.arrays[name],
                    file.arrays[f"{name}.fingerprints"],
                )
                for name, about in header["tables"].items()
            }
            return ParserModel(
                config=make_settings(ParserConfig, header["config"]),
                single_root=bool(header["single_root"]),
                labels=tuple(header["labels"]),
                templates=header["templates"],
                tables=tables,
                clusters=file.arrays["clusters"].tobytes().decode(),
                temperature=float(header["temperature"]),
                label_temperature=_optional(header.get("label_temperature")),
                card=dict(header["card"]),
            )
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"{file.path}: not a parser model this version understands ({error})") from None


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
        mode=config.labels,
        projective=config.projective,
        single_root=single_root,
        temperature=temperature,
        parts=list(config.part_names()),
        pruner_heads=config.pruner_heads,
        pruner_threshold=config.pruner_threshold,
        tree_labels=tree_labels,
        label_temperature=temperature if label_temperature is None else label_temperature,
    )


def decoder_settings(
    solver: str, iterations: int, *, search_nodes: int, seconds: float = math.inf, nodes: int = 10_000
) -> _tasks.DecoderSettings:
    return _tasks.DecoderSettings(
        solver=solver, iterations=iterations, seconds=seconds, nodes=nodes, search_nodes=search_nodes
    )


def cluster_lexicon(text: str) -> _text.ClusterLexicon:
    """Word clusters from 'bits<TAB>word[<TAB>count]' lines."""
    lexicon = _text.ClusterLexicon()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        bits, tab, rest = line.partition("\t")
        if not tab or not bits or set(bits) - {"0", "1"}:
            raise FormatError("expected 'bits<TAB>word'", file="clusters", line=number)
        lexicon.add(rest.partition("\t")[0], bits)
    return lexicon


@dataclass(frozen=True)
class Trees:
    """Parses of the words of a document, sentences concatenated."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    arc_probability: NDArray[np.float64]
    label_probability: NDArray[np.float64]
    tree_log_probability: NDArray[np.float64]
    bounds: NDArray[np.float64]
    statuses: NDArray[np.int32]
    iterations: NDArray[np.int32]


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


class Parser:
    """A parser ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: ParserModel) -> None:
        self.model = model
        self.config = model.config
        self.labels = model.labels
        tables: dict[str, object] = {
            name: (table.bits, table.width, table.scale, table.values, table.fingerprints)
            for name, table in model.tables.items()
        }
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
            self._native = _tasks.ParserModel(settings, model.config.table, tables, cluster_lexicon(model.clusters))
        except (ValueError, TypeError, RuntimeError) as error:
            raise ModelError(f"the model's parts do not fit together: {error}") from None

    @staticmethod
    def load(path: str | Path) -> Parser:
        return Parser(ParserModel.load(path))

    def trees(self, document: Document, *, marginals: bool = False, keep: Keep = None, threads: int = 0) -> Trees:
        """Parse into arrays. A kept label that the model does not know is -1."""
        decoder = decoder_settings(self.config.solver, self.config.iterations, search_nodes=self.config.search_nodes)
        given = self._kept(document, keep, threads)
        try:
            return Trees(*self._native.parse(document.native, decoder, marginals, threads, given))
        except ValueError as error:
            raise ConfigError(str(error)) from None

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

    def parse(self, document: Document, *, marginals: bool = False, keep: Keep = None, threads: int = 0) -> Document:
        """The document with predicted HEAD and DEPREL; all else is kept as it was.

        With ``marginals`` MISC gains ``ArcConf`` and, for labelled models, ``LabelConf``: the probabilities of the head
        and of head and label together.

        With ``keep="given"`` heads and labels that are there stay, the rest is the best completion, and probabilities
        are conditioned on what is given. Given heads that no tree has together are dropped, as few as possible, with a
        :class:`~accord.tasks.parser.given.DroppedHeadsWarning` for each sentence.
        """
        trees = self.trees(document, marginals=marginals, keep=keep, threads=threads)
        entries: list[str] = []
        if marginals:
            entries = [f"ArcConf={arc:.4f}" for arc in trees.arc_probability.tolist()]
            if self.config.labels != "none":
                pairs = zip(entries, trees.label_probability.tolist(), strict=True)
                entries = [f"{entry}|LabelConf={label:.4f}" for entry, label in pairs]
        written = _tasks.write_trees(document.native, trees.heads, trees.labels, list(self.labels), entries)
        return Document(written, format=document.format, name=document.name, on_error="keep")

    def kbest(self, sentence: Sentence, k: int, *, keep: Keep = None) -> list[RankedTree]:
        """The k best trees of a sentence, best first; each arc carries its best label, or the one that is kept.

        Models of higher order search among the arcs that their pruner leaves; a search that ends without proof says so
        in ``certified``.
        """
        document = Document.from_sentences([sentence])
        decoder = decoder_settings(self.config.solver, self.config.iterations, search_nodes=self.config.search_nodes)
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
