"""A sequence labeller as other tasks hold it: labels for the tokens of sequences, with confidences.

A :class:`LabellerModel` (configuration, labels, weight tables) goes to and from the blocks of a model file; a
:class:`Labeller` puts it to work, natively and in parallel. Sequences are words of documents or characters of texts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError, ModelError
from accord.settings import make_settings
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.weights import Arrays, Weights, tables_from_blocks, tables_to_blocks

KIND = "labeller"
_NOTHING: NDArray[np.float64] = np.zeros(0, np.float64)


@dataclass(frozen=True)
class Masks:
    """Which labels may start, end and follow each other: arrays of 0 and -infinity, or empty for all.

    For two layers of labels the entries speak of pairs, numbered segment * tags + tag.
    """

    start: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    end: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    follow: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True)
class Lexicon:
    """Words with what is known of them, ``word<TAB>tags`` a line; names likewise. ``matching``: found in text."""

    words: str = ""
    names: str = ""
    matching: bool = False

    @property
    def empty(self) -> bool:
        return not self.words and not self.names

    def native(self) -> _text.Lexicon:
        return _text.Lexicon(self.words.encode(), self.names.encode(), self.matching)


@dataclass(frozen=True)
class LabellerModel:
    """All that a trained labeller is. ``tags``: the second layer of labels, of models with two."""

    config: LabellerConfig
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    tags: tuple[str, ...] = ()
    masks: Masks = field(default_factory=Masks)
    lexicon: Lexicon = field(default_factory=Lexicon)
    clusters: str = ""
    temperature: float = 1.0
    card: dict[str, Any] = field(default_factory=dict)

    def to_blocks(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, of a model file or of a part of one."""
        about, arrays = tables_to_blocks(self.tables)
        header = {
            "kind": KIND,
            "config": dataclasses.asdict(self.config),
            "labels": list(self.labels),
            "tags": list(self.tags),
            "templates": self.templates,
            "temperature": self.temperature,
            "matching": self.lexicon.matching,
            "card": self.card,
            "tables": about,
        }
        masks = {f"mask.{name}": np.isneginf(getattr(self.masks, name)).astype(np.uint8) for name in _MASKS}
        texts = {"words": self.lexicon.words, "names": self.lexicon.names, "clusters": self.clusters}
        return header, {**arrays, **masks, **{k: np.frombuffer(v.encode(), np.uint8) for k, v in texts.items()}}

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> LabellerModel:
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a labeller")
        try:
            text = {name: arrays[name].tobytes().decode() for name in ("words", "names", "clusters")}
            masks = {name: np.where(arrays[f"mask.{name}"] != 0, -np.inf, 0.0) for name in _MASKS}
            return LabellerModel(
                config=make_settings(LabellerConfig, header["config"]),
                labels=tuple(header["labels"]),
                tags=tuple(header["tags"]),
                templates=header["templates"],
                tables=tables_from_blocks(header["tables"], arrays),
                masks=Masks(**masks),
                lexicon=Lexicon(text["words"], text["names"], bool(header["matching"])),
                clusters=text["clusters"],
                temperature=float(header["temperature"]),
                card=dict(header["card"]),
            )
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"{path}: not a labeller this version understands ({error})") from None


_MASKS = ("start", "end", "follow")


def native_settings(
    config: LabellerConfig, labels: int, tags: int, templates: str, masks: Masks, temperature: float = 1.0
) -> _tasks.LabellerSettings:
    return _tasks.LabellerSettings(
        templates=templates,
        labels=labels,
        tags=tags,
        order=config.order,
        temperature=temperature,
        start=np.ascontiguousarray(masks.start).reshape(-1),
        end=np.ascontiguousarray(masks.end).reshape(-1),
        follow=np.ascontiguousarray(masks.follow).reshape(-1),
    )


@dataclass(frozen=True)
class Labels:
    """Labels of the tokens of all sequences, one after another; columns are layers."""

    numbers: NDArray[np.int32]
    probability: NDArray[np.float64]
    log_probability: NDArray[np.float64]  # by sequence
    score: NDArray[np.float64]  # by sequence
    posteriors: NDArray[np.float64]  # [token][label]
    impossible: NDArray[np.uint8]  # by sequence: known labels and bonuses allowed nothing


