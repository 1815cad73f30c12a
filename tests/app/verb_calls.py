# SPDX-License-Identifier: Apache-2.0
"""One call of each verb of the command line, on small files: what tests of faults and signals try.

The list of verbs is that of the command line. A verb of a task that has no call here gets one with the example of the
task, and :func:`forgotten` names all other verbs without one.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from accord.app import cli
from accord.tasks import registry
from tests.conftest import toy_document
from tests.tasks.contract import trained

TEXT = "They saw the girl, uh, who did n't wave at them.\n\nNobody slept. It rained a lot in London that night.\n"

# Verbs that write a file; OUT is its name.
_WRITERS: dict[str, tuple[str, ...]] = {
    "parse": ("parse", "text.txt", "--to", "OUT"),
    "tag": ("tag", "bank.conllu", "--model", "en", "--to", "OUT"),
    "tokenize": ("tokenize", "text.txt", "--to", "OUT"),
    "spans": ("spans", "bank.conllu", "--model", "en-entities", "--to", "OUT"),
    "summarize": ("summarize", "text.txt", "--words", "12", "--to", "OUT"),
    "compress": ("compress", "text.txt", "--rate", "0.5", "--to", "OUT"),
    "entities": ("entities", "text.txt", "--output", "json", "--to", "OUT"),
    "show": ("show", "bank.conllu", "--to", "OUT"),
    "find": ("find", "V >obj O", "bank.conllu", "--output", "conllu", "--to", "OUT"),
    "rewrite": ("rewrite", "V >obj O => O.deprel=dobj", "bank.conllu", "--to", "OUT"),
    "convert": ("convert", "bank.conllu", "--output", "json", "--to", "OUT"),
    "cluster": ("cluster", "text.txt", "--set", "clusters=3", "--to", "OUT"),
    "compare": ("compare", "bank.conllu", "bank.conllu", "bank.conllu", "--samples", "20", "--report", "OUT"),
    "train": ("train", "parser", "bank.conllu", "--output", "OUT", "--set", "epochs=1", "--set", "arc_bits=12"),
}

# Verbs that print.
_PRINTERS: dict[str, tuple[str, ...]] = {
    "evaluate": ("evaluate", "bank.conllu", "bank.conllu"),
    "models": ("models",),
    "info": ("info", "small.accord"),
    "validate": ("validate", "bank.conllu", "--level", "1"),
    "decode": ("decode", "scores.npy", "--constraint", "max-dependents 2 @ 0.5"),
    "solve": ("solve", "pair.uai"),
    "bench": ("bench", "parser", "bank.conllu", "--repeat", "1"),
    "corpus": ("corpus", "run", "job.toml"),
}

SILENT = ("validate", "corpus")  # print nothing where all is well

# Verbs that stay until they are stopped.
STAYING: dict[str, tuple[str, ...]] = {
    "serve": ("serve", "--model", "en", "--port", "0"),
    "view": ("view", "bank.conllu", "--no-browser"),
}

_SUFFIXES = ("txt", "conllu", "in", "accord", "npy", "uai", "toml")
_UAI = "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 2 3 4\n"
_JOB = 'inputs = ["text.txt"]\noutput = "parsed"\nmodel = "en"\n'


def _of_tasks() -> dict[str, registry.Row]:
    """Verbs of tasks that have no call of their own: their tasks."""
    rows: dict[str, registry.Row] = {}
    for row in registry.rows():
        if row.verb not in _WRITERS:
            rows.setdefault(row.verb, row)
    return rows


WRITERS = _WRITERS | {verb: (verb, f"{verb}.in", "--model", f"{verb}.accord", "--to", "OUT") for verb in _of_tasks()}
CALLS = WRITERS | _PRINTERS


def forgotten() -> set[str]:
    """Verbs of the command line that have no call here."""
    return {*cli.verbs(), "train", *cli.GROUPS} - set(CALLS) - set(STAYING)


def input_of(verb: str) -> str:
    """The file that a verb reads first."""
    return next(word for word in CALLS[verb][1:] if word.rpartition(".")[2] in _SUFFIXES)


@cache
def _files_of_tasks() -> dict[str, bytes]:
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for verb, row in _of_tasks().items():
            made = trained(registry.task(row.name), Path(folder))
            made.model.save(Path(folder) / "model")
            files[f"{verb}.accord"] = (Path(folder) / "model").read_bytes()
            files[f"{verb}.in"] = made.example.applied
    files["small.accord"] = files["segment.accord"]
    return files


def fill(folder: Path, times: int = 5, sentences: int = 20) -> None:
    """Write the files that the calls read; ``times`` and ``sentences`` make some of them longer."""
    for name, content in _files_of_tasks().items():
        (folder / name).write_bytes(content)
    (folder / "text.txt").write_text(TEXT * times, encoding="utf-8")
    toy_document(sentences, 1).write(folder / "bank.conllu")
    (folder / "pair.uai").write_text(_UAI, encoding="utf-8")
    (folder / "job.toml").write_text(_JOB, encoding="utf-8")
    np.save(folder / "scores.npy", np.random.default_rng(1).normal(size=(8, 8)))
