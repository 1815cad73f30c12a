# SPDX-License-Identifier: Apache-2.0
"""All that a trained parser is, to and from a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from accord.models import stored
from accord.models.file import Blocks, join_blocks, text_block
from accord.models.stored import HeaderFields, StoredModel, Weights, tables_to_blocks
from accord.tasks.network.model import NetworkModel
from accord.tasks.parser.confidence import Confidence, read_confidences
from accord.tasks.parser.config import ParserConfig

if TYPE_CHECKING:
    from accord.tasks.parser.ruled_probabilities import Temperatures


class Shares(NamedTuple):
    """What the scores of each scorer are multiplied by in a parser that has both."""

    linear: float
    network_arcs: float
    network_labels: float
    pruner: float  # of the network in the scores of the pruner


def _shares(value: Any) -> Shares:
    if not isinstance(value, Mapping) or set(value) != set(Shares._fields):
        raise ValueError("the shares of the scorers are not all there")
    return Shares(**{name: stored.number(0)(value[name]) for name in Shares._fields})


@dataclass(frozen=True)
class ParserModel(StoredModel):
    """All that a trained parser is. ``card`` says where it comes from: data, licence, scores, training log."""

    kind = "parser"
    title = "parser"
    settings = ParserConfig
    in_header: ClassVar[HeaderFields] = {
        "single_root": stored.flag,
        "labels": stored.names,
        "templates": stored.text,
        "temperature": stored.temperature,
    }
    may_lack: ClassVar[HeaderFields] = {
        "label_temperature": stored.temperature,
        "patterns": stored.text,
        "shares": _shares,
        "tag_temperatures": stored.temperatures,
        "whole_temperature": stored.temperature,
        "confidences": read_confidences,
    }
    texts = ("clusters",)
    inner_models: ClassVar[Mapping[str, Any]] = {"network": NetworkModel}

    config: ParserConfig
    single_root: bool
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    network: NetworkModel | None = None  # of a neural scorer, which alone has no tables
    temperature: float = 1.0
    label_temperature: float | None = None  # of labels given their arcs; None: that of the trees
    patterns: str = ""  # of pattern parts
    shares: Shares | None = None  # of a parser with both scorers
    tag_temperatures: tuple[float, ...] = ()  # by column that the network predicts; none: 1
    whole_temperature: float | None = None  # of whole trees; None: nobody fitted it
    confidences: tuple[Confidence, ...] = ()  # of heads, and of labelled arcs; none: nobody fitted them

    @property
    def temperatures(self) -> Temperatures:
        from accord.tasks.parser.ruled_probabilities import Temperatures

        return Temperatures(
            self.temperature, self.temperature if self.label_temperature is None else self.label_temperature
        )

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        about, arrays = tables_to_blocks(self.tables)
        header = {**header, "label_temperature": self.label_temperature, "tables": about}
        if self.patterns:
            header["patterns"] = self.patterns
        if self.tables:
            arrays = {"clusters": text_block(self.clusters), **arrays}
        if self.tag_temperatures:
            header["tag_temperatures"] = list(self.tag_temperatures)
        if self.whole_temperature is not None:
            header["whole_temperature"] = self.whole_temperature
        if self.confidences:
            header["confidences"] = [list(one) for one in self.confidences]
        if self.shares is not None:
            header["shares"] = self.shares._asdict()
        if self.network is not None:
            own, more = join_blocks({"network": self.network.to_blocks()})
            return {**header, **own}, {**arrays, **more}
        return header, arrays
