# SPDX-License-Identifier: Apache-2.0
"""``accord cluster``: word clusters from tokenised text."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.progress import Progress

from accord.app import console, options
from accord.data.files import open_output, text_pieces
from accord.settings import read_settings
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lines


def cluster(
    files: Annotated[
        list[str], typer.Argument(help="Tokenised text, one sentence in each line; - or nothing is standard input.")
    ] = ["-"],  # noqa: B006
    to: options.To = "-",
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Group the words of tokenised text into clusters; taggers and parsers use them by --set clusters=FILE.

    Example: accord cluster tokens.txt --set clusters=256 --to clusters.txt
    """
    settings = read_settings(ClusterConfig, config, set)
    lines = "\n".join("".join(text_pieces(file)) for file in files).splitlines()
    with Progress(console=console.error_console(), transient=True) as bar:
        line = bar.add_task("clustering", total=None)
        found = brown_clusters(
            lines, settings, report=lambda done, total: bar.update(line, completed=done, total=total)
        )
    with open_output(to) as out:
        out.write(cluster_lines(found).encode())
