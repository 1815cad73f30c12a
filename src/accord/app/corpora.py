# SPDX-License-Identifier: Apache-2.0
"""``accord parse`` on tables of texts, and on folders: any number of texts in flat memory, to be resumed after a kill.

Answers are written to a file beside the target, OUT.partial, batch by batch. After each batch a journal says how many
rows are done and how long the file is; ``--resume`` cuts the file to that length and goes on. The file gets its name
when all is done.
"""

from __future__ import annotations

import glob
import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, BinaryIO

from accord.app import console
from accord.app.options import Reading
from accord.data import Document
from accord.data.decoding import Rejected
from accord.data.enhancing import enhance
from accord.data.files import COMPRESSION_SUFFIXES, open_output
from accord.data.tables import KINDS, TextRow, text_rows
from accord.errors import ConfigError, FormatError
from accord.tasks.pipeline import Pipeline

OUTPUTS = ("json", "conllu", "parquet", "docbin")
TEXT_SUFFIXES = (".txt", ".text", ".md", ".conllu", *KINDS)
_BATCH = 256  # rows between two marks of the journal


def expanded(files: list[str], *, tables: bool = False) -> list[str]:
    """Files, with folders and patterns replaced by what they hold, in order of names. ``tables``: only these."""
    suffixes = tuple(KINDS) if tables else TEXT_SUFFIXES
    found: list[str] = []
    for file in files:
        if file != "-" and Path(file).is_dir():
            inside = sorted(path for path in Path(file).rglob("*") if path.is_file() and _ends(path.name, suffixes))
            if not inside:
                raise ConfigError(f"{file}: the folder holds no texts ({', '.join(suffixes)})")
            found += map(str, inside)
        elif file != "-" and not Path(file).exists() and glob.has_magic(file):
            inside_names = sorted(glob.glob(file, recursive=True))  # noqa: PTH207
            if not inside_names:
                raise ConfigError(f"{file}: no file has such a name")
            found += inside_names
        else:
            found.append(file)
    return found


def _ends(name: str, suffixes: tuple[str, ...]) -> bool:
    plain = name.lower()
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    return plain.endswith(suffixes) and not name.startswith(".")


@dataclass(frozen=True)
class Job:
    """What is read and written. ``about``: of parser and tokeniser all that an answer depends on.

    A resumed run must share it, and how files are read.
    """

    files: list[str]
    text_field: str
    id_field: str | None
    output: str
    to: str
    resume: bool
    reading: Reading
    enhance: bool
    about: dict[str, Any]

    @property
    def mode(self) -> str:
        """How the tokeniser reads a text."""
        return "text" if self.reading.input == "auto" else self.reading.input

    def check(self) -> None:
        if self.output not in OUTPUTS:
            raise ConfigError(f"--text-field writes {', '.join(OUTPUTS)}, not {self.output}")
        if self.output in ("parquet", "docbin") and self.to == "-":
            raise ConfigError(f"--output {self.output} needs a file: --to FILE")
        compressed = Path(self.to).suffix in COMPRESSION_SUFFIXES
        if self.resume and (self.to == "-" or compressed or self.output in ("parquet", "docbin")):
            raise ConfigError("--resume goes with an uncompressed file of JSON lines or CoNLL-U: --to FILE")


def parse_tables(pipeline: Pipeline, job: Job, options: Any) -> None:
    """All rows of all files, in order."""
    job.check()
    started = time.monotonic()
    with ExitStack() as stack:
        rejected = stack.enter_context(Rejected.file(job.reading.rejected))
        journal = Journal(job) if job.resume else None
        sink = stack.enter_context(_sink(job, journal))
        meter = stack.enter_context(Meter(job.files))
        rows = _rows(job, rejected, meter)
        done = 0 if journal is None else journal.rows
        for _ in islice(rows, done):
            pass
        while batch := list(islice(rows, _BATCH)):
            texts = ((row.text, row) for row in batch)
            offsets = job.reading.offsets
            for document, row in pipeline.pipe(texts, options, as_tuples=True, input=job.mode, offsets=offsets):
                named = _named(document, row.name)
                if job.enhance:
                    named = enhance(named)
                sink.write(row.id, named)
                meter.words += int(named.lengths.sum())
            done += len(batch)
            meter.texts += len(batch)
            if journal is not None:
                journal.mark(done, sink)
            meter.show()
    if journal is not None:
        journal.finish()
    seconds = max(time.monotonic() - started, 1e-9)
    told = f"{_counted(meter.texts, 'text')}, {_counted(meter.words, 'word')}, {meter.words / seconds:,.0f} words/s"
    if rejected.count:
        file = job.reading.rejected
        told += f"; {_counted(rejected.count, 'row')} rejected" + (f", see {file}" if file else "")
    console.error_console().print(told, markup=False, soft_wrap=True)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _rows(job: Job, rejected: Rejected, meter: Meter) -> Iterator[TextRow]:
    def reject(problem: FormatError, row: bytes) -> None:
        if rejected.count < 20:
            console.warn([problem])
        rejected(problem, row)

    for number, file in enumerate(job.files):
        meter.file = number
        how = job.reading
        encoding = (how.encoding, how.errors)
        yield from text_rows(file, job.text_field, job.id_field, reject if how.keep_going else None, encoding)
    meter.file = len(job.files)


