# SPDX-License-Identifier: Apache-2.0
"""The state of an unfinished training run, in a file beside the model that the run is to make.

A checkpoint is a model file of kind "checkpoint". It holds the name of the task, the settings, what the learner needs
to go on, and the models that are finished: the best one so far, or the finished steps of a pipeline. A learner that
loads a checkpoint goes on as if it had never stopped.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning.interrupts import interrupts_wait
from accord.models.file import Blocks, ModelFile, join_blocks, part_of_blocks
from accord.models.stored import StoredModel
from accord.models.writing import write_model

KIND = "checkpoint"
# Settings that may change between the runs: how long to train, and on how many threads.
FREE = ("epochs", "patience", "threads")
Model = TypeVar("Model", bound=StoredModel)


@dataclass(frozen=True)
class Saved:
    """What a checkpoint file holds."""

    path: str
    state: dict[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    models: Mapping[str, Blocks]

    def model(self, name: str, kind: type[Model]) -> Model | None:
        """One of its models; None where it has no model of this name."""
        return kind.from_blocks(*self.models[name], self.path) if name in self.models else None


@dataclass(frozen=True)
class Checkpoint:
    """Where a run keeps its state, and where the best model so far is to stand.

    ``output``: the model file in which the best model so far is to stand; None: no file.
    ``resume``: whether the run goes on from what the file holds.
    """

    path: Path
    task: str
    settings: Any
    resume: bool = False
    output: Path | None = None
    card: Mapping[str, Any] = field(default_factory=dict)
    free: tuple[str, ...] = FREE

    @staticmethod
    def beside(output: Path, task: str, settings: Any, **more: Any) -> Checkpoint:
        """The checkpoint of a model file."""
        return Checkpoint(output.with_name(output.name + ".checkpoint"), task, settings, output=output, **more)

    def of_step(self, name: str, settings: Any) -> Checkpoint:
        """The checkpoint of one step of a pipeline, in a file of its own that is resumed from where it exists."""
        path = self.path.with_name(f"{self.path.name}-{name}")
        free = tuple(one.removeprefix(f"{name}.") for one in self.free if one.startswith(f"{name}."))
        return Checkpoint(path, name, settings, resume=self.resume and path.is_file(), free=free)

    def save(
        self,
        state: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        models: Mapping[str, StoredModel] = {},
        *,
        best: StoredModel | None = None,
    ) -> None:
        """Write the state and, where there is a new best model, the model file; a Ctrl-C waits until both are there."""
        headers, blocks = join_blocks({name: model.to_blocks() for name, model in models.items()})
        header = {"kind": KIND, "task": self.task, "config": _plain(self.settings), "state": state, "models": headers}
        named = {**blocks, **{f"state/{name}": array for name, array in arrays.items()}}
        with interrupts_wait():
            if best is not None and self.output is not None:
                dataclasses.replace(best, card={**self.card, **best.card}).save(self.output)
            write_model(self.path, header, named)

    def load(self) -> Saved | None:
        """What the file holds; None for a run that starts anew. Other settings than those of the file raise."""
        if not self.resume:
            return None
        if not self.path.is_file():
            raise ConfigError(f"{self.path}: no checkpoint to resume from")
        file = ModelFile(self.path)
        header = file.header
        if header.get("kind") != KIND or "models" not in header:
            raise ConfigError(f"{self.path}: not a checkpoint of this version")
        if header["task"] != self.task:
            raise ConfigError(f"{self.path}: a checkpoint of a {header['task']}, not of a {self.task}")
        saved, wanted = _flat(header["config"]), _flat(json.loads(json.dumps(_plain(self.settings))))
        changed = [name for name in wanted if name not in self.free and saved.get(name) != wanted[name]]
        if changed:
            raise ConfigError(f"{self.path}: cannot resume with another {', '.join(changed)}")
        _, arrays = part_of_blocks({"state": {}}, file.arrays, "state")
        models = {name: part_of_blocks(header["models"], file.arrays, name) for name in header["models"]}
        return Saved(str(self.path), header["state"], arrays, models)

    def exists(self) -> bool:
        return self.path.is_file()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def _plain(settings: Any) -> dict[str, Any]:
    return dataclasses.asdict(settings)


def _flat(settings: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings by their full names."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value})
    return flat
