# SPDX-License-Identifier: Apache-2.0
"""All that a trained parser is, to and from a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.models.file import Blocks, join_blocks, part_of_blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, StoredModel
from accord.tasks.network.model import NetworkModel
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.ruled_probabilities import Temperatures
from accord.tasks.weights import Weights, tables_from_blocks, tables_to_blocks


@dataclass(frozen=True)
class ParserModel(StoredModel):
    """All that a trained parser is. ``card`` says where it comes from: data, licence, scores, training log."""

    kind = "parser"
    title = "parser"
    settings = ParserConfig
    in_header: ClassVar[HeaderFields] = {
        "single_root": bool,
        "labels": tuple,
        "templates": str,
        "temperature": float,
    }

    config: ParserConfig
    single_root: bool
    labels: tuple[str, ...]
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    network: NetworkModel | None = None  # of a neural scorer, which has no tables
    temperature: float = 1.0
    label_temperature: float | None = None  # of labels given their arcs; None: that of the trees
    patterns: str = ""  # of pattern parts

    @property
    def temperatures(self) -> Temperatures:
        return Temperatures(
            self.temperature, self.temperature if self.label_temperature is None else self.label_temperature
        )

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        about, arrays = tables_to_blocks(self.tables)
        header = {**header, "label_temperature": self.label_temperature, "tables": about}
        if self.patterns:
            header["patterns"] = self.patterns
        if self.network is not None:
            own, arrays = join_blocks({"network": self.network.to_blocks()})
            return {**header, **own}, arrays
        return header, {"clusters": text_block(self.clusters), **arrays}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        network = None
        if "network" in header:
            network = NetworkModel.from_blocks(*part_of_blocks(header, arrays, "network"))
        scorer = header["config"].get("scorer", "linear")
        if (scorer == "neural") != (network is not None):
            raise ValueError(f"scorer = {scorer!r} {'without' if network is None else 'with'} a network")
        return {
            **super().own_fields(header, arrays, path),
            "tables": tables_from_blocks(header["tables"], arrays),
            "clusters": "" if network is not None else text_of_block(arrays["clusters"]),
            "network": network,
            "label_temperature": _optional(header.get("label_temperature")),
            "patterns": str(header.get("patterns", "")),
        }


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
    patterns: str = "",
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
        nonlocal_scale=config.nonlocal_scale,
        patterns=patterns,
    )
