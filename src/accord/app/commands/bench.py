"""``accord bench``: how fast and how well, measured the same way every time.

``accord bench parser`` works on any treebank and model. Comparisons with other programs live in ``benchmarks/`` of the
source tree; ``accord bench NAME`` starts them from there.
"""

from __future__ import annotations

import json
import resource
import runpy
import statistics
import sys
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from accord import data
from accord.app import options
from accord.errors import ConfigError
from accord.models import model_path
from accord.tasks.parser import Parser
from accord.tasks.parser.training import attachment_scores

app = typer.Typer(help="Measure speed and accuracy.", no_args_is_help=True)
LENGTHS = (10, 20, 30, 40, 60, 100, 1_000_000)


@app.command()
def parser(
    file: Annotated[str, typer.Argument(help="A treebank with gold trees.")],
    model: Annotated[str, typer.Option("--model", "-m", help="A packaged model or a model file.")] = "en",
    threads: options.Threads = 1,
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="Runs; the median is reported.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Speed (CPU time, features and labels included) and accuracy, by sentence length.

    Example: accord bench parser test.conllu --model en
    """
    document = data.read(file)
    started = time.perf_counter()
    loaded = Parser.load(model_path(model))
    load_ms = 1000 * (time.perf_counter() - started)
    trees = loaded.trees(document, threads=threads)
    names = [loaded.labels[label] if label >= 0 else "_" for label in trees.labels.tolist()]
    scores = attachment_scores(document, trees.heads, names)
    seconds = statistics.median(_cpu_seconds(loaded, document, threads) for _ in range(repeat))
    report: dict[str, object] = {
        "UAS": scores.uas,
        "LAS": scores.las,
        "words": int(document.heads.size),
        "words_per_cpu_second": document.heads.size / seconds,
        "load_ms": load_ms,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "model_mb": model_path(model).stat().st_size / 1e6,
    }
    report["by_length"] = _by_length(loaded, document, threads, trees.heads)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    for name, value in report.items():
        if isinstance(value, list):
            typer.echo("by length   sentences    words   words/CPU s     UAS")
            for row in value:
                typer.echo(
                    f"{row['lengths']:<10}  {row['sentences']:>9}  {row['words']:>7}  "
                    f"{row['words_per_cpu_second']:>12,.0f}  {row['UAS']:>6.2f}"
                )
        else:
            typer.echo(f"{name:<22} {value:,.2f}" if isinstance(value, float) else f"{name:<22} {value}")


def _cpu_seconds(parser: Parser, document: data.Document, threads: int) -> float:
    started = time.process_time()
    parser.trees(document, threads=threads)
    return max(time.process_time() - started, 1e-9)


def _by_length(parser: Parser, document: data.Document, threads: int, heads: np.ndarray) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    ends = np.cumsum(document.lengths)
    low = 0
    for high in LENGTHS:
        chosen = [i for i, n in enumerate(document.lengths.tolist()) if low < n <= high]
        if chosen:
            part = data.Document.from_sentences([document.sentences[i] for i in chosen])
            words = np.concatenate([np.arange(ends[i] - document.lengths[i], ends[i]) for i in chosen])
            right = document.heads[words] == heads[words]
            seconds = _cpu_seconds(parser, part, threads)
            rows.append(
                {
                    "lengths": f"{low + 1}-{high}" if high < LENGTHS[-1] else f"{low + 1}+",
                    "sentences": len(chosen),
                    "words": len(words),
                    "words_per_cpu_second": len(words) / seconds,
                    "UAS": 100.0 * float(right.mean()),
                }
            )
        low = high
    return rows


# Comparisons with other programs: scripts of benchmarks/ in the source tree, each a verb of its own here.
COMPARISONS = {
    "trees": "Tree argmax, marginals and sums beside ufal.chu_liu_edmonds and torch-struct.",
    "inference": "Factor-graph solvers on Potts grids and second-order parses, beside recorded figures and HiGHS.",
    "packaged": "Confidences and long sentences of the packaged English parser.",
    "certificates": "Dual decomposition against LP and ILP on scores like a parser's.",
    "treebanks": "Train and test a parser on every treebank with training data.",
    "marginal_training": "Perceptron against marginal-based training, projective against non-projective.",
    "reading": "Reading and writing treebanks.",
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
