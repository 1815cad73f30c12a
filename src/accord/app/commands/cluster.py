# SPDX-License-Identifier: Apache-2.0
"""``accord cluster``: word clusters from tokenised text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from accord.app import console, options
from accord.data.files import open_output, text_pieces
from accord.learning.checkpoint import Checkpoint
from accord.settings import read_settings
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lines, exchange_clusters
from accord.tasks.vector_clusters import read_word_vectors, vector_clusters


def cluster(
    files: Annotated[
        list[str], typer.Argument(help="Tokenised text, one sentence in each line; - or nothing is standard input.")
    ] = ["-"],  # noqa: B006
    method: Annotated[
        str | None,
        typer.Option(
            "--method", help="brown, exchange, or kmeans: cut vectors of words, one file of lines 'word numbers...'."
        ),
    ] = None,
    to: options.To = "-",
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
    resume: options.Resume = False,
) -> None:
    """Group the words of tokenised text into clusters; taggers and parsers use them by --set clusters=FILE.

    Example: accord cluster tokens.txt --set clusters=256 --to clusters.txt
    """
    settings = read_settings(ClusterConfig, config, [*set, *([f"method={method}"] if method else [])])
    if resume and settings.method != "brown":
        raise typer.BadParameter("only brown can be resumed", param_hint="--resume")
    checkpoint = None if to == "-" else Checkpoint.beside(Path(to), "clusters", settings, resume=resume)
    if resume and checkpoint is None:
        raise typer.BadParameter("name the output file with --to: the checkpoint is beside it", param_hint="--resume")
    errors = console.error_console()
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        line = bar.add_task("clustering", total=None)
        try:
            found = _clusters(
                files, settings, lambda done, total: bar.update(line, completed=done, total=total), checkpoint
            )
        except KeyboardInterrupt:
            if checkpoint is not None and checkpoint.exists():
                bar.console.print(f"interrupted; --resume goes on from {checkpoint.path}", markup=False, soft_wrap=True)
            raise
    with open_output(to) as out:
        out.write(cluster_lines(found).encode())
    if checkpoint is not None:
        checkpoint.remove()


def _clusters(
    files: list[str],
    settings: ClusterConfig,
    report: Callable[[int, int], None],
    checkpoint: Checkpoint | None,
) -> dict[str, tuple[str, int]]:
    if settings.method == "brown":
        return brown_clusters(_lines(files), settings, report=report, checkpoint=checkpoint)
    if settings.method == "exchange":
        return exchange_clusters(_lines(files), settings, report=report)
    if len(files) != 1:
        raise typer.BadParameter("kmeans reads one file of vectors", param_hint="--method")
    return vector_clusters(*read_word_vectors(files[0]), settings.clusters, report=report)


def _lines(files: list[str]) -> Iterator[str]:
    """Lines of all files; a piece of a file may end in the middle of a line."""
    for file in files:
        rest = ""
        for piece in text_pieces(file):
            *whole, rest = (rest + piece).split("\n")
            yield from whole
        yield rest
