# SPDX-License-Identifier: Apache-2.0
"""A corpus job: which texts, which model, where to. The same bytes come out of every engine.

A job is cut into blocks: pieces of plain files, or whole files where these are compressed. Each block becomes one file
of rows in the folder ``OUTPUT.blocks``, which appears complete or not at all. So a block whose process dies is simply
done again, and a job that was interrupted goes on with the blocks that are missing. At the end the rows of all blocks
are merged by their ids.

Texts are lines of ``.txt`` files, or lines of ``.jsonl`` files with a JSON object. A text without an id is called by
its file and the byte at which its line begins.
"""

from __future__ import annotations

import glob
import hashlib
import heapq
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from accord.data.files import COMPRESSION_SUFFIXES, open_input, open_output
from accord.engines.annotating import annotate_texts, pipeline_of
from accord.errors import ConfigError, FormatError
from accord.settings import read_table
from accord.tasks.parser import ParseOptions
from accord.tasks.parser.options import parse_options

FORMATS = ("conllu", "json")
BATCH = 512  # texts that are analysed at a time


@dataclass(frozen=True)
class Job:
    """What a job file says. ``options`` are those of :class:`~accord.tasks.parser.options.ParseOptions`."""

    inputs: tuple[str, ...]
    output: str
    model: str = "en"
    format: str = "conllu"
    id: str = "id"
    text: str = "text"
    block_bytes: int = 16 << 20
    options: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def read(file: Path) -> Job:
        """The job of a TOML file; its paths count from the folder of the file."""
        return Job.of(read_table(file), file.parent)

    @staticmethod
    def of(values: Mapping[str, Any], folder: Path = Path()) -> Job:
        """The job of plain values, checked."""
        kinds = {"inputs": list, "output": str, "block_bytes": int, "options": dict}
        for name, value in values.items():
            if name not in Job.__dataclass_fields__:
                raise ConfigError(f"job: unknown {name!r}; there are: {', '.join(Job.__dataclass_fields__)}")
            if not isinstance(value, kinds.get(name, str)):
                raise ConfigError(f"job: {name} = {value!r}: expected {kinds.get(name, str).__name__}")
        for name in ("inputs", "output"):
            if name not in values:
                raise ConfigError(f"job: {name} is missing")
        patterns = [str(folder / str(pattern)) for pattern in values["inputs"]]  # absolute ones stay as they are
        inputs = [file for pattern in patterns for file in sorted(glob.glob(pattern))]  # noqa: PTH207
        if not inputs:
            raise ConfigError(f"job: there is no file {', '.join(map(str, values['inputs']))}")
        model = values.get("model", "en")
        if "/" in model or model.endswith(".accord"):
            model = str(folder / model)
        job = Job(**{**values, "inputs": tuple(inputs), "output": str(folder / values["output"]), "model": model})
        job._check()
        return job

    def _check(self) -> None:
        if self.format not in FORMATS:
            raise ConfigError(f"job: format = {self.format!r}: expected one of {', '.join(FORMATS)}")
        if self.block_bytes < 1:
            raise ConfigError("job: block_bytes is at least 1")
        for file in self.inputs:
            if not _kind(file):
                raise ConfigError(f"{file}: expected .txt or .jsonl, compressed or not")
        try:
            self.parse_options()
        except TypeError as error:
            raise ConfigError(f"job: {error}") from None

    def parse_options(self) -> ParseOptions:
        return parse_options(None, {**self.options, "threads": 1})

    @property
    def folder(self) -> Path:
        """Where the blocks are."""
        return Path(self.output + ".blocks")

    def blocks(self) -> list[Block]:
        """The blocks of the job, in order; the same ones whatever the engine."""
        found: list[Block] = []
        for file in self.inputs:
            size = Path(file).stat().st_size
            pieces = 1 if file.endswith(COMPRESSION_SUFFIXES) else max(1, -(-size // self.block_bytes))
            for piece in range(pieces):
                last = None if piece + 1 == pieces else (piece + 1) * self.block_bytes
                found.append(Block(len(found), file, piece * self.block_bytes, last))
        return found

    def missing(self) -> list[Block]:
        """The blocks that are still to do; blocks of another job of the same name are refused."""
        self.folder.mkdir(exist_ok=True)
        mark, note = self.folder / "job.json", self.fingerprint()
        if mark.is_file() and mark.read_text(encoding="utf-8") != note:
            raise ConfigError(f"{self.folder}: blocks of another job; remove the folder to start afresh")
        with open_output(mark) as out:
            out.write(note.encode())
        return [block for block in self.blocks() if not (self.folder / block.name).is_file()]

    def fingerprint(self) -> str:
        """What the blocks depend on: the settings and the sizes of the inputs."""
        sizes = {file: Path(file).stat().st_size for file in self.inputs}
        return json.dumps({**asdict(self), "sizes": sizes}, sort_keys=True, default=str)


@dataclass(frozen=True)
class Block:
    """Lines of a file: those that begin after byte ``first`` and up to byte ``last``; 0 is the first line."""

    number: int
    file: str
    first: int
    last: int | None

    @property
    def name(self) -> str:
        return f"{self.number:06d}.jsonl"

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines with the bytes at which they begin. A line belongs to the block in which it begins."""
        packed = self.file.endswith(COMPRESSION_SUFFIXES)
        with open_input(self.file) if packed else Path(self.file).open("rb") as source:
            place = 0
            if self.first:
                source.seek(self.first - 1)
                place = self.first - 1 + len(source.readline())
            while (self.last is None or place < self.last) and (line := source.readline()):
                yield place, line
                place += len(line)


def do_block(job: Job, block: Block, *, threads: int = 1) -> int:
    """Annotate the texts of a block and write its rows, sorted by id; gives the number of texts."""
    rows: list[tuple[str, str]] = []
    batch: list[tuple[str, Any]] = []
    for place, line in block.lines():
        batch.append(_text_of_line(job, block, place, line))
        if len(batch) == BATCH:
            rows += _annotated_rows(job, batch, threads)
            batch = []
    rows += _annotated_rows(job, batch, threads)
    rows.sort(key=lambda row: row[0])
    with open_output(job.folder / block.name) as out:
        for _, row in rows:
            out.write(row.encode() + b"\n")
    return len(rows)


def _text_of_line(job: Job, block: Block, place: int, line: bytes) -> tuple[str, Any]:
    """Id and text; what is no text is left for the annotation to reject."""
    name = f"{Path(block.file).name}:{place:012d}"
    try:
        content = line.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return name, line
    if _kind(block.file) == ".txt":
        return name, content
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return name, line
    if not isinstance(found, dict):
        return name, line
    return str(found.get(job.id, name)).encode(errors="replace").decode(), found.get(job.text)


def _annotated_rows(job: Job, batch: list[tuple[str, Any]], threads: int) -> list[tuple[str, str]]:
    texts = [text for _, text in batch]
    results = annotate_texts(pipeline_of(job.model), texts, job.parse_options(), threads=threads)
    rows = []
    for (id, _), (document, reason) in zip(batch, results, strict=True):
        if document is None:
            content = {"error": reason}
        else:
            content = {"text": document.to_conllu() if job.format == "conllu" else document.to_json()}
        rows.append((id, json.dumps({"id": id, **content}, ensure_ascii=False)))
    return rows


@dataclass(frozen=True)
class Done:
    """What a job made."""

    texts: int
    rejected: int
    output: Path
    checksum: str


def finish(job: Job) -> Done:
    """Merge the blocks by id into the output, and what was rejected into ``OUTPUT.rejected.jsonl``."""
    texts = rejected = 0
    checksum = hashlib.sha256()
    with ExitStack() as open_files:
        out = open_files.enter_context(open_output(job.output))
        refused = open_files.enter_context(open_output(job.output + ".rejected.jsonl"))
        blocks = [
            _rows(open_files.enter_context((job.folder / block.name).open("rb")), job.folder / block.name)
            for block in job.blocks()
        ]
        for row in heapq.merge(*blocks, key=lambda row: str(row["id"])):
            if "error" in row:
                rejected += 1
                refused.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
                continue
            texts += 1
            written = _written(job, row)
            checksum.update(written)
            out.write(written)
    return Done(texts, rejected, Path(job.output), checksum.hexdigest())


def _rows(file: BinaryIO, path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(file, 1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError("a damaged block; remove it and run the job again", file=str(path), line=number) from None


def _written(job: Job, row: Mapping[str, Any]) -> bytes:
    if job.format == "json":
        sentences = [json.loads(line) for line in row["text"].splitlines()]
        return json.dumps({"id": row["id"], "sentences": sentences}, ensure_ascii=False).encode() + b"\n"
    name = row["id"].replace("\n", " ").replace("\r", " ")
    return f"# newdoc id = {name}\n{row['text']}".encode() if row["text"] else b""


def _kind(file: str) -> str:
    name = file
    for suffix in COMPRESSION_SUFFIXES:
        name = name.removesuffix(suffix)
    return next((kind for kind in (".txt", ".jsonl") if name.endswith(kind)), "")
