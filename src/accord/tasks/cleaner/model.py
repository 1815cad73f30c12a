# SPDX-License-Identifier: Apache-2.0
"""All that a trained cleaner is, to and from a model file: the chain of each level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from numpy.typing import NDArray

from accord.models import stored
from accord.models.file import Blocks, join_blocks, part_of_blocks
from accord.models.stored import StoredModel
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.features import views_of
from accord.tasks.labeller import LabellerModel


@dataclass(frozen=True)
class CleanerModel(StoredModel):
    """A cleaner: its settings, and a chain for each level, first to last."""

    kind = "cleaner"
    title = "cleaner"
    settings = CleanerConfig
    older: ClassVar[Mapping[str, Any]] = {"copies": False}

    config: CleanerConfig = field(default_factory=CleanerConfig)
    levels: Mapping[str, LabellerModel] = field(default_factory=dict)

    def own_blocks(self) -> Blocks:
        parts, arrays = join_blocks({name: level.to_blocks() for name, level in self.levels.items()})
        return {"levels": list(self.levels), "parts": parts}, arrays

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        levels = {
            name: LabellerModel.from_blocks(*part_of_blocks(header["parts"], arrays, name), path)
            for name in stored.names(header["levels"])
        }
        if not levels:
            raise ValueError("a cleaner has levels")
        return {"levels": levels}

    def __post_init__(self) -> None:
        needed = tuple(views_of(self.config))
        if self.levels and tuple(self.levels) != needed:
            raise ValueError(f"the levels {', '.join(self.levels)} where {', '.join(needed)} belong")
