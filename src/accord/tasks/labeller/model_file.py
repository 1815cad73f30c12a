# SPDX-License-Identifier: Apache-2.0
"""All that a trained sequence labeller is, to and from the blocks of a model file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.errors import ModelError
from accord.models import stored
from accord.models.file import Blocks, join_blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, StoredModel, Weights, tables_to_blocks
from accord.tasks.labeller.config import MOST_TOKENS, LabellerConfig
from accord.tasks.network.model import NetworkModel

_NOTHING: NDArray[np.float64] = np.zeros(0, np.float64)
_MOST_STATES = 1 << 15  # labels, or pairs of labels: a chain holds the square of their number
_MASKS = ("start", "end", "follow")


@dataclass(frozen=True)
class Masks:
    """Which labels may start, end and follow each other: arrays of 0 and -infinity, or empty for all.

    For two layers of labels the entries speak of pairs, numbered segment * tags + tag. For a chain of several layers
    they speak of all labels of a token (the last layer runs fastest), ``follow`` of the cliques of each layer in turn.
    """

    start: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    end: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    follow: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)


class SegmentType(NamedTuple):
    """The labels of the tokens of a segment of some type, by number, and its longest segment in tokens.

    ``first``: of its first tokens, one after another; ``middle``: of the others but the last; ``single``: of a segment
    of one token.
    """

    first: tuple[int, ...]
    middle: int
    last: int
    single: int
    longest: int

    @staticmethod
    def outside(label: int) -> SegmentType:
        """Tokens outside of all segments: each is a segment of its own."""
        return SegmentType((label,), label, label, label, 1)


def _segment_types(rows: Sequence[Sequence[Any]]) -> tuple[SegmentType, ...]:
    tokens = stored.whole(1, MOST_TOKENS)
    return tuple(
        SegmentType(tuple(first), int(middle), int(last), int(single), tokens(longest))
        for first, middle, last, single, longest in rows
    )


def _layers(rows: Sequence[Sequence[Any]]) -> tuple[tuple[str, ...], ...]:
    return tuple(stored.names(names) for names in rows)


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
class LabellerModel(StoredModel):
    """All that a trained labeller is.

    ``tags``: the second layer of labels, of models with two. ``layers``: the names of all layers of a chain of several,
    the first of which is ``labels``. ``segments``: what semi-Markov models score as wholes.
    """

    kind = "labeller"
    title = "labeller"
    settings = LabellerConfig
    in_header: ClassVar[HeaderFields] = {
        "labels": stored.names,
        "tags": stored.names,
        "templates": stored.text,
        "temperature": stored.temperature,
    }
    may_lack: ClassVar[HeaderFields] = {"segments": _segment_types, "layers": _layers}
    texts = ("clusters",)
    inner_models: ClassVar[Mapping[str, Any]] = {"network": NetworkModel}

    config: LabellerConfig
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    tags: tuple[str, ...] = ()
    masks: Masks = field(default_factory=Masks)
    lexicon: Lexicon = field(default_factory=Lexicon)
    clusters: str = ""
    temperature: float = 1.0
    segments: tuple[SegmentType, ...] = ()
    layers: tuple[tuple[str, ...], ...] = ()
    network: NetworkModel | None = None  # which scores labels beside the features

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        if self.segments:
            header["segments"] = [list(one) for one in self.segments]
        if self.layers:
            header["layers"] = [list(names) for names in self.layers]
        about, arrays = tables_to_blocks(self.tables)
        masks = {f"mask.{name}": np.isneginf(getattr(self.masks, name)).astype(np.uint8) for name in _MASKS}
        texts = {"words": self.lexicon.words, "names": self.lexicon.names, "clusters": self.clusters}
        blocks = {name: text_block(text) for name, text in texts.items()}
        header = {**header, "matching": self.lexicon.matching, "tables": about}
        if self.network is not None:
            own, weights = join_blocks({"network": self.network.to_blocks()})
            header, blocks = {**header, **own}, {**blocks, **weights}
        return header, {**arrays, **masks, **blocks}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        words, names = (text_of_block(arrays[name]) for name in ("words", "names"))
        masks = {name: np.where(arrays[f"mask.{name}"] != 0, -np.inf, 0.0) for name in _MASKS}
        found = super().own_fields(header, arrays, path)
        layers = found.get("layers", ())
        if layers and (layers[0] != found["labels"] or found["tags"]):
            raise ValueError("the first of several layers has other labels")
        states = math.prod(map(len, layers)) if layers else len(found["labels"]) * max(1, len(found["tags"]))
        if states > _MOST_STATES:
            raise ValueError(f"{states} states of a chain; {_MOST_STATES} are the most")
        cliques = states * sum(map(len, layers)) if layers else states**2
        for name, mask in masks.items():
            if mask.size not in (0, cliques if name == "follow" else states):
                raise ValueError(f"block 'mask.{name}' does not fit {states} labels")
        return {
            **found,
            "masks": Masks(**masks),
            "lexicon": Lexicon(words, names, stored.flag(header["matching"])),
        }

    def native(self) -> _tasks.LabellerModel:
        """The core's labeller of this model."""
        settings = native_settings(
            self.config,
            len(self.labels),
            len(self.tags),
            self.templates,
            self.masks,
            self.temperature,
            segments=self.segments,
            layers=self.layers,
        )
        blocks = [name for name, _ in settings.blocks]
        if missing := [name for name in blocks if name not in self.tables]:
            raise ModelError(f"weights and settings do not fit together (no table {missing[0]!r})")
        tables: list[object] = [self.tables[name] for name in blocks]
        try:
            return _tasks.LabellerModel(settings, tables, _text.ClusterLexicon.read(self.clusters.encode()))
        except (TypeError, ValueError, RuntimeError) as error:
            raise ModelError(f"weights and settings do not fit together ({error})") from None

    @property
    def layer_names(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each layer."""
        return self.layers or ((self.labels, self.tags) if self.tags else (self.labels,))

    def native_lexicon(self) -> _text.Lexicon | None:
        """The core's lexicon of this model; None where it knows nothing."""
        return None if self.lexicon.empty else self.lexicon.native()


def native_settings(
    config: LabellerConfig,
    labels: int,
    tags: int,
    templates: str,
    masks: Masks,
    temperature: float = 1.0,
    *,
    segments: Sequence[SegmentType] = (),
    layers: Sequence[Sequence[str]] = (),
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
        types=list(segments),
        sizes=[len(names) for names in layers],
    )
