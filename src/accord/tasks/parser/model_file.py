"""All that a trained parser is, to and from a model file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.errors import ConfigError, ModelError
from accord.models.blocks import blocks_of_file, join_blocks, part_of_blocks
from accord.models.file import ModelFile, write_model
from accord.settings import make_settings
from accord.tasks.network.model import NetworkModel
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.ruled_marginals import Temperatures
from accord.tasks.weights import Arrays, Weights, tables_from_blocks, tables_to_blocks

KIND = "parser"


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

    @property
    def temperatures(self) -> Temperatures:
        return Temperatures(
            self.temperature, self.temperature if self.label_temperature is None else self.label_temperature
        )

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
        nonlocal_scale=config.nonlocal_scale,
    )
