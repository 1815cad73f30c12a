# SPDX-License-Identifier: Apache-2.0
"""Models made of one labeller, the chain, and a little more: taggers, segmenters, labellers of spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from accord.models.file import Blocks, join_blocks, part_of_blocks
from accord.models.stored import StoredModel
from accord.tasks.labeller.model_file import LabellerModel


@dataclass(frozen=True)
class ChainModel(StoredModel):
    """The base of such models; a part of the file holds the chain."""

    chain: LabellerModel

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        parts, arrays = join_blocks({"chain": self.chain.to_blocks(), **self.more_parts()})
        return {**header, "parts": parts}, arrays

    def more_parts(self) -> dict[str, Blocks]:
        """Parts of the file beside the chain."""
        return {}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        chain = LabellerModel.from_blocks(*part_of_blocks(header["parts"], arrays, "chain"), path)
        return {**super().own_fields(header, arrays, path), "chain": chain}
