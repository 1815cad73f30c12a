# SPDX-License-Identifier: Apache-2.0
"""Annotated texts as Arrow tables, for engines that exchange these: one schema for Spark, Ray and Dask."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from accord.engines.annotating import WORD_COLUMNS, annotate_texts, pipeline_of, sentences_of

_WORD = pa.struct([pa.field(name, pa.int32() if name in ("id", "head") else pa.string()) for name in WORD_COLUMNS])
_SENTENCE = pa.struct([pa.field("text", pa.string()), pa.field("words", pa.list_(_WORD))])
SENTENCES = pa.list_(_SENTENCE)
ADDED = (pa.field("sentences", SENTENCES), pa.field("conllu", pa.string()), pa.field("error", pa.string()))


def annotated_schema(id_field: pa.Field) -> pa.Schema:
    """The columns of an annotated table: the id, sentences with words, CoNLL-U, and why a row was rejected."""
    return pa.schema([id_field, *ADDED])


def annotate_batch(batch: Any, *, model: str, text_column: str, id_column: str, **options: Any) -> Any:
    """An Arrow table or batch with a text column becomes one with annotations; rows keep their order."""
    texts = batch.column(text_column).to_pylist()
    results = annotate_texts(pipeline_of(model), texts, threads=1, **options)
    ids = batch.column(id_column)
    columns = [
        ids,
        pa.array([None if one is None else sentences_of(one) for one, _ in results], SENTENCES),
        pa.array([None if one is None else one.to_conllu() for one, _ in results], pa.string()),
        pa.array([reason for _, reason in results], pa.string()),
    ]
    schema = annotated_schema(pa.field(id_column, ids.type))
    make = pa.Table if isinstance(batch, pa.Table) else pa.RecordBatch
    return make.from_arrays(columns, schema=schema)
