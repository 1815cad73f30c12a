# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate``: a system's trees against gold ones, or its texts against those that people wrote."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from accord import data, evaluation
from accord.app import options
from accord.app.against import significance_json, significance_table, tree_tests
from accord.errors import FormatError
from accord.figures import check_figure_path


def evaluate(
    gold: Annotated[str, typer.Argument(help="The gold trees.")],
    system: Annotated[str, typer.Argument(help="The trees of a system, for the same text.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: F1 in percent by official name, and details.")
    ] = False,
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Also print scores by label, distance and sentence length.")
    ] = False,
    calibration: Annotated[
        bool,
        typer.Option("--calibration", help="Also check the probabilities that parse --probabilities wrote to MISC."),
    ] = False,
    bins: Annotated[
        int | None, typer.Option("--bins", min=1, help="Calibration: bins of the reliability table; 10 if not given.")
    ] = None,
    equal_count: Annotated[
        bool, typer.Option("--equal-count", help="Calibration: bins of equal counts instead of equal widths.")
    ] = False,
    plot: Annotated[
        str | None, typer.Option("--plot", help="Calibration: write this picture, .svg, .png or .pdf.")
    ] = None,
    rouge: Annotated[
        bool, typer.Option("--rouge", help="Compare summaries: one in each line, or JSON lines with summaries or text.")
    ] = False,
    stems: Annotated[bool, typer.Option("--stems", help="ROUGE: compare stems of words.")] = False,
    without_stop_words: Annotated[
        bool, typer.Option("--without-stop-words", help="ROUGE: leave out English stop words.")
    ] = False,
    combine: Annotated[
        str | None,
        typer.Option("--combine", help="ROUGE of several references: best (the default), mean, jackknife."),
    ] = None,
    bleu: Annotated[bool, typer.Option("--bleu", help="Compare texts by corpus BLEU; files as for --rouge.")] = False,
    splitting: Annotated[
        str | None, typer.Option("--splitting", help="BLEU: 13a (the default), or none: split at blanks only.")
    ] = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="BLEU: ignore case.")] = False,
    compression: Annotated[
        bool, typer.Option("--compression", help="Compare kept words: JSON lines with tokens and mask.")
    ] = False,
    parser: Annotated[
        str | None, typer.Option("--parser", help="Compression: also relations, found by this model, e.g. en.")
    ] = None,
    parseval: Annotated[
        bool, typer.Option("--parseval", help="Compare constituents: brackets, or treebanks that hold them.")
    ] = False,
    parameters: Annotated[
        str | None, typer.Option("--parameters", help="PARSEVAL: collins (the default), plain, or a file of evalb.")
    ] = None,
    characters: Annotated[
        bool, typer.Option("--characters", help="PARSEVAL: words may differ; boundaries inside brackets count.")
    ] = False,
    against: Annotated[
        str | None, typer.Option("--against", help="Another system's answers: is the difference more than chance?")
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", min=1, help="Paired bootstrap: samples; 1000 if not given.")
    ] = None,
    format: options.Format = "auto",
) -> None:
    """Compare trees with gold: the CoNLL 2018 metrics, and UAS and LAS over all words.

    Or compare constituents (--parseval), summaries (--rouge), texts (--bleu) or compressed sentences (--compression).

    Example: accord evaluate gold.conllu system.conllu --json
    """
    asked_for = {"--rouge": rouge, "--bleu": bleu, "--compression": compression, "--parseval": parseval}
    modes = [name for name, asked in asked_for.items() if asked]
    if len(modes) > 1:
        raise typer.BadParameter(f"not together with {modes[0]}", param_hint=modes[1])
    _check_belongs(
        "--rouge", rouge, {"--stems": stems, "--without-stop-words": without_stop_words, "--combine": combine}
    )
    _check_belongs("--bleu", bleu, {"--splitting": splitting, "--lowercase": lowercase})
    _check_belongs("--compression", compression, {"--parser": parser})
    _check_belongs("--parseval", parseval, {"--parameters": parameters, "--characters": characters})
    _check_belongs("--against", against is not None, {"--samples": samples})
    compared: dict[str, Any] = {"other": against, "samples": samples or 1000, "as_json": as_json}
    if rouge:
        from accord.app.rouge import print_rouge

        ways: tuple[evaluation.rouge.Combine, ...] = ("best", "mean", "jackknife")
        how = options.check_choice(combine or "best", ways, "--combine")
        print_rouge(gold, system, stems=stems, without_stop_words=without_stop_words, combine=how, **compared)
        return
    if bleu:
        from accord.app.bleu import print_bleu

        splittings: tuple[evaluation.bleu.Splitting, ...] = ("13a", "none")
        split = options.check_choice(splitting or "13a", splittings, "--splitting")
        print_bleu(gold, system, splitting=split, lowercase=lowercase, **compared)
        return
    if parseval:
        from accord.app.parseval import print_parseval

        how_brackets: dict[str, Any] = {"parameters": parameters or "collins", "over_characters": characters}
        print_parseval(gold, system, format=format, **how_brackets, **compared)
        return
    if compression:
        from accord.app.compressions import print_compression

        print_compression(gold, system, parser=parser, **compared)
        return
    _check_belongs("--calibration", calibration, {"--bins": bins, "--equal-count": equal_count, "--plot": plot})
    if plot is not None:
        check_figure_path(plot)
    gold_document, system_document = data.read(gold, format=format), data.read(system, format=format)
    result = evaluation.evaluate(gold_document, system_document, gold_name=gold, system_name=system)
    try:
        classic = {
            "all words": evaluation.attachment(gold_document, system_document),
            "without punctuation": evaluation.attachment(gold_document, system_document, punctuation="exclude"),
        }
    except FormatError:
        classic = {}  # the words differ: only the aligned metrics have a meaning
    calibrations: dict[str, evaluation.Calibration] = {}
    if calibration:
        calibrations = evaluation.tree_calibration(
            gold_document,
            system_document,
            bins=bins or 10,
            binning="count" if equal_count else "width",
            gold_name=gold_document.name,
            system_name=system_document.name,
        )
    if plot is not None:
        evaluation.plot_reliability(calibrations, plot)
    graphs: dict[str, Any] = {}
    if not gold_document.has_gaps("deps"):
        from accord.evaluation.enhanced import enhanced_scores

        graphs = dict(enhanced_scores(gold_document, system_document))
    tests: dict[str, evaluation.McNemar | evaluation.PairedBootstrap] = {}
    if against is not None:
        tests = tree_tests(gold_document, system_document, data.read(against, format=format), compared["samples"])
    if as_json:
        report: dict[str, Any] = {
            **{name: score.f1 for name, score in result.items()},
            "details": result.to_json(),
            "attachment": {name: score.to_json() for name, score in classic.items()},
        }
        if calibration:
            report["calibration"] = {name: found.to_json() for name, found in calibrations.items()}
        if graphs:
            report["enhanced"] = {name: score.f1 for name, score in graphs.items()}
        if tests:
            report["against"] = significance_json(tests)
        typer.echo(json.dumps(report, indent=1))
        return
    typer.echo(result.table())
    for name, score in classic.items():
        typer.echo(
            f"{name + ' (with subtypes)':<36} UAS {score.uas:.2f}  LAS {score.las:.2f}  "
            f"complete trees {score.uem:.2f} / {score.lem:.2f}"
        )
    for name, score in graphs.items():
        figures = f"{score.precision:.2f}  {score.recall:.2f}  {score.f1:.2f}"
        typer.echo(f"{name + ' (precision, recall, F1)':<36} {figures}")
    if breakdown and classic:
        _print_breakdown(gold_document, system_document)
    _print_calibrations(calibrations)
    if against is not None:
        typer.echo(significance_table(tests, against))


