# SPDX-License-Identifier: Apache-2.0
"""``accord bench``: how fast and how well, measured the same way every time.

``accord bench parser`` works on any treebanks and models, each model in a process of its own. Comparisons with other
programs live in ``benchmarks/`` of the source tree; ``accord bench NAME`` starts them from there.
"""

from __future__ import annotations

import json
import runpy
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
        str | None, typer.Option("--plot", help="Picture to write: speed and accuracy by length; .svg, .png or .pdf.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Figures as JSON: a list, one object a model and file.")
    ] = False,
) -> None:
    """Speed (CPU time, features and labels included) and accuracy, by sentence length, of one or several models.

    Example: accord bench parser test.conllu --model en --model mine.accord --plot models.svg
    """
    if plot is not None:
        check_figure_path(plot)
    measured = list(measure_parsers(models, files, threads=threads, repeat=repeat))
    if plot is not None:
        plot_parsers(measured, plot)
    typer.echo(json.dumps(measured, indent=1) if as_json else parser_tables(measured))


# Comparisons with other programs: scripts of benchmarks/ in the source tree, each a verb of its own here.
COMPARISONS = {
    "trees": "Tree argmax, marginals and sums beside ufal.chu_liu_edmonds and torch-struct.",
    "chains": "Label sequences: argmax, sums, marginals, entropy beside torch-struct; k-best and samples.",
    "charts": "Exact projective parsing of second and third order, by sentence length and pruning.",
    "chart_orders": "Projective parsers of first to third order on the Penn Treebank sample, and their pruning.",
    "inference": "Factor-graph solvers on Potts grids and second-order parses, beside recorded figures and HiGHS.",
    "pipeline": "Raw text to trees beside UDPipe 1: all CoNLL-18 metrics, and speed.",
    "pipeline_speed": "Speed of the packaged pipelines by step and threads, load time, memory, start-up.",
    "tokenizer": "Tokenisers of all treebanks with training data.",
    "lemmas": "Lemmatizers of several treebanks.",
    "entities": "Named entities and chunks: spans found on several corpora.",
    "segmentation": "Chinese word segmentation, the confidence back-off and lexicons of users.",
    "packaged": "Confidences and long sentences of the packaged English parser.",
    "certificates": "Dual decomposition against LP and ILP on scores like a parser's.",
    "convergence": "AD3 against subgradient, round by round, on the parses of real sentences.",
    "step_rules": "Subgradient's step rules: rounds to the value of the relaxation, on random graphs.",
    "nonlocal_parts": "Branch and bound over a second-order chart: accuracy, exactness, chart calls.",
    "path_parts": "Paths and non-projective arcs as parts of a non-projective parser: accuracy, certificates, cost.",
    "path_probabilities": "Probabilities of parsers with paths and non-projective arcs against sums over all trees.",
    "neural_speed": "A neural parser on one core beside PyTorch and ONNX Runtime: speed, memory, scores.",
    "neural_rules": "Rules over a neural parser: how often its trees break them, what keeping them costs.",
    "neural_calibration": "How far the confidences of parsers can be trusted, with and without temperatures.",
    "treebanks": "Train and test a parser on every treebank with training data.",
    "pruner": "Heads that the pruner keeps, right and all, by its stages and threshold.",
    "losses": "Perceptron, MIRA, SVM, CRF and softmax-margin on one treebank.",
    "marginal_training": "Perceptron against marginal-based training, projective against non-projective.",
    "reading": "Reading and writing treebanks.",
    "stream": "Memory and speed of accord parse over a long stream.",
    "trie": "The 2D trie beside string look-up.",
}


def _run_script(name: str, arguments: list[str]) -> None:
    script = Path("benchmarks") / f"{name}.py"
    if not script.is_file():
        raise ConfigError(f"{script}: no such benchmark here; run this from the folder of a source tree")
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")


def _add_comparison(name: str, about: str) -> None:
    def comparison(context: typer.Context) -> None:
        _run_script(name, context.args)

    passing_on = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, help=f"{about} Further arguments go to benchmarks/{name}.py.", context_settings=passing_on)(
        comparison
    )


for _name, _about in COMPARISONS.items():
    _add_comparison(_name, _about)
