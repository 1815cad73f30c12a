# SPDX-License-Identifier: Apache-2.0
"""Accord on Spark: columns of texts become trees where the rows are, and corpus jobs run as Spark tasks.

A model is named or is a file. A file is shipped once to every executor, which loads it once for each process. Rows that
cannot be analysed stay in the table with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from accord.engines.annotating import annotate_texts, pipeline_of
from accord.engines.job import Block, Done, Job, do_block, finish
from accord.errors import MissingDependencyError
from accord.models import model_path, packaged_models

try:
    from pyspark import SparkContext, SparkFiles
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
    from pyspark.sql.types import StringType

    from accord.engines.arrow import annotate_batch, annotated_schema
except ImportError:
    raise MissingDependencyError("accord.spark needs PySpark and Arrow: pip install 'accord[spark]'") from None


class ShippedModel:
    """A model that executors can find: the name of a packaged one, or a file that Spark brings to them."""

    def __init__(self, session: Any, model: str | Path) -> None:
        self._name = str(model)
        self._shipped = self._name not in packaged_models()
        if self._shipped:
            path = model_path(model)
            session.sparkContext.addFile(str(path))
            self._name = path.name

    def path(self) -> str:
        """Where the model is, on an executor."""
        return str(SparkFiles.get(self._name)) if self._shipped else self._name


def annotate(
    dataframe: DataFrame, text_column: str = "text", id_column: str = "id", *, model: str | Path = "en", **options: Any
) -> DataFrame:
    """A table with the ids and annotations of a column of texts.

    Its columns: the id, ``sentences`` (texts with words, nested), ``conllu``, and ``error`` for rejected rows.
    ``options`` are those of :class:`~accord.tasks.parser.options.ParseOptions`, by name.
    """
    shipped = ShippedModel(dataframe.sparkSession, model)
    id_field = to_arrow_schema(dataframe.select(id_column).schema).field(0)

    def annotated(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield annotate_batch(batch, model=shipped.path(), text_column=text_column, id_column=id_column, **options)

    schema = from_arrow_schema(annotated_schema(id_field))
    return dataframe.select(id_column, text_column).mapInArrow(annotated, schema)


def parse_udf(model: str | Path = "en", *, session: Any = None, **options: Any) -> Callable[..., Any]:
    """A function of a text column that gives CoNLL-U; rows that are rejected are null."""
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    shipped = ShippedModel(session or SparkSession.active(), model)

    def parsed(texts: Any) -> Any:
        results = annotate_texts(pipeline_of(shipped.path()), texts.tolist(), threads=1, **options)
        return pd.Series([None if one is None else one.to_conllu() for one, _ in results], dtype=object)

    parsed.__annotations__ = {"texts": pd.Series, "return": pd.Series}
    return pandas_udf(parsed, StringType())  # type: ignore[no-any-return]


def run(job: Job, *, session: Any = None, tell: Callable[[str], None] = lambda message: None) -> Done:
    """A corpus job as Spark tasks, one for each block; executors must see the files of the job under the same paths."""
    context: SparkContext = (session or SparkSession.builder.appName("accord").getOrCreate()).sparkContext
    missing = job.missing()
    if missing:
        counts = context.parallelize(missing, len(missing)).map(partial(_do, job)).collect()
        tell(f"{len(missing)} blocks: {sum(counts)} texts")
    return finish(job)


def _do(job: Job, block: Block) -> int:
    return do_block(job, block)
