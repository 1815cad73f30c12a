# SPDX-License-Identifier: Apache-2.0
"""``accord bench``: how fast and how well, measured the same way every time.

``accord bench parser`` works on any treebanks and models, each model in a process of its own. Comparisons with other
programs need the source tree and live there: ``python -m benchmarks``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.measuring.process import measure_parsers
from accord.app.measuring.report import parser_tables, plot_parsers
from accord.errors import ConfigError
from accord.figures import check_figure_path

app = typer.Typer(help="Measure speed and accuracy.", no_args_is_help=True)


@app.command()
def parser(
    files: Annotated[list[str], typer.Argument(help="Treebanks with gold trees.", metavar="FILE")],
    models: Annotated[
        list[str], typer.Option("--model", "-m", help="A packaged model or a model file; may be repeated.")
    ] = ["en"],  # noqa: B006
    threads: options.Threads = 1,
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="Runs; the median is reported.")] = 3,
    plot: Annotated[
        str | None,
        typer.Option("--plot", help="Write this picture of speed and accuracy by length; .svg, .png or .pdf."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: one object for each model and file.")] = False,
) -> None:
    """Measure speed (CPU time with features and labels) and accuracy of models, also by sentence length.

    Example: accord bench parser test.conllu --model en --model mine.accord --plot models.svg
    """
    if plot is not None:
        check_figure_path(plot)
    measured = list(measure_parsers(models, files, threads=threads, repeat=repeat))
    if plot is not None:
        plot_parsers(measured, plot)
    typer.echo(json.dumps(measured, indent=1) if as_json else parser_tables(measured))


# Comparisons with other programs were commands here; they moved to benchmarks/ of the source tree. Their old names work
# in a source tree until the next release.
MOVED = [
    "trees",
    "chains",
    "charts",
    "chart_orders",
    "inference",
    "pipeline",
    "pipeline_speed",
    "tokenizer",
    "lemmas",
    "entities",
    "segmentation",
    "packaged",
    "certificates",
    "convergence",
    "step_rules",
    "nonlocal_parts",
    "path_parts",
    "path_probabilities",
    "neural_speed",
    "neural_rules",
    "neural_calibration",
    "treebanks",
    "pruner",
    "losses",
    "marginal_training",
    "reading",
    "stream",
    "trie",
]


def _run_moved(name: str, arguments: list[str]) -> None:
    if not Path("benchmarks/__main__.py").is_file():
        raise ConfigError(f"accord bench {name}: works in a source tree only; there, run python -m benchmarks {name}")
    typer.echo(f"note: accord bench {name} is now python -m benchmarks {name}", err=True)
    status = subprocess.run([sys.executable, "-m", "benchmarks", name, *arguments]).returncode
    if status:
        raise typer.Exit(status)


def _add_moved(name: str) -> None:
    def moved(context: typer.Context) -> None:
        _run_moved(name, context.args)

    passing_on = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, hidden=True, add_help_option=False, context_settings=passing_on)(moved)


for _name in MOVED:
    _add_moved(_name)