def _named(document: Document, id: str) -> Document:
    """The document with the id of its row in the names of its sentences; the k best trees of one share its name."""
    if not len(document):
        return document
    ranks = [sentence.comment("nbest") or "1" for sentence in document] if b"# nbest =" in document.to_bytes() else []
    numbers = accumulate(int(rank == "1") for rank in ranks) if ranks else range(1, len(document) + 1)
    named = document.with_comments("sent_id", [f"{id}-{number}" for number in numbers])
    return named.with_native(Document(f"# newdoc id = {id}\n".encode() + named.to_bytes()).native)


class Sink:
    """Writes answers as text: JSON lines or CoNLL-U."""

    def __init__(self, out: BinaryIO, output: str) -> None:
        self.out = out
        self._output = output

    def write(self, id: str | int, document: Document) -> None:
        if self._output == "conllu":
            self.out.write(document.to_bytes("conllu"))
            return
        sentences = [sentence.to_dict() for sentence in document.sentences]
        line = json.dumps({"id": id, "sentences": sentences}, ensure_ascii=False, separators=(",", ":"))
        self.out.write(line.encode() + b"\n")


def _sink(job: Job, journal: Journal | None) -> Any:
    if job.output in ("parquet", "docbin"):
        from accord.app.binary_outputs import docbin_sink, parquet_sink

        return (parquet_sink if job.output == "parquet" else docbin_sink)(job.to)
    if journal is not None:
        return nullcontext(Sink(journal.open(), job.output))
    return _TextSink(job)


class _TextSink:
    """An output that appears when it is whole."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stack = ExitStack()

    def __enter__(self) -> Sink:
        return Sink(self._stack.enter_context(open_output(self._job.to)), self._job.output)

    def __exit__(self, *error: Any) -> bool | None:
        return self._stack.__exit__(*error)


class Journal:
    """How far a run has come, on disk."""

    def __init__(self, job: Job) -> None:
        self._target = Path(job.to)
        self._partial = Path(f"{job.to}.partial")
        self._path = Path(f"{job.to}.journal")
        self._about = {**job.about, "files": job.files, "text_field": job.text_field, "id_field": job.id_field}
        about = job.reading
        self._about |= {"output": job.output, "enhance": job.enhance, "input": job.mode, "offsets": about.offsets}
        self._about |= {"encoding": about.encoding, "errors": about.errors}
        self.rows = self._bytes = 0
        if self._path.exists() and self._partial.exists():
            self._read()

    def _read(self) -> None:
        try:
            state = json.loads(self._path.read_text(encoding="utf-8"))
            about, rows, size = state["about"], int(state["rows"]), int(state["bytes"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(f"{self._path}: not the journal of a run; remove it to begin anew") from None
        if about != self._about:
            raise ConfigError(f"{self._path}: of a run with other files or options; remove it to begin anew")
        if self._partial.stat().st_size < size:
            raise ConfigError(f"{self._partial}: shorter than {self._path} says; remove both to begin anew")
        self.rows, self._bytes = rows, size

    def open(self) -> BinaryIO:
        """The file of answers, cut to what the journal says."""
        self._file = self._partial.open("r+b" if self.rows else "wb")
        self._file.truncate(self._bytes)
        self._file.seek(self._bytes)
        return self._file

    def mark(self, rows: int, sink: Sink) -> None:
        """Note that so many rows are done: first the answers reach the disk, then the note."""
        self._file.flush()
        os.fsync(self._file.fileno())
        state = {"about": self._about, "rows": rows, "bytes": self._file.tell()}
        beside = Path(f"{self._path}.new")
        beside.write_text(json.dumps(state), encoding="utf-8")
        beside.replace(self._path)

    def finish(self) -> None:
        self._file.close()
        self._partial.replace(self._target)
        self._path.unlink(missing_ok=True)


class Meter:
    """Throughput and the time that is left, on a terminal."""

    def __init__(self, files: list[str]) -> None:
        self.texts = self.words = self.file = 0
        self._files = len(files)
        self._started = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Meter:
        out = console.error_console()
        if out.is_terminal:
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=out, transient=True)
            self._bar.start()
            self._line = self._bar.add_task("parsing", total=self._files)
        return self

    def show(self) -> None:
        if self._bar is not None:
            speed = self.words / max(time.monotonic() - self._started, 1e-9)
            text = f"{self.texts:,} texts  {speed:,.0f} words/s"
            self._bar.update(self._line, completed=self.file, description=text)

    def __exit__(self, *error: Any) -> None:
        if self._bar is not None:
            self._bar.stop()