@dataclass(frozen=True)
class RankedLabels:
    """One of the k best labellings of a sequence."""

    numbers: NDArray[np.int32]
    score: float
    log_probability: float


@dataclass(frozen=True)
class LabelRun:
    """Labels of neighbouring tokens of a sequence; ``not_after``: a label that the token behind them may not have."""

    sequence: int
    first: int
    labels: tuple[int, ...]
    not_after: int = -1


def _flat(bonus: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return _NOTHING if bonus is None else np.ascontiguousarray(bonus, np.float64).reshape(-1)


class Labeller:
    """A labeller ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: LabellerModel) -> None:
        self.model = model
        self.labels = model.labels
        self.tags = model.tags
        settings = native_settings(
            model.config, len(model.labels), len(model.tags), model.templates, model.masks, model.temperature
        )
        tables: list[object] = [model.tables[name].native for name, _ in settings.blocks]
        try:
            self._native = _tasks.LabellerModel(settings, tables, cluster_lexicon(model.clusters))
        except (ValueError, RuntimeError) as error:
            raise ModelError(f"weights and settings do not fit together ({error})") from None
        self._lexicon = None if model.lexicon.empty else model.lexicon.native()

    def words(self, document: Document) -> _text.Sequences:
        """The words of a document's sentences, as this model's lexicon sees them."""
        sequences = _text.DocumentSequences(document.native)
        self._annotate(sequences)
        return sequences

    def characters(self, texts: Iterable[str]) -> _text.CharacterSequences:
        """The characters of texts."""
        sequences = _text.CharacterSequences([text.encode() for text in texts])
        self._annotate(sequences)
        return sequences

    def _annotate(self, sequences: _text.Sequences) -> None:
        if self._lexicon is not None:
            self._lexicon.annotate(sequences)

    def label(
        self,
        sequences: _text.Sequences,
        *,
        posterior: bool = False,
        probabilities: bool = False,
        posteriors: bool = False,
        known: NDArray[np.int32] | None = None,
        bonus: NDArray[np.float64] | None = None,
        threads: int = 0,
    ) -> Labels:
        """The best labels, or each token's most probable one (``posterior``).

        ``known``: labels that must be kept, -1 where there is none; ``bonus``: added to the scores of labels.
        """
        layers = 2 if self.tags else 1
        try:
            numbers, probability, log_probability, score, table, impossible = self._native.label(
                sequences,
                posterior=posterior,
                probabilities=probabilities,
                posteriors=posteriors,
                known=np.zeros(0, np.int32) if known is None else np.ascontiguousarray(known, np.int32).reshape(-1),
                bonus=_flat(bonus),
                threads=threads,
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None
        width = len(self.labels) + len(self.tags)
        return Labels(
            numbers.reshape(-1, layers),
            probability.reshape(-1, layers),
            log_probability,
            score,
            table.reshape(-1, width),
            impossible,
        )

    def kbest(
        self,
        sequences: _text.Sequences,
        sequence: int,
        k: int,
        *,
        known: NDArray[np.int32] | None = None,
        bonus: NDArray[np.float64] | None = None,
    ) -> list[RankedLabels]:
        """The k best labellings of a sequence, best first; ``known``, ``bonus``: as in ``label``, for this sequence."""
        given = np.zeros(0, np.int32) if known is None else np.ascontiguousarray(known, np.int32).reshape(-1)
        layers = 2 if self.tags else 1
        try:
            ranked = self._native.kbest(sequences, sequence, k, given, _flat(bonus))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return [RankedLabels(numbers.reshape(-1, layers), score, log) for score, log, numbers in ranked]

    def run_probabilities(
        self, sequences: _text.Sequences, runs: Sequence[LabelRun], *, bonus: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """The exact probability of each run of labels, whatever the labels around it are."""
        try:
            logs = self._native.run_log_probabilities(
                sequences,
                np.array([run.sequence for run in runs], np.int64),
                np.array([run.first for run in runs], np.int64),
                np.array([len(run.labels) for run in runs], np.int64),
                np.array([label for run in runs for label in run.labels], np.int32),
                np.array([run.not_after for run in runs], np.int32),
                _flat(bonus),
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return np.exp(np.array(logs, np.float64))

    def names(self, numbers: NDArray[np.int32], layer: int = 0) -> list[str]:
        names: Sequence[str] = self.tags if layer else self.labels
        return [names[number] for number in numbers[:, layer].tolist()]
