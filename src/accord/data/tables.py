# SPDX-License-Identifier: Apache-2.0
"""Texts in tables: JSON lines, CSV, TSV and Parquet, row by row in flat memory. Parquet needs pyarrow (optional).

A row that has no text is told to ``reject`` and passed over; without one it raises FormatError with file and line.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any

from accord.data.decoding import recoded
from accord.data.exchange import optional
from accord.data.files import COMPRESSION_SUFFIXES, Input, open_input, source_name
from accord.errors import ConfigError, FormatError

Reject = Callable[[FormatError, bytes], None]
KINDS = {".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet"}
_LONGEST_FIELD = 1 << 30
_SHOWN = 40  # characters of the name of a column, and columns, that a message shows


@dataclass(frozen=True)
class TextRow:
    """A text of a table. ``id``: as the table has it. ``line``: of its file, or the number of its row in Parquet."""

    id: str | int
    text: str
    line: int

    @property
    def name(self) -> str:
        """The id as a text."""
        return str(self.id)


def kind_of_table(name: str) -> str | None:
    """What a file holds, by its suffix; None where it says nothing."""
    path = PurePath(name.lower())
    return KINDS.get(PurePath(path.stem).suffix if path.suffix in COMPRESSION_SUFFIXES else path.suffix)


def text_rows(
    file: str,
    text_field: str,
    id_field: str | None = None,
    reject: Reject | None = None,
    encoding: tuple[str, str] = ("utf-8", "strict"),
) -> Iterator[TextRow]:
    """The texts of a table. Without an ``id_field`` a text's id is its line, as a text.

    ``encoding``: of files that are text, and what becomes of bytes that are wrong in it.
    """
    kind = kind_of_table(file) or ("jsonl" if file == "-" else None)
    if kind is None:
        raise ConfigError(f"{file}: --text-field reads .jsonl, .csv, .tsv and .parquet files")
    reader = {"jsonl": _json_rows, "csv": _csv_rows, "tsv": _csv_rows, "parquet": _parquet_rows}[kind]
    for line, row, raw in reader(file, kind, text_field, id_field, reject, encoding):
        try:
            yield _checked(row, line, text_field, id_field, source_name(file))
        except FormatError as error:
            if reject is None:
                raise
            reject(error, raw)


def _checked(row: Any, line: int, text_field: str, id_field: str | None, name: str) -> TextRow:
    if not isinstance(row, dict):
        raise FormatError("the row is no object", file=name, line=line)
    if text_field not in row:
        raise FormatError(f"there is no field {text_field!r}{_near(text_field, row)}", file=name, line=line)
    text = row[text_field]
    if not isinstance(text, str):
        raise FormatError(f"the field {text_field!r} is {'empty' if text is None else 'no text'}", file=name, line=line)
    if id_field is not None and row.get(id_field) is None:
        raise FormatError(f"there is no field {id_field!r}", file=name, line=line)
    id = str(line) if id_field is None else row[id_field]
    if not isinstance(id, int) or isinstance(id, bool):
        id = str(id)
    if not str(id).strip() or "\n" in str(id) or "\r" in str(id):
        raise FormatError(f"id {id!r} is empty or no single line", file=name, line=line)
    return TextRow(id, text, line)


def _near(wanted: str, row: dict[str, Any]) -> str:
    """The field that may be meant, or those that there are."""
    names = [str(name) for name in row]
    if near := get_close_matches(wanted, names, 1):
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else ""


@contextmanager
def _opened(file: str, encoding: tuple[str, str]) -> Iterator[Input]:
    """A file of text as UTF-8."""
    with open_input(file) as source:
        yield source if encoding == ("utf-8", "strict") else recoded(source, *encoding)


def _json_rows(
    file: str, kind: str, text_field: str, id_field: str | None, reject: Reject | None, encoding: tuple[str, str]
) -> Iterator[tuple[int, Any, bytes]]:
    with _opened(file, encoding) as source:
        for line, raw in enumerate(source, 1):
            if not raw.strip():
                continue
            try:
                row = json.loads(raw.decode("utf-8-sig" if line == 1 else "utf-8"))
            except (UnicodeDecodeError, ValueError, RecursionError) as error:
                reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else f"not JSON ({str(error)[:60]})"
                problem = FormatError(reason, file=source_name(file), line=line)
                if reject is None:
                    raise problem from None
                reject(problem, raw)
                continue
            yield line, row, raw


def _csv_rows(
    file: str, kind: str, text_field: str, id_field: str | None, reject: Reject | None, encoding: tuple[str, str]
) -> Iterator[tuple[int, Any, bytes]]:
    csv.field_size_limit(_LONGEST_FIELD)
    errors = "strict" if reject is None else "backslashreplace"
    with _opened(file, encoding) as source:
        text = io.TextIOWrapper(source, encoding="utf-8-sig", errors=errors, newline="")
        reader = csv.DictReader(text, delimiter="\t" if kind == "tsv" else ",")
        try:
            if text_field not in (reader.fieldnames or ()):
                raise _no_column(file, text_field, reader.fieldnames or ())
            first = reader.line_num + 1
            for row in reader:
                yield first, row, repr(row).encode()
                first = reader.line_num + 1
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 ({error.reason})", file=source_name(file), line=reader.line_num + 1) from None
        except csv.Error as error:
            raise FormatError(str(error), file=source_name(file), line=reader.line_num) from None
        finally:
            text.detach()


def _no_column(file: str, wanted: str, names: Sequence[str]) -> ConfigError:
    """Names of columns may be texts of any length, where a file has no line of names."""
    shown = [repr(name[:_SHOWN])[1:-1] + ("..." if len(name) > _SHOWN else "") for name in names[:_SHOWN]]
    return ConfigError(f"{file}: no column is named {wanted!r}; there are: {', '.join(shown)}")


def _parquet_rows(
    file: str, kind: str, text_field: str, id_field: str | None, reject: Reject | None, encoding: tuple[str, str]
) -> Iterator[tuple[int, Any, bytes]]:
    parquet = optional("pyarrow.parquet", f"{file}: reading Parquet")
    try:
        table = parquet.ParquetFile(file)
    except (OSError, ValueError) as error:
        raise FormatError(f"not a Parquet file ({str(error).splitlines()[0][:80]})", file=file) from None
    names = table.schema_arrow.names
    for wanted in (text_field, id_field):
        if wanted is not None and wanted not in names:
            raise _no_column(file, wanted, names)
    columns = [text_field] if id_field is None else [text_field, id_field]
    number = 0
    with table:
        for batch in table.iter_batches(batch_size=1024, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield number, row, repr(row).encode()
