# SPDX-License-Identifier: Apache-2.0
"""Accord on Ray: datasets of texts become trees in actors that keep their model, and corpus jobs run as Ray tasks.

Actors that die are started again, and what they had in hand is done again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from accord.engines.annotating import pipeline_of
from accord.engines.job import Block, Done, Job, do_block, finish
from accord.errors import MissingDependencyError
from accord.models import model_path, packaged_models

try:
    import ray
    import ray.data

    from accord.engines.arrow import annotate_batch
except ImportError:
    raise MissingDependencyError("accord.ray needs Ray and Arrow: pip install 'accord[ray]'") from None


class Annotator:
    """The actor of ``map_batches``: a warm model, and tables in and out."""

    def __init__(self, model: str, text_column: str = "text", id_column: str = "id", **options: Any) -> None:
        self._how = {"model": model, "text_column": text_column, "id_column": id_column, **options}
        pipeline_of(model)

    def __call__(self, table: Any) -> Any:
        return annotate_batch(table, **self._how)


def annotate(
    dataset: Any,
    text_column: str = "text",
    id_column: str = "id",
    *,
    model: str | Path = "en",
    actors: int | tuple[int, int] = 1,
    batch_size: int = 256,
    **options: Any,
) -> Any:
    """A dataset with the ids and annotations of a column of texts, in the schema of :mod:`accord.spark`.

    ``actors``: how many processes, or the fewest and the most. Every node must see a model file under the same path.
    """
    name = str(model) if str(model) in packaged_models() else str(model_path(model).resolve())
    how = {"model": name, "text_column": text_column, "id_column": id_column, **options}
    return dataset.map_batches(
        Annotator,
        fn_constructor_kwargs=how,
        batch_format="pyarrow",
        batch_size=batch_size,
        concurrency=actors,
        max_restarts=-1,
        max_task_retries=-1,
    )


def run(job: Job, *, tell: Callable[[str], None] = lambda message: None) -> Done:
    """A corpus job as Ray tasks, one for each block; all nodes must see the files of the job under the same paths."""
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    missing = job.missing()
    if missing:
        counts = ray.get([_do.remote(job, block) for block in missing])
        tell(f"{len(missing)} blocks: {sum(counts)} texts")
    return finish(job)


def _do_block(job: Job, block: Block) -> int:
    return do_block(job, block)


_do = ray.remote(max_retries=10)(_do_block)