def _check_belongs(mode: str, on: bool, asked: dict[str, Any]) -> None:
    """Refuse options that mean nothing without the option that they belong to."""
    for name, value in asked.items():
        if value not in (None, False) and not on:
            raise typer.BadParameter(f"it belongs to {mode}", param_hint=name)


def _print_breakdown(gold: data.Document, system: data.Document) -> None:
    for title, rows in (
        ("relation", evaluation.by_relation(gold, system)),
        ("distance", evaluation.by_distance(gold, system)),
    ):
        typer.echo(f"\nby {title}")
        for name, score in rows.items():
            figures = f"P {score.precision:6.2f}  R {score.recall:6.2f}  F1 {score.f1:6.2f}  n {score.gold_total}"
            typer.echo(f"{name:<16} {figures}")
    typer.echo("\nby sentence length")
    for name, length in evaluation.by_sentence_length(gold, system).items():
        typer.echo(f"{name:<16} UAS {length.uas:6.2f}  LAS {length.las:6.2f}  words {length.words}")


def _print_calibrations(calibrations: dict[str, evaluation.Calibration]) -> None:
    for name, found in calibrations.items():
        typer.echo(f"\ncalibration of {name}\n{found.table()}")
        typer.echo(
            f"ECE {found.ece:.4f}  MCE {found.mce:.4f}  Brier {found.brier:.4f}  "
            f"mean confidence {found.confidence:.4f}  accuracy {found.accuracy:.4f}"
        )
