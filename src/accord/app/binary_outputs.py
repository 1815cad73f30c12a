# SPDX-License-Identifier: Apache-2.0
"""Answers in binary files: Parquet with nested columns (pyarrow), and spaCy's DocBin. Both packages are optional."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.data import Document
from accord.data.exchange import optional
from accord.data.files import open_output

_TEXTS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")
_ROWS = 2000  # documents of a row group


class ParquetSink:
    """Rows of id, text and sentences; a sentence is its id, its text and its words, a word its columns and offsets."""

    def __init__(self, path: Path) -> None:
        self._arrow = optional("pyarrow", "--output parquet")
        self._parquet = optional("pyarrow.parquet", "--output parquet")
        arrow = self._arrow
        whole = [(name, arrow.int32()) for name in ("id", "head", "start", "end")]
        word = arrow.struct([*whole, *((name, arrow.string()) for name in _TEXTS)])
        sentence = arrow.struct([("sent_id", arrow.string()), ("text", arrow.string()), ("words", arrow.list_(word))])
        self._schema = arrow.schema(
            [("id", arrow.string()), ("text", arrow.string()), ("sentences", arrow.list_(sentence))]
        )
        self._writer = self._parquet.ParquetWriter(path, self._schema)
        self._rows: list[dict[str, Any]] = []

    def write(self, id: str | int, document: Document) -> None:
        sentences = [
            {"sent_id": one.sent_id, "text": one.text, "words": [_word(word) for word in one.words]}
            for one in document.sentences
        ]
        self._rows.append({"id": str(id), "text": document.text, "sentences": sentences})
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def close(self) -> None:
        self._flush()
        self._writer.close()


def _word(word: Any) -> dict[str, Any]:
    numbers = {"id": word.id, "head": word.head, "start": word.start, "end": word.end}
    return numbers | {name: str(getattr(word, name)) for name in _TEXTS}


@contextmanager
def parquet_sink(to: str) -> Iterator[ParquetSink]:
    """A Parquet file that appears when it is whole."""
    beside = Path(f"{to}.partial")
    sink = ParquetSink(beside)
    try:
        yield sink
        sink.close()
        beside.replace(to)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


class DocBinSink:
    """spaCy's documents, each with its id in ``user_data``."""

    def __init__(self) -> None:
        spacy = optional("spacy", "--output docbin")
        self._vocab = spacy.blank("xx").vocab
        self._bin = optional("spacy.tokens", "--output docbin").DocBin(store_user_data=True)

    def write(self, id: str | int, document: Document) -> None:
        doc = document.to_spacy(self._vocab)
        doc.user_data["id"] = id
        self._bin.add(doc)

    def to_bytes(self) -> bytes:
        found: bytes = self._bin.to_bytes()
        return found


@contextmanager
def docbin_sink(to: str) -> Iterator[DocBinSink]:
    sink = DocBinSink()
    yield sink
    with open_output(to) as out:
        out.write(sink.to_bytes())
